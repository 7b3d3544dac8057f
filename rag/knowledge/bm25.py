"""BM25 over postings: the scores of `rank_bm25.BM25Okapi`, read from the query's terms instead of every chunk."""

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from rag.knowledge.postings import Ints, Segment, term_hash
from rag.knowledge.scoring import Floats, Idf, SegmentScorer, length_norms


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

    def search(self, tokens: Sequence[str], limit: int, within: Ints | None = None) -> dict[int, float]:
        """The `limit` best chunks that hold a term, of all or of those `within`, best first; every score is above 0.

        Scores are Okapi's. Where its mean idf is not positive, in a corpus of a few chunks, its order would be
        reversed; Lucene's idf is used instead.
        """
        ids, scores = [np.empty(0, np.int64)], [np.empty(0)]
        for scorer in self._ask(tokens, self._idf.of_search)[1]:
            slots, found = scorer.best(limit, within)
            ids.append(scorer.segment.chunk_ids[slots])
            scores.append(found)
        every_id, every_score = np.concatenate(ids), np.concatenate(scores)
        best = np.lexsort((every_id, -every_score))[:limit]
        return dict(zip(every_id[best].tolist(), every_score[best].tolist(), strict=True))

    def scores(self, tokens: Sequence[str]) -> Floats:
        """Every chunk's score by Okapi, in the order of `segments` and of their chunks, shape (chunks,)."""
        return np.concatenate([np.empty(0), *(scorer.scores() for scorer in self._ask(tokens, self._idf.okapi)[1])])

    def explain(self, tokens: Sequence[str], chunk_ids: Sequence[int]) -> dict[int, dict[str, float]]:
        """What each term that some chunks hold adds to their scores in a search, the most first."""
        terms, scorers = self._ask(tokens, self._idf.of_search)
        told: dict[int, dict[str, float]] = {chunk_id: {} for chunk_id in chunk_ids}
        for scorer in scorers:
            slots = np.flatnonzero(np.isin(scorer.segment.chunk_ids, chunk_ids))
            of_each = zip(scorer.segment.chunk_ids[slots].tolist(), scorer.gains(slots).tolist(), strict=True)
            for chunk_id, of_terms in of_each:
                gains = sorted(zip(terms, of_terms, strict=True), key=lambda item: -item[1])
                told[chunk_id] = {term: gain for term, gain in gains if gain > 0}
        return told

    def _ask(self, tokens: Sequence[str], idf: Callable[[Floats], Floats]) -> tuple[list[str], list[SegmentScorer]]:
        """The terms among some tokens that occur at all, the rarest first, and each segment's scorer for them."""
        counts = Counter(tokens)
        hashes = np.fromiter(map(term_hash, counts), np.uint64)
        places = [segment.postings(hashes) for segment in self.segments]
        frequencies = _frequencies(places, len(counts))
        order = np.argsort(frequencies, kind="stable")
        order = order[frequencies[order] > 0]
        weights = np.fromiter(counts.values(), np.float64)[order] * idf(frequencies[order].astype(np.float64))
        terms = list(counts)
        scorers = [
            SegmentScorer(segment, norms, self._k1 + 1, own[order], weights)
            for segment, norms, own in zip(self.segments, self._norms, places, strict=True)
        ]
        return [terms[place] for place in order], scorers

    def _count_terms(self) -> Ints:
        """How many terms occur in 0, 1, 2, … of the chunks.

        The mean idf changes with every chunk, and by this it needs no pass over all terms.
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
    """In how many chunks each term occurs, given where its postings begin and end, shape (terms,)."""
    return sum((each[:, 1] - each[:, 0] for each in places), np.zeros(terms, np.int64))
