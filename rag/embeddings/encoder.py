"""An embedding model as the app asks it: under its id, and with errors of one kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from rag.embeddings.check import Vector, unit_vector
from rag.errors import EmbeddingFailed, WenquError

# An embedding model reads about 500 tokens at once; what a longer question has beyond costs seconds and blurs it.
_QUESTION_LENGTH = 700


@dataclass(frozen=True, slots=True)
class Encoder:
    """A model that makes vectors. Those of different ids are never compared."""

    embeddings: Embeddings
    model_id: str

    def question(self, text: str) -> Vector:
        """The vector of a question, of length 1. Raises ModelError."""
        with self._errors_told():
            return unit_vector(self.embeddings.embed_query(text[:_QUESTION_LENGTH]), self.model_id)

    def passages(self, texts: list[str]) -> list[Vector]:
        """The vectors of passages, of length 1, in their order. Raises ModelError."""
        with self._errors_told():
            made = self.embeddings.embed_documents(texts)
            if len(made) != len(texts):
                raise EmbeddingFailed(model=self.model_id, detail=f"{len(made)} vectors for {len(texts)} texts")
            return [unit_vector(vector, self.model_id) for vector in made]

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        try:
            yield
        except WenquError:
            raise
        except Exception as error:
            # A model's own code may raise anything; it ends no turn, nor the filling in of all other documents.
            raise EmbeddingFailed(model=self.model_id, detail=str(error) or type(error).__name__) from error
