"""The seam between rows and what is derived from them to be searched: in this process, or on a Milvus server."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from rag.embeddings.check import Vector
from rag.knowledge.postings import Ints, Segment
from rag.knowledge.vectors import VectorsByKey
from rag.types import Scope

Scores = dict[int, float]


class Space(NamedTuple):
    """Where vectors can be compared: those of one field, by one model."""

    field: str
    model_id: str


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """What a search may find: of some collections what a scope allows, and what reads those chunks, rising.

    Only some indexes need them. Where it is called it raises StoreError.
    """

    collections: Sequence[str]
    scope: Scope
    chunk_ids: Callable[[], Ints]


class IndexChange(Protocol):
    """A change of one collection's index, after that of its rows. Keys are those of `FIELDS`."""

    @property
    def spaces(self) -> Collection[Space]:
        """The spaces to be sent new vectors; others are loaded at their first search."""
        ...

    def add(self, segment: Segment) -> None:
        """Add a document's words."""
        ...

    def add_vectors(self, space: Space, vectors: VectorsByKey) -> None:
        """Add vectors of one of its `spaces`; keys that are there already stay as they are."""
        ...

    def remove(self, keys: Mapping[str, Sequence[int]]) -> None:
        """Forget what each field has under some keys."""
        ...

    def clear(self) -> None:
        """Forget all of the collection."""
        ...


class SearchIndex(Protocol):
    """Finds chunks by words, and keys of dense fields by vector. Every method raises StoreError."""

    def changing(self, collection_id: str) -> AbstractContextManager[IndexChange]:
        """A change of a collection. The change of its rows belongs inside, before that of the index."""
        ...

    def words(self, questions: Sequence[Sequence[str]], limit: int, bounds: Bounds) -> list[Scores]:
        """The chunks with the `limit` best BM25 scores for each question, given by its terms.

        The statistics are those of all chunks of the collections searched.
        """
        ...

    def nearest(self, space: Space, vectors: Sequence[Vector], limit: int, bounds: Bounds) -> list[Scores]:
        """The keys with the `limit` best cosines above 0 for each vector.

        Raises EmbeddingReplaced where the vectors that are stored are of another dimension.
        """
        ...

    def covered(self, space: Space, collections: Sequence[str], keys: Collection[int]) -> set[int]:
        """Those of some keys that have a vector."""
        ...
