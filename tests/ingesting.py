"""An ingest over a folder, its readers, and what tests ask of them."""

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from pathlib import Path

from loaders import load
from loaders.reader import read_in_worker
from rag.database import open_database
from rag.events import IngestEvent
from rag.ingest import Ingest
from rag.ingest.intake import Intake
from rag.ingest.ocr_filler import OcrFiller, Recogniser
from rag.knowledge.catalog import Catalog
from rag.knowledge.filler import VectorFiller
from rag.metrics import Metrics
from rag.settings import Settings, read_settings
from rag.types import LoadedDocument
from tests.fakes import FakeEmbeddings
from tests.knowledge import local_knowledge
from tests.waiting import already

ROOT = Path(__file__).parent.parent
TEXT = "第一章 休假\n\n年假为十天，入职满一年后可以使用。\n病假为五天，需要医院证明。\n"


def rig_settings(folder: Path, total_mb: int = 0, **loaders: int) -> Settings:
    """The shipped settings over a folder, with little room."""
    shipped = read_settings(ROOT / "config.yaml")
    store = shipped.store.model_copy(update={"path": folder, "session_quota_mb": 1, "total_mb": total_mb})
    limits = shipped.loaders.model_copy(update={"max_file_mb": 1, **loaders})
    return shipped.model_copy(update={"store": store, "loaders": limits})


class Rig:
    """An ingest over a folder; a second one over the same folder is the process after a restart."""

    def __init__(
        self,
        folder: Path,
        read: Callable[..., LoadedDocument] = read_in_worker,
        recogniser: Recogniser | None = None,
        queue: Callable[[], int] = lambda: 0,
        **loaders: int,
    ) -> None:
        settings = rig_settings(folder, **loaders)
        self.catalog = Catalog(open_database(f"sqlite:///{folder / 'test.sqlite3'}"), "fake")
        self.knowledge = local_knowledge(self.catalog, FakeEmbeddings())
        self.filler = VectorFiller(self.catalog, self.knowledge, already())
        self.idle = already()
        self.metrics = Metrics(queue, self.catalog.count_by_status)
        parts = settings, self.catalog, self.knowledge, self.filler
        self.ocr = OcrFiller(*parts, self.idle, recogniser)
        self.ingest = Ingest(*parts, self.ocr, Intake(*parts, self.ocr, self.metrics, read=read))

    def close(self) -> None:
        self.ingest.close()
        self.filler.close()

    def take_in(self, path: Path, session: str = "mine", **arguments: str) -> list[IngestEvent]:
        document = self.ingest.receive(session, path, path.name, **arguments).document
        return list(self.ingest.follow(session, document.document_id))


class SlowReader:
    """A reader that reads when it is told to, and stops when it is cancelled."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.ended = threading.Event()

    def __call__(self, path: Path, *, name: str, cancel: threading.Event, **_: object) -> LoadedDocument:
        self.begun.set()
        try:
            while not self.go_on.wait(0.01):
                if cancel.is_set():
                    raise CancelledError
            return load(path, name=name)
        finally:
            self.ended.set()


Build = Callable[..., Rig]


def being_read(build: Build, path: Path) -> tuple[Rig, SlowReader, str]:
    """An ingest in the middle of reading a file, its reader, and the document's id."""
    reader = SlowReader()
    rig = build(reader)
    rig.ingest.start()
    document = rig.ingest.receive("mine", path, path.name).document
    assert reader.begun.wait(30)
    return rig, reader, document.document_id


def stored(folder: Path) -> list[Path]:
    return list((folder / "store" / "files").glob("*"))


def last(rig: Rig, document_id: str) -> IngestEvent:
    return list(rig.ingest.follow("mine", document_id))[-1]
