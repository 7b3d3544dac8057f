"""An embedding model as the app asks it: under its id, and with errors of one kind."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from rag.errors import EmbeddingFailed, WenquError


@dataclass(frozen=True, slots=True)
class Encoder:
    """A model that makes vectors. Those of different ids are never compared."""

    embeddings: Embeddings
    model_id: str

    def question(self, text: str) -> list[float]:
        """The vector of a question. Raises ModelError."""
        with self._errors_told():
            return self.embeddings.embed_query(text)

    def passages(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages, in their order. Raises ModelError."""
        with self._errors_told():
            return self.embeddings.embed_documents(texts)

    @contextmanager
    def _errors_told(self) -> Iterator[None]:
        try:
            yield
        except WenquError:
            raise
        except Exception as error:
            # A model's own code may raise anything; it ends no turn, nor the filling in of all other documents.
            raise EmbeddingFailed(model=self.model_id, detail=str(error) or type(error).__name__) from error
