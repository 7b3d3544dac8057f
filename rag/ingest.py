"""Files on their way into the knowledge base: copied into the store, read, split, stored; vectors follow."""

import logging
import queue
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from pathlib import Path

from loaders.health import has_text
from loaders.reader import ReaderLimits, read_in_worker
from loaders.sections import split_document
from rag.database import store_errors
from rag.errors import (
    QuotaExceeded,
    ReaderCrashed,
    ReadingInterrupted,
    StoreError,
    UnknownDocument,
    WenquError,
)
from rag.events import IngestEvent, IngestFailed, IngestProgress, IngestStage, Searchable
from rag.files import MEGABYTE, FileStore, check_size, plain_name
from rag.knowledge.base import SHARED_COLLECTION, KnowledgeBase
from rag.knowledge.catalog import Catalog
from rag.knowledge.filler import VectorFiller
from rag.knowledge.recognitions import Recognitions
from rag.ocr_filler import OcrFiller
from rag.page_report import page_report
from rag.settings import Settings
from rag.types import Document, DocumentStatus, LoadedDocument, PageGroup

_ATTEMPTS = 2
_SETTLED = (DocumentStatus.READY, DocumentStatus.EMBEDDING, DocumentStatus.FAILED)
_POLL_SECONDS = 0.25
_CLOSE_SECONDS = 5.0
_REFUSED_SECONDS = 2.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """A document to be taken in. `cancel` is set when it is deleted, or when the work ends."""

    document_id: str
    name: str
    password: str | None
    cancel: threading.Event = field(default_factory=threading.Event)


