"""BM25 over postings: the scores of `rank_bm25.BM25Okapi`, read from the query's terms instead of every chunk."""

import math
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from rag.knowledge.postings import Segment, term_hash

# Okapi's idf is negative for a term of more than half of the chunks; rank_bm25 replaces it by this share of the mean.
_FLOOR = 0.25


class Corpus:
    """The chunks of some segments, with the statistics of them all."""

    def __init__(self, segments: Sequence[Segment], k1: float = 1.5, b: float = 0.75) -> None:
        self.segments = tuple(segments)
        self._k1 = k1
        self._b = b
        self._size = sum(len(segment.chunk_ids) for segment in segments)
        self._tokens = sum(int(segment.lengths.sum(dtype=np.int64)) for segment in segments)

    def search(self, tokens: Sequence[str], limit: int) -> dict[int, float]:
        """The chunks with the `limit` best scores above 0, best first."""
        if not self._tokens:
            return {}
        ids = np.concatenate([segment.chunk_ids for segment in self.segments])
        scores = self.scores(tokens)
        found = np.flatnonzero(scores > 0)
        if len(found) > limit:
            found = found[np.argpartition(scores[found], -limit)[-limit:]]
        best = found[np.lexsort((ids[found], -scores[found]))]
        return dict(zip(ids[best].tolist(), scores[best].tolist(), strict=True))

    def scores(self, tokens: Sequence[str]) -> npt.NDArray[np.float64]:
        """Every chunk's score, in the order of the segments and their chunks, shape (chunks,)."""
        weights = [(term_hash(token), count) for token, count in Counter(tokens).items()]
        weights_by_term = [(term, count * self._idf(self._frequency(term))) for term, count in weights]
        return np.concatenate([self._segment_scores(segment, weights_by_term) for segment in self.segments])

    def _segment_scores(self, segment: Segment, weights: Sequence[tuple[int, float]]) -> npt.NDArray[np.float64]:
        scores = np.zeros(len(segment.chunk_ids))
        norms = self._k1 * (1 - self._b + self._b * segment.lengths / (self._tokens / self._size))
        for term, weight in weights:
            postings = segment.postings(term)
            slots, frequencies = segment.slots[postings], segment.frequencies[postings]
            scores[slots] += weight * (frequencies * (self._k1 + 1) / (frequencies + norms[slots]))
        return scores

    def _frequency(self, term: int) -> int:
        postings = (segment.postings(term) for segment in self.segments)
        return sum(place.stop - place.start for place in postings)

    def _idf(self, frequency: int) -> float:
        """Okapi's idf with rank_bm25's floor; Lucene's where that floor is not positive.

        In a corpus of one or two chunks Okapi finds every term too common to count, and nothing could be found.
        """
        if not frequency:
            return 0.0
        odds = (self._size - frequency + 0.5) / (frequency + 0.5)
        if self.mean_idf <= 0:
            return math.log1p(odds)
        idf = math.log(odds)
        return idf if idf >= 0 else _FLOOR * self.mean_idf

    @cached_property
    def mean_idf(self) -> float:
        """The mean of Okapi's idf over all terms of the corpus; 0 without terms."""
        terms, places = np.unique(np.concatenate([segment.terms for segment in self.segments]), return_inverse=True)
        if not len(terms):
            return 0.0
        counts = np.concatenate([segment.document_frequencies for segment in self.segments])
        frequencies = np.bincount(places, weights=counts)
        return float(np.mean(np.log(self._size - frequencies + 0.5) - np.log(frequencies + 0.5)))
