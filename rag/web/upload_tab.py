"""Files: taking them in, how far each is, passwords, deletion; also the model badge and what is stored."""

from typing import Any

import gradio as gr

from rag.build import Services
from rag.errors import WenquError
from rag.i18n import Language
from rag.settings import Settings
from rag.types import Message, ModelState
from rag.web import render_files
from rag.web.labels import Upload, acting, drop_zone, still, told, warn
from rag.web.session import Visitor, language_of, new_visitor, visitor

Changes = dict[Any, Any]
_BUSY_SECONDS = 1.0
_IDLE_SECONDS = 5.0


class UploadTab:
    """The parts that follow files and models, and what happens in them."""

    def __init__(self, services: Services, settings: Settings, browser: gr.BrowserState) -> None:
        self._services = services
        self._settings = settings
        self._browser = browser

    def build_badge(self) -> None:
        """The part in the page's top right corner."""
        self._badge = acting("badge", "retry")
        # Here, and not in the tab: a part of a tab that was never opened does not tick.
        self._timer = gr.Timer(_BUSY_SECONDS)

    def build_storage(self) -> None:
        """The sidebar's foot."""
        self.storage = acting("storage", "forget")

    def build(self) -> None:
        """The tab's part."""
        self._drop = drop_zone("drop")
        self._limits = still("limits")
        self._refusals = still("refusals")
        self._files = acting("files", "remove", "unlock")

    def wire(self) -> None:
        """Connect the parts."""
        self.shown = [self._badge, self.storage, self._limits, self._files, self._timer]
        private: dict[str, Any] = {"api_visibility": "private", "show_progress": "hidden", "queue": False}
        everything = [*self.shown, self._drop, self._refusals]
        self._drop.upload(self._add, [self._drop, self._browser], everything, **private)
        self._files.remove(self._remove, [self._browser], everything, **private)
        self._files.unlock(self._unlock, [self._browser], everything, **private)
        self._badge.retry(self._look_again, [self._browser], self.shown, **private)
        self._timer.tick(self.show, [self._browser], self.shown, **private)

    def show(self, stored: object, request: gr.Request) -> Changes:
        """The files, the space they take and the model as they are now."""
        return self._state(visitor(stored), self._language(request))

    def forget(self, stored: object) -> dict[str, str | None]:
        """Delete all of a session, and begin a new one. Returns what the browser keeps."""
        self._services.forget(visitor(stored).session_id)
        return new_visitor().stored()

    def _add(self, uploads: list[Upload], stored: object, request: gr.Request) -> Changes:
        who, language = visitor(stored), self._language(request)
        refused: list[Message] = []
        for upload in uploads:
            try:
                self._services.ingest.add(who.session_id, upload.path, upload.name)
            except WenquError as error:
                refused.append(error.message)
        # The store has its own copies; Gradio's folder of uploads is no place for documents.
        for upload in uploads:
            upload.path.unlink(missing_ok=True)
        notices = render_files.refusals(refused, language)
        return self._state(who, language) | {self._drop: None, self._refusals: notices}

    def _remove(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        who, language = visitor(stored), self._language(request)
        refused: list[Message] = []
        try:
            self._services.ingest.delete(who.session_id, told(event, ["id"])[0])
        except WenquError as error:
            refused.append(error.message)
        return self._state(who, language) | {self._refusals: render_files.refusals(refused, language)}

    def _unlock(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        who, language = visitor(stored), self._language(request)
        document_id, password = told(event, ["id", "password"])
        refused: list[Message] = []
        try:
            self._services.ingest.retry(who.session_id, document_id, password)
        except WenquError as error:
            refused.append(error.message)
        return self._state(who, language) | {self._refusals: render_files.refusals(refused, language)}

    def _look_again(self, stored: object, request: gr.Request) -> Changes:
        language = self._language(request)
        try:
            self._services.models.retry()
        except WenquError as error:
            warn(error.message, language)
        return self._state(visitor(stored), language)

    def _state(self, who: Visitor, language: Language) -> Changes:
        ingest, limits = self._services.ingest, self._settings.loaders
        documents = ingest.documents(who.session_id)
        status = self._services.models.status()
        busy = render_files.busy(documents) or status.state is not ModelState.READY
        used, quota = ingest.storage(who.session_id), self._settings.store.session_quota_mb
        days = self._settings.conversation.expire_days
        return {
            self._badge: render_files.badge(status, language),
            self.storage: render_files.storage(documents, used, quota, days, language),
            self._limits: render_files.limits(limits, language),
            self._files: render_files.files(documents, ingest.progress(who.session_id), language),
            self._timer: gr.Timer(_BUSY_SECONDS if busy else _IDLE_SECONDS),
        }

    def _language(self, request: gr.Request) -> Language:
        return language_of(request, self._settings.server.language)
