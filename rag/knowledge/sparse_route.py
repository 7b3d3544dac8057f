"""The route by words: BM25 over the chunks of the collections searched."""

from collections.abc import Sequence
from itertools import islice
from threading import Lock

from rag.knowledge.bm25 import Corpus
from rag.knowledge.index import CollectionIndex, IndexCache
from rag.knowledge.postings import Segment
from rag.knowledge.search_index import Bounds, Scores
from rag.settings import SparseFieldSettings

_CORPORA = 64


class SparseRoute:
    """Searches collections for words. A corpus keeps its statistics until its chunks change."""

    def __init__(self, settings: SparseFieldSettings, indexes: IndexCache[CollectionIndex]) -> None:
        self._settings = settings
        self._indexes = indexes
        self._corpora: dict[tuple[str, ...], Corpus] = {}
        self._lock = Lock()

    def search(
        self, questions: Sequence[Sequence[str]], collections: Sequence[str], limit: int, bounds: Bounds | None
    ) -> list[Scores]:
        """The best `limit` chunks for each question, given by its terms."""
        corpus = self._corpus(collections)
        if bounds is None:
            return [corpus.search(tokens, limit) for tokens in questions]
        allowed = frozenset(bounds.chunk_ids.tolist())
        everything = sum(len(segment.chunk_ids) for segment in corpus.segments)
        ranked = (
            (hit for hit in corpus.search(tokens, everything).items() if hit[0] in allowed) for tokens in questions
        )
        return [dict(islice(hits, limit)) for hits in ranked]

    def _corpus(self, collections: Sequence[str]) -> Corpus:
        segments: tuple[Segment, ...] = ()
        for collection_id in collections:
            with self._indexes.open(collection_id) as index:
                segments += index.segments
        key = tuple(collections)
        with self._lock:
            corpus = self._corpora.pop(key, None)
            if corpus is None or corpus.segments != segments:
                corpus = Corpus(segments, self._settings.k1, self._settings.b)
            self._corpora[key] = corpus
            while len(self._corpora) > _CORPORA:
                del self._corpora[next(iter(self._corpora))]
        return corpus
