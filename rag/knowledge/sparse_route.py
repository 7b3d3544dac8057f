"""The route by words: BM25 over the chunks of the collections searched."""

from collections.abc import Sequence
from itertools import islice
from threading import Lock

from rag.knowledge.bm25 import Corpus
from rag.knowledge.dense import Ids
from rag.knowledge.index import IndexCache
from rag.knowledge.postings import Segment
from rag.knowledge.tokenizer import Tokenizer
from rag.settings import SparseFieldSettings

_CORPORA = 64
# Terms of a question: what a page of text asks for is asked for by its first terms.
_TERMS = 1000


class SparseRoute:
    """Searches collections for words. A corpus keeps its statistics until its chunks change."""

    def __init__(self, tokenizer: Tokenizer, settings: SparseFieldSettings, indexes: IndexCache) -> None:
        self._tokenizer = tokenizer
        self._settings = settings
        self._indexes = indexes
        self._corpora: dict[tuple[str, ...], Corpus] = {}
        self._lock = Lock()

    def search(
        self, questions: Sequence[str], collections: Sequence[str], limit: int, within: Ids | None
    ) -> list[dict[int, float]]:
        """The best `limit` chunks for each question."""
        corpus = self._corpus(collections)
        terms = [self._tokenizer.tokens(question)[:_TERMS] for question in questions]
        if within is None:
            return [corpus.search(tokens, limit) for tokens in terms]
        allowed = frozenset(within.tolist())
        everything = sum(len(segment.chunk_ids) for segment in corpus.segments)
        ranked = ((hit for hit in corpus.search(tokens, everything).items() if hit[0] in allowed) for tokens in terms)
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
