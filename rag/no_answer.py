"""What is said where the documents have no answer: what comes nearest to one, if anything does."""

from collections.abc import Callable, Iterator
from functools import partial

from rag import i18n
from rag.condense import points_back
from rag.draft import Draft
from rag.errors import WenquError
from rag.language import words
from rag.llm.stream import Done, Part
from rag.llm.think import Text, ThoughtsEnd
from rag.own_answer import spoken_language
from rag.prompts import Prompts
from rag.quoting import nearest_quote
from rag.turn_context import TurnContext

# How models begin to say that there is no answer.
_BEGINNINGS = (
    "我不知道",
    "我不清楚",
    "我无法回答",
    "不知道",
    "不清楚",
    "无法回答",
    "抱歉",
    "对不起",
    "很遗憾",
    "资料中没有",
    "资料里没有",
    "资料没有",
    "i do not know",
    "i don't know",
    "the documents do not",
    "sorry",
)
# One that is longer says something.
_LONGEST = 100


def refusal(draft: Draft, context: TurnContext, prompts: Prompts) -> str:
    """What a question is told to which the search found nothing relevant. Raises StoreError."""
    near, told = nearest(draft, context), prompts.said("refusal", spoken_language(draft.question))
    return f"{told}\n\n{near}" if near and prompts.is_own("refusal") else near or told


def nearest(draft: Draft, context: TurnContext) -> str:
    """That there is no direct answer, and what comes nearest to one; "" where that would be far from relevant.

    Raises StoreError.
    """
    near = [item for item in draft.evidence if item.relevant or item.chunk_id in draft.nearly_relevant]
    if draft.place_read or not near:
        return ""
    # The rules put a name before a follow-up, of which every sentence of its passage may speak.
    asked = draft.whole_question if points_back(words.plainly(draft.question)) else draft.question
    likeness = partial(context.retrieval.knowledge.likeness, collections=context.collections)
    language = spoken_language(draft.question) or i18n.Language.ZH
    return i18n.text(language, "own_answer.nearest", quote=nearest_quote(asked, near, likeness))


def with_nearest(parts: Iterator[Part], draft: Draft, near: Callable[[], str]) -> Iterator[Part]:
    """The parts of an answer, with what is `near` in the place of one that only says that there is none.

    Small models say that the documents hold nothing where they hold it in other words. What may be no more than that is
    held back until it is certain.
    """
    held: str | None = ""
    try:
        for part in parts:
            match part:
                case Text(text) if held is not None:
                    held += text
                    if not _may_refuse(held):
                        yield Text(held)
                        held = None
                    continue
                case ThoughtsEnd():
                    if held:
                        yield Text(held)
                    held = ""
                case Done(_, cut):
                    refuses = not cut and not draft.cancel.is_set() and words.refuses(draft.answer + (held or ""))
                    if said := (near() if refuses else "") or held:
                        yield Text(f"\n\n{said}" if held is None else said)
                    held = None
            yield part
    except WenquError:
        # Of an answer that broke off, what was said stays.
        if held:
            yield Text(held)
        raise


def _may_refuse(said: str) -> bool:
    """Whether an answer that begins so may be no more than that there is none."""
    begun = said.strip().lower().replace("’", "'")
    may_begin = any(begun.startswith(one) or one.startswith(begun) for one in _BEGINNINGS)
    return may_begin and len(begun) <= _LONGEST and "[" not in begun and "\n" not in begun
