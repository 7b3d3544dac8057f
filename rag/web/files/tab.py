"""Files: taking them in, how far each is, which the chat uses, deletion; also the model badge and what is stored."""

import hashlib
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime

import gradio as gr

from rag.build import Services
from rag.errors import WenquError
from rag.files import MEGABYTE
from rag.knowledge.base import SHARED_COLLECTION
from rag.types import Document, DocumentStatus, ModelState
from rag.web import render_model
from rag.web.files.inspector import Inspector
from rag.web.files.render_beside import beside
from rag.web.files.render_table import FileRow, table
from rag.web.files.render_zone import lasting, storage, storage_bar, zone
from rag.web.files.uploads import Uploads
from rag.web.markup import notice
from rag.web.page_images import PageImages
from rag.web.parts import (
    EACH,
    SHORT,
    Changes,
    action_part,
    event_texts,
    hidden_part,
    scripted_part,
    static_part,
    toast_errors,
    toast_info,
)
from rag.web.readers import Readers
from rag.web.session import known_visitor, new_visitor, visitor, zone_of

_SETTLED = (DocumentStatus.READY, DocumentStatus.FAILED)
_BUSY_SECONDS = 1.0
_IDLE_SECONDS = 5.0
# How many times as long as a look has taken the page waits for the next: to count the vectors of 65,000 passages takes
# 25 ms, while others are being made, and a session may have many such files.
_REST = 10


def seconds_to_next_look(working: bool, taken: float) -> float:
    """How long a page waits until it looks again, after a look that took so many seconds of computing."""
    return min(max(_BUSY_SECONDS, float(round(_REST * taken))), _IDLE_SECONDS) if working else _IDLE_SECONDS


