"""The conversation's tab: joins its parts, and follows an answer from its question to its end."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import gradio as gr

from rag.build import Services
from rag.engine import ROOT
from rag.errors import UnknownTurn, WenquError
from rag.i18n import Language
from rag.settings import Settings
from rag.types import Decision, Evidence, Rating
from rag.web.chat import render_thread
from rag.web.chat.composer import Composer
from rag.web.chat.conversation_list import ConversationList
from rag.web.chat.memory_pane import MemoryPane
from rag.web.chat.scene import Changes, Scene, read_scene
from rag.web.chat.sources_pane import SourcesPane
from rag.web.chat.thread import Thread
from rag.web.chat.trace_pane import TracePane
from rag.web.labels import told, warn
from rag.web.session import Visitor, language_of, visitor
from rag.web.view import TurnView, views

_RATINGS = {rating.name.lower(): rating for rating in Rating}


class ChatTab:
    """The parts of the conversation and what happens in them."""

    def __init__(self, services: Services, settings: Settings, browser: gr.BrowserState) -> None:
        self._engine = services.engine
        self._settings = settings
        self._browser = browser
        self._list = ConversationList()
        self._thread = Thread()
        self._composer = Composer()
        self._sources = SourcesPane()
        self._trace = TracePane()
        self._memory = MemoryPane(services.engine, browser, settings.server.language)

    def build_list(self, label: gr.I18n) -> None:
        """The sidebar's part."""
        self._list.build(label)

    def build(self, label: gr.I18n) -> None:
        """The tab's part."""
        with gr.Row(elem_id="desk"):
            with gr.Column(elem_id="talk"):
                with gr.Column(elem_id="thread"):
                    self._thread.build()
                self._composer.build(label)
            with gr.Column(elem_id="desk-sources"):
                self._sources.build()
                self._trace.build()
                self._memory.build()

    def wire(self) -> None:
        """Connect the parts. Asking may take long and has its own queue; everything else is short."""
        self._parts = (self._list, self._thread, self._composer, self._sources, self._trace, self._memory)
        self.shown = [self._browser, *(output for part in self._parts for output in part.outputs)]
        private: dict[str, Any] = {"outputs": self.shown, "api_visibility": "private", "show_progress": "hidden"}
        short = private | {"queue": False}
        long = private | {
            "concurrency_id": "answers",
            "concurrency_limit": self._settings.server.concurrency,
        }
        question, turns = self._composer.question, self._thread.turns
        asking = [
            question.submit(self._ask, [question, self._browser], **long),
            self._composer.suggestions.ask(self._ask_suggestion, [self._browser], **long),
            turns.retry(self._retry, [self._browser], **long),
        ]
        question.stop(self._stop, [self._browser], None, api_visibility="private", queue=False)
        turns.rate(self._rate, [self._browser], **short | {"outputs": self._thread.outputs})
        self._memory.wire()
        # Leaving a conversation ends its answer: the engine keeps what had arrived. A last piece of it may still have
        # been on its way to the page, so the page is shown once more.
        for leave, act in (
            (self._list.new.click, self._start),
            (self._list.part.open, self._open),
            (self._list.part.remove, self._remove),
        ):
            leave(act, [self._browser], cancels=asking, **short).then(self.show, [self._browser], **short)

    def show(self, stored: object, request: gr.Request) -> Changes:
        """Everything as the session has it stored."""
        return self._state(visitor(stored), self._language(request))

    def _ask(self, question: str, stored: object, request: gr.Request) -> Iterator[Changes]:
        yield from self._answer(question, visitor(stored), self._language(request))

    def _ask_suggestion(self, stored: object, event: gr.EventData, request: gr.Request) -> Iterator[Changes]:
        yield from self._answer(told(event, ["id"])[0], visitor(stored), self._language(request))

    def _retry(self, stored: object, event: gr.EventData, request: gr.Request) -> Iterator[Changes]:
        who, language = visitor(stored), self._language(request)
        turn_id, chosen = told(event, ["id", "decision"])
        decision = Decision(chosen) if chosen in set(Decision) else None
        turns = self._scene(who, language).turns
        place = next((place for place, turn in enumerate(turns) if turn.turn_id == turn_id), None)
        if place is None:
            warn(UnknownTurn().message, language)
            return
        yield {self._thread.turns: render_thread.thread(turns[:place], language) if place else ""}
        yield from self._answer(turns[place].question, who, language, turns[place].parent_turn_id or ROOT, decision)

    def _rate(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        who, language = visitor(stored), self._language(request)
        turn_id, chosen = told(event, ["id", "rating"])
        try:
            self._engine.rate(who.session_id, turn_id, _RATINGS.get(chosen, Rating.NONE))
        except WenquError as error:
            warn(error.message, language)
        return self._thread.shown(self._scene(who, language))

    def _answer(
        self,
        question: str,
        who: Visitor,
        language: Language,
        parent_turn_id: str | None = None,
        decision: Decision | None = None,
    ) -> Iterator[Changes]:
        """What changes on the page from the question to the end of its answer."""
        events = self._engine.stream(
            question, who.session_id, parent_turn_id, conversation_id=who.conversation_id, decision=decision
        )
        # A reader who leaves must not keep the model: closing ends the turn.
        with closing(events):
            if not self._scene(who, language).turns:
                yield {self._thread.turns: ""}
            yield self._composer.busy()
            sources: tuple[Evidence, ...] = ()
            for view in views(question, events):
                if view.over:
                    yield self._ended(view, who, language)
                    return
                changes: Changes = {self._thread.live: render_thread.live(view, language)}
                if view.evidence != sources:
                    sources = view.evidence
                    changes |= self._sources.found(sources, language)
                yield changes

    def _ended(self, view: TurnView, who: Visitor, language: Language) -> Changes:
        """The page after a turn: what is stored of it, or why nothing is, with the question kept to try again."""
        if view.turn is not None:
            return self._state(Visitor(who.session_id, view.turn.conversation_id), language, view)
        refusal = render_thread.refusal(view.error.message, language) if view.error is not None else ""
        return self._state(who, language) | {self._thread.live: refusal} | self._composer.kept(view.question)

    def _stop(self, stored: object) -> None:
        self._engine.stop(visitor(stored).session_id)

    def _start(self, stored: object, request: gr.Request) -> Changes:
        session_id = visitor(stored).session_id
        who = Visitor(session_id, self._engine.start_conversation(session_id))
        return self._state(who, self._language(request))

    def _open(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        who = Visitor(visitor(stored).session_id, told(event, ["id"])[0])
        return self._state(who, self._language(request))

    def _remove(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        who, language = visitor(stored), self._language(request)
        conversation_id = told(event, ["id"])[0]
        try:
            self._engine.delete_conversation(who.session_id, conversation_id)
        except WenquError as error:
            warn(error.message, language)
        if conversation_id == who.conversation_id:
            who = Visitor(who.session_id)
        return self._state(who, language)

    def _scene(self, who: Visitor, language: Language, view: TurnView | None = None) -> Scene:
        return read_scene(self._engine, who, language, view)

    def _state(self, who: Visitor, language: Language, view: TurnView | None = None) -> Changes:
        scene = self._scene(who, language, view)
        changes: Changes = {self._browser: scene.who.stored()}
        for part in self._parts:
            changes |= part.shown(scene)
        return changes

    def _language(self, request: gr.Request) -> Language:
        return language_of(request, self._settings.server.language)
