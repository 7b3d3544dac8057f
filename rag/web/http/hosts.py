"""What a page of a stranger asks, in the reader's own browser, of the reader's own server is refused.

That page can have its own name lead to loopback (DNS rebinding), and then read whatever the server answers: requests
for a host that is not this server's are refused. By the server's own name it can read nothing, but still send forms,
such as files that fill the disk: what another site's page sends to change something is refused too.
"""

from fnmatch import fnmatchcase
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from rag.errors import ForeignPage, HostRefused, WenquError
from rag.i18n import Language, sentence
from rag.settings.server import ServerSettings, is_loopback
from rag.web.http.errors import error_response, status_of
from rag.web.session import language_of

_READING = ("GET", "HEAD", "OPTIONS")


class KnownHosts:
    """ASGI middleware that refuses requests for hosts that are neither loopback nor allowed.

    A server that others reach may have any, where none are named. Where its hosts are known, other sites' pages may
    change nothing.
    """

    def __init__(self, app: ASGIApp, server: ServerSettings) -> None:
        self._app = app
        self._allowed = [pattern.lower() for pattern in server.allowed_hosts] or ["*"] * server.public
        self._own = not server.public or bool(server.allowed_hosts)
        self._language = server.language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is for this server."""
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            error: WenquError | None = None
            if not self._is_known(host := _name(headers.get("host", ""))):
                error = HostRefused(host=host)
            elif self._own and scope.get("method") not in _READING and self._is_foreign(headers):
                error = ForeignPage()
            if error is not None:
                await _reply(error, HTTPConnection(scope), self._language)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _is_known(self, host: str) -> bool:
        return is_loopback(host) or any(fnmatchcase(host, pattern) for pattern in self._allowed)

    def _is_foreign(self, headers: Headers) -> bool:
        """Whether another site's page sends them. Programs send neither of the two that tell it, or a key.

        A page can send a key only after it has asked whether it may, which is answered with no.
        """
        # A page cannot set the first. By plain HTTP and another name than loopback's, browsers do not send it.
        site, origin = headers.get("sec-fetch-site"), headers.get("origin")
        if "authorization" in headers or site not in (None, "cross-site"):
            return False
        if origin is None:
            return site == "cross-site"
        return not self._is_known(_name(origin.partition("://")[2]))


def _reply(error: WenquError, connection: HTTPConnection, default: Language) -> Response:
    """Who stands before a browser reads a sentence."""
    if "text/html" in connection.headers.get("accept", ""):
        return PlainTextResponse(sentence(language_of(connection, default), error.message), status_of(error))
    return error_response(error, connection, default)


def _name(host: str) -> str:
    """A host without its port; empty where it cannot be read."""
    try:
        return (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return ""