class FilesTab:
    """The parts that follow files and models, and what happens in them."""

    def __init__(self, services: Services, readers: Readers, images: PageImages, uploads: Uploads) -> None:
        self._services = services
        self._settings = services.settings
        self._readers = readers
        self._images = images
        self._uploads = uploads

    def build_badge(self) -> None:
        """The part in the page's top right corner."""
        self._badge = scripted_part("badge", "retry")
        # Here, and not in the tab: a part of a tab that was never opened does not tick.
        self._timer = gr.Timer(_BUSY_SECONDS)
        self._seen = hidden_part("seen")
        self.own = [self._readers.browser, self._seen]

    def build_storage(self) -> None:
        """The sidebar's foot."""
        self.storage = action_part("storage", "forget")

    def build_beside_question(self) -> None:
        """Who answers, where that is not as expected; which files are asked, if not all; which are on their way."""
        self._standing = action_part("standing", "retry")
        self._using = static_part("using")
        self._sending = scripted_part("uploads", "added")

    def build(self) -> None:
        """The tab's part."""
        with gr.Row(elem_id="shelf"):
            with gr.Column(elem_id="shelf-files"):
                self._drop = scripted_part("drop")
                self._refusals = static_part("refusals")
                self._room = static_part("room")
                self._files = scripted_part("files", "choose", "remove", "unlock", "reread", "halt", "resume")
            with gr.Column(elem_id="shelf-detail"):
                Inspector(self._services, self._readers, self._images)
        around = [self._badge, self._standing, self._using, self._sending, self.storage]
        self.shown = [*around, self._drop, self._room, self._files, self._timer, self._seen]
        self._wire()

    def _wire(self) -> None:
        browser, everything = [self._readers.browser], [*self.shown, self._refusals]
        self._sending.added(self.show, self.own, self.shown, **SHORT)
        files, ingest = self._files, self._services.ingest
        for event, act, names in (
            (files.choose, self._choose, ("id", "used")),
            (files.unlock, ingest.reread, ("id", "password")),
            (files.reread, ingest.reread, ("id",)),
            (files.halt, ingest.stop_recognition, ("id",)),
            (files.resume, ingest.resume_recognition, ("id",)),
        ):
            event(self._doing(act, *names), browser, everything, **EACH)
        self.removed = files.remove(self._doing(ingest.delete, "id"), browser, everything, **EACH)
        for part in (self._badge, self._standing):
            part.retry(self._look_again, browser, self.shown, **SHORT)
        self._timer.tick(self.show, self.own, self.shown, **SHORT)

    def show(self, stored: object, seen: object, request: gr.Request) -> Changes:
        """What of the files, the space they take and the model is not as the page has it.

        A page may ask before its session has come; what it would be told of another one, and send there, was lost.
        """
        who = known_visitor(stored)
        if who is None:
            return {self._timer: gr.Timer(_BUSY_SECONDS)}
        changes, had = self._state(who.session_id, request), seen if isinstance(seen, dict) else {}
        marks = changes[self._seen]
        same = [part for part in changes if part.elem_id in marks and marks[part.elem_id] == had.get(part.elem_id)]
        return {part: value for part, value in changes.items() if part not in same}

    def forget(self, stored: object, request: gr.Request) -> dict[str, str | None]:
        """Delete all of a session, and begin a new one. Returns what the browser keeps."""
        who = visitor(stored)
        self._uploads.revoke(who.session_id)
        with toast_errors(self._readers.language(request)):
            self._services.retention.forget(who.session_id)
            toast_info("web.sidebar.forgotten", self._readers.language(request))
            return new_visitor().stored()
        # What is left is the session's still: it can be deleted later.
        self._uploads.admit(who.session_id)
        return who.stored()

    def _choose(self, session_id: str, document_id: str, used: str) -> None:
        """Let the chat use a file, or not; without a file's id, all of them."""
        if document_id:
            self._services.selection.choose(session_id, document_id, used=bool(used))
        else:
            self._services.selection.choose_all(session_id, used=bool(used))

    def _doing(self, act: Callable[..., object], *names: str) -> Callable[..., Changes]:
        """What shows the page after this was done to a session's files with the texts that came, or why it was not."""

        def do(stored: object, event: gr.EventData, request: gr.Request) -> Changes:
            session_id, language = self._readers.of(stored, request)
            try:
                act(session_id, *event_texts(event, names))
            except WenquError as error:
                changes = self._state(session_id, request) | {self._refusals: notice(error.message, language)}
                # Nothing is drawn for a value that did not change, and a box would go on showing what was pressed.
                changes[self._files] |= {"drawn": time.time_ns()}
                return changes
            return self._state(session_id, request) | {self._refusals: ""}

        return do

    def _look_again(self, stored: object, request: gr.Request) -> Changes:
        self._services.models.retry()
        return self._state(visitor(stored).session_id, request)

    def _state(self, session_id: str, request: gr.Request) -> Changes:
        begun, language = time.thread_time(), self._readers.language(request)
        ingest, quota = self._services.ingest, self._settings.store.session_quota_mb
        documents = ingest.documents(session_id)
        own = [document for document in documents if document.collection_id != SHARED_COLLECTION]
        days_left = self._services.retention.days_left(session_id, datetime.now(UTC))
        rows = self._rows(session_id, documents)
        status = self._services.profiles.status(session_id)
        unsettled = any(document.status not in _SETTLED for document in documents)
        working = unsettled or status.state is not ModelState.READY or any(row.checking for row in rows)
        used, days = ingest.storage(session_id), self._settings.conversation.expire_days
        left, ephemeral = quota * MEGABYTE - used, self._settings.store.ephemeral
        until = lasting("files.expires", days_left, ephemeral, language)
        changes: Changes = {
            self._badge: {"html": render_model.badge(status, language)},
            self._standing: render_model.standing(status, language),
            self.storage: storage(documents, used, quota, days, language, ephemeral=ephemeral),
            self._using: beside(rows, language),
            self._sending: {"ticket": self._uploads.ticket(session_id), "left": left},
            self._drop: {"html": zone(left, self._settings, language)},
            self._room: storage_bar(own, used, quota, until, language) if own else "",
            self._files: {"html": table(rows, language, zone_of(request))},
        }
        return changes | {
            self._timer: gr.Timer(seconds_to_next_look(working, time.thread_time() - begun)),
            self._seen: {part.elem_id: _mark(value) for part, value in changes.items()},
        }

    def _rows(self, session_id: str, documents: tuple[Document, ...]) -> list[FileRow]:
        progress = self._services.ingest.progress(documents)
        left_out = self._services.selection.left_out(session_id)
        stopped = self._services.ingest.stopped(session_id)
        reconciler = self._services.reconciler
        self_check = self._services.self_check
        checks, checking = self_check.checks(session_id), self_check.checking()
        return [
            FileRow(
                document,
                used=document.document_id not in left_out,
                progress=progress.get(document.document_id),
                check=checks.get(document.document_id),
                checking=document.document_id in checking,
                stopped=stopped.get(document.document_id, 0),
                trouble=reconciler.trouble if reconciler else None,
            )
            for document in documents
        ]


def _mark(value: object) -> str:
    """What tells one value of a part from another."""
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()
