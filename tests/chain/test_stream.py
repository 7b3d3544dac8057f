"""A chain streams the tokens of its answer, and no others."""

import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import FakeListLLM
from langchain_core.runnables import RunnableLambda
from typing_extensions import override

from tests.chains import FIRST, FORM, LEAVE, PAST, build, chat, memory
from tests.scripted import Script, ScriptedChatModel


def watched(ended: threading.Event, *scripts: Script) -> ScriptedChatModel:
    """A model that tells when one of its answers has ended, however that came."""

    class Watched(ScriptedChatModel):
        def _stream(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
            try:
                yield from super()._stream(*args, **kwargs)
            finally:
                ended.set()

    return Watched(scripts=[*scripts])


def test_a_stream_yields_the_answers_tokens_then_the_other_outputs() -> None:
    chain = build(chat(["年假", "怎么申请？"], ["填", "表", "。"]), FORM, return_source_documents=True)
    inputs = {"question": "那怎么申请？", "chat_history": PAST}
    assert list(chain.stream(inputs)) == [
        {"answer": "填"},
        {"answer": "表"},
        {"answer": "。"},
        {**inputs, "source_documents": [FORM]},
    ]


async def test_an_asynchronous_stream_yields_the_same() -> None:
    chain = build(chat(["年假", "怎么申请？"], ["填", "表"]), FORM)
    inputs = {"question": "那怎么申请？", "chat_history": PAST}
    assert [piece async for piece in chain.astream(inputs)] == [{"answer": "填"}, {"answer": "表"}, inputs]


def test_a_piece_arrives_before_the_model_has_finished() -> None:
    go_on = threading.Event()
    pieces = build(chat(["十", go_on, "天"]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert next(pieces) == {"answer": "十"}
    go_on.set()
    assert next(pieces) == {"answer": "天"}


def test_the_pieces_add_up_to_what_invoke_returns() -> None:
    inputs = {"question": FIRST, "chat_history": []}
    pieces = iter(build(chat(["十", "天"]), LEAVE, return_decision=True).stream(inputs))
    total = next(pieces)
    for piece in pieces:
        total = total + piece  # type: ignore[operator]
    assert total == build(chat(["十天"]), LEAVE, return_decision=True).invoke(inputs)


def test_a_model_that_cannot_stream_yields_its_answer_in_one_piece() -> None:
    pieces = build(FakeListLLM(responses=["十天。"]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert next(iter(pieces)) == {"answer": "十天。"}


@pytest.mark.parametrize("question", [FIRST, "你好"])
@pytest.mark.parametrize("wrapped", ["with_retry", "with_fallbacks"])
def test_a_model_with_retries_or_fallbacks_streams_too(wrapped: str, question: str) -> None:
    model = chat(["十", "天"])
    asked = model.with_retry() if wrapped == "with_retry" else model.with_fallbacks([chat(["不用"])])
    pieces = build(asked, LEAVE).stream({"question": question, "chat_history": []})  # type: ignore[arg-type]
    assert [piece["answer"] for piece in pieces if "answer" in piece] == ["十", "天"]


def test_a_model_with_retries_is_not_asked_again_when_its_reader_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenacity.nap.time", SimpleNamespace(sleep=lambda _: None))
    go_on, ended = threading.Event(), threading.Event()
    model = watched(ended, ["十", go_on, "天"], ["十", "天"])
    pieces = build(model.with_retry(), LEAVE).stream({"question": FIRST, "chat_history": []})  # type: ignore[arg-type]
    assert isinstance(pieces, Iterator) and next(pieces) == {"answer": "十"}
    pieces.close()  # type: ignore[attr-defined]
    go_on.set()
    assert ended.wait(30)
    time.sleep(0.2)  # another try would begin at once
    assert len(model.calls) == 1


def test_thoughts_are_not_streamed() -> None:
    pieces = build(chat(["<thi", "nk>嗯</think>", "十", "天"]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert [piece["answer"] for piece in pieces if "answer" in piece] == ["十", "天"]


def test_a_models_error_reaches_the_reader_of_the_stream() -> None:
    pieces = build(chat(["十", ConnectionError("gone")]), LEAVE).stream({"question": FIRST, "chat_history": []})
    assert next(pieces) == {"answer": "十"}
    with pytest.raises(ConnectionError):
        next(pieces)


def test_a_reader_who_leaves_ends_the_model_and_nothing_is_remembered() -> None:
    hold, ended = threading.Event(), threading.Event()
    kept = memory()
    model = watched(ended, ["十", hold, "天", "整"])
    pieces = build(model, LEAVE, memory=kept).stream({"question": FIRST})
    assert next(pieces) == {"answer": "十"}
    pieces.close()  # type: ignore[attr-defined]
    hold.set()
    assert ended.wait(30)
    assert kept.chat_memory.messages == []


def test_thoughts_that_the_models_own_prompt_begins_are_not_streamed_once_that_is_known() -> None:
    answer = ["想了想。\n", "</think>", "\n\n十天。"]
    chain = build(chat(answer, answer), LEAVE)
    inputs = {"question": FIRST, "chat_history": []}
    assert "想了想" in "".join(piece.get("answer", "") for piece in chain.stream(inputs))
    assert "".join(piece.get("answer", "") for piece in chain.stream(inputs)) == chain_answer(answer)


@pytest.mark.parametrize("first", [["年假十天。"], ["标签。", "</think>", "\n年假十天。"]], ids=["plain", "its tag"])
def test_an_answer_that_says_the_tag_ends_the_streaming_of_no_later_answers(first: list[str]) -> None:
    plain = ["年假", "十天。"]
    chain = build(chat(first, ["标签。", "</think>", "\n年假十天。"], plain, plain), LEAVE)
    inputs = {"question": FIRST, "chat_history": []}
    streamed = [[piece["answer"] for piece in chain.stream(inputs) if "answer" in piece] for _ in range(4)]
    assert streamed[3] == plain and "".join(streamed[2]) == "年假十天。"


def chain_answer(answer: list[str]) -> str:
    """What `invoke` makes of it."""
    return str(build(chat(answer), LEAVE).invoke({"question": FIRST, "chat_history": []})["answer"])


class Watching(BaseCallbackHandler):
    """Remembers the runs that start."""

    def __init__(self) -> None:
        self.started: list[str] = []

    @override
    def on_chain_start(self, serialized: dict[str, Any] | None, inputs: dict[str, Any], **kwargs: Any) -> None:
        self.started.append(kwargs["name"])


def test_a_stream_inside_another_runnable_is_seen_by_the_handlers_of_that() -> None:
    chain, handler = build(chat(["十天。"]), LEAVE), Watching()

    def streamed(given: dict[str, Any]) -> list[dict[str, Any]]:
        return list(chain.stream(given))

    RunnableLambda(streamed).invoke({"question": FIRST, "chat_history": []}, {"callbacks": [handler]})
    assert handler.started[:2] == ["streamed", "ConversationalRetrievalChain"]


async def test_so_is_an_asynchronous_one() -> None:
    chain, handler = build(chat(["十天。"]), LEAVE), Watching()

    async def streamed(given: dict[str, Any]) -> list[dict[str, Any]]:
        return [piece async for piece in chain.astream(given)]

    inputs = {"question": FIRST, "chat_history": []}
    await RunnableLambda(streamed).ainvoke(inputs, {"callbacks": [handler]})
    assert handler.started[:2] == ["streamed", "ConversationalRetrievalChain"]
