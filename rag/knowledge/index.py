"""The caches of collections in memory: postings and dense vectors, built from SQLite when first needed."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from cachetools import FIFOCache, LRUCache

from rag.knowledge.bm25 import Corpus
from rag.knowledge.dense import DenseIndex
from rag.knowledge.postings import Segment, merge, with_few, without
from rag.knowledge.request import CHUNK_DENSE
from rag.knowledge.search_index import Space
from rag.knowledge.vectors import VectorsByKey

# 100,000 chunks take about 160 MB. The collections used last stay whatever they take: a search that builds one anew
# takes seconds, and each needs the shared one beside its own.
_MOST_BYTES = 2**30
_LEAST_KEPT = 8
_STATISTICS_KEPT = 8
# What even an empty index takes: most sessions have no documents of their own.
_BYTES_OF_ANY = 4096


class _Measured(Protocol):
    @property
    def nbytes(self) -> int: ...


Kept = TypeVar("Kept", bound=_Measured)
Part = TypeVar("Part")


class Statistics(FIFOCache[tuple[str, ...], tuple[tuple[Part, ...], Kept]]):
    """What was made of the words of some collections, of which this one is the first, with the parts it was made of."""

    def __init__(self) -> None:
        super().__init__(_STATISTICS_KEPT)

    @property
    def nbytes(self) -> int:
        """How much memory they take beside the parts."""
        return sum(made.nbytes for _, made in self.values())


class CollectionIndex:
    """One collection's caches, guarded by `IndexCache.open`; `segments` is replaced, never changed.

    Vectors are loaded by the first search that needs them.
    """

    def __init__(self, segments: Iterable[Segment]) -> None:
        found = tuple(segments)
        self.segments: tuple[Segment, ...] = (merge(found),) if found else ()
        self.dense: dict[Space, DenseIndex] = {}
        self.statistics: Statistics[Segment, Corpus] = Statistics()

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        kept: list[_Measured] = [*self.segments, *self.dense.values(), self.statistics]
        return _BYTES_OF_ANY + sum(each.nbytes for each in kept)

    def parts(self) -> tuple[Segment, ...]:
        """The words that statistics are made of."""
        return self.segments

    def add(self, segment: Segment) -> None:
        """Add a document's words."""
        self.segments = with_few(self.segments, segment, lambda own: len(own.chunk_ids), merge)

    @property
    def spaces(self) -> Collection[Space]:
        """Those whose vectors are kept."""
        return tuple(self.dense)

    def add_vectors(self, space: Space, vectors: VectorsByKey) -> None:
        """Add vectors of one of the spaces; keys that are there already stay as they are."""
        self.dense[space].add(vectors)

    def remove(self, keys: Mapping[str, Sequence[int]]) -> None:
        """Forget chunks, and what else is searched by vector, by field."""
        left = (without(segment, keys[CHUNK_DENSE]) for segment in self.segments)
        self.segments = tuple(segment for segment in left if len(segment.chunk_ids))
        for space, index in self.dense.items():
            index.remove(keys[space.field])

    def clear(self) -> None:
        """Forget all."""
        self.segments = ()
        self.statistics.clear()
        self.dense.clear()


class IndexCache(Generic[Kept]):
    """What is kept of the collections used last, built for each when it is first needed."""

    def __init__(self, build: Callable[[str], Kept], most_bytes: int = _MOST_BYTES) -> None:
        self._build = build
        self._indexes: LRUCache[str, Kept] = LRUCache(
            most_bytes, getsizeof=lambda index: min(index.nbytes, most_bytes // _LEAST_KEPT)
        )
        self._guard = Lock()
        # A collection's lock is there while somebody holds it: not one for every session that ever came.
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    @contextmanager
    def open(self, collection_id: str) -> Iterator[Kept]:
        """A collection's index, to search or change while nobody else does.

        Changes of the collection's rows belong inside too: an index is never built between a row's change and its own.
        After an error it is forgotten, for the error may have come between the two.
        """
        with self._guard:
            lock = self._locks.setdefault(collection_id, Lock())
        with lock:
            with self._guard:
                index = self._indexes.get(collection_id)
            if index is None:
                index = self._build(collection_id)
            try:
                yield index
            except Exception:
                with self._guard:
                    self._indexes.pop(collection_id, None)
                raise
            with self._guard:
                # Only now is it known how large it is.
                self._indexes[collection_id] = index


def statistics_of(
    indexes: IndexCache[Any], collections: Sequence[str], make: Callable[[tuple[Any, ...]], Kept]
) -> Kept:
    """What is made of the words of some collections together; kept until their words change. Raises StoreError."""
    asked, parts, known = tuple(collections), tuple[Any, ...](), None
    for collection_id in collections:
        with indexes.open(collection_id) as index:
            parts += tuple(index.parts())
            known = known or index.statistics.get(asked)
    if known is not None and known[0] == parts:
        return known[1]  # type: ignore[no-any-return]
    # Not inside: to count a large collection's words takes long, and others search it.
    made = make(parts)
    if asked:
        with indexes.open(asked[0]) as index:
            index.statistics[asked] = parts, made
    return made
