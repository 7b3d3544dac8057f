"""How much room uploads may take together, from when they come in; those to Gradio's endpoint until it deletes them."""

import logging
import shutil
import tempfile
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from anyio import move_on_after, to_thread
from starlette.datastructures import Headers
from starlette.formparsers import MultiPartException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rag.errors import DiskFull, StoreError, UploadRoomFull
from rag.files import MEGABYTE
from rag.settings import Settings
from rag.web.http.errors import error_response
from rag.web.networks import network_of, places_of_network

# Where files come in: from Gradio's clients, from OpenAI's, and from the page.
_GRADIO, FILES, PAGE = "/gradio_api/upload", "/v1/files", "/file"
UPLOAD_PATHS = (_GRADIO, FILES, PAGE)
# Gradio keeps an upload for one to two hours, whoever has sent it. There is room for all that so many may store.
_SESSIONS = 4
# A sender who is silent for so long has left; waiting on would keep others out.
_STALLED_SECONDS = 60.0
_log = logging.getLogger(__name__)


class UploadRoom:
    """ASGI middleware that refuses an upload for which there may be no room beside those stored and those coming in.

    The uploads of one network that are coming in have half of the room at most: somebody who sends slowly would keep
    everybody else out. `lying` are the paths of what Gradio has stored since the start, be it deleted by now.
    """

    def __init__(self, app: ASGIApp, lying: Collection[str], settings: Settings) -> None:
        self._app = app
        self._lying = lying
        self._limit_mb = _SESSIONS * settings.store.session_quota_mb
        self._network_mb = places_of_network(self._limit_mb, settings.loaders.max_file_mb)
        self._most = settings.loaders.max_file_mb * MEGABYTE
        self._language = settings.server.language
        self._coming = Counter[str]()  # bytes, by network

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on an upload that there is room for, and everything that is none."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] not in UPLOAD_PATHS:
            await self._app(scope, receive, send)
            return
        length = Headers(scope=scope).get("content-length", "")
        # Whatever a request says: none is read any further.
        size = min(int(length), self._most) if length.isdecimal() else self._most
        lying: tuple[str, ...] = ()
        if scope["path"] == _GRADIO:
            # What others let lie keeps nobody from the page, whose files are deleted as soon as the store has them.
            lying = tuple(self._lying)
            # A name for its progress, which Gradio would keep until somebody asked for that.
            scope = {**scope, "query_string": b""}
        connection = HTTPConnection(scope)
        used, free = await to_thread.run_sync(_room, lying)
        network = network_of(connection)
        if full := self._full(size, network, used, free):
            await error_response(full, connection, self._language)(scope, receive, send)
            return
        self._coming[network] += size
        try:
            await self._app(scope, _until_broken_off(receive, raises=scope["path"] == _GRADIO), send)
        finally:
            self._coming -= Counter({network: size})

    def _full(self, size: int, network: str, used: int, free: int) -> StoreError | UploadRoomFull | None:
        """Why there may be no room for as many bytes more."""
        coming = self._coming.total() + size
        if coming > free:
            full = DiskFull(path=tempfile.gettempdir())
            _log.warning("%s", full)
            return full
        if used + coming > self._limit_mb * MEGABYTE:
            return UploadRoomFull(limit_mb=self._limit_mb)
        own_mb = self._network_mb if network else self._limit_mb
        return UploadRoomFull(limit_mb=own_mb) if self._coming[network] + size > own_mb * MEGABYTE else None


class _BrokenOffError(MultiPartException):
    """Of the one kind after which Gradio deletes what it has written of a file."""


def _until_broken_off(receive: Receive, *, raises: bool) -> Receive:
    """Receives a body, and a disconnection, or an error, in place of a piece of it that does not come."""
    whole = False

    async def received() -> Message:
        nonlocal whole
        message: Message = {"type": "http.disconnect"}
        with move_on_after(None if whole else _STALLED_SECONDS):
            message = await receive()
        if raises and not whole and message["type"] == "http.disconnect":
            raise _BrokenOffError("")
        whole = not message.get("more_body", False)
        return message

    return received


def _room(paths: Collection[str]) -> tuple[int, int]:
    """How many bytes some files have together, and how many more the disk takes."""
    size = 0
    for path in paths:
        with suppress(FileNotFoundError):
            size += Path(path).stat().st_size
    return size, shutil.disk_usage(tempfile.gettempdir()).free
