"""The route by words: BM25 over the chunks of the collections searched."""

from collections.abc import Sequence

from rag.knowledge.bm25 import Corpus
from rag.knowledge.index import CollectionIndex, IndexCache
from rag.knowledge.postings import Segment
from rag.knowledge.search_index import Bounds, Scores
from rag.settings import SparseFieldSettings


class SparseRoute:
    """Searches collections for words. A corpus keeps its statistics until its chunks change."""

    def __init__(self, settings: SparseFieldSettings, indexes: IndexCache[CollectionIndex]) -> None:
        self._settings = settings
        self._indexes = indexes

    def search(
        self, questions: Sequence[Sequence[str]], collections: Sequence[str], limit: int, bounds: Bounds | None
    ) -> list[Scores]:
        """The best `limit` chunks for each question, given by its terms."""
        corpus = self._corpus(collections)
        within = None if bounds is None else bounds.chunk_ids
        return [corpus.search(tokens, limit, within) for tokens in questions]

    def explain(
        self, question: Sequence[str], collections: Sequence[str], chunk_ids: Sequence[int]
    ) -> dict[int, dict[str, float]]:
        """What each term of a question adds to the scores of some chunks, the most first."""
        return self._corpus(collections).explain(question, chunk_ids)

    def _corpus(self, collections: Sequence[str]) -> Corpus:
        segments: tuple[Segment, ...] = ()
        found: list[CollectionIndex] = []
        for collection_id in collections:
            with self._indexes.open(collection_id) as index:
                segments += index.segments
                found.append(index)
        known = found[0].corpus(tuple(collections)) if found else None
        if known is not None and set(known.segments) == set(segments):
            return known
        # Not inside: to count a large collection's words takes long, and others search it.
        corpus = Corpus(segments, self._settings.k1, self._settings.b, known)
        if found:
            found[0].keep(tuple(collections), corpus)
        return corpus
