"""Files on their way into the knowledge base: copied into the store, read, split, stored; vectors follow."""

import hashlib
import logging
import queue
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from loaders.reader import ReaderLimits, read_in_worker
from loaders.sections import split_document
from rag.database import store_errors
from rag.errors import (
    EmptyFile,
    FileTooLarge,
    QuotaExceeded,
    ReadingInterrupted,
    StoreUnavailable,
    UnknownDocument,
    WenquError,
)
from rag.events import IngestEvent, IngestFailed, IngestProgress, IngestStage, Searchable
from rag.knowledge.base import SHARED_COLLECTION, KnowledgeBase
from rag.knowledge.catalog import Catalog
from rag.knowledge.filler import VectorFiller
from rag.settings import Settings
from rag.types import Document, DocumentStatus

_MEGABYTE = 1024 * 1024
_NAME_LENGTH = 200
_ATTEMPTS = 2
_POLL_SECONDS = 0.25
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Job:
    document_id: str
    password: str | None


class Ingest:
    """Takes files in, one at a time, in a thread of its own. A session reaches only its own documents."""

    def __init__(self, settings: Settings, catalog: Catalog, knowledge: KnowledgeBase, filler: VectorFiller) -> None:
        self._settings = settings
        self._catalog = catalog
        self._knowledge = knowledge
        self._filler = filler
        self._folder = settings.store.path / "files"
        self._jobs: queue.Queue[_Job | None] = queue.Queue()
        self._progress: dict[str, IngestProgress] = {}
        self._changed = threading.Condition()
        self._cancel = threading.Event()
        self._thread = threading.Thread(target=self._work, name="ingest", daemon=True)

    def start(self) -> None:
        """Begin to work, first on what a killed process left unfinished."""
        with store_errors(str(self._folder)):
            self._folder.mkdir(parents=True, exist_ok=True)
        for document in self._catalog.unfinished():
            if document.attempts >= _ATTEMPTS:
                self._fail(document, ReadingInterrupted(name=document.name))
            else:
                self._enqueue(document.document_id, None)
        self._thread.start()
        self._filler.wake()

    def close(self) -> None:
        """Stop working; a file that is being read is taken up again at the next start."""
        self._cancel.set()
        self._jobs.put(None)

    def add(self, session_id: str, path: Path, name: str, password: str | None = None) -> Document:
        """Copy a file into the store and queue it. Raises DocumentError, StoreError."""
        name = _plain_name(name)
        size = path.stat().st_size
        if size == 0:
            raise EmptyFile(name=name)
        if size > (limit := self._settings.loaders.max_file_mb) * _MEGABYTE:
            raise FileTooLarge(name=name, size_mb=-(-size // _MEGABYTE), limit_mb=limit)
        quota = self._settings.store.session_quota_mb
        if session_id != SHARED_COLLECTION and self.storage(session_id) + size > quota * _MEGABYTE:
            raise QuotaExceeded(limit_mb=quota)
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        document = self._catalog.register(session_id, name, sha256, size)
        if document.status is DocumentStatus.QUEUED and document.document_id not in self._progress:
            self._copy(path, document)
            self._enqueue(document.document_id, password)
        return document

    def retry(self, session_id: str, document_id: str, password: str | None = None) -> Document:
        """Read a document that failed once more, perhaps with its password. Raises UnknownDocument."""
        document = self._own(session_id, document_id)
        if document.status is DocumentStatus.FAILED:
            self._catalog.set_status(document_id, DocumentStatus.QUEUED)
            self._enqueue(document_id, password)
        return self._own(session_id, document_id)

    def follow(self, session_id: str, document_id: str) -> Iterator[IngestEvent]:
        """The document's events until it is searchable or has failed. Raises UnknownDocument."""
        last: IngestProgress | None = None
        while True:
            with self._changed:
                if self._progress.get(document_id) == last:
                    self._changed.wait(timeout=_POLL_SECONDS)
                progress = self._progress.get(document_id)
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
        working = dict(self._progress)
        return {
            doc.document_id: working[doc.document_id]
            for doc in self.documents(session_id)
            if doc.document_id in working
        }

    def documents(self, session_id: str) -> tuple[Document, ...]:
        """The session's own documents and the shared ones."""
        return self._catalog.documents(session_id) + self._catalog.documents(SHARED_COLLECTION)

    def delete(self, session_id: str, document_id: str) -> None:
        """Delete a document with its file, chunks and vectors. Raises UnknownDocument."""
        self._own(session_id, document_id)
        self._knowledge.delete(document_id)
        with store_errors(str(self._folder)):
            self._path(document_id).unlink(missing_ok=True)

    def forget(self, session_id: str) -> None:
        """Delete all of a session's documents."""
        documents = self._catalog.documents(session_id)
        self._knowledge.delete_collection(session_id)
        with store_errors(str(self._folder)):
            for document in documents:
                self._path(document.document_id).unlink(missing_ok=True)

    def storage(self, session_id: str) -> int:
        """Bytes of the session's files."""
        return self._catalog.storage_used(session_id)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            document = self._catalog.document(job.document_id)
            if document is None:
                # Deleted while it waited, or while it was being copied.
                self._path(job.document_id).unlink(missing_ok=True)
                continue
            try:
                self._take_in(document, job.password)
            except WenquError as error:
                if not self._cancel.is_set():
                    self._fail(document, error)
            except Exception as error:  # noqa: BLE001
                # Whatever a strange file brings to light, the next file must still be read.
                _log.exception("%s could not be taken in", document.name)
                self._fail(document, StoreUnavailable(path=document.name, reason=type(error).__name__))
            finally:
                self._show(job.document_id, None)

    def _take_in(self, document: Document, password: str | None) -> None:
        document_id = document.document_id
        limits = self._settings.loaders
        self._catalog.start_attempt(document_id)
        loaded = read_in_worker(
            self._path(document_id),
            name=document.name,
            password=password,
            limits=ReaderLimits(limits.max_pages, limits.time_limit_seconds, limits.memory_limit_mb),
            on_progress=lambda done, total: self._report(document_id, IngestStage.READING, done, total),
            cancel=self._cancel,
        )
        pages = len(loaded.pages)
        self._report(document_id, IngestStage.SPLITTING, pages, pages)
        splitter = self._settings.splitter
        sections = split_document(loaded, splitter.max_len, splitter.overlap, splitter.parent_max_len)
        self._report(document_id, IngestStage.STORING, 0, sum(len(section.children) for section in sections))
        with store_errors(str(self._folder)):
            self._knowledge.add(document_id, sections, loaded)
        self._filler.wake()

    def _copy(self, path: Path, document: Document) -> None:
        target = self._path(document.document_id)
        try:
            with store_errors(str(self._folder)):
                shutil.copyfile(path, target)
        except WenquError:
            target.unlink(missing_ok=True)
            self._knowledge.delete(document.document_id)
            raise

    def _enqueue(self, document_id: str, password: str | None) -> None:
        self._report(document_id, IngestStage.QUEUED, 0, 0)
        self._jobs.put(_Job(document_id, password))

    def _report(self, document_id: str, stage: IngestStage, done: int, total: int) -> None:
        self._show(document_id, IngestProgress(document_id, stage, done, total))

    def _show(self, document_id: str, progress: IngestProgress | None) -> None:
        with self._changed:
            if progress is None:
                self._progress.pop(document_id, None)
            else:
                self._progress[document_id] = progress
            self._changed.notify_all()

    def _fail(self, document: Document, error: WenquError) -> None:
        _log.warning("%s", error)
        self._catalog.set_status(document.document_id, DocumentStatus.FAILED, error.message)

    def _own(self, session_id: str, document_id: str) -> Document:
        document = self._catalog.document(document_id)
        if document is None or document.collection_id != session_id:
            raise UnknownDocument()
        return document

    def _path(self, document_id: str) -> Path:
        return self._folder / document_id


def _plain_name(name: str) -> str:
    """A client's file name without its folders and without characters that are not to be seen."""
    last = PureWindowsPath(PurePosixPath(name).name).name
    return "".join(character for character in last if character.isprintable())[-_NAME_LENGTH:].strip() or "未命名"
