"""Which hits are relevant enough to be used."""

from collections.abc import Sequence

from rag.types import Hit


def split_by_relevance(hits: Sequence[Hit], threshold: float) -> tuple[tuple[Hit, ...], tuple[Hit, ...]]:
    """The hits that may be used, and, where there is none, those that came nearest. Hits not judged may be used."""
    used = tuple(hit for hit in hits if hit.relevance is None or hit.relevance >= threshold)
    return used, () if used else tuple(hits)
