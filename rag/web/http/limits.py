"""No request's body is read further than it may be long."""

from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rag.errors import RequestTooLarge
from rag.files import MEGABYTE
from rag.i18n import Language
from rag.web.http.errors import error_response


class BodyLimit:
    """ASGI middleware: counts while it reads, and answers 413 in the place of whoever reads too much.

    `limits` are megabytes by the path's beginning, the first that fits; other paths have their own limits.
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
        read, begun = 0, False

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > limit_mb * MEGABYTE:
                raise _TooMuch
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, counted, noted)
        except _TooMuch:
            if not begun:
                await error_response(RequestTooLarge(limit_mb=limit_mb), self._language)(scope, receive, send)


class _TooMuch(Exception):
    pass
