"""The statistics of words that BM25 needs of the collections searched, without their postings."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
import numpy.typing as npt
from cachetools import LRUCache

from rag.knowledge.bm25 import Floats, Idf
from rag.knowledge.postings import Ints, Segment, with_few

# What is kept of the sets of collections searched last; some are kept whatever they take.
_MOST_BYTES = 2**28
_LEAST_KEPT = 8
_BYTES_OF_ANY = 1024
Terms = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class TermCounts:
    """In how many of `size` chunks, with `tokens` tokens in all, each of the sorted terms occurs."""

    terms: Terms
    frequencies: Ints
    size: int
    tokens: int

    @classmethod
    def of(cls, segment: Segment) -> "TermCounts":
        """What a segment's postings say."""
        tokens = int(segment.lengths.sum(dtype=np.int64))
        return cls(segment.terms, segment.document_frequencies, len(segment.chunk_ids), tokens)

    @property
    def nbytes(self) -> int:
        """How much memory the counts take."""
        return self.terms.nbytes + self.frequencies.nbytes

    def frequency(self, term: int) -> int:
        """In how many chunks a term occurs."""
        place = int(np.searchsorted(self.terms, np.uint64(term)))
        return int(self.frequencies[place]) if place < len(self.terms) and self.terms[place] == term else 0


def joined(parts: Sequence[TermCounts]) -> TermCounts:
    """The counts of several sets of chunks together."""
    if len(parts) == 1:
        return parts[0]
    terms = np.concatenate([np.empty(0, np.uint64), *(part.terms for part in parts)])
    terms, places = np.unique(terms, return_inverse=True)
    counts = np.concatenate([np.empty(0, np.int64), *(part.frequencies for part in parts)])
    frequencies = np.bincount(places, weights=counts, minlength=len(terms)).astype(np.int64)
    return TermCounts(terms, frequencies, sum(part.size for part in parts), sum(part.tokens for part in parts))


class CollectionTerms:
    """The counts of a collection, made when they are asked for. Its user makes sure that nobody else does at once."""

    def __init__(self, segments: Callable[[], Iterable[Segment]]) -> None:
        self._segments = segments
        self._parts: tuple[TermCounts, ...] | None = None

    @property
    def nbytes(self) -> int:
        """About how much memory they take."""
        return _BYTES_OF_ANY + sum(part.nbytes for part in self._parts or ())

    def parts(self) -> tuple[TermCounts, ...]:
        """The counts in few parts. Raises StoreError."""
        if self._parts is None:
            self._parts = ()
            for segment in self._segments():
                self.add(segment)
        return self._parts

    def add(self, segment: Segment) -> None:
        """Count a document's words too."""
        if self._parts is not None:
            self._parts = with_few(self._parts, TermCounts.of(segment), lambda own: own.size, joined)

    def forget(self) -> None:
        """Count anew at the next search."""
        self._parts = None


class Statistics:
    """What BM25 asks of the chunks searched: how rare a term is, and how long a chunk is beside the others."""

    def __init__(self, counts: TermCounts) -> None:
        self._counts = counts
        self._idf = Idf.of(counts.size, counts.frequencies)
        self.mean_length = counts.tokens / counts.size if counts.tokens else 1.0
        self.nbytes = _BYTES_OF_ANY + counts.nbytes

    def weights(self, terms: Sequence[int]) -> Floats:
        """The idf of each term, 0 where no chunk holds it."""
        frequencies = np.array([self._counts.frequency(term) for term in terms], np.float64)
        return np.where(frequencies > 0, self._idf.of_search(frequencies), 0.0)


class StatisticsCache:
    """The statistics of the sets of collections searched last, as long as their chunks stay the same."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._kept: LRUCache[tuple[str, ...], tuple[tuple[TermCounts, ...], Statistics]] = LRUCache(
            most_bytes, getsizeof=lambda kept: min(kept[1].nbytes, most_bytes // _LEAST_KEPT)
        )
        self._lock = Lock()

    def of(self, collections: Sequence[str], parts: tuple[TermCounts, ...]) -> Statistics:
        """The statistics of some collections, given by their counts."""
        key = tuple(collections)
        with self._lock:
            known = self._kept.get(key)
        if known is not None and known[0] == parts:
            return known[1]
        # Not under the lock: others search their collections meanwhile.
        statistics = Statistics(joined(parts))
        with self._lock:
            self._kept[key] = parts, statistics
        return statistics
