"""Embedding models on servers, asked by LangChain's clients."""

from abc import abstractmethod
from typing import ClassVar

import httpx
from langchain_core.embeddings import Embeddings

from rag.errors import EmbeddingFailed, ModelError, ModelKeyRefused, ModelMissing, ModelUnreachable
from rag.llm.http import ClientOptions, client_options

_READ_SECONDS = 120
# Somebody waits for an answer, which can be had by words.
_QUESTION_SECONDS = 30


class ServedEmbeddings(Embeddings):
    """A server's model. Raises ModelUnreachable, ModelMissing, ModelKeyRefused, EmbeddingFailed."""

    # Where a key can be set that such a server may ask for.
    key_variable: ClassVar[str] = ""

    def __init__(
        self, model: str, base_url: str, api_key: str = "", transport: httpx.BaseTransport | None = None
    ) -> None:
        self._model, self._base_url, self._api_key, self._transport = model, base_url, api_key, transport
        self._questions, self._passages = (
            self._client(client_options(base_url, seconds)) for seconds in (_QUESTION_SECONDS, _READ_SECONDS)
        )

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        (vector,) = self._embed(self._questions, [text])
        return vector

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages."""
        return self._embed(self._passages, texts)

    @abstractmethod
    def _client(self, options: ClientOptions) -> Embeddings:
        """The library's, which waits as long as the options say."""

    def _embed(self, client: Embeddings, texts: list[str]) -> list[list[float]]:
        try:
            return client.embed_documents(texts)
        except Exception as error:
            raise self._failure(error) from error

    def _failure(self, error: Exception) -> ModelError:
        """What a library raised, as an error of ours. Both libraries name the status; OpenAI's wraps httpx's."""
        status = getattr(error, "status_code", None)
        if status == httpx.codes.NOT_FOUND:
            return ModelMissing(model=self._model)
        if self.key_variable and status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            values = {"status": status, "variable": self.key_variable, "said": self._said(error)}
            return ModelKeyRefused(base_url=self._base_url, **values)
        if any(isinstance(each, ConnectionError | httpx.TransportError) for each in (error, error.__cause__)):
            return ModelUnreachable(base_url=self._base_url)
        return EmbeddingFailed(model=self._model, detail=self._said(error))

    def _said(self, error: Exception) -> str:
        return str(error) or type(error).__name__


class ServedByOllama(ServedEmbeddings):
    """Ollama's model of a name."""

    def _client(self, options: ClientOptions) -> Embeddings:
        from langchain_ollama import OllamaEmbeddings

        # Only the synchronous client may be given a transport of the tests.
        own = {**options, "transport": self._transport}
        return OllamaEmbeddings(model=self._model, base_url=self._base_url, sync_client_kwargs=own)
