"""The route by which the page sends files, one a request, so that each has its own progress and can be called off."""

from collections import deque
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote

from fastapi import FastAPI, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from itsdangerous import BadData, URLSafeSerializer
from starlette.requests import ClientDisconnect

from rag.build import Services
from rag.files import passing_file
from rag.i18n import Language, sentence
from rag.signing import Purpose
from rag.types import Arrival
from rag.web.http.upload_room import PAGE
from rag.web.session import is_visitors, language_of

# An upload takes minutes at the most; so many are not deleted meanwhile.
_MOST_REVOKED = 10_000


class Uploads:
    """Takes files in for whoever shows a ticket: a signed permission for one session, which only its page is given.

    The ticket and the name travel in headers: neither stands in an address, and no other site's page can send them.
    """

    def __init__(self, services: Services) -> None:
        self._ingest = services.ingest
        self._retention = services.retention
        self._default: Language = services.settings.server.language
        self._signer = URLSafeSerializer(services.signing.key(Purpose.UPLOAD), salt=Purpose.UPLOAD)
        self._revoked: deque[str] = deque(maxlen=_MOST_REVOKED)

    def ticket(self, session_id: str) -> str:
        """The permission to add files to a session."""
        return str(self._signer.dumps(session_id))

    def revoke(self, session_id: str) -> None:
        """Take in no more for a session that is deleted, not even what is on its way."""
        self._revoked.append(session_id)

    def admit(self, session_id: str) -> None:
        """Take in files after all for a session that could not be deleted."""
        with suppress(ValueError):
            self._revoked.remove(session_id)

    def serve(self, app: FastAPI) -> None:
        """Add the route."""
        app.add_api_route(PAGE, self._receive, methods=["POST"], include_in_schema=False)

    async def _receive(self, request: Request) -> Response:
        """The request's body is the file. Answers, in the reader's language, why it was not stored again.

        Raises DocumentError and StoreError, which the application tells of.
        """
        session_id = self._session_of(request)
        if session_id is None:
            return Response(status_code=403)
        name = unquote(request.headers.get("x-wenqu-name", ""))
        try:
            with passing_file() as copy:
                # Of what is longer than a file may be, the application's `BodyLimit` ends the stream.
                with copy.open("wb") as file:
                    async for block in request.stream():
                        file.write(block)
                arrival = await run_in_threadpool(self._take, session_id, copy, name)
        except ClientDisconnect:
            # The reader has called it off.
            return Response(status_code=400)
        if arrival is None:
            return Response(status_code=403)
        told = sentence(language_of(request, self._default), arrival.notice) if arrival.notice else ""
        return JSONResponse({"document": arrival.document.document_id, "message": told})

    def _take(self, session_id: str, path: Path, name: str) -> Arrival | None:
        """Take a file in; None where the session is deleted, before or meanwhile. Raises DocumentError, StoreError."""
        if session_id in self._revoked:
            return None
        arrival = self._ingest.receive(session_id, path, name)
        if session_id in self._revoked:
            # It may have been deleted while the file was copied, before there was a document to delete.
            self._retention.forget(session_id)
            return None
        return arrival

    def _session_of(self, request: Request) -> str | None:
        """The session that the ticket is for; None without one. No ticket opens what is no visitor's own."""
        try:
            session_id = self._signer.loads(request.headers.get("x-wenqu-ticket", ""))
        except BadData:
            return None
        return session_id if is_visitors(session_id) else None
