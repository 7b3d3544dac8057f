"""The tab where a visitor sees and changes what holds for their session."""

import time
from typing import Any

import gradio as gr

from rag.build import Services
from rag.i18n import Language
from rag.preferences.fields import Kind, fields_of, may_choose_model
from rag.types import ModelState
from rag.web.parts import (
    MAY_WARN,
    SHORT,
    Changes,
    action_part,
    event_fields,
    event_texts,
    hidden_part,
    scripted_part,
    toast_errors,
)
from rag.web.readers import Readers
from rag.web.render_model import model_box
from rag.web.settings.controls import NAME
from rag.web.settings.form import form, read_form
from rag.web.settings.panel import Panel

_SECONDS = 1.0


class SettingsTab:
    """The form of settings, and above it the model with what is on its way."""

    def __init__(self, services: Services, readers: Readers) -> None:
        self._profiles = services.profiles
        self._pool = services.pool
        self._models = services.models
        self._settings = services.settings
        self._readers = readers
        self._switches = frozenset(field.path for field in fields_of(services.settings) if field.kind is Kind.SWITCH)
        self._may_choose = may_choose_model(services.settings)
        self._health = action_part("health", "pull", "retry")
        self._form = scripted_part("preferences", "save", "reset", "ask_models", "look")
        self._timer = gr.Timer(_SECONDS, active=False)
        # Not gr.State, for which each page would hold a connection open that keeps the server from ending.
        self._awaited = hidden_part("awaited")
        self.shown = [self._health, self._form, self._timer, self._awaited]
        for event, act, wired in (
            (self._form.save, self._save, MAY_WARN),
            (self._form.reset, self._reset, MAY_WARN),
            (self._form.ask_models, self._ask_models, MAY_WARN),
            (self._form.look, self._look, SHORT),
            (self._health.pull, self._pull, MAY_WARN),
            (self._health.retry, self._look_again, SHORT),
        ):
            event(act, [readers.browser], self.shown, **wired)
        self._timer.tick(self._tick, [readers.browser, self._awaited], self.shown, **SHORT)

    def show(self, stored: object, request: gr.Request) -> Changes:
        """The session's settings as they are stored."""
        session_id, language = self._readers.of(stored, request)
        return self._model(session_id, language) | self._drawn(self._panel(session_id, language))

    def _look(self, stored: object, request: gr.Request) -> Changes:
        """The settings as another of the browser's tabs has left them."""
        session_id, language = self._readers.of(stored, request)
        return self._model(session_id, language) | self._drawn(self._panel(session_id, language), is_quiet=True)

    def _save(self, stored: object, event: gr.EventData, request: gr.Request) -> Any:
        session_id, language = self._readers.of(stored, request)
        asked = self._asked(event)
        with toast_errors(language):
            problems = self._profiles.change(session_id, asked).problems
            panel = self._panel(session_id, language, **({"refused": asked, "problems": problems} if problems else {}))
            return self._model(session_id, language) | self._drawn(panel, is_saved=not problems)
        return gr.skip()  # what was written stays

    def _ask_models(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """The form as it is written, with the models of the service in it, or with what is wrong there."""
        session_id, language = self._readers.of(stored, request)
        asked = self._asked(event)
        problems = self._profiles.ask_service(session_id, asked)
        return self._drawn(self._panel(session_id, language, refused=asked, problems=problems, has_asked=not problems))

    def _asked(self, event: gr.EventData) -> dict[str, object]:
        return read_form(event_fields(event, NAME), self._switches)

    def _reset(self, stored: object, request: gr.Request) -> Changes:
        session_id, language = self._readers.of(stored, request)
        with toast_errors(language):
            self._profiles.reset(session_id)
        return self.show(stored, request)

    def _pull(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        session_id, language = self._readers.of(stored, request)
        if self._may_choose:
            with toast_errors(language):
                self._pool.pull(session_id, event_texts(event, ["model"])[0].strip())
        return self._model(session_id, language)

    def _look_again(self, stored: object, request: gr.Request) -> Changes:
        self._models.retry()
        return self._model(*self._readers.of(stored, request))

    def _tick(self, stored: object, awaited: object, request: gr.Request) -> Changes:
        session_id, language = self._readers.of(stored, request)
        changes = self._model(session_id, language)
        if changes[self._awaited] != awaited:
            # What has arrived can be chosen now; the page keeps what was written and not saved.
            changes |= self._drawn(self._panel(session_id, language), is_quiet=True)
        return changes

    def _model(self, session_id: str, language: Language) -> Changes:
        status, coming = self._profiles.status(session_id), self._pool.pulling(session_id)
        may_pull = self._may_choose and self._pool.may_pull
        html = model_box(status, coming, self._pool.failures(session_id), may_pull, language)
        awaited = sorted(str(item.reason.values["model"]) for item in coming)
        if status.state is not ModelState.READY:
            awaited.append("")  # who answers
        return {self._health: html, self._timer: gr.Timer(active=bool(awaited)), self._awaited: awaited}

    def _drawn(self, panel: Panel, is_saved: bool = False, is_quiet: bool = False) -> Changes:
        # Nothing is drawn for a value that did not change, and what was written would stand there still.
        return {self._form: {"html": form(panel, is_saved), "quiet": is_quiet, "drawn": time.time_ns()}}

    def _panel(self, session_id: str, language: Language, **changes: Any) -> Panel:
        asked = changes.get("refused")
        return Panel(
            self._settings,
            self._profiles.preferences(session_id),
            self._profiles.offered(session_id, asked),
            self._models.status(),
            language,
            self._profiles.is_served(session_id),
            embeddings=self._profiles.offered_embeddings(),
            **changes,
        )
