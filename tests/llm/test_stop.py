"""Stopping an answer reaches the server, also while it has not yet said a word."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from rag.errors import WenquError
from rag.llm.build import build_ollama, build_openai
from rag.llm.http import Connections
from rag.llm.ollama import OllamaServer
from rag.llm.stream import Done, Heartbeat, stream_parts
from rag.settings import LLMSettings
from tests.model_server import ThinkingServer
from tests.preferring import pool_of, settings_with
from tests.waiting import wait_for


@pytest.fixture
def server() -> Iterator[ThinkingServer]:
    with ThinkingServer() as server:
        yield server


def ollama(url: str) -> BaseChatModel:
    return build_ollama(LLMSettings(), url, "m")


def openai(url: str) -> BaseChatModel:
    return build_openai(LLMSettings(provider="openai", base_url=f"{url}/v1", model="m"))


def working() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "model-stream"]


@pytest.mark.parametrize("make", [ollama, openai])
@pytest.mark.parametrize("by", ["cancelling", "closing"])
def test_stopping_before_the_first_word_reaches_the_server_and_leaves_no_thread(
    make: Callable[[str], BaseChatModel], by: str, server: ThinkingServer
) -> None:
    cancel = threading.Event()
    with closing(stream_parts(make(server.url), [HumanMessage("问")], cancel)) as parts:
        assert next(parts) == Heartbeat()
        assert server.asked.wait(30)
        if by == "cancelling":
            cancel.set()
            assert isinstance(list(parts)[-1], Done)
    assert server.left.wait(30)
    assert wait_for(lambda: not working())


@pytest.mark.clock
def test_a_stopped_answer_is_not_asked_for_again(server: ThinkingServer) -> None:
    # The client of OpenAI's protocol tries again when a connection breaks.
    connections = Connections()
    connections.break_off()
    begun = time.monotonic()
    with connections.watched(), pytest.raises(WenquError):
        next(openai(server.url).stream("问"))
    assert time.monotonic() - begun < 5


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
    begun = time.monotonic()
    pool.close()
    assert time.monotonic() - begun < 4
    assert server.left.wait(30)
