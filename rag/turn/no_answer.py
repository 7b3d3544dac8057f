"""What is said where the documents have no answer: what comes nearest to one is quoted, if anything does."""

import re
from collections.abc import Callable
from functools import partial

from rag import i18n
from rag.language.refusals import may_refuse, refuses
from rag.llm.stream import Done
from rag.quoting import by_each, nearest_quote
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.turn.output_filters import OutputFilter

# How the prompts have it said that there is no answer, and what separates that from one that was given.
_DENIALS = ("资料中没有相关内容", "the documents say nothing about it")
_COMMAS = "，,"
_STOPS = "。. "
# What asks for several things may be answered in part.
_SEVERAL = re.compile(r"[和与及跟、]|分别|各|\band\b")


def refusal(draft: Draft, context: TurnContext) -> str:
    """The answer where the search found nothing relevant. Raises StoreError."""
    near, prompts = nearest(draft, context), context.transcript.prompts
    told = prompts.said("refusal", context.language)
    return f"{told}\n\n{near}" if near and prompts.is_own("refusal") else near or told


def nearest(draft: Draft, context: TurnContext) -> str:
    """That there is no direct answer, with a quotation of what comes nearest; "" where nothing is nearly relevant.

    Raises StoreError.
    """
    # What is in hand was found by another of its chunks.
    near = [item for item in draft.evidence if item.relevant or not draft.nearly_relevant.isdisjoint(item.chunks)]
    if draft.place_read or not near:
        return ""
    similarities = partial(context.retrieval.knowledge.similarities, collections=context.collections)
    quote = nearest_quote(draft.whole_question, near, by_each(draft.phrasings, similarities))
    return i18n.text(context.language, "own_answer.nearest", quote=quote)


class NearestInstead(OutputFilter):
    """Replaces an answer that only says that there is none by what comes nearest, which `near` makes of that answer.

    Small models say so where the documents have the answer in other words. What may be no more than that is held back.
    """

    def __init__(self, draft: Draft, near: Callable[[str], str]) -> None:
        super().__init__()
        self._draft, self._near = draft, near

    def holds(self, said: str) -> bool:
        """Whether it may say no more than that."""
        return may_refuse(said)

    def end(self, done: Done) -> str:
        """What is near, or what was held back."""
        answer, was_open = self._draft.answer + self.held, self.is_open
        is_refusal = not done.cut and not self._draft.cancel.is_set() and refuses(answer)
        held = self.release()
        # One that only repeats the question is told so, and tries again.
        self.is_open = bool(answer)
        said = (self._near(answer) if is_refusal else "") or held
        return f"\n\n{said}" if said and was_open else said


class WithoutDenial(OutputFilter):
    """Leaves out the words that there is no answer behind one that `is_borne_out`.

    A small model adds them to a right figure: 1.20元，资料中没有相关内容。
    """

    def __init__(self, draft: Draft, is_borne_out: Callable[[str], bool]) -> None:
        super().__init__()
        self._draft, self._is_borne_out = draft, is_borne_out

    def feed(self, text: str) -> str:
        """All that stands before such words."""
        said = self.held + text
        begins = _denial_begins(said)
        self.held = said[begins:]
        return said[:begins]

    def end(self, done: Done) -> str:
        """What was held back, unless it is left out."""
        held = self.release()
        denies = _bare(held[1:]) in _DENIALS and not _SEVERAL.search(self._draft.question)
        if done.cut or self._draft.cancel.is_set() or not denies or not self._is_borne_out(self._draft.answer):
            return held
        return held[-1].strip() if held[-1] in _STOPS else ""


def _denial_begins(said: str) -> int:
    """Where, behind a comma, words begin that may become a denial; without such, where the text ends."""
    comma = max(map(said.rfind, _COMMAS))
    rest = _bare(said[comma + 1 :])
    return comma if comma >= 0 and any(denial.startswith(rest) for denial in _DENIALS) else len(said)


def _bare(clause: str) -> str:
    return clause.strip().rstrip(_STOPS).lower()
