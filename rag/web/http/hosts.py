"""Requests for a host that is not this server's are refused.

To a server on loopback they come from a page of a stranger, in the reader's own browser, who had his name lead here
(DNS rebinding): that page could read whatever the server answers.
"""

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rag.errors import HostRefused
from rag.settings.server import ServerSettings, is_loopback
from rag.web.http.errors import error_response


class KnownHosts:
    """ASGI middleware that refuses requests for hosts that are neither loopback nor allowed.

    A server that others reach may have any, where none are named.
    """

    def __init__(self, app: ASGIApp, server: ServerSettings) -> None:
        self._app = app
        self._allowed = [pattern.lower() for pattern in server.allowed_hosts] or ["*"] * server.public
        self._language = server.language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is for this server."""
        if scope["type"] in ("http", "websocket"):
            host = _name(Headers(scope=scope).get("host", ""))
            if not (is_loopback(host) or any(fnmatchcase(host, pattern) for pattern in self._allowed)):
                await error_response(HostRefused(host=host), self._language)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _name(host: str) -> str:
    """A host without its port; empty where it cannot be read."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""
