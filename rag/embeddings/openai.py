"""Embedding models served by any OpenAI-compatible server."""

import httpx
import openai
from langchain_core.embeddings import Embeddings
from langchain_openai import OpenAIEmbeddings
from pydantic import SecretStr

from rag.embeddings.check import checked
from rag.errors import EmbeddingFailed, ModelKeyRefused, ModelMissing, ModelUnreachable
from rag.llm.http import ClientOptions, client_options

_READ_SECONDS = 120
# Somebody waits for an answer, which can be had by words.
_QUESTION_SECONDS = 30


class CheckedOpenAIEmbeddings(Embeddings):
    """An OpenAI-compatible server's embeddings. Raises ModelError."""

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str = "",
        dimension: int = 0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._model = model
        self._base_url = base_url
        self._dimension = dimension
        self._questions, self._passages = (
            self._client(client_options(base_url, seconds), api_key, transport)
            for seconds in (_QUESTION_SECONDS, _READ_SECONDS)
        )

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return self._embed(self._questions, [text])[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages."""
        return self._embed(self._passages, texts)

    def _client(self, options: ClientOptions, api_key: str, transport: httpx.BaseTransport | None) -> OpenAIEmbeddings:
        return OpenAIEmbeddings(
            model=self._model,
            base_url=self._base_url,
            # The client refuses to be made without a key; servers without keys ignore it.
            api_key=SecretStr(api_key or "none"),
            # Otherwise it would send token numbers of OpenAI's own models, which no other server understands.
            check_embedding_ctx_length=False,
            # Passages are tried again by whoever fills them in; a question is then searched by its words.
            max_retries=0,
            # Without it the client would wait forever, whatever the one that it is given says.
            timeout=options["timeout"],
            http_client=httpx.Client(**options, transport=transport),
        )

    def _embed(self, model: OpenAIEmbeddings, texts: list[str]) -> list[list[float]]:
        try:
            vectors = model.embed_documents(texts)
        except openai.NotFoundError as error:
            raise ModelMissing(model=self._model) from error
        except (openai.AuthenticationError, openai.PermissionDeniedError) as error:
            where = {"base_url": self._base_url, "variable": "WENQU_EMBEDDING_API_KEY"}
            raise ModelKeyRefused(status=error.status_code, **where) from error
        except openai.APIConnectionError as error:
            raise ModelUnreachable(base_url=self._base_url) from error
        except (openai.OpenAIError, ValueError, TypeError, AttributeError, KeyError) as error:
            # The client trips over answers that are not JSON, or JSON of another shape.
            raise EmbeddingFailed(model=self._model, detail=str(error)) from error
        return checked(vectors, len(texts), self._model, self._dimension)
