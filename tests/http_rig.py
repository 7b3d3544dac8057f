"""The routes for programs over a real engine, ingest and store, with a scripted model, on a real port."""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx
from langchain_core.language_models import BaseChatModel

from loaders import load
from rag.engine import Engine
from rag.ingest import Ingest
from rag.knowledge.milvus.index import Reconciler
from rag.knowledge.selection import Selection
from rag.llm.current import Answering
from rag.llm.gate import Gate
from rag.metrics import Metrics
from rag.retrieval import Retrieval
from rag.settings import Settings, read_settings
from rag.signing import SigningKey
from rag.types import LoadedDocument, Message, ModelState, ModelStatus, OfferedModel, Provider
from rag.web.http.routes import http_app
from tests.fakes_web import FakeModels
from tests.ingesting import ROOT, TEXT, Rig
from tests.scripted import ScriptedChatModel, retrieval_over, scripted_engine
from tests.serving import on_a_port
from tests.waiting import wait_for

KEYS = ("the key of the first client", "the key of the second one")
ANSWER = ("年假为", "十天 [1]。\n", "入职满一年后可以使用 [1]。")


def settings_with(**server: object) -> Settings:
    """The shipped settings with another server section."""
    shipped = read_settings(ROOT / "config.yaml")
    return shipped.model_copy(update={"server": shipped.server.model_copy(update=server)})


@dataclass
class Slow:
    """A script without an end. `left` is set when the model is stopped."""

    begun: threading.Event = field(default_factory=threading.Event)
    left: threading.Event = field(default_factory=threading.Event)

    def __iter__(self) -> Iterator[str]:
        try:
            while True:
                self.begun.set()
                yield "慢"
                time.sleep(0.02)
        finally:
            self.left.set()


class OtherModels:
    """Stands for the pool: models that answer who asks for them by name."""

    def __init__(self, models: Mapping[str, BaseChatModel]) -> None:
        self._models = models
        self.troubles: Message | None = None

    def trouble(self) -> Message | None:
        return self.troubles

    def offered(self) -> tuple[OfferedModel, ...]:
        return tuple(OfferedModel(Provider.OLLAMA, name, present=True) for name in self._models)

    def named(self, name: str) -> Answering | None:
        return Answering(Provider.OLLAMA, name, self._models[name]) if name in self._models else None


@dataclass(frozen=True)
class Services:
    """What the routes need of `rag.build.Services`."""

    engine: Engine
    retrieval: Retrieval
    ingest: Ingest
    models: FakeModels
    pool: OtherModels
    metrics: Metrics
    model: ScriptedChatModel
    settings: Settings = field(default_factory=read_settings)
    signing: SigningKey = field(default_factory=lambda: SigningKey(b"the tests' signing key"))
    reconciler: Reconciler | None = None


@contextmanager
def services_in(
    folder: Path, *scripts: Iterable[object], others: Mapping[str, BaseChatModel] | None = None
) -> Iterator[Services]:
    """Services whose model says the scripts, and after them always the answer; everybody can search one document.

    `others` answer who asks for them by name.
    """
    gate = Gate()
    rig = Rig(folder, _read, queue=gate.length)
    model = ScriptedChatModel(scripts=[*scripts, *([ANSWER] * 1000)])
    database = rig.catalog.engine
    dialogue = settings_with().multi_dialogue_rag.model_copy(update={"decide_by": "rules"})
    retrieval = retrieval_over(rig.knowledge)
    pool = OtherModels(others or {})
    engine = scripted_engine(
        database,
        retrieval,
        model,
        dialogue=dialogue,
        gate=gate,
        named=pool.named,
        scope_of=Selection(database).scope,
        on_event=rig.metrics.observe,
    )
    models = FakeModels()
    models.current = ModelStatus(Provider.OLLAMA, "scripted", ModelState.READY, Message("model.extractive_probing"))
    handbook = folder / "员工手册.txt"
    handbook.write_text(TEXT, encoding="utf-8")
    rig.ingest.start()
    rig.take_in(handbook, "shared")
    try:
        yield Services(engine, retrieval, rig.ingest, models, pool, rig.metrics, model)
    finally:
        rig.close()


@contextmanager
def serving(services: Services, settings: Settings) -> Iterator[str]:
    """The address at which the routes are served."""
    with on_a_port(http_app(replace(services, settings=settings))) as url:  # type: ignore[arg-type]
        yield url


def _read(path: Path, *, name: str, **_: object) -> LoadedDocument:
    """A file's pages, without a process of their own: what these tests are about begins behind it."""
    return load(path, name=name)


def with_key(key: str) -> dict[str, str]:
    """The header that carries a key."""
    return {"Authorization": f"Bearer {key}"}


def uploaded(client: httpx.Client, name: str, content: bytes) -> str:
    """The id of a file that has been uploaded and read."""
    reply = client.post("/v1/files", files={"file": (name, content)}, data={"purpose": "assistants"})
    reply.raise_for_status()
    file_id = str(reply.json()["id"])
    assert wait_for(lambda: client.get(f"/v1/files/{file_id}").json()["status"] != "uploaded")
    return file_id
