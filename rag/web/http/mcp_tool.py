"""The search as a tool of the Model Context Protocol, at `/mcp`; the keys are those of the other routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rag import i18n
from rag.build import Services
from rag.errors import KeyNeeded, PackageMissing, WenquError
from rag.i18n import Language
from rag.knowledge.base import SHARED_COLLECTION
from rag.settings import Settings
from rag.types import Hit
from rag.web.http.errors import error_response
from rag.web.http.keys import Keys

PATH = "/mcp"


class Guarded:
    """ASGI middleware that lets nobody in without a key, where there are keys."""

    def __init__(self, app: ASGIApp, keys: Keys, language: Language) -> None:
        self._app = app
        self._keys = keys
        self._language = language

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what has a key."""
        try:
            self._keys.caller_of(Headers(scope=scope))
        except KeyNeeded as error:
            await error_response(error, self._language)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def mcp_app(services: Services, settings: Settings, keys: Keys) -> Starlette:
    """An application with the one route; it works while its lifespan lasts. Raises PackageMissing."""
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver import Context
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError as error:
        raise PackageMissing(package="mcp", command='pip install "mcp>=2.3,<3"') from error
    language = settings.server.language
    server = MCPServer("wenqu")

    @server.tool(description=i18n.text(language, "mcp.search"))
    def search(question: str, context: Context) -> list[dict[str, Any]]:
        caller = keys.caller_of(Headers(dict(context.headers or {})))
        try:
            found = services.retrieval.find((question,), (caller.session_id, SHARED_COLLECTION))
        except WenquError as error:
            raise ToolError(i18n.sentence(language, error.message)) from error
        services.ingest.use(caller.session_id)
        return [_passage(hit) for hit in found.hits]

    # It answers by itself and keeps nothing between requests: any replica can take the next one.
    return server.streamable_http_app(
        streamable_http_path=PATH, stateless_http=True, json_response=True, host=settings.server.host
    )


@asynccontextmanager
async def running(app: Starlette | None) -> AsyncIterator[None]:
    """The lifespan of an application that is part of another one."""
    if app is None:
        yield
        return
    async with app.router.lifespan_context(app):
        yield


def _passage(hit: Hit) -> dict[str, Any]:
    passage = hit.chunk.passage
    return {
        "file": hit.chunk.document_name,
        "page": passage.page,
        "page_label": passage.page_label,
        "heading_path": list(passage.heading_path),
        "score": hit.score,
        "text": passage.text,
    }
