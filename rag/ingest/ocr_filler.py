"""Recognises text in images of pages in the background, while the other pages are already searched."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError

from loaders.kind import is_pdf
from loaders.ocr import OcrJob, PageRecogniser, ocr_installed
from loaders.ocr_text import is_readable
from rag.background import Background
from rag.errors import (
    DocumentError,
    PasswordNeeded,
    ReaderCrashed,
    ReadingTimedOut,
    TooManyPassages,
    UnknownDocument,
    WenquError,
    WrongPassword,
)
from rag.events import IngestProgress, IngestStage
from rag.files import FileStore
from rag.ingest.page_report import without_text
from rag.ingest.splitting import split
from rag.knowledge.catalog import Catalog
from rag.knowledge.contents import Contents
from rag.knowledge.document_states import DocumentStates, Recognitions
from rag.knowledge.filler import VectorFiller
from rag.knowledge.stored import StoredKnowledgeBase
from rag.settings import Settings
from rag.types import READABLE, SEARCHABLE, Document, DocumentStatus, LoadedDocument, RecognisedPage, Recognition

# Then another document has its turn: nobody waits for the end of a stranger's thousand pages.
_PAGES_AT_ONCE = 5
# What is recognised while a document is read anew goes with that reading's text, not with the last's.
_READ = (DocumentStatus.RECOGNISING, *SEARCHABLE)
_log = logging.getLogger(__name__)
Recogniser = Callable[[OcrJob, threading.Event], RecognisedPage]


class OcrFiller:
    """A thread that recognises one page after another. It rests while `idle` is cleared: somebody waits."""

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog,
        knowledge: StoredKnowledgeBase,
        filler: VectorFiller,
        idle: threading.Event,
        recogniser: Recogniser | None = None,
    ) -> None:
        """`recogniser`: what reads pages, in place of the package."""
        self._settings = settings
        self._catalog = catalog
        self._knowledge = knowledge
        self._filler = filler
        self._idle = idle
        self._process = PageRecogniser(settings.ocr.time_limit_seconds)
        self._recogniser = recogniser or self._process
        self._available = recogniser is not None or (settings.ocr.enabled and ocr_installed())
        self._files = FileStore(settings.store.path)
        self._recognitions = Recognitions(catalog.engine)
        self._states = DocumentStates(catalog.engine, catalog.model_id)
        self._passwords: dict[str, str | None] = {}
        self._progress: dict[str, IngestProgress] = {}
        self._in_hand: tuple[str, threading.Event] | None = None
        self._forgotten: set[str] = set()
        self._guard = threading.Lock()
        self._background = Background("ocr-filler", self._round, interrupt=self._call_off)

    def start(self) -> None:
        """Begin, first with the pages that an earlier process left."""
        if self._available:
            self._recognitions.move(Recognition.MISSING, Recognition.WAITING)
        self._background.start()

    def close(self) -> None:
        """Stop at once; the page in hand is recognised again at the next start."""
        self._background.close()
        self._process.close()

    def expect(self, document_id: str, name: str, loaded: LoadedDocument, password: str | None) -> None:
        """Take the pages of a PDF without readable text, before its content is stored. Raises StoreError."""
        unread = [page.number for page in loaded.pages if page.health not in READABLE]
        if unread and is_pdf(self._files.path(document_id), name):
            self._passwords[document_id] = password
            if not self._recognitions.expect(document_id, unread):
                self.forget(document_id)

    def wake(self) -> None:
        """Tell that there are pages to recognise."""
        self._background.wake()

    def progress(self) -> Mapping[str, IngestProgress]:
        """How far the documents are whose pages are being recognised, by document."""
        return dict(self._progress)

    def forget(self, document_id: str) -> None:
        """Leave a page of a document that is being deleted, and begin none of it."""
        self._passwords.pop(document_id, None)
        self._forgotten.add(document_id)
        self._call_off(document_id)

    def stop(self, document_id: str) -> None:
        """Recognise no more pages of a document; what was recognised of it is kept. Raises StoreError."""
        self._recognitions.move(Recognition.WAITING, Recognition.STOPPED, document_id)
        self._progress.pop(document_id, None)
        self._call_off(document_id)
        self._states.finish()
        self.wake()

    def resume(self, document_id: str) -> None:
        """Recognise those pages of a document after all that were left when that was stopped. Raises StoreError."""
        self._recognitions.move(Recognition.STOPPED, Recognition.WAITING, document_id)
        self._states.reopen()
        self.wake()

    def _round(self) -> None:
        """Some pages of each document that has any; where none has, wait for more."""
        unfinished = self._recognitions.unfinished()
        self._forgotten.intersection_update(unfinished)
        present = self._catalog.known([one for one in unfinished if one not in self._forgotten])
        self._progress = self._progress_of([document.document_id for document in present])
        for document in present:
            try:
                self._take(document)
            except (CancelledError, UnknownDocument):
                _log.info("%r was deleted or stopped, or is read anew, or the program ends", document.name)
        if not present:
            self._process.close()
            self._background.rest()

    def _take(self, document: Document) -> None:
        document_id = document.document_id
        if not self._available:
            self._recognitions.move(Recognition.WAITING, Recognition.MISSING, document_id)
        # A question may wait for the first of them.
        for number in self._recognitions.waiting(document_id, _PAGES_AT_ONCE if document.ocr_pages else 1):
            outcome = self._recognise(document, number)
            self._progress |= self._progress_of([document_id])
            if outcome is Recognition.LOCKED:
                break
        waits = bool(self._recognitions.waiting(document_id, 1))
        new = self._recognitions.unsearched(document_id)
        # A long document is split anew each time its pages have doubled: often at first, seldom later.
        if new > 0 and (not waits or new >= document.ocr_pages):
            self._add_recognised(document)
        if not waits:
            self._finish(document_id)

    def _recognise(self, document: Document, number: int) -> Recognition:
        """Recognise a page and store the outcome. Raises CancelledError."""
        document_id, ocr = document.document_id, self._settings.ocr
        self._background.wait_for(self._idle)
        cancel = threading.Event()
        with self._guard:
            self._in_hand = document_id, cancel
        # While an answer was waited for, the reader may have had enough.
        ended = self._background.closed.is_set() or document_id in self._forgotten
        if ended or self._recognitions.waiting(document_id, 1) != (number,):
            raise CancelledError
        path, password = self._files.path(document_id), self._passwords.get(document_id)
        job = OcrJob(path, document.name, password, number, ocr.dpi, ocr.memory_limit_mb)
        page: RecognisedPage | None = None
        try:
            page = self._recogniser(job, cancel)
            outcome = _outcome(page)
        except (PasswordNeeded, WrongPassword):
            self._recognitions.move(Recognition.WAITING, Recognition.LOCKED, document_id)
            return Recognition.LOCKED
        except DocumentError as error:
            _log.warning("page %d of %r was not recognised: %s", number, document.name, error)
            outcome = Recognition.FAILED
        except (CancelledError, OSError):
            # A machine that can start no process says nothing about the page: it is tried again.
            raise
        except Exception:  # noqa: BLE001 - whatever a strange page brings to light
            _log.exception("page %d of %r was not recognised", number, document.name)
            outcome = Recognition.FAILED
        self._recognitions.store(document_id, number, outcome, page)
        return outcome

    def _add_recognised(self, document: Document) -> None:
        """Make the text that was recognised so far searchable; text that cannot be is given up."""
        try:
            self._add(document.document_id, document.name)
        except (ReadingTimedOut, ReaderCrashed, TooManyPassages) as error:
            _log.warning("the recognised pages of %r could not be split: %s", document.name, error)
        except (WenquError, OSError, CancelledError):
            raise
        except Exception:  # noqa: BLE001 - whatever strange text brings to light
            _log.exception("the recognised pages of %r could not be stored", document.name)
        else:
            return
        self._recognitions.move(Recognition.READ, Recognition.FAILED, document.document_id)

    def _add(self, document_id: str, name: str) -> None:
        """Store the document anew, with all text that was recognised so far; its other passages keep their vectors."""
        recognised = self._recognitions.recognised(document_id)
        stored = Contents(self._catalog.engine).content(document_id)
        # Its outline stays: with the headings found on these pages, none would be looked for on the next.
        loaded, sections = split(stored, name, self._settings, self._background.closed, recognised)
        self._knowledge.add(document_id, sections, loaded, before=_READ)
        self._filler.wake()
        for page in loaded.pages:
            # What an older program took for text.
            if page.number in recognised and page.health not in READABLE:
                self._recognitions.store(document_id, page.number, Recognition.NOTHING)

    def _finish(self, document_id: str) -> None:
        """All pages are done: the document is as searchable as it gets, or has failed."""
        self._progress.pop(document_id, None)
        outcomes = self._recognitions.outcomes(document_id)
        if Recognition.STOPPED not in outcomes.values():
            self._passwords.pop(document_id, None)
        document = self._catalog.document(document_id)
        if document.status is DocumentStatus.RECOGNISING:
            error = without_text(document.name, outcomes, self._settings.ocr.enabled)
            _log.warning("%s", error)
            self._catalog.fail(document_id, error.message)
        self._states.finish()

    def _progress_of(self, document_ids: Sequence[str]) -> dict[str, IngestProgress]:
        counts = self._recognitions.counts(document_ids)
        return {own: IngestProgress(own, IngestStage.OCR, *counts.get(own, (0, 0))) for own in document_ids}

    def _call_off(self, document_id: str | None = None) -> None:
        """Leave the page in hand, if it is the document's, or whosever it is."""
        with self._guard:
            if self._in_hand is not None and document_id in (None, self._in_hand[0]):
                self._in_hand[1].set()


def _outcome(page: RecognisedPage) -> Recognition:
    if page.blank:
        return Recognition.BLANK
    return Recognition.READ if is_readable(page) else Recognition.NOTHING
