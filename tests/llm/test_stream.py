import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import PrivateAttr

from rag.errors import ModelGaveNothing, ModelMissing, ModelRefused
from rag.llm.stream import Done, Heartbeat, Part, stream_parts
from rag.llm.think import Text, Thought
from rag.types import Usage
from tests.waiting import within_seconds


class PlannedModel(BaseChatModel):
    """Says each text, raises each exception, and sleeps for each number of seconds."""

    plan: list[Any]
    _closed: threading.Event = PrivateAttr(default_factory=threading.Event)

    @property
    def closed(self) -> threading.Event:
        return self._closed

    @property
    def _llm_type(self) -> str:
        return "planned"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError

    def _stream(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        try:
            for step in self.plan:
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, float):
                    time.sleep(step)
                else:
                    message = step if isinstance(step, AIMessageChunk) else AIMessageChunk(content=step)
                    yield ChatGenerationChunk(message=message)
        finally:
            self._closed.set()


def parts_of(*plan: Any, cancel: threading.Event | None = None) -> Iterator[Part]:
    return stream_parts(PlannedModel(plan=list(plan)), [HumanMessage("问")], cancel or threading.Event())


def test_thoughts_are_split_even_when_their_tag_is_cut() -> None:
    assert list(parts_of("<thi", "nk>想</think>", "答")) == [Thought("想"), Text("答"), Done(Usage())]


@pytest.mark.parametrize("metadata", [{"finish_reason": "length"}, {"done_reason": "length"}])
def test_an_answer_that_reached_its_limit_is_told_from_a_whole_one(metadata: dict[str, str]) -> None:
    last = AIMessageChunk(content="", response_metadata=metadata)
    assert list(parts_of("半句", last)) == [Text("半句"), Done(Usage(), cut=True)]


def test_silence_is_filled_with_heartbeats() -> None:
    assert list(parts_of(0.6, "答"))[:2] == [Heartbeat(), Heartbeat()]


@pytest.mark.clock
def test_a_cancelled_stream_ends_at_once_although_the_model_is_busy() -> None:
    cancel = threading.Event()
    parts = parts_of("半", 5.0, "句", cancel=cancel)
    assert next(parts) == Text("半")
    cancel.set()
    with within_seconds(1):
        assert list(parts) == [Done(Usage())]


def test_closing_the_stream_closes_the_model_after_its_next_piece() -> None:
    model = PlannedModel(plan=["半", 0.2, *["句"] * 1000])
    parts = stream_parts(model, [HumanMessage("问")], threading.Event())
    next(parts)
    parts.close()
    assert model.closed.wait(30)


def test_an_error_of_ours_is_raised_as_it_is() -> None:
    parts = parts_of("半", ModelMissing(model="m"))
    assert next(parts) == Text("半")
    with pytest.raises(ModelMissing):
        next(parts)


def test_a_model_that_says_nothing_piece_by_piece_is_silent() -> None:
    assert Heartbeat() in list(parts_of(*["", 0.05] * 12, "答"))


@pytest.mark.parametrize("pieces", [["年假有十天。" * 100] * 300, ["9" * 1_100_000]], ids=["many pieces", "one piece"])
def test_an_answer_without_end_is_cut(pieces: list[str]) -> None:
    *parts, done = parts_of(*pieces)
    assert len("".join(part.text for part in parts if isinstance(part, Text))) <= 150_000
    assert isinstance(done, Done) and done.cut


def test_thoughts_without_end_are_cut() -> None:
    with pytest.raises(ModelGaveNothing):
        list(parts_of(*[thought("再想一想。" * 100)] * 400, "答"))


def test_what_a_server_says_of_its_error_is_one_line_without_control_characters() -> None:
    with pytest.raises(ModelRefused) as caught:
        list(parts_of(ValueError("broken\r\n10:00:00 rag: all is well\x1b[2J\0 \u202e" + "A" * 1000)))
    assert str(caught.value).isprintable() and len(str(caught.value)) < 400


def test_an_unknown_error_is_a_refusal_that_names_it() -> None:
    with pytest.raises(ModelRefused) as caught:
        list(parts_of(ValueError("broken pipe to GPU")))
    assert "broken pipe to GPU" in str(caught.value)
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("plan", [(" ", "\n"), ("<think>只想不答</think>",)], ids=["blanks", "thoughts only"])
def test_no_answer_is_an_error(plan: tuple[str, ...]) -> None:
    with pytest.raises(ModelGaveNothing):
        list(parts_of(*plan))


def thought(text: str) -> AIMessageChunk:
    return AIMessageChunk(content="", additional_kwargs={"reasoning_content": text})


@pytest.mark.parametrize("pieces", [["好\ud83d\ude00！"], ["好\ud83d", "\ude00！"], ["好\ud83d", "", "\ude00", "！"]])
def test_the_halves_of_an_emoji_become_it(pieces: list[str]) -> None:
    said = [part.text for part in parts_of(*pieces) if isinstance(part, Text)]
    assert "".join(said) == "好😀！" and all(text.encode() for text in said)
    seen = [part.text for part in parts_of(*map(thought, pieces), "答") if isinstance(part, Thought)]
    assert "".join(seen) == "好😀！"


@pytest.mark.parametrize("lone", ["\ud83d", "\ude00"])
def test_half_a_character_without_the_other_is_a_replacement_sign(lone: str) -> None:
    assert "".join(part.text for part in parts_of("好", lone, "的") if isinstance(part, Text)) == "好\ufffd的"
    assert "".join(part.text for part in parts_of(f"好{lone}") if isinstance(part, Text)) == "好\ufffd"
    assert "".join(part.text for part in parts_of(thought(lone), "答") if isinstance(part, Thought)) == "\ufffd"
