"""Query reformulation: the model puts a question in the documents' language or style, to search for it once more."""

import re
import time
from collections.abc import Callable, Collection, Generator, Sequence
from difflib import SequenceMatcher
from functools import partial

from langchain_core.messages import HumanMessage

from rag import events
from rag.citations.sentences import sentences
from rag.i18n import Language
from rag.language import words
from rag.language.english import other_language
from rag.rewriting.drift import keeps_denials, lost_numbers
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.turn.references import is_follow_up
from rag.turn.short_reply import MOST_TOKENS, MOST_TRANSLATED, short_reply
from rag.turn.trimming import bare
from rag.types import SearchResult

# What models put around a line.
_AROUND = '→ “”"「」。.'
# What differs less asks for something else rather than in other words: 番茄炒蛋放盐 for 番茄炒蛋放糖吗.
_HARDLY_REWORDED = 0.7
# And an example of the prompt is no question of the reader's: 公司大门什么时候打开.
_REPEATS = 0.5
_EXAMPLE = re.compile("(?:例如：|For example: )(.+?) *→")
# A model that has not understood what to do says so: 请提供需要改写的内容.
_OF_THE_TASK = re.compile("改写|书面说法|请提供")
OTHER_WORDS = NARROWED, REWORDED, TRANSLATED = "search.narrowed", "search.reworded", "search.translated"


def translated(
    question: str, found: SearchResult, draft: Draft, context: TurnContext
) -> Generator[events.TurnEvent, None, str]:
    """A question translated into the language of what was found for it; "" where it is in that already.

    No word of an English question stands in a Chinese passage, and vectors alone find too little: of 31 questions to
    two PDFs, put in English, .55 had their page among the first three passages; with the 1.5B's translations .90.
    """
    texts = [hit.chunk.passage.text for hit in found.hits or found.nearest]
    language = other_language(question, texts)
    if language is None or draft.place or not context.has_model:
        return ""
    prompt = "to_chinese" if language is Language.ZH else "to_english"
    return (yield from _put_by_model(question, prompt, MOST_TRANSLATED, draft, context))


def reworded(draft: Draft, context: TurnContext) -> Generator[events.TurnEvent, None, str]:
    """A question that found nothing, put in a document's words; "" where that is not to be had.

    Everyday words share few with what answers them: of 37 such questions that were nearly answered 14 find their
    passage so, and 6 of 45 that the documents do not answer find something. Not a follow-up, which with the name
    before it finds that name's passages.
    """
    if not context.has_model or draft.place or is_follow_up(draft, context):
        return ""
    examples = _EXAMPLE.findall(context.transcript.prompts.fill("reword", question=""))
    said = {bare(sentence.text) for turn in context.transcript.turns for sentence in sentences(turn.answer)}
    is_reworded = partial(_is_reworded, draft.asked, examples, said)
    return (yield from _put_by_model(draft.asked, "reword", MOST_TOKENS, draft, context, may_be=is_reworded))


def _put_by_model(
    question: str,
    prompt: str,
    most_tokens: int,
    draft: Draft,
    context: TurnContext,
    *,
    may_be: Callable[[str], bool] = bool,
) -> Generator[events.TurnEvent, None, str]:
    """The first line of the model's reply to a prompt about the question, asked on top of the conversation's prefix.

    "" for one without a word in it, without a number of the question, or that may not be one.
    """
    begun = time.perf_counter()
    request = HumanMessage(context.transcript.prompts.fill(prompt, question=question))
    reply = yield from short_reply(draft, context, request, most_tokens)
    put = next(iter(reply.strip().splitlines()), "").strip(_AROUND)
    if not words.terms(put) or lost_numbers(question, put) or not may_be(put):
        return ""
    yield events.Condensed(put, time.perf_counter() - begun)
    return put


def _is_reworded(question: str, examples: Sequence[str], said: Collection[str], put: str) -> bool:
    """Whether `put` is the question in other words: no example of the prompt, no sentence of an answer, nothing else.

    最后一期是2027年8月18日 is made up, and finds what is told of that day.
    """
    repeats = any(_likeness(example, put) > _REPEATS for example in examples)
    if repeats or _OF_THE_TASK.search(put) or bare(put) in said or lost_numbers(put, question):
        return False
    return keeps_denials(question, put) and _likeness(question, put) < _HARDLY_REWORDED


def _likeness(one: str, other: str) -> float:
    """How much of two texts is the same, from 0 to 1."""
    return SequenceMatcher(None, one, other).ratio()
