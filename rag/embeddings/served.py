"""Embedding models on servers, asked by LangChain's clients."""

from abc import abstractmethod
from typing import ClassVar

import httpx
from langchain_core.embeddings import Embeddings
from pydantic import SecretStr

from rag.errors import EmbeddingFailed, ModelKeyRefused, ModelMissing, ModelUnreachable
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
            # Both libraries name the status; OpenAI's wraps what httpx raises, and trips over odd answers.
            status = getattr(error, "status_code", None)
            if status == httpx.codes.NOT_FOUND:
                raise ModelMissing(model=self._model) from error
            if self.key_variable and status in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                raise ModelKeyRefused(status=status, base_url=self._base_url, variable=self.key_variable) from error
            if any(isinstance(each, ConnectionError | httpx.TransportError) for each in (error, error.__cause__)):
                raise ModelUnreachable(base_url=self._base_url) from error
            raise EmbeddingFailed(model=self._model, detail=str(error) or type(error).__name__) from error


class ServedByOllama(ServedEmbeddings):
    """Ollama's model of a name."""

    def _client(self, options: ClientOptions) -> Embeddings:
        from langchain_ollama import OllamaEmbeddings

        # Only the synchronous client may be given a transport of the tests.
        own = {**options, "transport": self._transport}
        return OllamaEmbeddings(model=self._model, base_url=self._base_url, sync_client_kwargs=own)


class ServedByOpenAI(ServedEmbeddings):
    """The model of any OpenAI-compatible server."""

    key_variable = "WENQU_EMBEDDING_API_KEY"

    def _client(self, options: ClientOptions) -> Embeddings:
        from langchain_openai import OpenAIEmbeddings

        return OpenAIEmbeddings(
            model=self._model,
            base_url=self._base_url,
            # The client refuses to be made without a key; servers without keys ignore it.
            api_key=SecretStr(self._api_key or "none"),
            # Otherwise it would send token numbers of OpenAI's own models, which no other server understands.
            check_embedding_ctx_length=False,
            # Passages are tried again by whoever fills them in; a question is then searched by its words.
            max_retries=0,
            # Without it the client would wait forever, whatever the one that it is given says.
            timeout=options["timeout"],
            http_client=httpx.Client(**options, transport=self._transport),
        )
