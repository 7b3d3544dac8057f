"""A change of one collection's rows on Milvus, after that in SQLite."""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event

from rag.errors import KnowledgeUnavailable
from rag.knowledge.milvus.field import LENGTH, VECTOR, MilvusField
from rag.knowledge.milvus.filters import of_collections
from rag.knowledge.milvus.rows import StoredRows
from rag.knowledge.milvus.statistics import CollectionTerms
from rag.knowledge.milvus.words import sparse_vectors
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
        with self._later_where_unavailable() as now:
            if now:
                self.write_words(segment)

    def add_vectors(self, space: Space, vectors: VectorsByKey) -> None:
        """Add vectors of a field."""
        with self._later_where_unavailable() as now:
            if now:
                self.write_vectors(space.field, vectors)

    def remove(self, keys: Mapping[str, Sequence[int]]) -> None:
        """Delete what each field has under some keys."""
        if keys[CHUNK_DENSE]:
            self._terms.forget()
        with self._later_where_unavailable() as now:
            if now:
                for field, own in self._fields.items():
                    own.delete(keys[CHUNK_DENSE if field == CHUNK_SPARSE else field])

    def clear(self) -> None:
        """Delete all rows of the collection."""
        self._terms.forget()
        with self._later_where_unavailable() as now:
            if now:
                for own in self._fields.values():
                    own.delete_where(of_collections([self._collection_id]))

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

    @contextmanager
    def _later_where_unavailable(self) -> Iterator[bool]:
        """Whether to write now: not while all is to be compared anyway."""
        try:
            yield not self._behind.is_set()
        except KnowledgeUnavailable as error:
            _log.warning("%s", error)
            self._behind.set()
