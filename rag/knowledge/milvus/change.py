"""What SQLite holds that Milvus has to hold too, and a change of one collection there, after that in SQLite."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Event

import numpy as np
from sqlalchemy import Engine, Select, select

from rag.database import batches, reading, values_of
from rag.errors import KnowledgeUnavailable
from rag.knowledge.fields import FIELDS
from rag.knowledge.milvus.field import (
    COLLECTION,
    DOCUMENT,
    KEY,
    LAST_PAGE,
    LENGTH,
    PAGE,
    VECTOR,
    MilvusField,
    of_collections,
    tag,
)
from rag.knowledge.milvus.words import CollectionTerms, sparse_vectors
from rag.knowledge.postings import Ints, Segment
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, QUESTIONS_DENSE
from rag.knowledge.schema import begins_on, chunks, documents, stores, vectors
from rag.knowledge.search_index import Space
from rag.knowledge.vectors import VectorsByKey

_log = logging.getLogger(__name__)


class StoredRows:
    """The rows that are searched. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def store_id(self) -> str:
        """Which store the keys are of: another one gives out the same."""
        with reading(self._engine) as connection:
            return str(connection.execute(select(stores.c.store_id)).scalar_one())

    def places(self, field: str, keys: Sequence[int]) -> dict[int, dict[str, object]]:
        """The collection, document and pages of some keys of a field; those that are gone are left out."""
        own = FIELDS[field]
        paged = chunks if field == QUESTIONS_DENSE else own.table
        query = select(own.key, documents.c.collection_id, documents.c.document_id, begins_on(paged), paged.c.last_page)
        query = query.join_from(own.table, documents, own.table.c.document_id == documents.c.document_id)
        if paged is not own.table:
            query = query.join(chunks, chunks.c.chunk_id == own.table.c.chunk_id)
        found: dict[int, dict[str, object]] = {}
        with reading(self._engine) as connection:
            for batch in batches(keys):
                rows = connection.execute(query.where(own.key.in_(batch)))
                for key, collection_id, document_id, page, last_page in rows:
                    place = {COLLECTION: tag(collection_id), DOCUMENT: tag(document_id)}
                    found[key] = {KEY: key, **place, PAGE: page, LAST_PAGE: last_page}
        return found

    def with_words(self) -> Ints:
        """The keys of all chunks, rising."""
        return self._keys(select(chunks.c.chunk_id).join(documents))

    def with_vectors(self, field: str, model_id: str) -> Ints:
        """The keys of a field that have a vector of a model, rising."""
        own = FIELDS[field]
        query = select(own.key).join_from(own.table, documents)
        query = query.join(vectors, vectors.c.text_hash == own.table.c.text_hash)
        return self._keys(query.where(vectors.c.model_id == model_id))

    def by_collection(self, field: str, keys: Ints) -> Mapping[str, set[int]]:
        """Some keys of a field by the collection that they are of."""
        own = FIELDS[field]
        query = select(documents.c.collection_id, own.key).join_from(own.table, documents)
        wanted = set(keys.tolist())
        found: dict[str, set[int]] = {}
        if not wanted:
            return found
        with reading(self._engine) as connection:
            for collection_id, key in connection.execute(query):
                if key in wanted:
                    found.setdefault(collection_id, set()).add(key)
        return found

    def _keys(self, query: Select[tuple[int]]) -> Ints:
        return np.unique(np.fromiter(values_of(self._engine, query), np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class MilvusChange:
    """An `IndexChange`. What cannot be written now sets `behind`: it is written when Milvus can be reached again.

    `spaces` are those of the dense `fields`: each has the vectors of one model.
    """

    collection_id: str
    fields: Mapping[str, MilvusField]
    rows: StoredRows
    terms: CollectionTerms
    behind: Event
    spaces: Collection[Space]

    def add(self, segment: Segment) -> None:
        """Add a document's words."""
        self.terms.add(segment)
        self._now_or_later(partial(self.write_words, segment))

    def add_vectors(self, space: Space, vectors: VectorsByKey) -> None:
        """Add vectors of a field."""
        self._now_or_later(partial(self.write_vectors, space.field, vectors))

    def remove(self, keys: Mapping[str, Sequence[int]]) -> None:
        """Delete what each field has under some keys."""
        if keys[CHUNK_DENSE]:
            self.terms.forget()
        for field, own in self.fields.items():
            self._now_or_later(partial(own.delete, keys[CHUNK_DENSE if field == CHUNK_SPARSE else field]))

    def clear(self) -> None:
        """Delete all rows of the collection."""
        self.terms.forget()
        for own in self.fields.values():
            self._now_or_later(partial(own.delete_where, of_collections([self.collection_id])))

    def write_words(self, segment: Segment) -> None:
        """Write the words of chunks. Raises StoreError."""
        vectors = sparse_vectors(segment)
        lengths = dict(zip(segment.chunk_ids.tolist(), segment.lengths.tolist(), strict=True))
        places = self.rows.places(CHUNK_DENSE, list(vectors))
        # A chunk without any word has no vector, and is found by none.
        rows = [{**place, LENGTH: lengths[key], VECTOR: vectors[key]} for key, place in places.items() if vectors[key]]
        self.fields[CHUNK_SPARSE].upsert(rows)

    def write_vectors(self, field: str, vectors: VectorsByKey) -> None:
        """Write vectors of a field. Raises StoreError."""
        places = self.rows.places(field, list(vectors))
        self.fields[field].upsert([{**place, VECTOR: vectors[key]} for key, place in places.items()])

    def _now_or_later(self, write: Callable[[], None]) -> None:
        """Write now, unless all is to be compared anyway, or later, where Milvus cannot be reached."""
        if self.behind.is_set():
            return
        try:
            write()
        except KnowledgeUnavailable as error:
            _log.warning("%s", error)
            self.behind.set()
