"""The index on this machine: FAISS and BM25 in memory."""

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager

from sqlalchemy import Engine

from rag.embeddings.check import Vector
from rag.errors import EmbeddingReplaced
from rag.knowledge.bm25 import Corpus
from rag.knowledge.fields import keys_within
from rag.knowledge.fusion import ranked
from rag.knowledge.index import CollectionIndex, DenseIndex, IndexCache, statistics_of
from rag.knowledge.passages import Passages
from rag.knowledge.search_index import Bounds, Scores, Space
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import Vectors
from rag.settings import SparseFieldSettings
from rag.types import EVERYTHING


class LocalIndex:
    """A `SearchIndex` in this process's memory: exact, and built from the rows of the collections in use."""

    def __init__(self, engine: Engine, tokenizer: Tokenizer, settings: SparseFieldSettings) -> None:
        self._engine = engine
        self._passages = Passages(engine, tokenizer)
        self._indexes = IndexCache(self._build)
        self._settings = settings

    def changing(self, collection_id: str) -> AbstractContextManager[CollectionIndex]:
        """A change of a collection, that of its rows included. Raises StoreError."""
        return self._indexes.open(collection_id)

    def words(self, questions: Sequence[Sequence[str]], limit: int, bounds: Bounds) -> list[Scores]:
        """The chunks with the `limit` best BM25 scores for each question. Raises StoreError."""
        corpus = self._corpus(bounds.collections)
        within = None if bounds.scope == EVERYTHING else corpus.slots(bounds.chunk_ids())
        return [corpus.search(tokens, limit, within) for tokens in questions]

    def nearest(self, space: Space, vectors: Sequence[Vector], limit: int, bounds: Bounds) -> list[Scores]:
        """The keys with the `limit` best cosines. Raises EmbeddingReplaced, StoreError."""
        found: list[Scores] = [{} for _ in vectors]
        if not vectors:
            return found
        allowed = None if bounds.scope == EVERYTHING else keys_within(self._engine, space.field, bounds.chunk_ids())
        for collection_id in bounds.collections:
            with self._indexes.open(collection_id) as index:
                dense = self._dense(index, collection_id, space)
                stored = dense.dimension
                if stored in (0, len(vectors[0])):
                    for hits, vector in zip(found, vectors, strict=True):
                        hits.update(dense.search(vector, limit, allowed))
            # Not inside: an error there makes the index be built anew, and it is as it should be.
            if stored not in (0, len(vectors[0])):
                raise EmbeddingReplaced(model=space.model_id, dimension=len(vectors[0]), stored=stored)
        return [dict(ranked(hits)[:limit]) for hits in found]

    def covered(self, space: Space, collections: Sequence[str], keys: Collection[int]) -> set[int]:
        """Those of some keys that have a vector. Raises StoreError."""
        present: set[int] = set()
        for collection_id in collections:
            with self._indexes.open(collection_id) as index:
                present |= self._dense(index, collection_id, space).covered.intersection(keys)
        return present

    def _build(self, collection_id: str) -> CollectionIndex:
        return CollectionIndex(self._passages.segments(collection_id))

    def _corpus(self, collections: Sequence[str]) -> Corpus:
        k1, b = self._settings.k1, self._settings.b
        return statistics_of(self._indexes, collections, lambda segments: Corpus(segments, k1, b))

    def _dense(self, index: CollectionIndex, collection_id: str, space: Space) -> DenseIndex:
        """The vectors of a space in a collection's index, read where they have not been searched yet."""
        if space not in index.dense:
            dense = DenseIndex()
            for known in Vectors(self._engine, space.model_id).of_collection(collection_id, space.field):
                dense.add(known)
            index.dense[space] = dense
        return index.dense[space]
