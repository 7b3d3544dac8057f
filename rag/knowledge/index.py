"""The caches of collections in memory: postings and dense vectors, built from SQLite when first needed."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from rag.knowledge.dense import DenseIndex
from rag.knowledge.postings import Segment, merge, without
from rag.knowledge.request import CHUNK_DENSE
from rag.knowledge.vectors import VectorsByKey

Kept = TypeVar("Kept")


class CollectionIndex:
    """One collection's caches. `segments` is replaced, never changed; the rest is guarded by `IndexCache.open`."""

    def __init__(self, segments: Iterable[Segment], fields: Iterable[str]) -> None:
        found = tuple(segments)
        self.segments: tuple[Segment, ...] = (merge(found),) if found else ()
        self.dense = {field: DenseIndex() for field in fields}

    def add(self, segment: Segment) -> None:
        """Add a document's words. A search passes through few segments: each is over twice as large as the next."""
        segments = [*self.segments, segment]
        while len(segments) > 1 and len(segments[-2].chunk_ids) <= 2 * len(segments[-1].chunk_ids):
            segments[-2:] = [merge(segments[-2:])]
        self.segments = tuple(segments)

    def add_vectors(self, field: str, vectors: VectorsByKey) -> None:
        """Add vectors of a field; keys that are there already stay as they are."""
        self.dense[field].add(vectors)

    def remove(self, keys: Mapping[str, Sequence[int]]) -> None:
        """Forget chunks, and what else is searched by vector, by field."""
        left = (without(segment, keys[CHUNK_DENSE]) for segment in self.segments)
        self.segments = tuple(segment for segment in left if len(segment.chunk_ids))
        for field, index in self.dense.items():
            index.remove(keys[field])

    def clear(self) -> None:
        """Forget all."""
        self.segments = ()
        self.dense = {field: DenseIndex() for field in self.dense}


class IndexCache(Generic[Kept]):
    """What is kept of the collections used last, built for each when it is first needed."""

    def __init__(self, build: Callable[[str], Kept], size: int = 64) -> None:
        self._build = build
        self._size = size
        self._indexes: OrderedDict[str, Kept] = OrderedDict()
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
            with self._guard:
                self._indexes[collection_id] = index
                self._indexes.move_to_end(collection_id)
                while len(self._indexes) > self._size:
                    self._indexes.popitem(last=False)
            try:
                yield index
            except Exception:
                with self._guard:
                    self._indexes.pop(collection_id, None)
                raise
