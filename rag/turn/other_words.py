"""A question put in other words by the model before it is searched for: in the documents' language, or their style."""

import time
from collections.abc import Generator

from langchain_core.messages import HumanMessage

from rag import events
from rag.i18n import Language
from rag.language import words
from rag.language.english import other_language
from rag.rewriting.drift import lost_numbers
from rag.transcript import Transcript
from rag.turn.context import TurnContext
from rag.turn.draft import Draft
from rag.turn.pointing import leans
from rag.turn.short_reply import MOST_TOKENS, MOST_TRANSLATED, short_reply
from rag.types import SearchResult

# What models put around a line.
_AROUND = '→ “”"「」。.'
OTHER_WORDS = NARROWED, REWORDED, TRANSLATED = "search.narrowed", "search.reworded", "search.translated"


def translated(
    question: str, found: SearchResult, draft: Draft, transcript: Transcript, context: TurnContext
) -> Generator[events.TurnEvent, None, str]:
    """A question in the language of what was found for it; "" where it is in that already.

    No word of an English question stands in a Chinese passage, and vectors alone find too little: of 31 questions to
    two PDFs, put in English, .55 had their page among the first three passages; with the 1.5B's translations .90.
    """
    texts = [hit.chunk.passage.text for hit in found.hits or found.nearest]
    language = other_language(question, texts)
    if language is None or draft.place or not context.has_model:
        return ""
    prompt = "to_chinese" if language is Language.ZH else "to_english"
    return (yield from _put_by_model(question, prompt, MOST_TRANSLATED, draft, transcript, context))


def reworded(draft: Draft, transcript: Transcript, context: TurnContext) -> Generator[events.TurnEvent, None, str]:
    """A question that found nothing as it was asked, in a document's words; "" for what cannot be put so.

    Everyday words share few with what answers them: of 37 such questions that were nearly answered 14 find their
    passage so, and 6 of 45 that the documents do not answer find something. Not a follow-up, which with the name
    before it finds that name's passages.
    """
    if not context.has_model or draft.place or leans(draft, transcript):
        return ""
    return (yield from _put_by_model(draft.asked, "reword", MOST_TOKENS, draft, transcript, context))


def _put_by_model(
    question: str, prompt: str, most_tokens: int, draft: Draft, transcript: Transcript, context: TurnContext
) -> Generator[events.TurnEvent, None, str]:
    """The first line of the model's reply; "" without a word in it, or without a number of the question.

    It is asked on top of the conversation's prefix.
    """
    begun = time.perf_counter()
    request = HumanMessage(transcript.prompts.fill(prompt, question=question))
    reply = yield from short_reply(draft, transcript, request, context, most_tokens)
    put = next(iter(reply.strip().splitlines()), "").strip(_AROUND)
    if not words.terms(put) or lost_numbers(question, put):
        return ""
    yield events.Condensed(put, time.perf_counter() - begun)
    return put
