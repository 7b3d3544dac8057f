"""What is said where the documents have no answer: what comes nearest to one, if anything does."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from rag import i18n
from rag.errors import WenquError
from rag.language import words
from rag.language.refusals import may_refuse, refuses
from rag.llm.stream import Done, Part
from rag.llm.think import Text, ThoughtsEnd
from rag.prompts import Prompts
from rag.quoting import nearest_quote
from rag.rewriting.condense import points_back
from rag.turn.context import TurnContext
from rag.turn.draft import Draft

# How the prompts have it said that there is no answer, and what separates that from one that was given.
_DENIALS = ("资料中没有相关内容", "the documents say nothing about it")
_COMMAS = "，,"
_STOPS = "。. "
# What asks for several things may be answered in part.
_SEVERAL = re.compile(r"[和与及跟、]|分别|各|\band\b")


def refusal(draft: Draft, context: TurnContext, prompts: Prompts) -> str:
    """What a question is told to which the search found nothing relevant. Raises StoreError."""
    near, told = nearest(draft, context), prompts.said("refusal", context.language)
    return f"{told}\n\n{near}" if near and prompts.is_own("refusal") else near or told


def nearest(draft: Draft, context: TurnContext) -> str:
    """That there is no direct answer, and what comes nearest to one; "" where that would be far from relevant.

    Raises StoreError.
    """
    near = [item for item in draft.evidence if item.relevant or item.chunk_id in draft.nearly_relevant]
    if draft.place_read or not near:
        return ""
    # The rules put a name before a follow-up, of which every sentence of its passage may speak.
    asked = draft.whole_question if points_back(words.plainly(draft.asked)) else draft.asked
    similarities = partial(context.retrieval.knowledge.similarities, collections=context.collections)
    return i18n.text(context.language, "own_answer.nearest", quote=nearest_quote(asked, near, similarities))


def with_nearest(parts: Iterator[Part], draft: Draft, near: Callable[[str], str]) -> Iterator[Part]:
    """The parts of an answer, with what is `near` in the place of one that only says that there is none.

    `near` is given that answer. Small models say that the documents hold nothing where they hold it in other words.
    What may be no more than that is held back until it is certain.
    """
    held: str | None = ""
    try:
        for part in parts:
            match part:
                case Text(text) if held is not None:
                    held += text
                    if not may_refuse(held):
                        yield Text(held)
                        held = None
                    continue
                case ThoughtsEnd():
                    if held:
                        yield Text(held)
                    held = ""
                case Done(_, cut):
                    answer = draft.answer + (held or "")
                    is_refusal = not cut and not draft.cancel.is_set() and refuses(answer)
                    if said := (near(answer) if is_refusal else "") or held:
                        yield Text(f"\n\n{said}" if held is None else said)
                    # One that only repeats the question is told so, and tries again.
                    held = None if answer else ""
            yield part
    except WenquError:
        # Of an answer that broke off, what was said stays.
        if held:
            yield Text(held)
        raise


def without_denial(parts: Iterator[Part], draft: Draft, is_borne_out: Callable[[str], bool]) -> Iterator[Part]:
    """The parts of an answer, without the words that there is none behind one that `is_borne_out`.

    A small model adds them to a right figure: 1.20元，资料中没有相关内容。
    """
    held = ""
    try:
        for part in parts:
            match part:
                case Text(text):
                    said = held + text
                    begins = _denial_begins(said)
                    held = said[begins:]
                    if begins:
                        yield Text(said[:begins])
                    continue
                case Done(_, cut) if held and not cut and not draft.cancel.is_set():
                    yield Text(_ending(held, draft, is_borne_out))
                    held = ""
                case ThoughtsEnd() | Done() if held:
                    yield Text(held)
                    held = ""
            yield part
    except WenquError:
        # Of an answer that broke off, what was said stays.
        if held:
            yield Text(held)
        raise


def _denial_begins(said: str) -> int:
    """Where, behind a comma, words begin that may say that there is no answer; the end of what is said without such."""
    comma = max(map(said.rfind, _COMMAS))
    rest = _bare(said[comma + 1 :])
    return comma if comma >= 0 and any(denial.startswith(rest) for denial in _DENIALS) else len(said)


def _ending(held: str, draft: Draft, is_borne_out: Callable[[str], bool]) -> str:
    """What an answer ends with, of which this was held back."""
    denies = _bare(held[1:]) in _DENIALS and not _SEVERAL.search(draft.question)
    if denies and is_borne_out(draft.answer):
        return held[-1].strip() if held[-1] in _STOPS else ""
    return held


def _bare(clause: str) -> str:
    return clause.strip().rstrip(_STOPS).lower()
