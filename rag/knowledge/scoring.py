"""BM25's formulas, as `rank_bm25` has them; one segment's chunks scored, and the best found without ranking all."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.knowledge.postings import Ints, Segment

Floats = npt.NDArray[np.float64]
# Okapi's idf is negative for a term of more than half of the chunks; rank_bm25 replaces it by this share of the mean.
_FLOOR = 0.25
# A term of exactly half of the chunks has an idf of 0. In a search it weighs next to nothing, so that it still finds.
_LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Idf:
    """How much a term counts by the share of chunks that hold it, in a corpus of `size` chunks; `mean` is that of all
    terms."""

    size: int
    mean: float

    @classmethod
    def of(cls, size: int, frequencies: Ints, terms: Ints | None = None) -> "Idf":
        """That of a corpus, by the numbers of chunks that its terms occur in: of one each, or of so many `terms`."""
        idf = _plain_idf(size, frequencies.astype(np.float64))
        return cls(size, float(np.average(idf, weights=terms)) if len(frequencies) else 0.0)

    def okapi(self, frequencies: Floats) -> Floats:
        """Okapi's idf with rank_bm25's floor."""
        idf = _plain_idf(self.size, frequencies)
        return np.where(idf < 0, _FLOOR * self.mean, idf)

    def of_search(self, frequencies: Floats) -> Floats:
        """That of a search, always above 0: where the mean is not, in a corpus of a few chunks, Lucene's."""
        if self.mean > 0:
            return np.maximum(self.okapi(frequencies), _LEAST)
        return np.log1p((self.size - frequencies + 0.5) / (frequencies + 0.5))


def _plain_idf(size: int, frequencies: Floats) -> Floats:
    """Okapi's idf, below 0 for a term of more than half of the chunks."""
    return np.asarray(np.log(size - frequencies + 0.5) - np.log(frequencies + 0.5), np.float64)


def length_norms(lengths: Floats, mean: float, k1: float, b: float) -> Floats:
    """What the length of chunks adds to the frequencies in them: more for those longer than the `mean`."""
    return np.asarray(k1 * (1 - b + b / mean * lengths), np.float64)


def saturated(frequencies: Floats, norms: Floats, scale: float) -> Floats:
    """What terms with these frequencies give of their weights, `scale` at the most; `scale` is k1 + 1."""
    # With a k1 of 0, or a b of 1 and an empty chunk, both are 0 for a term that is not there.
    return np.asarray(frequencies * scale / np.maximum(frequencies + norms, np.finfo(np.float64).tiny), np.float64)


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
        for (begin, end), weight in zip(self.places, self.weights * self.scale, strict=True):
            # An index of another type is converted at each use.
            slots = self.segment.slots[begin:end].astype(np.intp)
            gains = self.segment.frequencies[begin:end].astype(np.float64)
            norms = self.norms.take(slots)
            norms += gains
            gains *= weight
            gains /= norms
            scores[slots] += gains
        return scores

    def best(self, limit: int, within: Ints | None = None) -> tuple[Ints, Floats]:
        """Slots and scores of the chunks above 0 that can be among the `limit` best, perhaps more, in no order."""
        scores = self.scores()
        if within is not None:
            scores[~np.isin(self.segment.chunk_ids, within)] = 0
        found = np.flatnonzero(scores)
        if len(found) > limit:
            found = found[scores[found] >= np.partition(scores[found], -limit)[-limit]]
        return found, scores[found]

    def gains(self, slots: Ints) -> Floats:
        """What each term adds to the scores of s chunks, shape (s, q)."""
        frequencies = np.zeros((len(slots), len(self.weights)))
        # Numbers of another type would have the whole list converted.
        wanted = slots.astype(self.segment.slots.dtype)
        for term, (begin, end) in enumerate(self.places):
            at = begin + np.searchsorted(self.segment.slots[begin:end], wanted)
            held = at < end
            held[held] = self.segment.slots[at[held]] == wanted[held]
            frequencies[held, term] = self.segment.frequencies[at[held]]
        return self.weights * saturated(frequencies, self.norms[slots, None], self.scale)
