"""Whether vectors can be what a model was asked for, and one form of them that can be compared."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rag.errors import EmbeddingFailed
from rag.types import Message

Vector = npt.NDArray[np.float32]
_NO_DIRECTION = Message("embedding.no_direction")


def checked(vectors: Sequence[Sequence[float]], texts: int, model: str, dimension: int = 0) -> list[list[float]]:
    """The vectors, one for each of `texts` texts; a dimension of 0 stands for any. Raises EmbeddingFailed."""
    if len(vectors) != texts:
        raise EmbeddingFailed(model=model, detail=f"{len(vectors)} vectors for {texts} texts")
    for vector in vectors:
        if not vector or len(vector) != (dimension or len(vectors[0])):
            expected = f"configured {dimension}" if dimension else f"others {len(vectors[0])}"
            raise EmbeddingFailed(model=model, detail=f"dimension {len(vector)}, {expected}")
        if not all(map(math.isfinite, vector)):
            raise EmbeddingFailed(model=model, detail=_NO_DIRECTION)
    return [list(vector) for vector in vectors]


def unit_vector(values: Sequence[float] | Vector, model: str) -> Vector:
    """A vector brought to length 1, shape (dimension,). Raises EmbeddingFailed for one that has no direction."""
    vector = np.asarray(values, np.float32)
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0:
        raise EmbeddingFailed(model=model, detail=_NO_DIRECTION)
    return vector / np.float32(length)
