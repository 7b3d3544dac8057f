"""Whether anything relevant was found, and what of it may be used."""

from collections.abc import Sequence

from rag.knowledge.base import SHARED_COLLECTION
from rag.types import Hit


def split_by_relevance(hits: Sequence[Hit], threshold: float) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """The hits that may be used, and, where none reaches the threshold, those that came nearest.

    The best hit speaks for its whole collection: after a relevant one the others stay in their order, for the answer is
    often among those that look less likely by themselves. But the guide that everybody shares is not evidence after
    a reader's own files, takes no room from them, and stands behind them where only something near was found. Only
    what a filter gave no relevance at all is left out.
    An unjudged hit counts only where no hit was judged: beside judged ones, the reranker passed it over.
    """
    unjudged = 0.0 if any(hit.relevance is not None for hit in hits) else 1.0
    relevance = ((hit, unjudged if hit.relevance is None else hit.relevance) for hit in hits)
    speaking = {hit.chunk.collection_id for hit, value in relevance if value >= threshold}
    if not speaking:
        return (), tuple(sorted(hits, key=lambda hit: hit.chunk.collection_id == SHARED_COLLECTION))
    used = (hit for hit in hits if hit.chunk.collection_id in speaking)
    return tuple(hit for hit in used if hit.relevance is None or hit.relevance > 0), ()
