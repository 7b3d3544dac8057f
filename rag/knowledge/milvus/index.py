"""The search fields on Milvus: what SQLite holds is written there after it, and compared with it at every start.

A store never reuses a key, and its id is part of the collections' names: equal key sets mean equal rows.
"""

import logging
import re
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event

import numpy as np
from sqlalchemy import Engine

from rag.background import Background
from rag.embeddings.check import Vector
from rag.embeddings.encoder import Encoder
from rag.errors import EmbeddingReplaced, KnowledgeUnavailable
from rag.knowledge.fields import keys_within
from rag.knowledge.index import IndexCache, statistics_of
from rag.knowledge.milvus.change import MilvusChange, StoredRows
from rag.knowledge.milvus.connection import Connection
from rag.knowledge.milvus.field import KEY, MilvusField, of_collections, rows_of, tag
from rag.knowledge.milvus.words import CollectionTerms, SparseWords, TermStatistics
from rag.knowledge.passages import Passages
from rag.knowledge.postings import Segment, without
from rag.knowledge.request import ALL_FIELDS, CHUNK_DENSE, CHUNK_SPARSE
from rag.knowledge.search_index import Bounds, Scores, Space
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import Vectors, VectorsByKey
from rag.settings import Settings
from rag.types import Message

_SUFFIX = 8
# To be raised when rows of the same keys are written otherwise than before: they are then written anew.
_ROWS = 2
# If the lock were taken again at once, those who wait for it would rarely get it.
_GIVE_WAY_SECONDS = 0.005
_LONGEST_PAUSE_SECONDS = 15.0
_LOOK_SECONDS = 5.0
_log = logging.getLogger(__name__)


