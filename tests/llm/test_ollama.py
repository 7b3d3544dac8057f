import json
import socket
import threading
import time
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from rag.errors import (
    ModelFileError,
    ModelMissing,
    ModelRefused,
    ModelStreamBroken,
    ModelUnreachable,
    NoOllama,
    WenquError,
)
from rag.llm.build import build_ollama
from rag.llm.ollama import OllamaServer, installed_name
from rag.llm.stream import Done, Part, stream_parts
from rag.llm.think import Text, Thought
from rag.settings import LLMSettings
from rag.types import Usage
from tests.model_server import Reply, chat, serving, tags

NOWHERE = "http://127.0.0.1:9"


def ask(url: str, settings: LLMSettings | None = None, **kwargs: Any) -> list[Part]:
    model = build_ollama(settings or LLMSettings(), url, "m")
    return list(stream_parts(model, [HumanMessage("你好")], threading.Event(), **kwargs))


def test_an_answer_comes_in_pieces_and_with_its_usage() -> None:
    with serving({"/api/chat": chat("你", "好")}) as server:
        assert ask(server.url) == [Text("你"), Text("好"), Done(Usage(7, 0, 2))]


def test_an_answer_that_reached_its_limit_is_told_from_a_whole_one() -> None:
    with serving({"/api/chat": chat("你", reason="length")}) as server:
        assert ask(server.url)[-1] == Done(Usage(7, 0, 2), cut=True)


def test_the_settings_and_the_call_reach_the_server() -> None:
    with serving({"/api/chat": chat("好")}) as server:
        ask(server.url, LLMSettings(num_ctx=2048, keep_alive="5m"), max_tokens=3, temperature=0.0)
    _, request = server.asked[0]
    assert request["keep_alive"] == "5m"
    assert request["think"] is False
    assert request["options"] == {"num_ctx": 2048, "num_predict": 3, "temperature": 0.0}


def test_reasoning_is_told_from_the_answer() -> None:
    thought = json.dumps({"model": "m", "message": {"role": "assistant", "content": "", "thinking": "想一想"}})
    reply = Reply((thought, *chat("答").lines))
    with serving({"/api/chat": reply, "/api/show": shown("completion", "thinking")}) as server:
        parts = ask(server.url, LLMSettings(reasoning=True))
    assert [part for part in parts if isinstance(part, Thought | Text)] == [Thought("想一想"), Text("答")]


def shown(*capabilities: str) -> Reply:
    return Reply((json.dumps({"capabilities": capabilities, "model_info": {}}),))


@pytest.mark.parametrize(("capabilities", "thinks"), [(["completion", "thinking"], True), (["completion"], False)])
def test_only_a_model_that_can_think_is_asked_to_and_the_server_is_asked_once(
    capabilities: list[str], thinks: bool
) -> None:
    with serving({"/api/chat": chat("答"), "/api/show": shown(*capabilities)}) as server:
        model = build_ollama(LLMSettings(), server.url, "m")
        for wanted in (True, True, False):
            list(stream_parts(model, [HumanMessage("你好")], threading.Event(), reasoning=wanted))
    assert [path for path, _ in server.asked].count("/api/show") == 1
    assert [body["think"] for path, body in server.asked if path == "/api/chat"] == [thinks, thinks, False]


@pytest.mark.parametrize(
    ("reasoning", "capabilities", "given", "limit"),
    [
        (True, ["thinking"], {"max_tokens_thinking": 3000}, 3000),
        (True, ["completion"], {"max_tokens_thinking": 3000}, 512),
        (False, ["thinking"], {"max_tokens_thinking": 3000}, 512),
        (True, ["thinking"], {"max_tokens_thinking": 3000, "max_tokens": 7}, 7),
    ],
)
def test_thoughts_take_no_tokens_from_an_answer(
    reasoning: bool, capabilities: list[str], given: dict[str, object], limit: int
) -> None:
    with serving({"/api/chat": chat("答"), "/api/show": shown(*capabilities)}) as server:
        ask(server.url, LLMSettings(reasoning=reasoning), **given)
    (request,) = (body for path, body in server.asked if path == "/api/chat")
    assert request["options"]["num_predict"] == limit


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(('{"error": "model \'m\' not found"}',), status=404), ModelMissing),
        (Reply(('{"error": "out of memory"}',), status=500), ModelRefused),
        (Reply(('{"error": "runner has died"}',)), ModelRefused),
        (Reply(("<html>",)), ModelRefused),
        (chat("半", cut=True, done=False), ModelStreamBroken),
        (chat("半", done=False), ModelStreamBroken),
    ],
    ids=["missing", "server error", "error in the stream", "not Ollama", "cut", "without done"],
)
def test_each_failure_has_its_own_error(reply: Reply, error: type[WenquError]) -> None:
    with serving({"/api/chat": reply}) as server, pytest.raises(error) as caught:
        ask(server.url)
    assert str(caught.value)


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelUnreachable) as caught:
        ask(NOWHERE)
    assert NOWHERE in str(caught.value)


