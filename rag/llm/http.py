"""How model servers are reached, and left."""

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Lock
from typing import Any, TypedDict
from urllib.parse import urlsplit

import httpx

from rag.errors import WenquError

_CONNECT_SECONDS = 5
# The first token may have to wait until the server has loaded the model and read the prompt.
_READ_SECONDS = 300
# Of a reply in all. The longest answer that is kept has less, told a character at a time, and the hours of a download.
_MOST_BYTES = 10**8
# Whoever has waited so long for nothing is not to wait so long once more.
_SLOW_SECONDS = 1.0
_CONNECTED = ("connection.connect_tcp.complete", "connection.start_tls.complete")


class ClientOptions(TypedDict):
    """Keyword arguments of httpx clients."""

    timeout: httpx.Timeout
    trust_env: bool


class LeavableOptions(TypedDict):
    """Keyword arguments of synchronous httpx clients, beside `ClientOptions`."""

    event_hooks: Mapping[str, list[Callable[..., Any]]]
    limits: httpx.Limits


def without_key(said: str, key: str) -> str:
    """What a server said, without the key that it was sent, which some repeat."""
    return said.replace(key, "…") if key else said


class SlowToFail:
    """A server that a turn asks several times, and each time would wait for: who failed after so long is left alone for
    twice as long."""

    def __init__(self) -> None:
        self._failure: WenquError | None = None
        self._until = 0.0

    @contextmanager
    def left_alone(self) -> Iterator[None]:
        """Asks the server within the block, or raises what it raised last."""
        begun = time.monotonic()
        if self._failure is not None and begun < self._until:
            raise self._failure.with_traceback(None)
        try:
            yield
        except WenquError as error:
            ended = time.monotonic()
            if ended - begun >= _SLOW_SECONDS:
                self._failure, self._until = error, ended + 2 * (ended - begun)
            raise


class Connections:
    """What a thread has connected to a server, for another thread to break off.

    A server reads a prompt for minutes before it says a word; until then, nothing else tells it that nobody waits.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._open: list[socket.socket] = []
        self._broken = False

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Connections that this thread opens within the block belong here; those of a block before have ended."""
        with self._lock:
            self._open.clear()
        token = _watching.set(self)
        try:
            yield
        finally:
            _watching.reset(token)

    def break_off(self) -> None:
        """End them all, also those still to come."""
        with self._lock:
            self._broken = True
            for connection in self._open:
                _shut(connection)

    def _trace(self, event: str, told: Mapping[str, Any]) -> None:
        if event in _CONNECTED:
            self._add(told["return_value"].get_extra_info("socket"))

    def _add(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.append(connection)
            if self._broken:
                _shut(connection)


# The libraries between a stream and its client hand nothing on; they all run in the stream's thread.
_watching: ContextVar[Connections | None] = ContextVar("watching", default=None)

# Without keep-alive: a reused connection stays registered with its first stream.
LEAVABLE_LIMITS = httpx.Limits(max_connections=100, max_keepalive_connections=0)


def client_options(base_url: str, read_seconds: float = _READ_SECONDS) -> ClientOptions:
    """Options for an httpx client: its timeouts, and no proxy between this machine and itself."""
    own = urlsplit(base_url).hostname in ("127.0.0.1", "localhost", "::1")
    timeout = httpx.Timeout(read_seconds, connect=min(read_seconds, _CONNECT_SECONDS))
    return ClientOptions(timeout=timeout, trust_env=not own)


def leavable_options() -> LeavableOptions:
    """Options for a synchronous httpx client whose connections can be broken off, and whose replies have an end."""
    return LeavableOptions(event_hooks={"request": [_trace_request], "response": [_bound]}, limits=LEAVABLE_LIMITS)


def make_leavable(reply: httpx.Response) -> None:
    """Let a reply that has begun be broken off, of a client with `LEAVABLE_LIMITS`."""
    if connections := _watching.get():
        connections._add(reply.extensions["network_stream"].get_extra_info("socket"))


def _trace_request(request: httpx.Request) -> None:
    if connections := _watching.get():
        request.extensions = {**request.extensions, "trace": connections._trace}


class _Bounded(httpx.SyncByteStream):
    """What a server sends, which the clients keep until a line of it ends."""

    def __init__(self, sent: httpx.SyncByteStream) -> None:
        self._sent = sent

    def __iter__(self) -> Iterator[bytes]:
        left = _MOST_BYTES
        for piece in self._sent:
            left -= len(piece)
            if left < 0:
                raise httpx.RemoteProtocolError("the reply does not end")
            yield piece

    def close(self) -> None:
        self._sent.close()


def _bound(reply: httpx.Response) -> None:
    assert isinstance(reply.stream, httpx.SyncByteStream)
    reply.stream = _Bounded(reply.stream)


def _shut(connection: socket.socket) -> None:
    # Closing it would not wake the thread that reads. It may have ended by itself.
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
