"""The application that programs talk to. The page is mounted into it afterwards, below all its routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, HTTPException
from fastapi_offline import FastAPIOffline
from starlette.routing import Route

from rag.build import Services
from rag.settings import Settings
from rag.web.http.conversation_api import ConversationApi
from rag.web.http.errors import add_error_handlers
from rag.web.http.files_api import FilesApi
from rag.web.http.keys import Guarded, Keys
from rag.web.http.limits import BodyLimit
from rag.web.http.mcp_tool import PATH, mcp_app, running
from rag.web.http.openai_api import OpenAIApi
from rag.web.http.probes import Probes
from rag.web.http.stream import Lanes

_OPENAI, _CONVERSATION = "/v1/", "/knowledge_chat_conversation"
_JSON_MB = 4
_FORM_MB = 1  # what a form has besides its file


def http_app(services: Services, settings: Settings) -> FastAPI:
    """All routes but the page. Its documentation at `/docs` loads nothing from elsewhere. Raises PackageMissing."""
    keys, lanes = Keys(settings.server.api_keys, services.browser_secret), Lanes(settings.server.max_waiting)
    language = settings.server.language
    tool = mcp_app(services, settings, keys) if settings.server.mcp else None

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with running(tool):
            yield

    app = FastAPIOffline(title="Wenqu", redoc_url=None, lifespan=lifespan)
    app.state.keys = keys
    for api in (
        ConversationApi(services, settings, keys, lanes),
        FilesApi(services, settings),
        OpenAIApi(services, settings, lanes),
        Probes(services, settings),
    ):
        app.include_router(api.router())
    # What there is not is told in the same form as any error; the page below would answer in its own.
    app.add_api_route(f"{_OPENAI}{{rest:path}}", _nothing, methods=["GET", "POST", "DELETE"], include_in_schema=False)
    if tool is not None:
        app.router.routes.append(Route(PATH, endpoint=tool))
    add_error_handlers(app, language)
    limits = (
        (f"{_OPENAI}files", settings.loaders.max_file_mb + _FORM_MB),
        (_OPENAI, _JSON_MB),
        (_CONVERSATION, _JSON_MB),
    )
    app.add_middleware(BodyLimit, limits=limits, language=language)
    app.add_middleware(Guarded, keys=keys, paths=(_OPENAI, _CONVERSATION, PATH), language=language)
    return app


def _nothing() -> None:
    raise HTTPException(404, "Not Found")
