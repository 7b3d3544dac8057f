"""Embedding models of any server that speaks OpenAI's protocol."""

import httpx
import openai
from langchain_core.embeddings import Embeddings
from langchain_openai import OpenAIEmbeddings
from pydantic import SecretStr

from rag.embeddings.served import ServedEmbeddings
from rag.errors import ModelError, NoModelService
from rag.llm.http import ClientOptions, without_key
from rag.llm.openai import NO_KEY, names_model, said_of


class ServedByOpenAI(ServedEmbeddings):
    """The model of any OpenAI-compatible server. Raises NoModelService, too."""

    key_variable = "WENQU_EMBEDDING_API_KEY"

    def _client(self, options: ClientOptions) -> Embeddings:
        return OpenAIEmbeddings(
            model=self._model,
            base_url=self._base_url,
            api_key=SecretStr(self._api_key or NO_KEY),
            # Otherwise it would send token numbers of OpenAI's own models, which no other server understands.
            check_embedding_ctx_length=False,
            # Passages are tried again by whoever fills them in; a question is then searched by its words.
            max_retries=0,
            # Without it the client would wait forever, whatever the one that it is given says.
            timeout=options["timeout"],
            http_client=httpx.Client(**options, transport=self._transport),
        )

    def _failure(self, error: Exception) -> ModelError:
        # The client trips over what is no answer of such a server.
        is_odd = not isinstance(error, openai.APIError)
        if is_odd or (isinstance(error, openai.NotFoundError) and not names_model(error)):
            return NoModelService(base_url=self._base_url)
        return super()._failure(error)

    def _said(self, error: Exception) -> str:
        told = said_of(error) if isinstance(error, openai.APIError) else super()._said(error)
        return without_key(told, self._api_key)
