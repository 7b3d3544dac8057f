"""Whether anything relevant was found, and what of it may be used."""

from collections.abc import Sequence

from rag.types import Hit


def split_by_relevance(hits: Sequence[Hit], threshold: float) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """The hits that may be used, and, where none reaches the threshold, those that came nearest.

    The best hit speaks for all: behind one that is relevant the others stay in their order, for what answers is often
    among those that look less likely alone. Only what a filter gave no relevance at all is left out.
    """
    if any(hit.relevance is None or hit.relevance >= threshold for hit in hits):
        return tuple(hit for hit in hits if hit.relevance is None or hit.relevance > 0), ()
    return (), tuple(hits)
