"""For whoever runs the server: is it up, can it answer, what has it done."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import BaseModel

from rag.build import Services
from rag.errors import StoreError
from rag.i18n import sentence
from rag.knowledge.request import CHUNK_SPARSE, FusionSpec, SearchRequest, SingleSearchRequest
from rag.types import ModelState
from rag.web.http.errors import RESPONSES
from rag.web.http.keys import CallerOf

_NOBODY = "readyz"
# Words only: an embedding server that does not answer is a note on a search, not its end.
_SEARCH = SearchRequest([SingleSearchRequest(CHUNK_SPARSE)], fuse=FusionSpec(method="rrf"))


class Health(BaseModel):
    """The server is up; who answers now."""

    status: str = "ok"
    model: str


class Readiness(BaseModel):
    """Whether turns can be answered and kept; what is wrong, or on its way, by part."""

    ready: bool
    model: str
    store: str


class Probes:
    """The routes and what they need."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._language = services.settings.server.language

    def router(self) -> APIRouter:
        """The routes under their names."""
        router = APIRouter(tags=["operation"])
        unready: dict[int | str, dict[str, object]] = {503: {"model": Readiness}}
        router.add_api_route("/healthz", self.health, methods=["GET"])
        router.add_api_route("/readyz", self.ready, methods=["GET"], response_model=Readiness, responses=unready)
        for path, probe in (("/healthz", self.health), ("/readyz", self.ready)):
            router.add_api_route(path, probe, methods=["HEAD"], include_in_schema=False)
        counts: dict[int | str, dict[str, object]] = {200: {"content": {"text/plain": {}}}, **RESPONSES}
        router.add_api_route("/metrics", self.metrics, methods=["GET"], responses=counts, response_class=Response)
        return router

    def health(self) -> Health:
        """The process serves. Says nothing about the model or the store."""
        return Health(model=self._services.models.status().model)

    def ready(self) -> JSONResponse:
        """200 once who is to answer is settled, and the store can be read, written and searched; else 503, why.

        Who cannot answer now is told of too: a conversation can be read without them, and quotations answer.
        """
        status = self._services.models.status()
        store = "ok"
        try:
            self._services.engine.store.conversations(_NOBODY)
            self._services.ingest.check_writable()
            self._services.retrieval.knowledge.search([_NOBODY], [_NOBODY], _SEARCH)
        except StoreError as error:
            store = sentence(self._language, error.message)
        # A search for what no document has does not get as far as Milvus.
        reconciler = self._services.reconciler
        if reconciler is not None and reconciler.trouble is not None:
            store = sentence(self._language, reconciler.trouble)
        answers = status.state is ModelState.READY
        trouble = self._services.pool.trouble() if answers else status.reason
        model = sentence(self._language, trouble) if trouble else "ok"
        found = Readiness(ready=answers and store == "ok", model=model, store=store)
        return JSONResponse(found.model_dump(), 200 if found.ready else 503)

    def metrics(self, _: CallerOf) -> Response:
        """Counts and times in Prometheus' text format; with the keys that the rest needs."""
        return Response(self._services.metrics.text(), media_type=CONTENT_TYPE_LATEST)
