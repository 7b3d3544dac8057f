"""The application that programs talk to. The page is mounted into it afterwards, below all its routes."""

from collections.abc import Sequence

from fastapi import FastAPI, HTTPException
from fastapi_offline import FastAPIOffline
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from rag.build import Services
from rag.web.http.conversation_api import ConversationApi
from rag.web.http.errors import add_error_handlers
from rag.web.http.files_api import FilesApi
from rag.web.http.hosts import KnownHosts
from rag.web.http.keys import Guarded, Keys
from rag.web.http.limits import BodyLimit
from rag.web.http.mcp_tool import PATH, mcp_app
from rag.web.http.openai_api import OpenAIApi
from rag.web.http.probes import Probes
from rag.web.http.stream import Slots
from rag.web.http.upload_room import UPLOAD_PATHS

_OPENAI, _CONVERSATION = "/v1/", "/knowledge_chat_conversation"
# All that asks for a key, where there are keys: what is made for programs, and what tells of others' use. The page and
# the two endpoints that Gradio gives programs (`/chat`, `/upload`) are for everybody who reaches the server, and what
# only tells that it lives.
_GUARDED = (_OPENAI, _CONVERSATION, PATH, "/metrics")
_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_JSON_MB = 4
_PAGE_MB = 1  # what the page and Gradio's clients send, but for files: questions, settings
_FORM_MB = 1  # what a form has besides its file
# What Gradio has for pages of other kinds: one writes a page's whole state to disk at every request, another hands a
# stranger's video to ffmpeg, two keep whatever name they are given, however long, the next looks for changed files
# twenty times a second, the last fetches whatever public address it is given and passes it on as ours.
_UNUSED = (
    "/gradio_api/deep_link",
    "/gradio_api/process_recording",
    "/gradio_api/component_server",
    "/gradio_api/component_server/",
    "/gradio_api/upload_progress",
    "/gradio_api/dev/reload",
    "/gradio_api/file={rest:path}",
    "/gradio_api/file/{rest:path}",
)


def http_app(services: Services) -> FastAPI:
    """All routes but the page. Its documentation at `/docs` loads nothing from elsewhere. Raises PackageMissing."""
    settings = services.settings
    keys = Keys(settings.server.api_keys, services.signing)
    slots = Slots(settings.server.max_waiting, settings.server.max_waiting_per_session)
    language = settings.server.language
    tool = mcp_app(services, keys, slots) if settings.server.mcp else None

    lifespan = tool and (lambda _: tool.router.lifespan_context(tool))
    app = FastAPIOffline(title="Wenqu", redoc_url=None, lifespan=lifespan)
    app.state.keys = keys
    for api in (
        ConversationApi(services, keys, slots),
        FilesApi(services),
        OpenAIApi(services, slots),
        Probes(services),
    ):
        app.include_router(api.router())
    app.router.routes.append(OtherMethods(app.routes))
    # What there is not is told in the same form as any error; the page below would answer in its own.
    for path in (f"{_OPENAI}{{rest:path}}", *_UNUSED):
        app.add_api_route(path, _nothing, methods=list(_METHODS), include_in_schema=False)
    if tool is not None:
        app.router.routes.append(Route(PATH, endpoint=tool))
    add_error_handlers(app, language)
    app.add_middleware(BodyLimit, limits=_limits(settings.loaders.max_file_mb + _FORM_MB), language=language)
    app.add_middleware(Guarded, keys=keys, paths=_GUARDED, language=language)
    app.add_middleware(KnownHosts, server=settings.server)
    return app


def _limits(file_mb: int) -> tuple[tuple[str, int], ...]:
    """How many megabytes a request may have, by how its path begins."""
    return (
        *((path, file_mb) for path in UPLOAD_PATHS),
        (_OPENAI, _JSON_MB),
        (_CONVERSATION, _JSON_MB),
        ("", _PAGE_MB),
    )


def _nothing() -> None:
    raise HTTPException(404, "Not Found")


class OtherMethods(BaseRoute):
    """Takes what the routes before it have the path for but not the method: below, all there is not is told alike."""

    def __init__(self, routes: Sequence[BaseRoute]) -> None:
        self._routes = tuple(routes)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Fully where a route matches in part: those that match fully stand before it."""
        in_part = any(route.matches(scope)[0] is Match.PARTIAL for route in self._routes)
        return (Match.FULL if in_part else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002 - Starlette's signature
        """Raises HTTPException, which tells the methods of all routes of that path: each knows but its own."""
        scopes = {method: {**scope, "method": method} for method in _METHODS}
        allowed = [
            method
            for method, other in scopes.items()
            if any(route.matches(other)[0] is Match.FULL for route in self._routes)
        ]
        raise HTTPException(405, headers={"Allow": ", ".join(allowed)})
