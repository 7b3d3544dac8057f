"""What vectors are wherever they are kept or compared: of length 1, and made here of whatever a model gives."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rag.errors import EmbeddingFailed
from rag.types import Message

Vector = npt.NDArray[np.float32]
# As databases keep them, whatever the machine's own byte order is.
STORED = np.dtype("<f4")


def unit_vectors(made: Sequence[Sequence[float]], texts: int, model: str, dimension: int = 0) -> list[Vector]:
    """What a model made of so many texts, each brought to length 1; a dimension of 0 stands for any.

    Raises EmbeddingFailed where that cannot be.
    """
    if len(made) != texts:
        raise EmbeddingFailed(model=model, detail=f"{len(made)} vectors for {texts} texts")
    for vector in made:
        if len(vector) != (dimension or len(made[0])):
            expected = f"configured {dimension}" if dimension else f"others {len(made[0])}"
            raise EmbeddingFailed(model=model, detail=f"dimension {len(vector)}, {expected}")
    return [_unit_vector(np.asarray(vector, np.float32), model) for vector in made]


def _unit_vector(vector: Vector, model: str) -> Vector:
    length = float(np.linalg.norm(vector))
    if not np.isfinite(length) or length == 0:
        raise EmbeddingFailed(model=model, detail=Message("embedding.no_direction"))
    return vector / np.float32(length)
