"""How much a term counts by the share of chunks that hold it: Okapi's idf, as `rank_bm25` has it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

# Okapi's idf is negative for a term of more than half of the chunks; rank_bm25 replaces it by this share of the mean.
_FLOOR = 0.25
# A term of exactly half of the chunks has an idf of 0. In a search it weighs next to nothing, so that it still finds.
_LEAST = 1e-12
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Idf:
    """The idf in a corpus of `size` chunks whose terms have the mean idf `mean`."""

    size: int
    mean: float

    @classmethod
    def of(cls, size: int, frequencies: npt.NDArray[np.int64]) -> "Idf":
        """That of a corpus, by the number of chunks that each of its terms occurs in."""
        return cls(size, float(np.mean(plain_idf(size, frequencies.astype(np.float64)))) if len(frequencies) else 0.0)

    def okapi(self, frequencies: Floats) -> Floats:
        """Okapi's idf with rank_bm25's floor."""
        idf = plain_idf(self.size, frequencies)
        return np.where(idf < 0, _FLOOR * self.mean, idf)

    def of_search(self, frequencies: Floats) -> Floats:
        """That of a search, always above 0: where the mean is not, in a corpus of a few chunks, Lucene's."""
        if self.mean > 0:
            return np.maximum(self.okapi(frequencies), _LEAST)
        return np.log1p((self.size - frequencies + 0.5) / (frequencies + 0.5))


def plain_idf(size: int, frequencies: Floats) -> Floats:
    """Okapi's idf, below 0 for a term of more than half of the chunks."""
    return np.asarray(np.log(size - frequencies + 0.5) - np.log(frequencies + 0.5), np.float64)
