"""Whether anything relevant was found, and what of it may be used."""

import re
from collections.abc import Sequence

from rag.knowledge.base import STILL_FILLING
from rag.knowledge.request import CHUNK_SPARSE
from rag.language.words import DIFFERENCES, terms
from rag.types import Hit, SearchResult

# 哪些, 哪三种, 分别: the likeliest passage is but a part of the answer.
_ASKS_FOR_SEVERAL = re.compile(
    rf"哪[些几两二三四五六七八九十]|有什么|分别|各自|[几多][种类点条项步]|{DIFFERENCES}|对比|列[出举]|步骤|流程|"
    r"\b(?:all|each|every|list|differences?|compare|steps)\b",
    re.IGNORECASE,
)


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


def mostly_by_words(result: SearchResult) -> bool:
    """Whether words found most of what was found, or all: the likeliest passage is the wrong one more often."""
    by_meaning = any(field != CHUNK_SPARSE for hit in result.hits for field in hit.routes)
    return STILL_FILLING in result.trace.notes or not by_meaning


def enough_of(hits: Sequence[Hit], question: str, share: float) -> tuple[Hit, ...]:
    """The best hits, until the answer is among them with a probability of `share`, and those that add a term to them.

    What is asked of two things stands in two passages, of which one may look likely alone, and what has several parts
    in several: a question for these gets all hits. So does every one where nothing judged how likely they are. Of 406
    questions to six sets a share of .95 lost none whose answer had been among the passages.
    """
    if share >= 1 or _ASKS_FOR_SEVERAL.search(question):
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
