"""Whether anything relevant was found, and what of it is used: of a reader's own files, and of the guide.

A reader's own files are searched by themselves, and the guide that everybody shares where they answer little. Searched
together, its passages would be among those that a reader's few are measured by: of 125 everyday questions to eight
short documents 12 were refused instead of 6.
"""

import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, zip_longest

from rag.errors import ModelError
from rag.knowledge.base import SHARED_COLLECTION, STILL_FILLING, KnowledgeBase
from rag.knowledge.request import CHUNK_SPARSE
from rag.language.answer_forms import asks_for_several
from rag.language.words import terms
from rag.rerank import Reranker
from rag.rerank.features import PERHAPS
from rag.retrieval.candidates import candidates_of, with_terms
from rag.retrieval.query import Query
from rag.types import Candidate, Hit, Message, SearchResult

# What the guide has to reach beside a reader's own files; where these reach it, it is not asked.
_OF_GUIDE = 0.5
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ranked:
    """What was found for a question, and its hits in the order of the rankers."""

    query: Query
    result: SearchResult
    hits: tuple[Hit, ...]
    is_reranked: bool

    def candidates(
        self, knowledge: KnowledgeBase, used: Sequence[Hit], passages: Sequence[Hit], copies: Mapping[int, Hit]
    ) -> tuple[Candidate, ...]:
        """What became of its best. Raises StoreError."""
        best = candidates_of(self.result, self.hits if self.is_reranked else (), used, passages, copies)
        by_words = [item.chunk_id for item in best if CHUNK_SPARSE in item.ranks]
        return with_terms(best, knowledge.explain(self.query.question, self.query.collections, by_words))


def reranked(query: Query, result: SearchResult, rankers: Mapping[str, Reranker]) -> Ranked:
    """What was found for a question, as one ranker after the other leaves it.

    They are told which hits are from documents spoken of before. One that fails is skipped, and the note under it made.
    """
    begun, notes, before = time.perf_counter(), result.trace.notes, query.spoken_of
    hits = tuple(replace(hit, spoken_of=True) if hit.chunk.document_id in before else hit for hit in result.hits)
    for note, ranker in rankers.items() if hits else ():
        try:
            hits = ranker.rank(result.asked or query.question, hits)
        except ModelError as error:
            _log.warning("%s: %s", note, error)
            notes += (Message(note, {"reason": error.message}),)
    trace = replace(result.trace, notes=notes, seconds={**result.trace.seconds, "rerank": time.perf_counter() - begun})
    return Ranked(query, replace(result, trace=trace), hits, bool(rankers))


def own_first(query: Query, search: Callable[[Query], Ranked]) -> tuple[Ranked, ...]:
    """What a `search` of a reader's own collections finds and, where nobody finds it likely, one of the guide."""
    own = [name for name in query.collections if name != SHARED_COLLECTION]
    if not own or len(own) == len(query.collections):
        return (search(query),)
    found = search(replace(query, collections=own))
    if best_relevance(found.hits) >= _OF_GUIDE:
        return (found,)
    return found, search(replace(query, collections=(SHARED_COLLECTION,)))


def best_relevance(hits: Sequence[Hit]) -> float:
    """The relevance of the likeliest of some hits, 1 where nobody has judged any.

    It speaks for the others: the answer is often among those that look less likely by themselves. An unjudged hit
    counts only where no hit was judged: beside judged ones, the reranker passed it over.
    """
    unjudged = 0.0 if any(hit.relevance is not None for hit in hits) else 1.0
    return max((unjudged if hit.relevance is None else hit.relevance for hit in hits), default=-1.0)


def used_of(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """The hits beside a relevant one, but for those that a filter gave no relevance at all."""
    return tuple(hit for hit in hits if hit.relevance is None or hit.relevance > 0)


def speaking(groups: Sequence[Ranked], threshold: float) -> tuple[Ranked, ...]:
    """Those of some groups that have something relevant, the likeliest first.

    Beside what a reader's own files have the guide answers only what it is likely to: 错误码有哪些 is asked of them.
    """
    own, *guide = groups
    least = max(threshold, _OF_GUIDE) if own.hits else threshold
    likely = [group for group in guide if best_relevance(group.hits) >= least]
    return (*likely, *([own] if best_relevance(own.hits) >= threshold else []))


def in_turns(groups: Iterable[Ranked]) -> tuple[Hit, ...]:
    """The hits that may be used of some groups, the first of each before the second of any."""
    turns = zip_longest(*(used_of(group.hits) for group in groups))
    return tuple(hit for hit in chain.from_iterable(turns) if hit is not None)


def mostly_by_words(result: SearchResult) -> bool:
    """Whether words found most of what was found, or all: the likeliest passage is the wrong one more often."""
    by_meaning = any(field != CHUNK_SPARSE for hit in result.hits for field in hit.routes)
    return STILL_FILLING in result.trace.notes or not by_meaning


def with_best_alone(taken: Sequence[Hit], found: Sequence[Hit], alone: Mapping[int, float]) -> tuple[Hit, ...]:
    """The hits that are taken, with the one of the first one's document that best answers what was asked itself.

    什么时候开标 behind 投标保证金要交多少 asks nothing of the deposit, which the rules put before it.
    """
    known = {hit.chunk.chunk_id for hit in taken}
    meant = {hit.chunk.chunk_id: hit for hit in found if taken and hit.chunk.document_id == taken[0].chunk.document_id}
    likely = [chunk for chunk, probability in alone.items() if probability >= PERHAPS and chunk in meant]
    best = max(likely, key=alone.__getitem__, default=None)
    return tuple(taken) if best is None or best in known else (taken[0], meant[best], *taken[1:])


def enough_of(hits: Sequence[Hit], question: str, share: float) -> tuple[Hit, ...]:
    """The best hits, until the answer is among them with a probability of `share`, and those that add a term to them.

    What is asked of two things stands in two passages, of which one may look likely alone, and what has several parts
    in several: a question for these gets all hits. So does every one where nothing judged how likely they are. Of 406
    questions to six sets a share of .95 lost none whose answer had been among the passages.
    """
    if share >= 1 or asks_for_several(question):
        return tuple(hits)
    asked, told, reached = terms(question), "", 0.0
    kept: list[Hit] = []
    for hit in hits:
        text = "\n".join((*hit.chunk.passage.heading_path, hit.chunk.passage.text)).lower()
        if reached < share or any(term in text and term not in told for term in asked):
            kept.append(hit)
            told += text
        reached += hit.likely or 0.0
    return tuple(kept)
