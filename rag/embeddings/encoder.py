"""An embedding model as the app asks it: under its id, with vectors of length 1 and errors of one kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from rag.embeddings.check import Vector, unit_vectors
from rag.errors import EmbeddingFailed, WenquError

# An embedding model reads about 500 tokens at once; what a longer question has beyond costs seconds and blurs it.
_QUESTION_LENGTH = 700


@dataclass(frozen=True, slots=True)
class Encoder:
    """A model that makes vectors, of `dimension` where that is not 0. Those of different ids are never compared."""

    embeddings: Embeddings
    model_id: str
    dimension: int = 0

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1. Raises ModelError."""
        return self._made(lambda: [self.embeddings.embed_query(text[:_QUESTION_LENGTH])], 1)[0]

    def passages(self, texts: list[str]) -> list[Vector]:
        """The vectors of passages, of length 1, in their order. Raises ModelError."""
        return self._made(lambda: self.embeddings.embed_documents(texts), len(texts))

    def _made(self, make: Callable[[], Sequence[Sequence[float]]], texts: int) -> list[Vector]:
        try:
            return unit_vectors(make(), texts, self.model_id, self.dimension)
        except WenquError:
            raise
        except Exception as error:
            # A model's own code may raise anything; it ends no turn, nor the filling in of all other documents.
            raise EmbeddingFailed(model=self.model_id, detail=str(error) or type(error).__name__) from error
