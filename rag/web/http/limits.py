"""No request's body is read further than it may be long."""

from collections.abc import Sequence
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.formparsers import MultiPartException
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rag.errors import RequestTooLarge
from rag.files import MEGABYTE
from rag.i18n import Language
from rag.web.http.errors import error_response


class BodyLimit:
    """ASGI middleware: answers 413 for a body that says it is too long, and for one that is found so while it is read.

    `limits` are megabytes by the path's beginning, the first that fits.
    """

    def __init__(self, app: ASGIApp, limits: Sequence[tuple[str, int]], language: Language) -> None:
        self._app = app
        self._limits = limits
        self._language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is not too long."""
        path = scope.get("path", "")
        limit_mb = next((limit for beginning, limit in self._limits if path.startswith(beginning)), None)
        if scope["type"] != "http" or limit_mb is None:
            await self._app(scope, receive, send)
            return

        async def refuse() -> None:
            too_large = RequestTooLarge(limit_mb=limit_mb)
            await error_response(too_large, HTTPConnection(scope), self._language)(scope, receive, send)

        length = Headers(scope=scope).get("content-length", "")
        if length.isdecimal() and int(length) > limit_mb * MEGABYTE:
            await refuse()
            return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit_mb * MEGABYTE:
                raise _TooMuch("")
            return message

        async def ours_instead(message: Message) -> None:
            # The framework takes what `counted` raises for a body that it cannot read, and answers 400.
            if read <= limit_mb * MEGABYTE:
                await send(message)

        with suppress(_TooMuch):
            await self._app(scope, counted, ours_instead)
        if read > limit_mb * MEGABYTE:
            await refuse()


class _TooMuch(MultiPartException):
    """Of the one kind after which those who read forms delete what they have written of a file."""
