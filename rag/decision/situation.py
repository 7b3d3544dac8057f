"""A turn of a conversation over a knowledge base, as a decider sees it."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from rag.decision.base import Material, Situation
from rag.decision.signals import search_words
from rag.evidence import highest, said_by, that_may_answer
from rag.knowledge.base import KnowledgeBase
from rag.knowledge.request import CHUNK_SPARSE, FusionSpec, SearchRequest, SingleSearchRequest
from rag.transcript import Transcript
from rag.types import EVERYTHING, Evidence, Hit, Scope

_FOUND = 50
# By words alone: no model is asked, so it takes milliseconds.
_BY_WORDS = SearchRequest((SingleSearchRequest(CHUNK_SPARSE, _FOUND),), FusionSpec("rrf"), _FOUND, _FOUND)


def situation_of(
    question: str,
    transcript: Transcript,
    knowledge: KnowledgeBase,
    collections: Sequence[str],
    scope: Scope = EVERYTHING,
) -> Situation:
    """The question after the transcript's turns, with the evidence that it holds, newest first. Raises StoreError."""
    in_hand = transcript.in_hand()
    answering = that_may_answer(question, in_hand)
    words = search_words(question, [_held(item, {}) for item in answering])
    held = {chunk for item in in_hand for chunk in item.chunks}
    hits = knowledge.search((words,), collections, _BY_WORDS, scope).hits
    scores = {hit.chunk.chunk_id: hit.routes.get(CHUNK_SPARSE, 0.0) for hit in hits}
    return Situation(
        question,
        tuple((turn.question, turn.answer) for turn in transcript.recent()),
        tuple(_held(item, scores) for item in answering),
        tuple(_found(hit, scores[hit.chunk.chunk_id]) for hit in hits if hit.chunk.chunk_id not in held),
    )


def _held(item: Evidence, scores: Mapping[int, float]) -> Material:
    """The evidence with the score of its best chunk."""
    titles = _titles(item.document_name, item.heading_path)
    return Material(item.document_id, titles, said_by(item), highest(scores, item.chunks))


def _found(hit: Hit, score: float) -> Material:
    passage = hit.chunk.passage
    return Material(hit.chunk.document_id, _titles(hit.chunk.document_name, passage.heading_path), passage.text, score)


def _titles(document_name: str, heading_path: tuple[str, ...]) -> tuple[str, ...]:
    return (PurePath(document_name).stem, *heading_path[-1:])
