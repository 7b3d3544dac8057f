"""The caches of collections in memory: postings and dense vectors, built from SQLite when first needed."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from cachetools import FIFOCache, LRUCache

from rag.embeddings.check import Vector
from rag.knowledge.bm25 import Corpus
from rag.knowledge.postings import Ints, Segment, merge, with_few, without
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
# A number in a set of Python's, and a key both ways in FAISS's.
_BYTES_A_KEY = 150


class _Measured(Protocol):
    @property
    def nbytes(self) -> int: ...


Kept = TypeVar("Kept", bound=_Measured)
Part = TypeVar("Part")


class DenseIndex:
    """A FAISS index of normalised vectors by key. Its user makes sure that no search meets a change."""

    def __init__(self) -> None:
        self._index: Any = None
        self.covered: set[int] = set()

    @property
    def dimension(self) -> int:
        """That of the vectors; 0 while there are none."""
        return self._index.d if self._index is not None else 0

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        return len(self.covered) * (self.dimension * np.dtype(np.float32).itemsize + _BYTES_A_KEY)

    def add(self, vectors: Mapping[int, Vector]) -> None:
        """Add vectors of shape (dimension,) by key; keys that are there already stay as they are."""
        new = {key: vector for key, vector in vectors.items() if key not in self.covered}
        if not new:
            return
        import faiss

        matrix = np.stack(list(new.values()))
        if self._index is None:
            self._index = faiss.IndexIDMap2(faiss.IndexFlatIP(matrix.shape[1]))
        self._index.add_with_ids(matrix, np.fromiter(new, np.int64))
        self.covered.update(new)

    def remove(self, keys: Sequence[int]) -> None:
        """Forget vectors; those that are not there are passed over."""
        gone = self.covered.intersection(keys)
        if gone:
            self._index.remove_ids(np.asarray(sorted(gone), np.int64))
            self.covered -= gone
        if not self.covered:
            # What comes next may be of another dimension.
            self._index = None

    def search(self, vector: Vector, limit: int, within: Ints | None = None) -> dict[int, float]:
        """The keys with the `limit` best cosines above 0, of all or of those `within`."""
        if not self.covered:
            return {}
        import faiss

        # Over 109,000 vectors a search took 10 ms of one core; of two cores it took 30 to 70 ms, most of it in waiting.
        # Each thread that searches has a number of its own.
        faiss.omp_set_num_threads(1)
        # The keyword is that of faiss's Python layer, which its stubs do not know.
        chosen = None if within is None else faiss.SearchParameters(sel=faiss.IDSelectorBatch(within))  # type: ignore[call-arg]
        scores, ids = self._index.search(vector[None, :], min(limit, len(self.covered)), params=chosen)
        return {int(key): float(score) for key, score in zip(ids[0], scores[0], strict=True) if score > 0}


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
