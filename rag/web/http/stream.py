"""Turns that go out while they are made, and end when the client leaves."""

import json
import threading
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import TypeVar

import anyio
from anyio import to_thread
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from rag.errors import WenquError
from rag.events import Failed, Finished, Queued, Reading, TurnEvent, Waiting
from rag.web.networks import check_place

Result = TypeVar("Result")
# A client that reads nothing for so long counts as one that has left: the model waits for it, and everybody else too.
_UNREAD_SECONDS = 60.0
# Where `str.splitlines` ends a line as well, by which clients read a stream: httpx and requests do. No event's end.
_LINE_BREAKS = {ord(character): "\n" for character in "\v\f\x1c\x1d\x1e\x85\u2028\u2029"} | {ord("\r"): None}
# Of these JSON writes as they are:
_UNESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"}


def frame(data: str, *, event_id: str = "") -> str:
    """A server-sent event. A line break in `data` begins another `data:` line, which every client joins again."""
    fields = [("id", event_id)] if event_id else []
    fields += [("data", line) for line in data.translate(_LINE_BREAKS).split("\n")]
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n"


def one_line(value: object) -> str:
    """A value as JSON that no client takes for several lines."""
    return json.dumps(value, ensure_ascii=False).translate(_UNESCAPED)


def sign_of_life(event: TurnEvent) -> str:
    """A comment while no word comes, or a proxy would take the stream for dead; nothing for other events."""
    match event:
        case Queued(position):
            return f": queued {position}\n\n"
        case Reading(processed, total):
            return f": reading {processed}/{total}\n\n"
        case Waiting():
            return ": waiting\n\n"
    return ""


class Slots:
    """How many turns of programs are made at once, in threads of their own: the page keeps its threads."""

    def __init__(self, width: int, width_per_asker: int) -> None:
        self._width = width
        self._width_per_asker = width_per_asker
        self._taken: set[Slot] = set()
        self._lock = threading.Lock()
        self.limiter = anyio.CapacityLimiter(width)

    def enter(self, asker: str, network: str = "") -> "Slot":
        """Take a slot for somebody. Raises TooManyQuestions, TooManyHere, ServerBusy."""
        slot = Slot(self, asker, network)
        with self._lock:
            taken = [(other.asker, other.network) for other in self._taken]
            check_place(asker, network, taken, self._width, self._width_per_asker)
            self._taken.add(slot)
        return slot

    def release(self, slot: "Slot") -> None:
        """A slot is free again."""
        with self._lock:
            self._taken.discard(slot)


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A slot that is taken; the turn in it ends by itself once `cancel` is set."""

    slots: Slots
    asker: str
    network: str
    cancel: threading.Event = field(default_factory=threading.Event)

    @property
    def limiter(self) -> anyio.CapacityLimiter:
        """What its threads are taken from."""
        return self.slots.limiter

    def close(self) -> None:
        """Give it back, if it has not been."""
        self.slots.release(self)

    def until_the_end(self, events: Generator[TurnEvent]) -> Generator[TurnEvent]:
        """A turn's events; the slot is given back before the last: who is told of it may ask the next question."""
        with closing(events):
            for event in events:
                if isinstance(event, (Finished, Failed)):
                    self.close()
                yield event


class EventStream(StreamingResponse):
    """Server-sent events from a generator that runs in threads, in a slot that has been entered.

    When the client leaves or stops reading, that is cancelled: the generator then ends by itself, and with it the
    model's work. It is closed in a thread in any case; the framework leaves that to the garbage collector.
    """

    media_type = "text/event-stream"

    def __init__(self, frames: Generator[str], slot: Slot, headers: Mapping[str, str]) -> None:
        super().__init__(self._pieces(), headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no", **headers})
        self._frames = frames
        self._slot = slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's signature
        """Send the events."""

        async def in_time(message: Message) -> None:
            with anyio.move_on_after(_UNREAD_SECONDS) as limit:
                await send(message)
            if limit.cancelled_caught:
                raise _Unread

        async with anyio.create_task_group() as group:
            group.start_soon(_watch, receive, self._slot)
            try:
                with suppress(_Unread):
                    await self.stream_response(in_time)
            finally:
                self._slot.cancel.set()
                try:
                    with anyio.CancelScope(shield=True):
                        await to_thread.run_sync(self._frames.close, limiter=self._slot.limiter)
                finally:
                    self._slot.close()
                    group.cancel_scope.cancel()

    async def _pieces(self) -> AsyncIterator[str]:
        while (piece := await to_thread.run_sync(next, self._frames, None, limiter=self._slot.limiter)) is not None:
            if piece:
                yield piece


class _Unread(Exception):
    """The client takes nothing more."""


async def until_left(receive: Receive, slot: Slot, work: Callable[[], Result]) -> Result:
    """What `work` returns, in a thread; it is cancelled if the client leaves before. Raises what `work` raises."""
    failure: WenquError | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_watch, receive, slot)
        try:
            result = await to_thread.run_sync(work, limiter=slot.limiter)
        except WenquError as error:
            # Raised here, it would leave the group as one of several.
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result


async def _watch(receive: Receive, slot: Slot) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    slot.cancel.set()