class Ingest:
    """Takes files in, one at a time, in a thread of its own. A session reaches only its own documents."""

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog,
        knowledge: KnowledgeBase,
        filler: VectorFiller,
        ocr: OcrFiller,
        read: Callable[..., LoadedDocument] = read_in_worker,
    ) -> None:
        self._settings = settings
        self._catalog = catalog
        self._knowledge = knowledge
        self._filler = filler
        self._ocr = ocr
        self._read_file = read
        self._files = FileStore(settings.store.path / "files")
        self._queue: queue.Queue[_Job | None] = queue.Queue()
        # Queued or in hand, by document.
        self._jobs: dict[str, _Job] = {}
        self._progress: dict[str, IngestProgress] = {}
        self._changed = threading.Condition()
        # One file comes or goes at a time: the same bytes twice are one document, and two files share one quota.
        self._arriving = threading.Lock()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="ingest", daemon=True)

    def start(self) -> None:
        """Begin to work, first on what a killed process left unfinished."""
        self._files.sweep(self._catalog.document_ids())
        for document in self._catalog.unfinished():
            if document.attempts >= _ATTEMPTS:
                self._catalog.fail(document.document_id, ReadingInterrupted(name=document.name).message)
            else:
                self._enqueue(document, None)
        self._thread.start()
        self._filler.wake()
        self._ocr.start()

    def close(self) -> None:
        """Stop working; a file that is being read is taken up again at the next start."""
        self._closed.set()
        for job in list(self._jobs.values()):
            job.cancel.set()
        self._queue.put(None)
        self._ocr.close()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_SECONDS)

    def add(self, session_id: str, path: Path, name: str, password: str | None = None) -> Document:
        """Copy a file into the store and queue it. Raises DocumentError, StoreError."""
        name = plain_name(name)
        check_size(path, name, self._settings.loaders.max_file_mb)
        with self._files.copied(path) as copy, self._arriving:
            quota = self._settings.store.session_quota_mb
            used = self._catalog.storage_used(session_id, besides=copy.sha256)
            if session_id != SHARED_COLLECTION and used + copy.size > quota * MEGABYTE:
                raise QuotaExceeded(limit_mb=quota)
            document = self._catalog.register(session_id, name, copy.sha256, copy.size)
            if document.status is DocumentStatus.QUEUED and document.document_id not in self._jobs:
                self._files.keep(copy, document.document_id)
                self._enqueue(document, password)
        return document

    def share(self, path: Path) -> None:
        """Make a file the one that everybody may search, in place of an earlier version's. Raises StoreError."""
        present = self.add(SHARED_COLLECTION, path, path.name)
        for document in self._catalog.documents(SHARED_COLLECTION):
            if document.document_id != present.document_id:
                self.delete(SHARED_COLLECTION, document.document_id)

    def retry(self, session_id: str, document_id: str, password: str | None = None) -> Document:
        """Read a document that failed once more, perhaps with its password. Raises UnknownDocument."""
        document = self._own(session_id, document_id)
        with self._arriving:
            if self._catalog.requeue(document_id, DocumentStatus.FAILED):
                self._enqueue(document, password)
        return self._own(session_id, document_id)

    def reread(self, session_id: str, document_id: str) -> Document:
        """Read a document anew, from the copy that was kept. What it had is searched until that is done.

        Nothing happens to one that is being read. Raises UnknownDocument.
        """
        document = self._own(session_id, document_id)
        with self._arriving:
            if any(self._catalog.requeue(document_id, before) for before in _SETTLED):
                self._enqueue(document, None)
        return self._own(session_id, document_id)

    def follow(self, session_id: str, document_id: str) -> Iterator[IngestEvent]:
        """The document's events until it is searchable or has failed. Raises UnknownDocument."""
        last: IngestProgress | None = None
        while True:
            with self._changed:
                if self._all_progress().get(document_id) == last:
                    self._changed.wait(timeout=_POLL_SECONDS)
                progress = self._all_progress().get(document_id)
            document = self._own(session_id, document_id)
            if document.searchable:
                yield Searchable(document)
                return
            if document.status is DocumentStatus.FAILED and document.message is not None:
                yield IngestFailed(document)
                return
            if progress is not None and progress != last:
                last = progress
                yield progress

    def progress(self, session_id: str) -> Mapping[str, IngestProgress]:
        """What is being done now, by document, for those that the session can see."""
        seen = {document.document_id for document in self.documents(session_id)}
        return {key: progress for key, progress in self._all_progress().items() if key in seen}

    def report(self, session_id: str, document_id: str) -> tuple[PageGroup, ...]:
        """Which pages of a document that the session can see are searched, and why the others are not.

        Raises UnknownDocument, StoreError.
        """
        if document_id not in {document.document_id for document in self.documents(session_id)}:
            raise UnknownDocument()
        outcomes = Recognitions(self._catalog.engine).outcomes(document_id)
        return page_report(self._catalog.page_health(document_id), outcomes)

    def stop_recognition(self, session_id: str, document_id: str) -> None:
        """Recognise no more pages of a document; what was recognised is kept. Raises UnknownDocument, StoreError."""
        self._own(session_id, document_id)
        self._ocr.stop(document_id)

    def documents(self, session_id: str) -> tuple[Document, ...]:
        """The session's own documents and the shared ones."""
        return self._catalog.documents(session_id) + self._catalog.documents(SHARED_COLLECTION)

    def delete(self, session_id: str, document_id: str) -> None:
        """Delete a document with its file, chunks and vectors. Raises UnknownDocument."""
        self._own(session_id, document_id)
        with self._arriving:
            self._knowledge.delete(document_id)
            self._discard(document_id)

    def forget(self, session_id: str) -> None:
        """Delete all of a session's documents."""
        with self._arriving:
            documents = self._catalog.documents(session_id)
            self._knowledge.delete_collection(session_id)
            for document in documents:
                self._discard(document.document_id)

    def storage(self, session_id: str) -> int:
        """Bytes of the session's files."""
        return self._catalog.storage_used(session_id)

    def _work(self) -> None:
        """Neither a strange file nor a full disk ends it: the next file must still be read."""
        while (job := self._queue.get()) is not None and not self._closed.is_set():
            error = self._attempt(job)
            with self._changed:
                self._jobs.pop(job.document_id, None)
                self._progress.pop(job.document_id, None)
                self._changed.notify_all()
            if error is not None:
                self._fail(job, error)

    def _attempt(self, job: _Job) -> WenquError | None:
        """Take a document in; what kept it from being taken in."""
        try:
            with store_errors(str(self._settings.store.path)):
                self._take_in(job)
        except (CancelledError, UnknownDocument):
            _log.info("%r was deleted, or the program ends", job.name)
        except WenquError as error:
            return error
        except Exception:  # noqa: BLE001 - whatever a strange file brings to light
            _log.exception("%r could not be taken in", job.name)
            return ReaderCrashed(name=job.name)
        return None

    def _take_in(self, job: _Job) -> None:
        document_id = job.document_id
        self._catalog.start_attempt(document_id)
        loaded = self._read(job)
        self._report(document_id, IngestStage.SPLITTING, len(loaded.pages), len(loaded.pages))
        splitter = self._settings.splitter
        sections = (
            split_document(loaded, splitter.max_len, splitter.overlap, splitter.parent_max_len)
            if has_text(loaded.pages)
            else ()
        )
        self._ocr.expect(document_id, job.name, loaded, job.password)
        self._report(document_id, IngestStage.STORING, 0, sum(len(section.children) for section in sections))
        self._knowledge.add(document_id, sections, loaded)
        self._filler.wake()
        self._ocr.wake()

    def _read(self, job: _Job) -> LoadedDocument:
        path, limits = self._files.path(job.document_id), self._settings.loaders
        if not path.is_file():
            raise ReadingInterrupted(name=job.name)
        try:
            return self._read_file(
                path,
                name=job.name,
                password=job.password,
                limits=ReaderLimits(limits.max_pages, limits.time_limit_seconds, limits.memory_limit_mb),
                on_progress=lambda done, total: self._report(job.document_id, IngestStage.READING, done, total),
                cancel=job.cancel,
            )
        except CancelledError:
            # An attempt that was called off says nothing about the file.
            self._catalog.requeue(job.document_id, DocumentStatus.READING)
            raise

    def _fail(self, job: _Job, error: WenquError) -> None:
        """Note why a document failed; if the store refuses even that, as soon as it no longer does."""
        _log.warning("%s", error)
        while not self._closed.is_set():
            try:
                self._catalog.fail(job.document_id, error.message)
                return
            except StoreError as refused:
                _log.warning("%s", refused)
                self._closed.wait(_REFUSED_SECONDS)

    def _enqueue(self, document: Document, password: str | None) -> None:
        job = _Job(document.document_id, document.name, password)
        self._jobs[job.document_id] = job
        self._report(job.document_id, IngestStage.QUEUED, 0, 0)
        self._queue.put(job)

    def _discard(self, document_id: str) -> None:
        """Stop the reading of a document that was deleted, and delete its file."""
        if job := self._jobs.get(document_id):
            job.cancel.set()
        self._ocr.forget(document_id)
        self._files.remove(document_id)

    def _all_progress(self) -> Mapping[str, IngestProgress]:
        return {**self._ocr.progress(), **self._progress}

    def _report(self, document_id: str, stage: IngestStage, done: int, total: int) -> None:
        with self._changed:
            self._progress[document_id] = IngestProgress(document_id, stage, done, total)
            self._changed.notify_all()

    def _own(self, session_id: str, document_id: str) -> Document:
        document = self._catalog.document(document_id)
        if document is None or document.collection_id != session_id:
            raise UnknownDocument()
        return document
