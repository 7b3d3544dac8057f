"""A stream that nobody reads any more ends, and with it the turn."""

import threading
from collections.abc import Generator

import anyio
import pytest
from starlette.types import Message

from rag.events import Queued, Reading, Token, Waiting
from rag.web.http import stream
from rag.web.http.stream import EventStream, Slots


@pytest.mark.parametrize("reads", [1, 3])
async def test_a_client_that_stops_reading_does_not_keep_the_model(monkeypatch: pytest.MonkeyPatch, reads: int) -> None:
    monkeypatch.setattr(stream, "_UNREAD_SECONDS", 0.1)
    closed, slots, sent = threading.Event(), Slots(1, 1), list[Message]()
    slot = slots.enter("somebody")

    def turn() -> Generator[str]:
        try:
            while True:
                yield "data: x\n\n"
        finally:
            closed.set()

    async def receive() -> Message:
        await anyio.sleep_forever()
        raise AssertionError

    async def send(message: Message) -> None:
        if len(sent) == reads:
            await anyio.sleep_forever()
        sent.append(message)

    reply = EventStream(turn(), slot, {})
    with anyio.fail_after(10):
        await reply({"type": "http"}, receive, send)
    assert closed.is_set() and slot.cancel.is_set() and len(sent) == reads
    slots.enter("somebody").close()


async def test_a_turn_that_breaks_while_it_is_ended_gives_its_lane_back() -> None:
    slots = Slots(1, 1)

    def turn() -> Generator[str]:
        try:
            while True:
                yield "data: x\n\n"
        finally:
            raise RuntimeError("broken")

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(_: Message) -> None:
        raise OSError("the client has left")

    with pytest.raises(ExceptionGroup):
        await EventStream(turn(), slots.enter("somebody"), {})({"type": "http"}, receive, send)
    slots.enter("somebody").close()


def test_a_stream_says_that_it_lives_while_no_word_comes() -> None:
    told = [stream.sign_of_life(event) for event in (Queued(2), Reading(1, 9), Waiting(), Token("字"))]
    assert told == [": queued 2\n\n", ": reading 1/9\n\n", ": waiting\n\n", ""]
