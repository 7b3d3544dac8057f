"""Embedding models served by Ollama."""

import httpx
import ollama
from langchain_core.embeddings import Embeddings
from langchain_ollama import OllamaEmbeddings

from rag.embeddings.check import checked
from rag.errors import EmbeddingFailed, ModelMissing, ModelUnreachable
from rag.llm.http import client_options

_READ_SECONDS = 120
# Somebody waits for an answer, which can be had by words.
_QUESTION_SECONDS = 30


class CheckedOllamaEmbeddings(Embeddings):
    """Ollama's embeddings. Raises ModelUnreachable, ModelMissing, EmbeddingFailed."""

    def __init__(self, model: str, base_url: str, dimension: int = 0, transport: httpx.BaseTransport | None = None):
        self._model = model
        self._base_url = base_url
        self._dimension = dimension
        # Only the synchronous client may be given a transport of the tests.
        self._questions, self._passages = (
            OllamaEmbeddings(
                model=model,
                base_url=base_url,
                sync_client_kwargs={**client_options(base_url, seconds), "transport": transport},
            )
            for seconds in (_QUESTION_SECONDS, _READ_SECONDS)
        )

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._embed(self._questions, [text])[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages."""
        return self._embed(self._passages, texts)

    def _embed(self, model: OllamaEmbeddings, texts: list[str]) -> list[list[float]]:
        try:
            vectors = model.embed_documents(texts)
        except ollama.ResponseError as error:
            if error.status_code == httpx.codes.NOT_FOUND:
                raise ModelMissing(model=self._model) from error
            raise EmbeddingFailed(model=self._model, detail=f"{error.status_code} {error.error}") from error
        except (ConnectionError, httpx.TransportError) as error:
            raise ModelUnreachable(base_url=self._base_url) from error
        except (httpx.HTTPError, ValueError) as error:
            raise EmbeddingFailed(model=self._model, detail=str(error)) from error
        return checked(vectors, len(texts), self._model, self._dimension)
