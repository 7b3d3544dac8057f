"""Services for the web's tests: the scripted engine, an ingest that only pretends to read."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from loaders.kind import SUFFIXES
from rag import events
from rag.errors import (
    PasswordNeeded,
    UnknownDocument,
    UnsupportedFile,
    WrongPassword,
)
from rag.ingest.page_report import page_report
from rag.llm.pool import ModelPool
from rag.metrics import Metrics
from rag.profiles import Profiles
from rag.retrieval import Retrieval
from rag.settings import Settings, read_settings
from rag.signing import SigningKey
from rag.types import (
    Arrival,
    Document,
    DocumentStatus,
    Message,
    ModelState,
    ModelStatus,
    PageGroup,
    PageHealth,
    Provider,
)
from tests.fakes_engine import FakeEngine
from tests.fakes_files import FakeContents, FakeSelection, FakeSelfCheck
from tests.fakes_pages import FakePages
from tests.preferring import FixedManager, pool_of, profiles_of
from tests.samples_web import document
from tests.scripted import FixedKnowledgeBase, retrieval_over


class FakeIngest:
    """Takes 1.5 seconds over a file; 加密 in its name asks for the password 1234, 图片 is recognised without end.

    What is called 副本 has the content of what is there.
    """

    seconds = 1.5

    def __init__(self) -> None:
        self._documents: dict[str, tuple[Document, float]] = {}
        self._sample = document()
        self._stopped: set[str] = set()

    def receive(self, session_id: str, path: Path, name: str, password: str | None = None) -> Arrival:
        if Path(name).suffix.lower() not in SUFFIXES:
            raise UnsupportedFile(name=name)
        opened = name.replace("加密", "解密") if password == "1234" else name
        counted = {"pages": 12, "text_pages": 11, "empty_pages": 1, "chunks": 48}
        added = document(opened, session_id, size=path.stat().st_size, **counted)
        self._documents[added.document_id] = (added, time.monotonic())
        known = Message("document.same_content", {"name": name, "known": "手册.pdf"}) if "副本" in name else None
        return Arrival(self._now(added.document_id), known)

    def follow(self, session_id: str, document_id: str) -> Iterator[events.IngestEvent]:
        while True:
            current = self._now(document_id)
            if current.searchable:
                yield events.Searchable(current)
                return
            if current.status is DocumentStatus.FAILED:
                yield events.IngestFailed(current)
                return
            yield events.IngestProgress(document_id, events.IngestStage.READING, 1, 12)
            time.sleep(0.1)

    def progress(self, seen: Iterable[Document]) -> Mapping[str, events.IngestProgress]:
        known = {document.document_id: document for document in seen}
        pictured = {
            key: events.IngestProgress(key, events.IngestStage.OCR, 5, 12)
            for key, document in known.items()
            if document.status is DocumentStatus.EMBEDDING
        }
        begun = {key: self._documents[key][1] for key in known if known[key].status is DocumentStatus.READING}
        return pictured | {
            key: events.IngestProgress(
                key, events.IngestStage.READING, int(12 * (time.monotonic() - start) / self.seconds), 12
            )
            for key, start in begun.items()
        }

    def documents(self, session_id: str) -> tuple[Document, ...]:
        own = [key for key, (kept, _) in self._documents.items() if kept.collection_id == session_id]
        return (*(self._now(key) for key in own), self._sample)

    def document(self, session_id: str, document_id: str) -> Document:
        for known in self.documents(session_id):
            if known.document_id == document_id:
                return known
        raise UnknownDocument()

    def reread(self, session_id: str, document_id: str, password: str | None = None) -> Document:
        kept = self._own(session_id, document_id)
        wrong = password not in (None, "1234")
        error = WrongPassword(name=kept.name).message if wrong else None
        name = kept.name.replace("加密", "解密") if password and not wrong else kept.name
        self._documents[document_id] = (replace(kept, name=name, message=error), 0.0 if wrong else time.monotonic())
        return self._now(document_id)

    def stop_recognition(self, session_id: str, document_id: str) -> None:
        self._stopped.add(self._own(session_id, document_id).document_id)

    def resume_recognition(self, session_id: str, document_id: str) -> None:
        self._stopped.discard(self._own(session_id, document_id).document_id)

    def stopped(self, session_id: str) -> Mapping[str, int]:
        return dict.fromkeys(self._stopped, 7)

    def report(self, session_id: str, document_id: str) -> tuple[PageGroup, ...]:
        readable = dict.fromkeys(range(1, 12), PageHealth.TEXT)
        return page_report("手册.pdf", readable | {12: PageHealth.EMPTY}, {})

    def delete(self, session_id: str, document_id: str) -> None:
        self._own(session_id, document_id)
        del self._documents[document_id]

    def forget(self, session_id: str) -> None:
        for kept in self.documents(session_id)[:-1]:
            del self._documents[kept.document_id]

    def check_writable(self) -> None:
        pass

    def storage(self, session_id: str) -> int:
        return sum(kept.size for kept in self.documents(session_id)[:-1])

    def _own(self, session_id: str, document_id: str) -> Document:
        if document_id not in self._documents or self._documents[document_id][0].collection_id != session_id:
            raise UnknownDocument()
        return self._documents[document_id][0]

    def _now(self, document_id: str) -> Document:
        kept, started = self._documents[document_id]
        if time.monotonic() - started < self.seconds:
            return replace(kept, status=DocumentStatus.READING, pages=0, chunks=0)
        if "加密" in kept.name:
            message = kept.message or PasswordNeeded(name=kept.name).message
            return replace(kept, status=DocumentStatus.FAILED, message=message, pages=0, chunks=0)
        if "图片" in kept.name and document_id not in self._stopped:
            return replace(kept, status=DocumentStatus.EMBEDDING)
        return kept


class FakeModels:
    """Tells whatever status a test sets."""

    def __init__(self) -> None:
        self.current = ModelStatus(
            Provider.EMBEDDED,
            "qwen2.5-1.5b-instruct",
            ModelState.READY,
            Message("model.embedded_chosen", {"model": "qwen2.5-1.5b-instruct", "wanted": "qwen2.5:7b"}),
        )
        self.retries = 0

    def status(self) -> ModelStatus:
        return self.current

    def retry(self) -> None:
        self.retries += 1


@dataclass(frozen=True)
class FakeRetention:
    """Deletes what the fakes hold; files go thirty days after any moment."""

    engine: FakeEngine
    ingest: FakeIngest
    profiles: Profiles

    def delete_conversation(self, session_id: str, conversation_id: str) -> None:
        self.engine.delete_conversation(session_id, conversation_id)

    def forget(self, session_id: str) -> None:
        self.engine.forget(session_id)
        self.profiles.reset(session_id)
        self.ingest.forget(session_id)

    def days_left(self, session_id: str, now: datetime) -> int:
        return 30


@dataclass
class FakeReconciler:
    """Tells of a Milvus that cannot be reached, or of none that is in trouble."""

    trouble: Message | None = None


@dataclass(frozen=True)
class FakeServices:
    """What `rag.build.Services` offers the web."""

    settings: Settings = field(default_factory=read_settings)
    engine: FakeEngine = field(default_factory=FakeEngine)
    retrieval: Retrieval = field(default_factory=lambda: retrieval_over(FixedKnowledgeBase()))
    ingest: FakeIngest = field(default_factory=FakeIngest)
    pages: FakePages = field(default_factory=FakePages)
    models: FakeModels = field(default_factory=FakeModels)
    pool: ModelPool = field(init=False)
    profiles: Profiles = field(init=False)
    metrics: Metrics = field(default_factory=lambda: Metrics(lambda: 0, dict))
    selection: FakeSelection = field(init=False)
    contents: FakeContents = field(default_factory=FakeContents)
    self_check: FakeSelfCheck = field(default_factory=FakeSelfCheck)
    retention: FakeRetention = field(init=False)
    reconciler: FakeReconciler = field(default_factory=FakeReconciler)
    public_browser_secret: str = "every client is sent this"
    signing: SigningKey = field(default_factory=lambda: SigningKey(b"the tests' signing key"))

    def __post_init__(self) -> None:
        object.__setattr__(self, "selection", FakeSelection(self.ingest.documents))
        object.__setattr__(self, "pool", pool_of(self.settings, FixedManager(told=self.models.status)))
        object.__setattr__(self, "profiles", profiles_of(self.settings, self.pool))
        object.__setattr__(self, "retention", FakeRetention(self.engine, self.ingest, self.profiles))
        self.engine.profile_of = self.profiles.of
