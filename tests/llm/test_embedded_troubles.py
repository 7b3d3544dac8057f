"""What the embedded model does where llama.cpp's process dies under it, or refuses a prompt."""

import threading
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from loaders.process import WorkerProcess
from rag.errors import ModelNotLoaded, ModelStreamBroken, PromptTooLong
from rag.llm.embedded import EmbeddedChatModel
from tests.waiting import wait_for

_ROLE = SystemMessage("你回答问题。")
_REFUSED = {"type": "exceed_context_size_error", "n_prompt_tokens": 900, "n_ctx": 512}


class _Server:
    """Stands for llama.cpp's process: notes what it is asked, refuses what is long, and may be killed."""

    def __init__(self) -> None:
        self.alive, self.closed = True, False
        self.asked: list[dict[str, Any]] = []
        self.killed = threading.Event()

    def complete(self, request: dict[str, Any]) -> Generator[dict[str, Any]]:
        self.asked.append(request)
        said = request["messages"][-1]["content"]
        if said.startswith("等"):
            yield {}
            self.killed.wait()
        if self.killed.is_set():
            raise httpx.ReadError("reset")
        yield {"error": _REFUSED} if said.startswith("长") else {}

    def kill(self) -> None:
        self.alive = False
        self.killed.set()

    def close(self) -> None:
        self.alive, self.closed = False, True


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> list[_Server]:
    """Those that were started, one after the other."""
    started: list[_Server] = []

    def start(*_: object) -> _Server:
        started.append(_Server())
        return started[-1]

    monkeypatch.setattr(EmbeddedChatModel, "_start", start)
    return started


@pytest.fixture
def model() -> EmbeddedChatModel:
    return EmbeddedChatModel(model_path=Path("none.gguf"), n_ctx=512, cache_ram_mib=0)


def test_who_waits_behind_an_answer_whose_process_is_killed_has_one_of_another(
    model: EmbeddedChatModel, servers: list[_Server]
) -> None:
    def broken_off() -> None:
        with pytest.raises(ModelStreamBroken):
            model.invoke([HumanMessage("等")])

    answering = threading.Thread(target=broken_off)
    answering.start()
    assert wait_for(lambda: bool(servers and servers[0].asked))
    answered: list[object] = []
    waiting = threading.Thread(target=lambda: answered.append(model.invoke([HumanMessage("问")])))
    waiting.start()
    waiting.join(0.2)  # behind the answer
    servers[0].kill()
    answering.join(10)
    waiting.join(10)
    assert answered and len(servers) == 2


def test_of_a_process_that_died_between_two_answers_nothing_stays_open(
    model: EmbeddedChatModel, servers: list[_Server]
) -> None:
    model.load()
    servers[0].kill()
    model.invoke([HumanMessage("问")])
    assert servers[0].closed and not servers[1].closed


def test_a_conversation_whose_prompt_was_refused_is_looked_for_again(
    model: EmbeddedChatModel, servers: list[_Server]
) -> None:
    model.invoke([_ROLE, HumanMessage("甲")])
    model.invoke([_ROLE, HumanMessage("乙")])
    told = [_ROLE, HumanMessage("甲"), AIMessage("答。")]
    with pytest.raises(PromptTooLong):
        model.invoke([*told, HumanMessage("长")])
    model.invoke([*told, HumanMessage("短")])
    # Behind what is unlike any prompt, llama.cpp chooses the state.
    assert "id_slot" not in servers[0].asked[-1]


def test_that_the_process_ended_while_it_loaded_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkerProcess, "send", lambda worker, _: worker._process.kill())
    (path := tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelNotLoaded, match="无法加载（装入它的进程中途退出"):
        EmbeddedChatModel(model_path=path, n_ctx=512, cache_ram_mib=0).load()
