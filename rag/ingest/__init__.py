"""Files of sessions: copied into the store, taken in, looked at, deleted."""

import logging
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path

from rag.background import Background
from rag.errors import (
    QuotaExceeded,
    ReadingInterrupted,
    ReadingPutOff,
    StoreError,
    StoreFull,
    UnknownDocument,
    WenquError,
)
from rag.events import IngestEvent, IngestFailed, IngestProgress, Searchable
from rag.files import MEGABYTE, Copy, FileStore, check_size, plain_name
from rag.ingest.intake import Intake
from rag.ingest.ocr_filler import OcrFiller
from rag.ingest.page_report import page_report
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.catalog import Catalog
from rag.knowledge.contents import Contents
from rag.knowledge.document_states import Recognitions
from rag.knowledge.filler import VectorFiller
from rag.knowledge.stored import StoredKnowledgeBase
from rag.settings import Settings
from rag.types import SEARCHABLE, Arrival, Document, DocumentStatus, Message, PageGroup

_ATTEMPTS = 2
_log = logging.getLogger(__name__)
_READ_ONCE = (*SEARCHABLE, DocumentStatus.FAILED)


class Ingest:
    """Takes files in and lets go of them. A session reaches only its own documents."""

    def __init__(
        self,
        settings: Settings,
        catalog: Catalog,
        knowledge: StoredKnowledgeBase,
        filler: VectorFiller,
        ocr: OcrFiller,
        intake: Intake,
    ) -> None:
        self._settings = settings
        self._catalog = catalog
        self._knowledge = knowledge
        self._filler = filler
        self._ocr = ocr
        self._files = FileStore(settings.store.path)
        self._contents = Contents(catalog.engine)
        self._recognitions = Recognitions(catalog.engine)
        self._intake = intake
        # One file comes or goes at a time: the same bytes twice are one document, and two files share one quota.
        self._arriving = threading.Lock()
        self._clearing = Background("deletions", self._clear)

    def start(self) -> None:
        """Begin to work, first on what a killed process left unfinished."""
        self._clearing.start()
        self._files.sweep(self._catalog.document_ids())
        for document in self._catalog.unfinished():
            if document.attempts >= _ATTEMPTS:
                self._catalog.fail(document.document_id, ReadingInterrupted(name=document.name).message)
            else:
                self._intake.put(document, None)
        self._intake.start()
        self._filler.wake()
        self._ocr.start()

    def close(self) -> None:
        """Stop working; a file that is being read is taken up again at the next start."""
        self._intake.close()
        self._ocr.close()
        self._clearing.close()

    def receive(self, session_id: str, path: Path, name: str, password: str | None = None) -> Arrival:
        """Copy a file into the store and queue it, unless its content is there. Raises DocumentError, StoreError."""
        name = plain_name(name)
        check_size(path, name, self._settings.loaders.max_file_mb)
        with self._files.copied(path) as copy, self._arriving:
            if session_id != SHARED_COLLECTION:
                self._check_room(session_id, copy)
            document = self._catalog.register(session_id, name, copy.sha256, copy.size)
            if document.status is DocumentStatus.QUEUED and not self._intake.holds(document.document_id):
                self._keep(copy, document)
                self._intake.put(document, password)
                return Arrival(document)
        return Arrival(document, Message("document.same_content", {"name": name, "known": document.name}))

    def share(self, path: Path) -> None:
        """Make a file the one that everybody may search; an earlier version goes once it can be. Raises StoreError."""
        present = self.receive(SHARED_COLLECTION, path, path.name).document
        documents = self._catalog.documents(SHARED_COLLECTION)
        if earlier := [one.document_id for one in documents if one.document_id != present.document_id]:
            arguments = (present.document_id, earlier)
            threading.Thread(target=self._supersede, args=arguments, name="share", daemon=True).start()

    def reread(self, session_id: str, document_id: str, password: str | None = None) -> Document:
        """Read a document anew, from the copy that was kept. What it had is searched until that has succeeded.

        Nothing happens to one that is being read. Raises UnknownDocument.
        """
        document = self._own(session_id, document_id)
        with self._arriving:
            if self._catalog.requeue(document_id, _READ_ONCE):
                self._intake.put(document, password)
        return self._own(session_id, document_id)

    def follow(self, session_id: str, document_id: str) -> Iterator[IngestEvent]:
        """The document's events until it is searchable or has failed. Raises UnknownDocument, ReadingPutOff."""
        last: IngestProgress | None = None
        while True:
            progress = self._intake.next_progress(document_id, last)
            document = self._own(session_id, document_id)
            if document.searchable:
                yield Searchable(document)
                return
            if document.status is DocumentStatus.FAILED and document.message is not None:
                yield IngestFailed(document)
                return
            if self._intake.closed:
                raise ReadingPutOff(name=document.name)
            if progress is not None and progress != last:
                last = progress
                yield progress

    def progress(self, seen: Iterable[Document]) -> Mapping[str, IngestProgress]:
        """What is being done now with documents that a session sees, by their ids."""
        current = self._intake.progress()
        ids = (document.document_id for document in seen)
        return {document_id: current[document_id] for document_id in ids if document_id in current}

    def report(self, session_id: str, document_id: str) -> tuple[PageGroup, ...]:
        """Which pages of a document that the session can see are searched, and why the others are not.

        Raises UnknownDocument, StoreError.
        """
        document = self._catalog.visible(session_id, document_id)
        outcomes = self._recognitions.outcomes(document_id)
        return page_report(document.name, self._contents.health(document_id), outcomes)

    def stop_recognition(self, session_id: str, document_id: str) -> None:
        """Recognise no more pages of a document; what was recognised is kept. Raises UnknownDocument, StoreError."""
        self._own(session_id, document_id)
        self._ocr.stop(document_id)

    def resume_recognition(self, session_id: str, document_id: str) -> None:
        """Recognise the pages that were left when that was stopped. Raises UnknownDocument, StoreError."""
        if self._own(session_id, document_id).status is DocumentStatus.FAILED:
            self.reread(session_id, document_id)
        else:
            self._ocr.resume(document_id)

    def stopped(self, session_id: str) -> Mapping[str, int]:
        """How many pages of the session's own documents are left whose recognition was stopped, by document."""
        return self._recognitions.stopped(session_id)

    def documents(self, session_id: str) -> tuple[Document, ...]:
        """The session's own documents and the shared ones."""
        return self._catalog.documents(session_id) + self._catalog.documents(SHARED_COLLECTION)

    def document(self, session_id: str, document_id: str) -> Document:
        """One of those. Raises UnknownDocument."""
        return self._catalog.visible(session_id, document_id)

    def delete(self, session_id: str, document_id: str) -> None:
        """Delete a document with its file, chunks and vectors. Raises UnknownDocument."""
        self._own(session_id, document_id)
        with self._arriving:
            # In this order: the database writes to delete, too, for which a full disk has no room before the file goes.
            self._discard(document_id)
            self._knowledge.delete(document_id)
        self._clearing.wake()

    def forget(self, session_id: str) -> None:
        """Delete all of a session's documents, so that the store holds nothing of them."""
        # A file that the disk refuses to delete keeps none of the others: nobody would know of them any more.
        with ExitStack() as each, self._arriving:
            each.callback(self._knowledge.clear_deleted)
            each.callback(self._knowledge.delete_collection, session_id)
            for document in self._catalog.documents(session_id):
                each.callback(self._discard, document.document_id)

    def use(self, session_id: str) -> None:
        """Note that the session's files are in use."""
        with suppress(StoreError):  # what was found is worth more; the next search notes it
            self._catalog.use(session_id, datetime.now(UTC))

    def check_writable(self) -> None:
        """Raises StoreError where the store takes nothing more, as on a full disk."""
        self._files.check_writable()

    def storage(self, session_id: str) -> int:
        """Bytes of the session's files."""
        return self._catalog.storage_used(session_id)

    def _clear(self) -> None:
        self._knowledge.clear_deleted()
        self._clearing.rest()

    def _check_room(self, session_id: str, copy: Copy) -> None:
        quota, total = self._settings.store.session_quota_mb, self._settings.store.total_mb
        used = self._catalog.storage_used(session_id, besides=copy.sha256)
        if used + copy.size > quota * MEGABYTE:
            raise QuotaExceeded(limit_mb=quota)
        if total and self._catalog.storage_used(session_id, copy.sha256, in_all=True) + copy.size > total * MEGABYTE:
            raise StoreFull(limit_mb=total)

    def _keep(self, copy: Copy, document: Document) -> None:
        try:
            self._files.keep(copy, document.document_id)
        except StoreError as refused:
            # Its row is there, and nobody would ever read it.
            self._catalog.fail(document.document_id, refused.message)
            raise

    def _supersede(self, document_id: str, earlier: Iterable[str]) -> None:
        """Delete the earlier versions of a shared document once that can be searched: it may turn out to be damaged."""
        try:
            for event in self.follow(SHARED_COLLECTION, document_id):
                for gone in earlier if isinstance(event, Searchable) else ():
                    self.delete(SHARED_COLLECTION, gone)
        except WenquError as error:
            _log.warning("an earlier version is shared until the next start: %s", error)

    def _discard(self, document_id: str) -> None:
        """Stop the reading of a document that was deleted, and delete its file."""
        self._intake.cancel(document_id)
        self._ocr.forget(document_id)
        self._files.remove(document_id)

    def _own(self, session_id: str, document_id: str) -> Document:
        document = self._catalog.document(document_id)
        if document.collection_id != session_id:
            raise UnknownDocument()
        return document
