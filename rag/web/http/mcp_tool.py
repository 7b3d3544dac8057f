"""The search as a tool of the Model Context Protocol, at `/mcp`; the keys are those of the other routes."""

from contextlib import closing
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request

from rag import i18n
from rag.build import Services
from rag.errors import PackageMissing, WenquError
from rag.knowledge.base import collections_seen_by
from rag.language.place import named_place
from rag.turn.draft import checked_question
from rag.types import Hit
from rag.web.http.keys import Keys
from rag.web.http.stream import Slots

PATH = "/mcp"


def mcp_app(services: Services, keys: Keys, slots: Slots) -> Starlette:
    """An application with the one route; it works while its lifespan lasts. Raises PackageMissing."""
    try:
        from mcp.server import MCPServer
        from mcp.server.mcpserver import Context
        from mcp.server.mcpserver.exceptions import ToolError
    except ImportError as error:
        raise PackageMissing(package="mcp", command='pip install "mcp>=2.3,<3"') from error
    settings, language = services.settings, services.settings.server.language
    server = MCPServer("wenqu")

    @server.tool(description=i18n.text(language, "mcp.search"))
    def search(question: str, context: Context[Any, Request]) -> list[dict[str, Any]]:
        request = context.request_context.request
        if request is None:
            raise AssertionError("the tool is served by HTTP alone")
        caller = keys.caller_of(request)
        try:
            asked = checked_question(question, settings.multi_dialogue_rag.max_question_length)
            with closing(slots.enter(caller.asker, caller.network)):
                collections = collections_seen_by(caller.session_id)
                found = services.retrieval.find((asked,), collections, place=named_place(asked))
        except WenquError as error:
            raise ToolError(i18n.sentence(language, error.message)) from error
        services.ingest.use(caller.session_id)
        return [_passage(hit) for hit in found.hits]

    # It answers by itself and keeps nothing between requests: any replica can take the next one. Its own check of the
    # host knows of loopback alone.
    host = "" if settings.server.allowed_hosts else settings.server.host
    return server.streamable_http_app(streamable_http_path=PATH, stateless_http=True, json_response=True, host=host)


def _passage(hit: Hit) -> dict[str, Any]:
    passage = hit.chunk.passage
    return {
        "file": hit.chunk.document_name,
        "page": passage.page,
        "last_page": passage.last_page,
        "page_label": passage.page_label,
        "heading_path": list(passage.heading_path),
        "score": hit.score,
        "text": passage.text_in_context,
    }
