"""BM25 over postings: the scores of `rank_bm25.BM25Okapi`, read from the query's terms instead of every chunk."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.knowledge.postings import Ints, Segment, term_hash

Floats = npt.NDArray[np.float64]
# Okapi's idf is negative for a term of more than half of the chunks; rank_bm25 replaces it by this share of the mean.
_FLOOR = 0.25
# A term of exactly half of the chunks has an idf of 0. In a search it weighs next to nothing, so that it still finds.
_LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Idf:
    """Inverse document frequency of terms in a corpus of `size` chunks; `mean` is that of all its terms."""

    size: int
    mean: float

    @classmethod
    def of(cls, size: int, frequencies: Ints, terms: Ints | None = None) -> "Idf":
        """From the document frequencies of a corpus: one for each term, or each with how many `terms` have it."""
        idf = _plain_idf(size, frequencies.astype(np.float64))
        return cls(size, float(np.average(idf, weights=terms)) if len(frequencies) else 0.0)

    def weights(self, frequencies: Floats) -> Floats:
        """Of terms with these document frequencies: Okapi's with rank_bm25's floor, above 0 so that every term finds.

        Where the mean is not positive, in a corpus of a few chunks, the floor would reverse the order; there Lucene's.
        """
        if self.mean <= 0:
            return np.log1p((self.size - frequencies + 0.5) / (frequencies + 0.5))
        idf = _plain_idf(self.size, frequencies)
        return np.maximum(np.where(idf < 0, _FLOOR * self.mean, idf), _LEAST)


def _plain_idf(size: int, frequencies: Floats) -> Floats:
    """Okapi's idf, below 0 for a term of more than half of the chunks."""
    return np.asarray(np.log(size - frequencies + 0.5) - np.log(frequencies + 0.5), np.float64)


def length_norms(lengths: Floats, mean: float, k1: float, b: float) -> Floats:
    """What BM25 adds to a term's frequency for the length of its chunk: k1 (1 - b + b length / mean)."""
    return np.asarray(k1 * (1 - b + b / mean * lengths), np.float64)


class Corpus:
    """The chunks of some segments, with the statistics of them all."""

    def __init__(self, segments: Sequence[Segment], k1: float = 1.5, b: float = 0.75) -> None:
        self.segments = tuple(sorted(segments, key=lambda segment: -len(segment.chunk_ids)))
        self._k1 = k1
        self._size = sum(len(segment.chunk_ids) for segment in segments)
        tokens = sum(int(segment.lengths.sum(dtype=np.int64)) for segment in segments)
        mean_length = tokens / self._size if tokens else 1.0
        self._norms = [
            length_norms(segment.lengths.astype(np.float64), mean_length, k1, b) for segment in self.segments
        ]
        terms = self._count_terms()
        frequencies = np.flatnonzero(terms)
        self._idf = Idf.of(self._size, frequencies, terms[frequencies])

    @property
    def nbytes(self) -> int:
        """How much memory it takes beside its segments."""
        return sum(norms.nbytes for norms in self._norms)

    def slots(self, chunk_ids: Ints) -> list[Ints]:
        """Where some chunks stand in each segment."""
        return [np.flatnonzero(np.isin(segment.chunk_ids, chunk_ids)) for segment in self.segments]

    def search(self, tokens: Sequence[str], limit: int, within: Sequence[Ints] | None = None) -> dict[int, float]:
        """The `limit` best chunks that hold a term, of all or of the `slots` within, best first; all scores above 0."""
        ids, scores = [np.empty(0, np.int64)], [np.empty(0)]
        for place, (segment, own) in enumerate(self._scored(tokens)):
            found = np.flatnonzero(own) if within is None else within[place][own[within[place]] > 0]
            if len(found) > limit:
                # Those that can be among the best, perhaps more: all need not be sorted.
                found = found[own[found] >= np.partition(own[found], -limit)[-limit]]
            ids.append(segment.chunk_ids[found])
            scores.append(own[found])
        every_id, every_score = np.concatenate(ids), np.concatenate(scores)
        best = np.lexsort((every_id, -every_score))[:limit]
        return dict(zip(every_id[best].tolist(), every_score[best].tolist(), strict=True))

    def _scored(self, tokens: Sequence[str]) -> Iterator[tuple[Segment, Floats]]:
        """Each segment with the scores of all its chunks; those of the rarest terms are added up first."""
        counts = Counter(tokens)
        hashes = np.fromiter(map(term_hash, counts), np.uint64)
        places = [segment.postings(hashes) for segment in self.segments]
        frequencies = _frequencies(places, len(counts))
        order = np.argsort(frequencies, kind="stable")
        known = order[frequencies[order] > 0]
        idf = self._idf.weights(frequencies[known].astype(np.float64))
        weights = np.fromiter(counts.values(), np.float64)[known] * idf
        for segment, norms, own in zip(self.segments, self._norms, places, strict=True):
            yield segment, _scores(segment, norms, own[known], weights * (self._k1 + 1))

    def _count_terms(self) -> Ints:
        """How many terms have a document frequency of 0, 1, 2, …

        The mean idf changes with every chunk; from these numbers it is made without a pass over all terms.
        """
        counts = np.zeros(self._size + 1, np.int64)
        for place, segment in enumerate(self.segments):
            elsewhere = _frequencies(
                [other.postings(segment.terms) for other in self.segments[:place]], len(segment.terms)
            )
            # A term that a larger segment has was counted there.
            counts -= np.bincount(elsewhere[elsewhere > 0], minlength=self._size + 1)
            counts += np.bincount(elsewhere + segment.document_frequencies, minlength=self._size + 1)
        return counts


def _frequencies(places: Sequence[Ints], terms: int) -> Ints:
    """Each term's document frequency, given where its postings begin and end in each segment, shape (terms,)."""
    return sum((each[:, 1] - each[:, 0] for each in places), np.zeros(terms, np.int64))


def _scores(segment: Segment, norms: Floats, places: Ints, weights: Floats) -> Floats:
    """The scores of a segment's n chunks, shape (n,), whose `length_norms` are `norms` (n,).

    `places` (q, 2) is where the postings of q terms begin and end; `weights` (q,) is the most that each can give.
    """
    scores = np.zeros(len(norms))
    for (begin, end), weight in zip(places, weights, strict=True):
        # An index of another type is converted at each use.
        slots = segment.slots[begin:end].astype(np.intp)
        gains = segment.frequencies[begin:end].astype(np.float64)
        norms_there = norms.take(slots)
        norms_there += gains
        gains *= weight
        gains /= norms_there
        scores[slots] += gains
    return scores
