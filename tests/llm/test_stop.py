"""Stopping an answer reaches the server, also while it has not yet said a word."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from rag.errors import ModelStreamBroken, WenquError
from rag.llm import http, llama_process
from rag.llm.build import build_ollama, build_openai
from rag.llm.embedded import EmbeddedChatModel
from rag.llm.http import Connections
from rag.llm.ollama import OllamaServer
from rag.llm.stream import Done, Heartbeat, stream_parts
from rag.settings import LLMSettings
from tests.model_server import ModelServer, Reply, ThinkingServer, serving
from tests.preferring import pool_of, settings_with
from tests.waiting import wait_for, within_seconds


@pytest.fixture
def server() -> Iterator[ThinkingServer]:
    with ThinkingServer() as server:
        yield server


def ollama(server: ThinkingServer | ModelServer) -> BaseChatModel:
    return build_ollama(LLMSettings(), server.url, "m")


def openai(server: ThinkingServer | ModelServer) -> BaseChatModel:
    return build_openai(LLMSettings(provider="openai", base_url=f"{server.url}/v1", model="m"))


class _Worker:
    """Stands for llama.cpp's process: says where it is served."""

    alive = True

    def __init__(self, url: str) -> None:
        self._url = url

    def send(self, lines: list[bytes]) -> None:
        """Takes what it is given."""

    def replies(self, *_: object) -> Iterator[dict[str, Any]]:
        yield {"address": self._url}

    def close(self) -> None:
        self.alive = False


def embedded(server: ThinkingServer) -> EmbeddedChatModel:
    server.begins = threading.Event()
    server.begins.set()
    model = EmbeddedChatModel(model_path=Path("none.gguf"), n_ctx=512, cache_ram_mib=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(llama_process, "WorkerProcess", lambda _: _Worker(server.url))
        model._server = llama_process.LlamaProcess({"key": "k"}, "none.gguf", threading.Event())
    return model


def working() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "model-stream"]


@pytest.mark.parametrize("make", [ollama, openai, embedded])
@pytest.mark.parametrize("by", ["cancelling", "closing"])
def test_stopping_before_the_first_word_reaches_the_server_and_leaves_no_thread(
    make: Callable[[ThinkingServer], BaseChatModel], by: str, server: ThinkingServer
) -> None:
    cancel = threading.Event()
    with closing(stream_parts(make(server), [HumanMessage("问")], cancel)) as parts:
        assert next(parts) == Heartbeat()
        assert server.asked.wait(30)
        if by == "cancelling":
            cancel.set()
            assert isinstance(list(parts)[-1], Done)
    assert server.left.wait(30)
    assert wait_for(lambda: not working())


def test_the_embedded_model_that_is_stopped_while_it_reads_stays_loaded(server: ThinkingServer) -> None:
    model, cancel = embedded(server), threading.Event()
    with closing(stream_parts(model, [HumanMessage("问")], cancel)) as parts:
        assert next(parts) == Heartbeat()
        assert server.asked.wait(30)
        cancel.set()
        list(parts)
    assert wait_for(lambda: not working())
    assert model._server is not None and model._server.alive


def test_a_request_that_the_embedded_model_has_not_begun_is_left_once_it_has(server: ThinkingServer) -> None:
    model, cancel = embedded(server), threading.Event()
    server.begins = begins = threading.Event()
    with closing(stream_parts(model, [HumanMessage("问")], cancel)) as parts:
        assert next(parts) == Heartbeat()
        assert server.asked.wait(30)
        cancel.set()
        assert isinstance(list(parts)[-1], Done)
    assert not server.left.wait(0.3)
    begins.set()
    assert server.left.wait(30)
    assert wait_for(lambda: not working())


@pytest.mark.clock
def test_a_stopped_answer_is_not_asked_for_again(server: ThinkingServer) -> None:
    # The client of OpenAI's protocol tries again when a connection breaks.
    connections = Connections()
    connections.break_off()
    with within_seconds(5), connections.watched(), pytest.raises(WenquError):
        next(openai(server).stream("问"))


def test_connections_of_what_has_ended_are_kept_no_longer(server: ThinkingServer) -> None:
    connections = Connections()
    for _ in range(3):
        with connections.watched():
            OllamaServer(server.url).models()
    assert len(connections._open) == 1


@pytest.mark.clock
def test_the_end_of_the_program_breaks_off_a_model_that_is_being_got(server: ThinkingServer) -> None:
    pool = pool_of(settings_with(llm={"ollama_host": server.url}))
    pool.pull("mine", "new:1b")
    assert server.asked.wait(30)
    with within_seconds(4):
        pool.close()
    assert server.left.wait(30)


@pytest.mark.parametrize("make", [ollama, openai], ids=["ollama", "openai"])
def test_a_reply_that_does_not_end_is_broken_off_and_not_kept(
    make: Callable[[ModelServer], BaseChatModel], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "_MOST_BYTES", 100_000)
    line = Reply(("data: " + "x" * 200_000,), content_type="text/event-stream")
    with serving({"/api/chat": line, "/v1/chat/completions": line}) as server, pytest.raises(ModelStreamBroken):
        list(stream_parts(make(server), [HumanMessage("问")], threading.Event()))
