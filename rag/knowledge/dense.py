"""Exact search by cosine over the vectors of a collection's texts."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rag.embeddings.check import Vector

Ids = npt.NDArray[np.int64]
# A number in a set of Python's, and a key both ways in FAISS's.
_BYTES_A_KEY = 150


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

    def search(self, vector: Vector, limit: int, within: Ids | None = None) -> dict[int, float]:
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
