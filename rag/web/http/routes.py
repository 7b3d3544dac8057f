"""The application that programs talk to. The page is mounted into it afterwards, below all its routes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline
from starlette.routing import Route

from rag.build import Services
from rag.settings import Settings
from rag.web.http.conversation_api import ConversationApi
from rag.web.http.errors import add_error_handlers
from rag.web.http.files_api import FilesApi
from rag.web.http.keys import Keys
from rag.web.http.limits import BodyLimit
from rag.web.http.mcp_tool import PATH, Guarded, mcp_app, running
from rag.web.http.openai_api import OpenAIApi
from rag.web.http.probes import Probes
from rag.web.http.stream import Lanes

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
    if tool is not None:
        app.router.routes.append(Route(PATH, endpoint=Guarded(tool, keys, language)))
    add_error_handlers(app, language)
    limits = (
        ("/v1/files", settings.loaders.max_file_mb + _FORM_MB),
        ("/v1/", _JSON_MB),
        ("/knowledge_chat_conversation", _JSON_MB),
    )
    app.add_middleware(BodyLimit, limits=limits, language=language)
    return app