class MilvusIndex:
    """A `SearchIndex` on a Milvus server, cluster or Lite file. Dense fields are approximate where it makes them so.

    Each route is searched alone and fused here, as for the local index: a hybrid search tells one score of each hit,
    and the rerankers, the probability and the trace need each route's. Milvus's rankers normalise scores otherwise,
    too, and push a chunk whose vector is still to come behind all that have one.
    """

    def __init__(
        self, engine: Engine, encoders: Mapping[str, Encoder], tokenizer: Tokenizer, settings: Settings
    ) -> None:
        """Connects at the first use. Raises PackageMissing, StoreError."""
        self.behind = Event()
        self._engine = engine
        self._connection = Connection(settings.milvus)
        self._encoders = encoders
        self._name = settings.milvus.collection_name
        versions = {field: own.model_id for field, own in encoders.items()} | {CHUNK_SPARSE: tokenizer.version}
        self._rows = StoredRows(engine)
        store_id = self._rows.store_id()
        self._fields = {
            field: MilvusField(self._connection, self._name_of(field, store_id, version), sparse=field == CHUNK_SPARSE)
            for field, version in versions.items()
        }
        self._passages = Passages(engine, tokenizer)
        self._vectors = {field: Vectors(engine, own.model_id) for field, own in encoders.items()}
        self._spaces = [Space(field, own.model_id) for field, own in encoders.items()]
        self._terms = IndexCache(lambda collection_id: CollectionTerms(lambda: self._passages.segments(collection_id)))
        self._words = SparseWords(self._fields[CHUNK_SPARSE], settings.sparse_fields.chunk)

    def close(self) -> None:
        """Let go of the server or the file."""
        self._connection.close()

    @contextmanager
    def changing(self, collection_id: str) -> Iterator[MilvusChange]:
        """A change of a collection. Where Milvus cannot be reached it is `behind`, and nothing is raised for that."""
        with self._terms.open(collection_id) as terms:
            try:
                yield MilvusChange(collection_id, self._fields, self._rows, terms, self.behind, self._spaces)
            except Exception:
                # It may have come between the change of the rows and that of Milvus.
                self.behind.set()
                raise

    def words(self, questions: Sequence[Sequence[str]], limit: int, bounds: Bounds) -> list[Scores]:
        """The chunks with the `limit` best BM25 scores for each question. Raises StoreError."""
        expression = self._rows_within(CHUNK_DENSE, bounds)
        if expression is None:
            return [{} for _ in questions]
        statistics = statistics_of(self._terms, bounds.collections, TermStatistics)
        with self._compared_after_errors():
            return self._words.search(questions, statistics, limit, expression)

    def nearest(self, space: Space, vectors: Sequence[Vector], limit: int, bounds: Bounds) -> list[Scores]:
        """The keys with the `limit` best cosines. Raises EmbeddingReplaced, StoreError."""
        expression = self._rows_within(space.field, bounds)
        with self._compared_after_errors():
            dimension = self._fields[space.field].dimension()
            if expression is None or not vectors or not dimension:
                return [{} for _ in vectors]
            if dimension != len(vectors[0]):
                raise EmbeddingReplaced(model=space.model_id, dimension=len(vectors[0]), stored=dimension)
            found = self._fields[space.field].search(vectors, limit, expression)
        return [{hit[KEY]: float(hit["distance"]) for hit in hits if hit["distance"] > 0} for hits in found]

    def covered(self, space: Space, collections: Sequence[str], keys: Collection[int]) -> set[int]:
        """Those of some keys that have a vector. Raises StoreError."""
        with self._compared_after_errors():
            return self._fields[space.field].present(keys, of_collections(collections))

    def look(self) -> None:
        """Raises KnowledgeUnavailable where Milvus does not answer."""
        with self._connection.open() as client:
            client.list_collections(timeout=self._connection.timeout)

    def reconcile(self) -> None:
        """Write what SQLite holds and Milvus does not, delete what SQLite no longer holds. Raises StoreError."""
        self.behind.clear()
        for own in self._fields.values():
            own.forget()
        self._drop_others()
        for field, own in self._fields.items():
            # First what is there: what comes or goes meanwhile is then never taken for a row too many.
            there = own.keys()
            sparse = field == CHUNK_SPARSE
            wanted = (
                self._rows.with_words() if sparse else self._rows.with_vectors(field, self._encoders[field].model_id)
            )
            own.delete(np.setdiff1d(there, wanted).tolist())
            missing = self._rows.by_collection(CHUNK_DENSE if sparse else field, np.setdiff1d(wanted, there))
            for collection_id, keys in missing.items():
                self._write(field, collection_id, keys)

    def _rows_within(self, field: str, bounds: Bounds) -> str | None:
        """The expression for the rows of a field that a search may find; None where there can be none."""
        named = bounds.scope.chunk_ids
        keys = None if named is None else keys_within(self._engine, field, np.unique(np.fromiter(named, np.int64)))
        return rows_of(bounds.collections, bounds.scope, keys)

    def _write(self, field: str, collection_id: str, keys: set[int]) -> None:
        """Write some rows of a collection, a batch at a time: whoever searches or changes it comes in between."""
        _log.info("%d rows of %s are written to Milvus", len(keys), field)
        batches = self._batches(field, collection_id)
        while True:
            with self.changing(collection_id) as change:
                # Read in here too: words that an older tokenizer cut are cut anew, and stored.
                batch = next(batches, None)
                if batch is None:
                    return
                if isinstance(batch, Segment):
                    change.write_words(without(batch, [key for key in batch.chunk_ids.tolist() if key not in keys]))
                else:
                    change.write_vectors(field, {key: vector for key, vector in batch.items() if key in keys})
            time.sleep(_GIVE_WAY_SECONDS)

    def _batches(self, field: str, collection_id: str) -> Iterator[Segment | VectorsByKey]:
        if field == CHUNK_SPARSE:
            return self._passages.segments(collection_id)
        return self._vectors[field].of_collection(collection_id, field)

    @contextmanager
    def _compared_after_errors(self) -> Iterator[None]:
        """After a failure nobody knows what Milvus still holds."""
        try:
            yield
        except KnowledgeUnavailable:
            self.behind.set()
            raise

    def _name_of(self, field: str, store_id: str, version: str) -> str:
        return f"{self._name}_{field}_{tag(f'{_ROWS} {store_id} {version}')[:_SUFFIX]}"

    def _drop_others(self) -> None:
        """Drop what an earlier store, model or dictionary had."""
        kept = {own.name for own in self._fields.values()}
        pattern = re.compile(rf"{re.escape(self._name)}_({'|'.join(ALL_FIELDS)})_[0-9a-f]{{{_SUFFIX}}}")
        with self._connection.open() as client:
            for name in client.list_collections(timeout=self._connection.timeout):
                if pattern.fullmatch(name) and name not in kept:
                    client.drop_collection(name, timeout=self._connection.timeout)


class Reconciler:
    """A thread that compares at the start, and after anything that could not be written or searched.

    Meanwhile it looks whether Milvus is there; `trouble` is why it cannot be used, until it can.
    """

    def __init__(self, index: MilvusIndex) -> None:
        self.trouble: Message | None = None
        self._index = index
        self._background = Background("milvus-reconciler", self._compare, _LONGEST_PAUSE_SECONDS, index.behind.set)

    def start(self) -> None:
        """Begin. Returns at once, also while Milvus is down."""
        self._index.behind.set()
        self._background.start()

    def close(self) -> None:
        """Stop, and let go of Milvus."""
        self._background.close()
        self._index.close()

    def _compare(self) -> None:
        is_behind = self._index.behind.wait(_LOOK_SECONDS)
        if self._background.closed.is_set():
            return
        try:
            if is_behind:
                self._index.reconcile()
            else:
                self._index.look()
        except Exception as error:
            self.trouble = error.message if isinstance(error, KnowledgeUnavailable) else None
            self._index.behind.set()
            raise
        self.trouble = None
