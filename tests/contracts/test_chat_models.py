"""LangChain's standard suites for chat models, and ours for servers that speak Ollama's protocol."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langchain_tests.integration_tests import ChatModelIntegrationTests
from langchain_tests.unit_tests import ChatModelUnitTests

from rag.errors import ModelError
from rag.llm.build import build_ollama
from rag.llm.embedded import EmbeddedChatModel
from rag.llm.extractive import ExtractiveChatModel
from rag.llm.ollama import OllamaChatModel, OllamaServer
from rag.llm.openai import OpenAIChatModel
from rag.llm.stream import Done, stream_parts
from rag.llm.think import Text
from rag.model_store import ModelStore
from rag.settings import LLMSettings, read_settings
from tests.knowledge import by_words
from tests.prepare import TEST_MODEL
from tests.waiting import wait_for

NOWHERE = "http://127.0.0.1:9"


class TestOllamaUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return OllamaChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "m", "base_url": NOWHERE}


class TestOpenAIUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return OpenAIChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model": "m", "base_url": NOWHERE, "api_key": "none"}


class TestEmbeddedUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return EmbeddedChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"model_path": Path("m.gguf"), "n_ctx": 512, "cache_ram_mib": 0}


class TestExtractiveUnit(ChatModelUnitTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ExtractiveChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"similarities": by_words}


class TestExtractive(ChatModelIntegrationTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ExtractiveChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {"similarities": by_words}

    @property
    def supports_model_override(self) -> bool:
        return False


@pytest.mark.model
class TestEmbedded(ChatModelIntegrationTests):
    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return EmbeddedChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        path = ModelStore(read_settings().models).path(TEST_MODEL)
        return {"model_path": path, "n_ctx": 512, "cache_ram_mib": 0, "max_tokens": 16}

    @property
    def supports_model_override(self) -> bool:
        return False

    @pytest.fixture
    def model(self, request: pytest.FixtureRequest, embedded_model: EmbeddedChatModel) -> BaseChatModel:
        """The loaded model, shared: every test with its own would load the file thirty times."""
        return embedded_model.model_copy(update=getattr(request, "param", None) or {})


@pytest.fixture(scope="module")
def ollama_proxy(embedded_model: EmbeddedChatModel) -> Iterator[tuple[str, str]]:
    """Address and model of a server of Ollama's protocol that nobody here wrote, before the model of this machine."""
    llama = embedded_model._loaded()._http
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    environment = os.environ | {
        "PROVIDERS_LOCAL_API_KEY": llama.headers["Authorization"].removeprefix("Bearer "),
        "PROVIDERS_LOCAL_BASE_URL": str(llama.base_url.join("/v1")),
        "EXTRA_MODELS": "local/wenqu",
    }
    command = [sys.executable, "-m", "ollama_proxy", "serve", "--host", "127.0.0.1", "--port", port]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        assert wait_for(lambda: is_up(url))
        yield url, "local/wenqu"
    finally:
        process.terminate()
        process.wait(30)


@pytest.fixture
def real_ollama() -> tuple[str, str]:
    """Address and first model of the Ollama that OLLAMA_HOST names."""
    if "OLLAMA_HOST" not in os.environ:
        pytest.skip("OLLAMA_HOST is not set")
    url = LLMSettings(ollama_host=os.environ["OLLAMA_HOST"]).ollama_host
    return url, OllamaServer(url).models()[0]


@pytest.fixture(params=["ollama_proxy", "real_ollama"])
def ollama(request: pytest.FixtureRequest) -> tuple[str, str]:
    server: tuple[str, str] = request.getfixturevalue(request.param)
    return server


def is_up(url: str) -> bool:
    try:
        httpx.get(f"{url}/api/version", trust_env=False)
    except httpx.HTTPError:
        return False
    return True


@pytest.mark.model
def test_a_server_of_ollamas_protocol_lists_its_models(ollama: tuple[str, str]) -> None:
    url, model = ollama
    assert model in OllamaServer(url, timeout=10).models()


@pytest.mark.model
def test_a_server_of_ollamas_protocol_streams_an_answer(ollama: tuple[str, str]) -> None:
    model = build_ollama(LLMSettings(max_tokens=16), *ollama)
    parts = list(stream_parts(model, [HumanMessage("用一句话介绍北京。")], threading.Event()))
    assert len([part for part in parts if isinstance(part, Text)]) > 1
    assert isinstance(parts[-1], Done)


@pytest.mark.model
def test_a_server_of_ollamas_protocol_answers_in_a_given_form(ollama: tuple[str, str]) -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    model = build_ollama(LLMSettings(max_tokens=32), *ollama)
    assert '"city"' in str(model.invoke("中国的首都？", format=schema).text)


@pytest.mark.model
def test_an_unknown_model_of_a_server_of_ollamas_protocol_is_an_error_of_ours(ollama: tuple[str, str]) -> None:
    with pytest.raises(ModelError):
        build_ollama(LLMSettings(), ollama[0], "wenqu-has-no-such-model").invoke("你好")
