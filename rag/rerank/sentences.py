"""How near the sentences of passages are to a question: the vector of a passage blurs all that it tells."""

from collections.abc import Callable, Sequence
from itertools import chain

from rag.knowledge.request import CHUNK_DENSE
from rag.quotable_units import units_of
from rag.types import Hit, Similarity

# So many of them, of the passages that are nearest by their own vectors: a sentence's vector takes 10 ms. That is of
# about fifteen passages of rules, or of eight of an encyclopaedia's.
_MOST = 80


class SentenceCosines:
    """Tells how near the nearest sentence of each hit is to a question."""

    def __init__(self, similarities: Callable[[str, Sequence[str], Sequence[str]], Sequence[Similarity]]) -> None:
        """`similarities` tells how near texts are to a question, by the model that searches some collections."""
        self._similarities = similarities

    def of(self, question: str, hits: Sequence[Hit]) -> list[float]:
        """A cosine for each hit, 0 for those that are far by their own vectors; all 0 where the model fails.

        Raises StoreError.
        """
        nearest = _nearest(question, hits)
        texts = list(dict.fromkeys(chain.from_iterable(nearest.values())))
        collections = list(dict.fromkeys(hit.chunk.collection_id for hit in hits))
        near = dict(zip(texts, self._similarities(question, texts, collections), strict=True))
        return [max((near[text].meaning for text in nearest.get(hit.chunk.chunk_id, ())), default=0.0) for hit in hits]


def _nearest(question: str, hits: Sequence[Hit]) -> dict[int, list[str]]:
    """The sentences of the hits that are nearest by their own vectors, by chunk."""
    found: dict[int, list[str]] = {}
    left = _MOST
    for hit in sorted(hits, key=lambda hit: -hit.routes.get(CHUNK_DENSE, 0.0)):
        texts = _texts(question, hit)
        if found and len(texts) > left:
            break
        found[hit.chunk.chunk_id] = texts
        left -= len(texts)
    return found


def _texts(question: str, hit: Hit) -> list[str]:
    """The sentences and rows of a passage, each with what leads to it; the whole where there is none."""
    passage = hit.chunk.passage.text
    return [text for unit in units_of([(0, passage)], question) for text in unit.compared] or [passage]
