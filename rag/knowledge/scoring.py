"""The scores of one segment's chunks for weighted terms, and the best of them without ranking all."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.knowledge.idf import Floats
from rag.knowledge.postings import Ints, Segment

# From this share of the chunks on, it pays to ask first whether a term can still change which chunks are the best.
_COMMON = 1 / 8
# How many chunks, for each one wanted, are looked at to see how good a chunk has to be.
_SAMPLE = 8
# Looking up one chunk in a list of postings takes as long as passing through this many of them.
_LOOKUP = 8
# More than sums of the same numbers in another order may differ by.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SegmentScorer:
    """A segment with n chunks, and q terms that are asked for, the rarest first.

    norms (n,) is what a chunk's length adds to the frequencies in it; `scale` is k1 + 1; places (q, 2) is where each
    term's postings begin and end; weights (q,), none of them negative where `best` is asked for.
    """

    segment: Segment
    norms: Floats
    scale: float
    places: Ints
    weights: Floats

    def scores(self) -> Floats:
        """Every chunk's score, shape (n,)."""
        scores = np.zeros(len(self.norms))
        for term in range(len(self.weights)):
            self._add(term, scores)
        return scores

    def best(self, limit: int, within: Ints | None = None) -> tuple[Ints, Floats]:
        """Slots and scores of the chunks above 0 that can be among the `limit` best, perhaps more, in no order."""
        scores = np.zeros(len(self.norms))
        if within is not None:
            scores[~np.isin(self.segment.chunk_ids, within)] = -np.inf
        rest = self._most_from()
        for term, (begin, end) in enumerate(self.places):
            if end - begin > _COMMON * len(scores):
                needed = self._needed(scores, term, limit)
                found = np.flatnonzero(scores >= needed - rest[term] - _ROUNDING) if needed > rest[term] else None
                if found is not None and _LOOKUP * len(found) < end - begin:
                    return found, self._with_rest(term, found, scores[found])
            self._add(term, scores)
        needed = self._needed(scores, len(self.weights), limit)
        found = np.flatnonzero(scores >= needed) if needed > 0 else np.flatnonzero(scores > 0)
        return found, scores[found]

    def gains(self, slot: int) -> Floats:
        """What each term adds to the score of one chunk, shape (q,)."""
        alone = np.array([slot])
        return np.array([self._with_one(term, alone, np.zeros(1))[0] for term in range(len(self.weights))])

    def _add(self, term: int, scores: Floats) -> None:
        place = slice(*self.places[term])
        # An index of another type is converted at each use.
        slots = self.segment.slots[place].astype(np.intp)
        scores[slots] += self._gain(term, self.segment.frequencies[place], self.norms.take(slots))

    def _gain(self, term: int, frequencies: npt.NDArray[np.generic], norms: Floats) -> Floats:
        """What a term adds to chunks by its frequencies in them; `norms`, of the chunks, are written over."""
        gain = frequencies.astype(np.float64)
        norms += gain
        gain *= self.weights[term] * self.scale
        gain /= norms
        return gain

    def _most_from(self) -> Floats:
        """What each term and those behind it can add to a score together, shape (q,)."""
        frequencies = [self.segment.frequencies[begin:end].max(initial=0) for begin, end in self.places]
        highest = np.asarray(frequencies, np.float64)
        most = self.weights * self.scale * highest / (highest + self.norms.min(initial=np.inf))
        return np.cumsum(most[::-1])[::-1]

    def _needed(self, scores: Floats, terms: int, limit: int) -> float:
        """A score that `limit` chunks have, seen in some that hold the first `terms` terms; 0 where too few do."""
        sample: list[npt.NDArray[np.int32]] = []
        size = _SAMPLE * limit
        for begin, end in self.places[:terms]:
            sample.append(self.segment.slots[begin : min(end, begin + size)])
            if sum(map(len, sample)) >= size:
                break
        seen = scores[np.unique(np.concatenate(sample))] if sample else np.empty(0)
        return max(0.0, float(np.partition(seen, -limit)[-limit])) if len(seen) >= limit else 0.0

    def _with_rest(self, first: int, slots: Ints, scores: Floats) -> Floats:
        """The scores of some chunks with what the terms from `first` on add to them."""
        for term in range(first, len(self.weights)):
            scores = self._with_one(term, slots, scores)
        return scores

    def _with_one(self, term: int, slots: Ints, scores: Floats) -> Floats:
        place = slice(*self.places[term])
        own = self.segment.slots[place]
        if not len(own):
            return scores
        # A value of another type would have the whole list converted.
        at = np.minimum(np.searchsorted(own, slots.astype(own.dtype)), len(own) - 1)
        frequencies = np.where(own[at] == slots, self.segment.frequencies[place][at], 0)
        return np.asarray(scores + self._gain(term, frequencies, self.norms[slots]), np.float64)
