"""Whose documents and conversations a request is about.

With `server.api_keys`, each key is one session, and a request without one of them is refused. Without keys, a session
is a random id that the server made and signed. It comes back in the header `X-Session-Id` of every reply; a client that
sends it (there, or as its bearer key) is in that session, any other request gets a new session of its own, which sees
the shared documents only. No id that the server has not given out opens anything, least of all a browser's session.
"""

import hashlib
import hmac
import uuid
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request, Response
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from rag.errors import KeyNeeded
from rag.i18n import Language
from rag.signing import Purpose, SigningKey
from rag.web.http.errors import error_response
from rag.web.networks import network_of

SESSION_HEADER = "X-Session-Id"
_BEARER = HTTPBearer(auto_error=False, description="A key of `server.api_keys`, or a session id where there are none.")
_NONCE_BYTES = 8


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the session in the store, and the id that the client knows it by (None: it has a key).

    `asker` is by whom questions are counted: the session, or the address of a client that has been in none yet.
    So are they by `network`, as anybody can have any number of sessions; of keys nobody has more than they were given.
    """

    session_id: str
    known_as: str | None
    asker: str
    network: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """What every reply carries."""
        return {} if self.known_as is None else {SESSION_HEADER: self.known_as}


class Keys:
    """Tells callers by their keys; makes and checks session ids where there are none."""

    def __init__(self, keys: tuple[str, ...], signing: SigningKey) -> None:
        self._digests = tuple(_digest(key) for key in keys)
        self._key = signing.key(Purpose.HTTP_SESSION)

    @property
    def required(self) -> bool:
        """Whether nobody is served without a key."""
        return bool(self._digests)

    def caller(self, bearer: str, *named: str | None, address: str = "", network: str = "") -> Caller:
        """Who sends this bearer token from an address in a network, and names these sessions. Raises KeyNeeded."""
        if self.required:
            digest = _digest(bearer)
            # Every key is compared, so that the time tells nothing.
            if not sum(hmac.compare_digest(digest, known) for known in self._digests):
                raise KeyNeeded()
            return Caller(f"key-{digest}", None, f"key-{digest}")
        own = next((one for one in (*named, bearer) if one and self._is_ours(one)), None)
        known_as = own or str(self._signed(uuid.uuid4().bytes[:_NONCE_BYTES]))
        return Caller(f"http-{known_as}", known_as, f"http-{own}" if own else address, network)

    def caller_of(self, connection: HTTPConnection) -> Caller:
        """Who sends a request. Raises KeyNeeded."""
        scheme, _, token = connection.headers.get("authorization", "").partition(" ")
        bearer = token.strip() if scheme.lower() == "bearer" else ""
        address = connection.client.host if connection.client else ""
        named = connection.headers.get(SESSION_HEADER)
        return self.caller(bearer, named, address=address, network=network_of(connection))

    def _is_ours(self, session_id: str) -> bool:
        try:
            given = uuid.UUID(session_id)
        except ValueError:
            return False
        # The text too: another spelling of the same id would be another session.
        own = str(self._signed(given.bytes[:_NONCE_BYTES]))
        return hmac.compare_digest(own.encode(), session_id.encode())

    def _signed(self, nonce: bytes) -> uuid.UUID:
        return uuid.UUID(bytes=nonce + hmac.digest(self._key, nonce, "sha256")[:_NONCE_BYTES], version=4)


class Guarded:
    """ASGI middleware that lets nobody in without a key, where there are keys, before a byte of a body is read.

    `paths` are the beginnings of those that need one.
    """

    def __init__(self, app: ASGIApp, keys: Keys, paths: tuple[str, ...], language: Language) -> None:
        self._app = app
        self._keys = keys
        self._paths = paths
        self._language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what has a key or needs none."""
        if scope["type"] == "http" and scope["path"].startswith(self._paths):
            connection = HTTPConnection(scope)
            try:
                self._keys.caller_of(connection)
            except KeyNeeded as error:
                await error_response(error, connection, self._language)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def _caller(
    request: Request,
    response: Response,
    _bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
    _session: Annotated[str | None, Header(alias=SESSION_HEADER)] = None,
) -> Caller:
    # The headers are parameters for the OpenAPI document to name them.
    keys: Keys = request.app.state.keys
    caller = keys.caller_of(request)
    response.headers.update(caller.headers)
    return caller


CallerOf = Annotated[Caller, Depends(_caller)]
