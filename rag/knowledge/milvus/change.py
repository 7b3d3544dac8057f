"""A change of one collection's rows on Milvus, after that in SQLite."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from threading import Event

from rag.errors import KnowledgeUnavailable
from rag.knowledge.milvus.field import LENGTH, VECTOR, MilvusField
from rag.knowledge.milvus.filters import of_collections
from rag.knowledge.milvus.rows import StoredRows
from rag.knowledge.milvus.words import CollectionTerms, sparse_vectors
from rag.knowledge.postings import Segment
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE
from rag.knowledge.search_index import Space
from rag.knowledge.vectors import VectorsByKey

_log = logging.getLogger(__name__)


class MilvusChange:
    """An `IndexChange`. What cannot be written now sets `behind`: it is written when Milvus can be reached again."""

    def __init__(
        self,
        collection_id: str,
        fields: Mapping[str, MilvusField],
        rows: StoredRows,
        terms: CollectionTerms,
        behind: Event,
        spaces: Collection[Space],
    ) -> None:
        """`spaces` are those of the dense `fields`: each has the vectors of one model."""
        self._collection_id = collection_id
        self._fields = fields
        self._rows = rows
        self._terms = terms
        self._behind = behind
        self.spaces = spaces

    def add(self, segment: Segment) -> None:
        """Add a document's words."""
        self._terms.add(segment)
        self._now_or_later(partial(self.write_words, segment))

    def add_vectors(self, space: Space, vectors: VectorsByKey) -> None:
        """Add vectors of a field."""
        self._now_or_later(partial(self.write_vectors, space.field, vectors))

    def remove(self, keys: Mapping[str, Sequence[int]]) -> None:
        """Delete what each field has under some keys."""
        if keys[CHUNK_DENSE]:
            self._terms.forget()
        for field, own in self._fields.items():
            self._now_or_later(partial(own.delete, keys[CHUNK_DENSE if field == CHUNK_SPARSE else field]))

    def clear(self) -> None:
        """Delete all rows of the collection."""
        self._terms.forget()
        for own in self._fields.values():
            self._now_or_later(partial(own.delete_where, of_collections([self._collection_id])))

    def write_words(self, segment: Segment) -> None:
        """Write the words of chunks. Raises StoreError."""
        vectors = sparse_vectors(segment)
        lengths = dict(zip(segment.chunk_ids.tolist(), segment.lengths.tolist(), strict=True))
        places = self._rows.places(CHUNK_DENSE, list(vectors))
        # A chunk without any word has no vector, and is found by none.
        rows = [{**place, LENGTH: lengths[key], VECTOR: vectors[key]} for key, place in places.items() if vectors[key]]
        self._fields[CHUNK_SPARSE].upsert(rows)

    def write_vectors(self, field: str, vectors: VectorsByKey) -> None:
        """Write vectors of a field. Raises StoreError."""
        places = self._rows.places(field, list(vectors))
        self._fields[field].upsert([{**place, VECTOR: vectors[key]} for key, place in places.items()])

    def _now_or_later(self, write: Callable[[], None]) -> None:
        """Write now, unless all is to be compared anyway, or later, where Milvus cannot be reached."""
        if self._behind.is_set():
            return
        try:
            write()
        except KnowledgeUnavailable as error:
            _log.warning("%s", error)
            self._behind.set()
