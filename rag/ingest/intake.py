"""Files on their way into the knowledge base: read, split, stored; vectors and the text in images follow."""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from functools import partial

from loaders.health import has_text
from loaders.reader import read_in_worker
from rag.background import Background
from rag.database import store_errors
from rag.errors import ReaderCrashed, ReadingInterrupted, StoreError, UnknownDocument, WenquError
from rag.events import IngestProgress, IngestStage
from rag.files import MEGABYTE, FileStore
from rag.ingest.fair_queue import FairQueue
from rag.ingest.ocr_filler import OcrFiller
from rag.ingest.splitting import reader_limits, split
from rag.knowledge.catalog import Catalog
from rag.knowledge.filler import VectorFiller
from rag.knowledge.stored import StoredKnowledgeBase
from rag.metrics import Metrics
from rag.settings import Settings
from rag.types import Document, DocumentStatus, LoadedDocument

_POLL_SECONDS = 0.25
# Most documents are not larger, and are taken in within seconds. Beside a large one, another of any size could take as
# much memory once more.
_SMALL_BYTES = 2 * MEGABYTE
_REFUSED_SECONDS = 2.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """A document to be taken in. `cancel` is set when it is deleted, or when the work ends."""

    document_id: str
    name: str
    size: int
    password: str | None
    cancel: threading.Event = field(default_factory=threading.Event)

    @property
    def is_small(self) -> bool:
        """Whether it may go beside a large one."""
        return self.size <= _SMALL_BYTES


class Intake:
    """Takes in what is put into its queue, of each session in turn, in two threads: one takes any document, the other
    small ones alone, so that nobody waits for minutes behind somebody's large one."""

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog,
        knowledge: StoredKnowledgeBase,
        filler: VectorFiller,
        ocr: OcrFiller,
        metrics: Metrics,
        *,
        read: Callable[..., LoadedDocument] = read_in_worker,
    ) -> None:
        """`metrics` count what becomes of documents."""
        self._settings = settings
        self._catalog = catalog
        self._knowledge = knowledge
        self._filler = filler
        self._ocr = ocr
        self._read_file = read
        self._metrics = metrics
        self._files = FileStore(settings.store.path)
        self._queue: FairQueue[_Job] = FairQueue()
        # Queued or in hand, by document.
        self._jobs: dict[str, _Job] = {}
        self._progress: dict[str, IngestProgress] = {}
        self._changed = threading.Condition()
        self._lanes = tuple(
            Background(name, partial(self._next, fits), interrupt=self._interrupt)
            for name, fits in (("ingest", lambda _: True), ("ingest-small", lambda job: job.is_small))
        )

    def start(self) -> None:
        """Begin to work."""
        for lane in self._lanes:
            lane.start()

    def close(self) -> None:
        """Stop working; a file that is being read is taken up again at the next start."""
        # Each is told before one is waited for.
        for lane in self._lanes:
            lane.close(0)
        for lane in self._lanes:
            lane.close()

    @property
    def closed(self) -> bool:
        """Whether nothing more is taken in."""
        return self._lanes[0].closed.is_set()

    def put(self, document: Document, password: str | None) -> None:
        """Queue a document whose file is in the store."""
        job = _Job(document.document_id, document.name, document.size, password)
        with self._changed:
            self._jobs[job.document_id] = job
        self._report(job.document_id, IngestStage.QUEUED, 0, 0)
        self._queue.put(document.collection_id, job)

    def holds(self, document_id: str) -> bool:
        """Whether a document is queued or in hand."""
        return document_id in self._jobs

    def cancel(self, document_id: str) -> None:
        """Stop the reading of a document that was deleted."""
        if job := self._jobs.get(document_id):
            job.cancel.set()

    def progress(self) -> Mapping[str, IngestProgress]:
        """What is being done now, by document."""
        return {**self._ocr.progress(), **self._progress}

    def next_progress(self, document_id: str, known: IngestProgress | None) -> IngestProgress | None:
        """What is being done with a document, as soon as that differs from `known`, or after a short while."""
        with self._changed:
            if self.progress().get(document_id) == known:
                self._changed.wait(timeout=_POLL_SECONDS)
            return self.progress().get(document_id)

    def _interrupt(self) -> None:
        for job in list(self._jobs.values()):
            job.cancel.set()
        self._queue.close()

    def _next(self, fits: Callable[[_Job], bool]) -> None:
        job = self._queue.get(fits)
        if job is None or self.closed:
            return
        error = self._attempt(job)
        with self._changed:
            # By now it may have been queued once more.
            if self._jobs.get(job.document_id) is job:
                del self._jobs[job.document_id]
                self._progress.pop(job.document_id, None)
            self._changed.notify_all()
        if error is not None:
            self._fail(job, error)

    def _attempt(self, job: _Job) -> WenquError | None:
        """Take a document in; what kept it from being taken in."""
        try:
            with store_errors(str(self._settings.store.path)):
                try:
                    self._take_in(job)
                except CancelledError:
                    # An attempt that was called off says nothing about the file.
                    self._catalog.requeue(job.document_id, (DocumentStatus.READING,))
        except UnknownDocument:
            _log.info("%r was deleted", job.name)
        except WenquError as error:
            return error
        except Exception:  # noqa: BLE001 - whatever a strange file brings to light
            _log.exception("%r could not be taken in", job.name)
            return ReaderCrashed(name=job.name)
        return None

    def _take_in(self, job: _Job) -> None:
        document_id, begun = job.document_id, time.perf_counter()
        self._catalog.start_attempt(document_id)
        loaded = self._read(job)
        self._report(document_id, IngestStage.SPLITTING, len(loaded.pages), len(loaded.pages))
        sections = split(loaded, job.name, self._settings, job.cancel)[1] if has_text(loaded.pages) else ()
        self._ocr.expect(document_id, job.name, loaded, job.password)
        stored = partial(self._report, document_id, IngestStage.STORING)
        self._knowledge.add(document_id, sections, loaded, job.cancel, on_progress=stored)
        self._metrics.taken_in(time.perf_counter() - begun)
        self._filler.wake()
        self._ocr.wake()

    def _read(self, job: _Job) -> LoadedDocument:
        path = self._files.path(job.document_id)
        if not path.is_file():
            raise ReadingInterrupted(name=job.name)
        return self._read_file(
            path,
            name=job.name,
            password=job.password,
            limits=reader_limits(self._settings),
            on_progress=partial(self._report, job.document_id, IngestStage.READING),
            cancel=job.cancel,
        )

    def _fail(self, job: _Job, error: WenquError) -> None:
        """Note why a document failed; if the store refuses even that, as soon as it no longer does."""
        _log.warning("%s", error)
        self._metrics.not_taken_in(error)
        while not self.closed:
            try:
                self._catalog.fail(job.document_id, error.message)
                # What an earlier reading left is to be complete again.
                self._filler.wake()
                self._ocr.wake()
                return
            except StoreError:
                self._lanes[0].closed.wait(_REFUSED_SECONDS)

    def _report(self, document_id: str, stage: IngestStage, done: int, total: int) -> None:
        with self._changed:
            self._progress[document_id] = IngestProgress(document_id, stage, done, total)
            self._changed.notify_all()
