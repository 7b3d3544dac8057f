"""Turns that go out while they are made, and end when the client leaves."""

import threading
from collections.abc import AsyncIterator, Callable, Generator, Mapping
from typing import TypeVar

import anyio
from anyio import to_thread
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from rag.errors import ServerBusy, WenquError
from rag.events import Queued, Reading, TurnEvent

Result = TypeVar("Result")


def frame(data: str, *, event: str = "", event_id: str = "") -> str:
    """A server-sent event. A line break in `data` begins another `data:` line, which every client joins again."""
    fields = [("event", event)] if event else []
    fields += [("id", event_id)] if event_id else []
    fields += [("data", line) for line in data.replace("\r", "").split("\n")]
    return "".join(f"{name}: {value}\n" for name, value in fields) + "\n"


def sign_of_life(event: TurnEvent) -> str:
    """A comment while no word comes, or a proxy would take the stream for dead; nothing for other events."""
    match event:
        case Queued(position):
            return f": queued {position}\n\n"
        case Reading(processed, total):
            return f": reading {processed}/{total}\n\n"
    return ""


class Lanes:
    """How many turns of programs are made at once, in threads of their own: the page keeps its threads."""

    def __init__(self, width: int) -> None:
        self._free = threading.Semaphore(width)
        self.limiter = anyio.CapacityLimiter(width)

    def enter(self) -> None:
        """Take a lane. Raises ServerBusy."""
        if not self._free.acquire(blocking=False):
            raise ServerBusy()

    def leave(self) -> None:
        """Give it back."""
        self._free.release()


class EventStream(StreamingResponse):
    """Server-sent events from a generator that runs in threads, in a lane that has been entered.

    When the client leaves, `cancel` is set: the generator then ends by itself, and with it the model's work. It is
    closed in a thread in any case; the framework leaves that to the garbage collector.
    """

    media_type = "text/event-stream"

    def __init__(
        self, frames: Generator[str], cancel: threading.Event, lanes: Lanes, headers: Mapping[str, str]
    ) -> None:
        super().__init__(self._pieces(), headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no", **headers})
        self._frames = frames
        self._cancel = cancel
        self._lanes = lanes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - ASGI's signature
        """Send the events."""
        async with anyio.create_task_group() as group:
            group.start_soon(_watch, receive, self._cancel)
            try:
                await self.stream_response(send)
            finally:
                self._cancel.set()
                with anyio.CancelScope(shield=True):
                    await to_thread.run_sync(self._frames.close, limiter=self._lanes.limiter)
                self._lanes.leave()
                group.cancel_scope.cancel()

    async def _pieces(self) -> AsyncIterator[str]:
        while (piece := await to_thread.run_sync(next, self._frames, None, limiter=self._lanes.limiter)) is not None:
            if piece:
                yield piece


async def until_left(receive: Receive, cancel: threading.Event, lanes: Lanes, work: Callable[[], Result]) -> Result:
    """What `work` returns, in a thread; `cancel` is set if the client leaves before. Raises what `work` raises."""
    failure: WenquError | None = None
    async with anyio.create_task_group() as group:
        group.start_soon(_watch, receive, cancel)
        try:
            result = await to_thread.run_sync(work, limiter=lanes.limiter)
        except WenquError as error:
            # Raised here, it would leave the group as one of several.
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result


async def _watch(receive: Receive, cancel: threading.Event) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    cancel.set()
