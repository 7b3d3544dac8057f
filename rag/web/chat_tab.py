"""The conversation: asking, watching the answer come, its sources, and the list of conversations."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from typing import Any

import gradio as gr

from rag.build import Services
from rag.engine import ROOT
from rag.errors import UnknownConversation, UnknownTurn, WenquError
from rag.i18n import Language
from rag.settings import Settings
from rag.types import Decision, Evidence, Rating, Turn
from rag.web import render_chat
from rag.web.labels import acting, still, told, warn
from rag.web.render_trace import trace
from rag.web.session import Visitor, language_of, visitor
from rag.web.summary_block import SummaryBlock
from rag.web.view import TurnView, views

Changes = dict[Any, Any]
_RATINGS = {rating.name.lower(): rating for rating in Rating}


class ChatTab:
    """The parts of the conversation and what happens in them."""

    def __init__(self, services: Services, settings: Settings, browser: gr.BrowserState) -> None:
        self._engine = services.engine
        self._settings = settings
        self._browser = browser
        self._summary = SummaryBlock(services.engine, browser, settings.server.language)

    def build_list(self, label: gr.I18n) -> None:
        """The sidebar's part."""
        self._new = gr.Button(label("web.sidebar.new"), elem_id="new-conversation")
        self._list = acting("conversations", "open", "remove")

    def build(self, label: gr.I18n) -> None:
        """The tab's part."""
        with gr.Row(elem_id="desk"):
            with gr.Column(elem_id="talk"):
                with gr.Column(elem_id="thread"):
                    self._thread = acting("turns", "retry", "rate")
                    self._live = still("live")
                self._question = gr.Textbox(
                    elem_id="question",
                    label=label("web.chat.placeholder"),
                    placeholder=label("web.chat.placeholder"),
                    show_label=False,
                    container=False,
                    lines=1,
                    max_lines=6,
                    submit_btn=True,
                    autofocus=True,
                )
                self._suggestions = acting("suggestions", "ask")
            with gr.Column(elem_id="desk-sources"):
                self._sources = still("sources")
                self._trace = still("trace")
                self._summary.build()

    def wire(self) -> None:
        """Connect the parts. Asking may take long and has its own queue; everything else is short."""
        shown = [self._browser, self._thread, self._live, self._list, self._suggestions, self._sources, self._trace]
        shown += [self._summary.part, self._question]
        long: dict[str, Any] = {
            "outputs": shown,
            "api_visibility": "private",
            "show_progress": "hidden",
            "concurrency_id": "answers",
            "concurrency_limit": self._settings.server.concurrency,
        }
        short: dict[str, Any] = {
            "outputs": shown,
            "api_visibility": "private",
            "show_progress": "hidden",
            "queue": False,
        }
        asking = [
            self._question.submit(self._ask, [self._question, self._browser], **long),
            self._suggestions.ask(self._ask_suggestion, [self._browser], **long),
            self._thread.retry(self._retry, [self._browser], **long),
        ]
        self._question.stop(self._stop, [self._browser], None, api_visibility="private", queue=False)
        self._thread.rate(self._rate, [self._browser], **short | {"outputs": [self._thread]})
        self._summary.wire()
        # Leaving a conversation ends its answer: the engine keeps what had arrived. A last piece of it may still have
        # been on its way to the page, so the page is shown once more.
        for leave, act in (
            (self._new.click, self._start),
            (self._list.open, self._open),
            (self._list.remove, self._remove),
        ):
            leave(act, [self._browser], cancels=asking, **short).then(self.show, [self._browser], **short)
        self.shown = shown

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
        turns = self._turns(who)
        place = next((place for place, turn in enumerate(turns) if turn.turn_id == turn_id), None)
        if place is None:
            warn(UnknownTurn().message, language)
            return
        yield {self._thread: render_chat.thread(turns[:place], language) if place else ""}
        yield from self._answer(turns[place].question, who, language, turns[place].parent_turn_id or ROOT, decision)

    def _rate(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        who, language = visitor(stored), self._language(request)
        turn_id, chosen = told(event, ["id", "rating"])
        try:
            self._engine.rate(who.session_id, turn_id, _RATINGS.get(chosen, Rating.NONE))
        except WenquError as error:
            warn(error.message, language)
        return {self._thread: render_chat.thread(self._turns(who), language)}

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
            if not self._turns(who):
                yield {self._thread: "", self._suggestions: ""}
            yield {self._question: gr.Textbox(value="", submit_btn=False, stop_btn=True)}
            sources: tuple[Evidence, ...] = ()
            for view in views(question, events):
                if view.over:
                    yield self._ended(view, who, language)
                    return
                changes: Changes = {self._live: render_chat.live(view, language)}
                if view.evidence != sources:
                    sources = view.evidence
                    changes[self._sources] = render_chat.sources(sources, (), language)
                yield changes

    def _ended(self, view: TurnView, who: Visitor, language: Language) -> Changes:
        """The page after a turn: what is stored of it, or why nothing is, with the question kept to try again."""
        if view.turn is not None:
            who = Visitor(who.session_id, view.turn.conversation_id)
            return self._state(who, language, view)
        kept = gr.Textbox(value=view.question.strip(), submit_btn=True, stop_btn=False)
        refusal = render_chat.refusal(view.error.message, language) if view.error is not None else ""
        return self._state(who, language) | {self._live: refusal, self._question: kept}

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

    def _state(self, who: Visitor, language: Language, view: TurnView | None = None) -> Changes:
        entries = self._engine.conversations(who.session_id)
        if who.conversation_id is None and entries:
            who = Visitor(who.session_id, entries[0].conversation_id)
        turns = self._turns(who)
        current = turns[-1].sources if turns else ()
        today = datetime.now().astimezone().date()
        return {
            self._browser: who.stored(),
            self._thread: render_chat.thread(turns, language),
            self._live: "",
            self._list: render_chat.conversations(entries, who.conversation_id, today, language),
            self._suggestions: "" if turns else render_chat.suggestions(language),
            self._sources: render_chat.sources(current, _earlier(turns, current), language),
            self._trace: trace(turns[-1] if turns else None, view, language),
            self._summary.part: self._summary.shown(who, language),
            self._question: gr.Textbox(submit_btn=True, stop_btn=False),
        }

    def _turns(self, who: Visitor) -> tuple[Turn, ...]:
        """The conversation in view; empty where there is none, or none any more."""
        if who.conversation_id is None:
            return ()
        try:
            return self._engine.turns(who.session_id, who.conversation_id)
        except UnknownConversation:
            return ()

    def _language(self, request: gr.Request) -> Language:
        return language_of(request, self._settings.server.language)


def _earlier(turns: Sequence[Turn], current: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence of a conversation that is not among its newest turn's, by number."""
    found = {item.number: item for turn in turns for item in turn.sources}
    for item in current:
        found.pop(item.number, None)
    return tuple(found[number] for number in sorted(found))
