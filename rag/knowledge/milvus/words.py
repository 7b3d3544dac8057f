"""The route by words: sparse vectors find the candidates, whose BM25 scores are then those of the local index.

What these need of all chunks searched, how many hold each term, is counted here without the chunks' postings. Milvus's
own BM25 is not used: its statistics are those of everybody's chunks and not of the collections searched, it has no
character bigrams, and its scores are another formula's.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from rag.knowledge.bm25 import Floats, Idf, length_norms
from rag.knowledge.index import Statistics
from rag.knowledge.milvus.field import KEY, LENGTH, VECTOR, MilvusField
from rag.knowledge.postings import Ints, Segment, term_hash, with_few
from rag.knowledge.search_index import Scores
from rag.settings import SparseFieldSettings

# How many candidates are looked at for each chunk wanted, and at least.
_CANDIDATES = 4
_LEAST = 100
# What is stored is a term's share of the greatest score that it can give in a chunk of this many tokens. It has to
# be the same for all collections; the scores do not depend on it, only which chunks are candidates.
_MEAN_LENGTH = 200
_K1, _B = 1.5, 0.75
_PLACES = 2**32 - 1
_BYTES_OF_ANY = 1024
Terms = npt.NDArray[np.uint64]
_TINY = np.finfo(np.float64).tiny


@dataclass(frozen=True, slots=True, eq=False)
class TermCounts:
    """Document frequencies of terms, these sorted, in `size` chunks with `tokens` tokens in all."""

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
        """A term's document frequency."""
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
        self.statistics: Statistics[TermCounts, TermStatistics] = Statistics()

    @property
    def nbytes(self) -> int:
        """About how much memory they take."""
        return _BYTES_OF_ANY + sum(part.nbytes for part in self._parts or ()) + self.statistics.nbytes

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
        self.statistics.clear()


class TermStatistics:
    """What BM25 has to know of all chunks searched: each term's idf, and the mean length of a chunk."""

    def __init__(self, parts: Sequence[TermCounts]) -> None:
        counts = self._counts = joined(parts)
        self._idf = Idf.of(counts.size, counts.frequencies)
        self.mean_length = counts.tokens / counts.size if counts.tokens else 1.0
        self.nbytes = counts.nbytes

    def weights(self, terms: Sequence[int]) -> Floats:
        """The idf of each term, 0 where no chunk holds it."""
        frequencies = np.array([self._counts.frequency(term) for term in terms], np.float64)
        return np.where(frequencies > 0, self._idf.weights(frequencies), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class SparseWords:
    """Searches the field of words."""

    field: MilvusField
    settings: SparseFieldSettings

    def search(
        self, questions: Sequence[Sequence[str]], statistics: TermStatistics, limit: int, expression: str
    ) -> list[Scores]:
        """The chunks with the `limit` best scores for each question, given by its terms. Raises StoreError."""
        asked = [_weighted(tokens, statistics) for tokens in questions]
        if not any(asked) or not self.field.dimension():
            return [{} for _ in questions]
        vectors = [{place_of(term): weight for term, weight in weights.items()} for weights in asked if weights]
        candidates = max(_CANDIDATES * limit, _LEAST)
        found = iter(self.field.search(vectors, candidates, expression, output=(LENGTH, VECTOR)))
        return [self._scored(next(found), weights, statistics, limit) if weights else {} for weights in asked]

    def _scored(
        self, hits: Sequence[Any], weights: Mapping[int, float], statistics: TermStatistics, limit: int
    ) -> Scores:
        """The BM25 scores of candidates, best first."""
        keys = np.array([hit[KEY] for hit in hits], np.int64)
        lengths = np.array([hit["entity"][LENGTH] for hit in hits], np.float64)
        places = [place_of(term) for term in weights]
        shares = np.array([[hit["entity"][VECTOR].get(place, 0.0) for place in places] for hit in hits], np.float64)
        frequencies = frequencies_of(shares.reshape(len(hits), len(places)), lengths)
        norms = length_norms(lengths, statistics.mean_length, self.settings.k1, self.settings.b)
        # With a k1 of 0, or a b of 1 and an empty chunk, both are 0 for a term that is not there.
        gains = frequencies * (self.settings.k1 + 1) / np.maximum(frequencies + norms[:, None], _TINY)
        scores = gains @ np.fromiter(weights.values(), np.float64)
        best = np.lexsort((keys, -scores))
        ranked = zip(keys[best].tolist(), scores[best].tolist(), strict=True)
        return dict(islice(((key, score) for key, score in ranked if score > 0), limit))


def sparse_vectors(segment: Segment) -> dict[int, dict[int, float]]:
    """The vectors of a segment's chunks, by chunk: for the place of each term its share."""
    terms = np.repeat(segment.terms, segment.document_frequencies)
    lengths = segment.lengths.astype(np.float64)[segment.slots]
    shares = shares_of(segment.frequencies.astype(np.float64), lengths)
    vectors: dict[int, dict[int, float]] = {chunk: {} for chunk in segment.chunk_ids.tolist()}
    owners = segment.chunk_ids[segment.slots]
    for chunk, term, share in zip(owners.tolist(), terms.tolist(), shares.tolist(), strict=True):
        vectors[chunk][place_of(term)] = share
    return vectors


def place_of(term: int) -> int:
    """The dimension of a term, given by its hash: Milvus counts them in 32 bits."""
    return term % _PLACES


def shares_of(frequencies: Floats, lengths: Floats) -> Floats:
    """What is stored for terms with these frequencies in chunks of these lengths, between 0 and 1."""
    return frequencies / (frequencies + _norms(lengths))


def frequencies_of(shares: Floats, lengths: Floats) -> Floats:
    """How often terms occur, shape (chunks, terms), from what is stored for them; 32 bits of it suffice."""
    return np.rint(shares * _norms(lengths)[:, None] / (1 - shares))


def _norms(lengths: Floats) -> Floats:
    return length_norms(lengths, _MEAN_LENGTH, _K1, _B)


def _weighted(tokens: Sequence[str], statistics: TermStatistics) -> dict[int, float]:
    """What each term of a question weighs, of those that occur at all."""
    counts = Counter(map(term_hash, tokens))
    weights = np.fromiter(counts.values(), np.float64) * statistics.weights(list(counts))
    return {term: weight for term, weight in zip(counts, weights.tolist(), strict=True) if weight > 0}
