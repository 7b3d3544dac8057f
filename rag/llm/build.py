"""A chat model from the settings, per provider. Packages are imported where a provider needs them."""

from pathlib import Path

from langchain_core.language_models import BaseChatModel

from rag.llm.embedded import EmbeddedChatModel
from rag.settings import LLMSettings


def ollama_url(settings: LLMSettings) -> str:
    """Where Ollama is."""
    return settings.base_url or settings.ollama_host


def build_ollama(settings: LLMSettings, base_url: str, model: str) -> BaseChatModel:
    """A model of an Ollama server."""
    from rag.llm.http import client_options, leavable_options
    from rag.llm.ollama import OllamaChatModel

    return OllamaChatModel(
        model=model,
        base_url=base_url,
        temperature=settings.temperature,
        num_ctx=settings.num_ctx,
        num_predict=settings.max_tokens,
        keep_alive=settings.keep_alive,
        reasoning=settings.reasoning,
        client_kwargs=dict(client_options(base_url)),
        sync_client_kwargs=dict(leavable_options()),
    )


def build_openai(settings: LLMSettings, own_key: bool = False) -> BaseChatModel:
    """The model of an OpenAI-compatible server; `own_key` tells that the key is a session's."""
    import httpx
    from pydantic import SecretStr

    from rag.llm.http import client_options, leavable_options
    from rag.llm.openai import NO_KEY, OpenAIChatModel, PatientClient

    options = client_options(settings.base_url)
    return OpenAIChatModel(
        model=settings.model,
        base_url=settings.base_url,
        api_key=SecretStr(settings.api_key or NO_KEY),
        own_key=own_key,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        max_retries=1,
        stream_usage=True,
        # They are for clients of its own: where a proxy is set, it would warn that ours do not use that, which they do.
        http_socket_options=(),
        # Without it the client would wait forever, whatever those that it is given say.
        timeout=options["timeout"],
        http_client=PatientClient(**options, **leavable_options()),
        http_async_client=httpx.AsyncClient(**options),
    )


def build_embedded(settings: LLMSettings, path: Path) -> EmbeddedChatModel:
    """A model file on this machine, not yet loaded."""
    return EmbeddedChatModel(
        model_path=path,
        n_ctx=settings.num_ctx,
        threads=settings.threads,
        cache_ram_mib=settings.cache_ram_mib,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
    )