def test_what_came_before_the_break_is_kept() -> None:
    with serving({"/api/chat": chat("半句", done=False)}) as server:
        model = build_ollama(LLMSettings(), server.url, "m")
        parts = stream_parts(model, [HumanMessage("你好")], threading.Event())
        assert next(parts) == Text("半句")
        with pytest.raises(ModelStreamBroken):
            list(parts)


def test_embedding_models_are_not_listed() -> None:
    embedding = ("bge-m3:latest", "nomic-embed-text:latest", "paraphrase-multilingual:latest")
    with serving({"/api/tags": tags("qwen2.5:7b", *embedding, "deepseek-r1:8b")}) as server:
        assert OllamaServer(server.url).models() == ("qwen2.5:7b", "deepseek-r1:8b")


@pytest.mark.parametrize(("capabilities", "asked"), [(("embedding",), 1), ((), 2)], ids=["told", "old server"])
def test_what_a_model_can_do_is_asked_once_of_a_server_that_tells_it(capabilities: tuple[str, ...], asked: int) -> None:
    with serving({"/api/tags": tags("bge-m3:latest"), "/api/show": shown(*capabilities)}) as server:
        ollama = OllamaServer(server.url)
        assert ollama.embedding_models() == ollama.embedding_models() == ("bge-m3:latest",)
        assert [path for path, _ in server.asked].count("/api/show") == asked


def test_listing_an_absent_server_is_unreachable() -> None:
    with pytest.raises(ModelUnreachable):
        OllamaServer(NOWHERE).models()


@pytest.mark.parametrize("reply", [Reply(("<html>",)), Reply(status=404)], ids=["another page", "not found"])
def test_what_is_no_ollama_is_told_by_its_address_and_not_as_a_model(reply: Reply) -> None:
    with serving({"/api/tags": reply}) as server, pytest.raises(NoOllama) as caught:
        OllamaServer(server.url).models()
    assert str(caught.value).startswith(f"{server.url} 没有返回 Ollama 的模型列表")


def test_a_busy_server_breaks_off_no_answer_that_waits_for_what_its_model_can_do() -> None:
    def busy(_: dict[str, Any]) -> Reply:
        time.sleep(3)  # longer than its list of models is waited for
        return shown("thinking")

    with serving({"/api/chat": chat("答"), "/api/show": busy}) as server:
        assert Text("答") in ask(server.url, LLMSettings(reasoning=True))


def test_a_server_that_does_not_tell_its_models_in_time_has_not_broken_off_an_answer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(NoOllama):
        OllamaServer(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=0.2).models()


@pytest.mark.parametrize(
    ("wanted", "found"), [("qwen2.5", "qwen2.5:latest"), ("qwen2.5:7b", "qwen2.5:7b"), ("qwen3", None)]
)
def test_a_name_without_tag_means_the_latest(wanted: str, found: str | None) -> None:
    assert installed_name(wanted, ("qwen2.5:7b", "qwen2.5:latest")) == found


def pulling(*steps: dict[str, object]) -> dict[str, Reply]:
    return {"/api/pull": Reply(tuple(json.dumps(step) for step in steps))}


def test_a_pull_tells_the_bytes_of_all_layers() -> None:
    told: list[tuple[int, int]] = []
    steps = pulling(
        {"status": "pulling", "digest": "a", "completed": 5, "total": 10},
        {"status": "pulling", "digest": "b", "completed": 1, "total": 2},
        {"status": "pulling", "digest": "a", "completed": 10, "total": 10},
        {"status": "success"},
    )
    with serving(steps) as server:
        OllamaServer(server.url).pull("m", lambda done, total: told.append((done, total)), threading.Event())
    assert told == [(5, 10), (6, 12), (11, 12)]


@pytest.mark.parametrize("is_cut", [False, True])
def test_a_pull_that_does_not_end_in_success_is_a_download_that_broke_off(is_cut: bool) -> None:
    replies = {"/api/pull": Reply((json.dumps({"status": "pulling"}),), cut=is_cut)}
    with serving(replies) as server, pytest.raises(ModelFileError, match="下载中断"):
        OllamaServer(server.url).pull("m", lambda done, total: None, threading.Event())


def test_what_comes_in_the_midst_of_a_reply_is_told_without_a_status() -> None:
    replies = {"/api/chat": Reply((json.dumps({"error": "CUDA error: out of memory"}),))}
    with serving(replies) as server, pytest.raises(ModelRefused, match="（stream：CUDA"):
        ask(server.url)


def test_a_pull_of_an_unknown_model_is_refused_with_the_reason() -> None:
    steps = pulling({"error": "pull model manifest: file does not exist"})
    with serving(steps) as server, pytest.raises(ModelRefused) as caught:
        OllamaServer(server.url).pull("m", lambda done, total: None, threading.Event())
    assert "manifest" in str(caught.value)
