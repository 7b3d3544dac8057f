"""The conversation's tab: joins its parts, and what the reader does with a conversation and its turns."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gradio as gr

from rag.build import Services
from rag.types import Rating
from rag.web.bounded_queue import ANSWERS
from rag.web.chat.asking import Asking
from rag.web.chat.composer import Composer
from rag.web.chat.conversation_list import MAX_SEARCH_LENGTH, ConversationList
from rag.web.chat.export_pane import ExportPane
from rag.web.chat.memory_pane import MemoryPane
from rag.web.chat.render_foot import MAX_REASON_LENGTH
from rag.web.chat.sources_pane import SourcesPane
from rag.web.chat.thread import Thread
from rag.web.chat.trace_pane import TracePane
from rag.web.page_images import PageImages
from rag.web.parts import EACH, LEAVE, MAY_WARN, SETTLE, SHORT, Changes, arrive, event_texts, toast_errors, toast_info
from rag.web.readers import Readers, Scene, now_in
from rag.web.session import Visitor, visitor, zone_of

_LOOK_AGAIN_SECONDS = 1.0
_RATINGS = {rating.name.lower(): rating for rating in Rating}


class ChatTab:
    """The parts of the conversation and what happens in them."""

    def __init__(self, services: Services, readers: Readers, images: PageImages) -> None:
        self._services = services
        self._engine = services.engine
        self._settings = services.settings
        self._readers = readers
        self._browser = readers.browser
        self._images = images

    def build_list(self) -> None:
        """The sidebar's part."""
        self._list = ConversationList()

    def build(self, build_beside_question: Callable[[], None]) -> None:
        """The tab's part; `build_beside_question` makes those that tell who answers, and from which files."""
        with gr.Row(elem_id="desk"):
            with gr.Column(elem_id="talk"):
                self._head = ExportPane(self._readers)
                with gr.Column(elem_id="thread"):
                    self._thread = Thread(self._settings.store.ephemeral)
                build_beside_question()
                self._composer = Composer()
                self._watch = gr.Timer(_LOOK_AGAIN_SECONDS, active=False)
            with gr.Column(elem_id="desk-sources"):
                self._sources = SourcesPane(self._readers, self._services.pages, self._images)
                self._trace = TracePane(self._readers)
                self._memory = MemoryPane(self._engine, self._readers)
        self._parts_around = (self._list, self._head, self._composer, self._sources, self._trace, self._memory)
        outputs = [output for part in (self._thread, *self._parts_around) for output in part.outputs]
        self.shown = [self._browser, self._composer.timer, self._watch, *outputs]
        self.asking = self._wire_asking()
        self._wire()

    def _wire(self) -> None:
        """Connect what is short. Asking may take long and has its own queue."""
        turns, own = self._thread.turns, [self._browser]
        turns.rate(self._rate, own, self.shown, **MAY_WARN)
        turns.sync(self._sync, own, [turns], **EACH)
        turns.branch(self._branch, own, self.shown, **MAY_WARN)
        self._list.part.rename(self._rename, own, [self._list.part, *self._head.outputs], **MAY_WARN)
        self._list.part.drop(self._drop, own, [self._list.part], **MAY_WARN)
        self._list.search.search(self._search, own, [self._list.part], **EACH)
        self._composer.timer.tick(self._suggest, own, [self._composer.timer, self._composer.suggestions], **SHORT)
        self._watch.tick(self._look, own, self.shown, **SHORT)
        # Leaving a conversation ends its answer: the engine keeps what had arrived. A last piece of it may still have
        # been on its way to the page, so the page is shown once more.
        for leave, act in (
            (self._list.new.click, self._start),
            (self._list.part.open, self._open),
            (self._list.part.remove, self._remove),
        ):
            left = leave(act, own, self.shown, cancels=self.asking, js=LEAVE, **MAY_WARN)
            arrive(left, left.then(self.show, own, self.shown, **SHORT))

    def _wire_asking(self) -> list[Any]:
        """Connect all that begins an answer. Returns the events that leaving the conversation ends."""
        question, turns, own = self._composer.question, self._thread.turns, [self._browser]
        act = Asking(
            self._engine,
            self._readers,
            self._thread,
            self._composer,
            self._sources,
            self._around,
            look_again=self._services.models.retry,
        )
        long = {**MAY_WARN, "concurrency_id": ANSWERS, "concurrency_limit": self._settings.server.max_waiting}
        question.stop(act.stop, None, None, **SHORT)
        asking = [
            question.submit(act.ask, [question, *own], self.shown, **long),
            self._composer.suggestions.ask(act.choose, own, self.shown, **long),
            turns.retry(act.retry, own, self.shown, **long),
            turns.edit(act.edit, own, self.shown, **long),
            self._trace.part.retry(act.retry, own, self.shown, **long),
        ]
        for event in asking:
            event.failure(None, js=SETTLE)
        return asking

    def show(self, stored: object, request: gr.Request) -> Changes:
        """Everything as the session has it stored; once more when an answer that is under way has ended.

        A page that was loaded anew in the midst of one is there before the turn is stored that it broke off.
        """
        scene = self._readers.scene(stored, request)
        return self._everything(scene) | {self._watch: gr.Timer(active=self._is_answering(scene.who))}

    def show_sources(self, stored: object, request: gr.Request) -> Any:
        """The sources as they are by now: their documents may have been deleted. Those of an answer come with it."""
        scene = self._readers.scene(stored, request)
        return gr.skip() if self._is_answering(scene.who) else self._sources.shown(scene)

    def _look(self, stored: object, request: gr.Request) -> Any:
        return gr.skip() if self._is_answering(visitor(stored)) else self.show(stored, request)

    def _is_answering(self, who: Visitor) -> bool:
        return self._engine.is_answering(who.session_id, who.conversation_id)

    def _everything(self, scene: Scene) -> Changes:
        return self._around(scene) | self._thread.shown(scene)

    def _around(self, scene: Scene) -> Changes:
        """All but the thread, which may have most of its turns already."""
        wants_more = self._services.profiles.of(scene.who.session_id).settings.suggest_questions
        looks = wants_more and bool(self._suggestions(scene) or scene.may_be_followed)
        changes: Changes = {self._browser: scene.who.stored(), self._composer.timer: gr.Timer(active=looks)}
        for part in self._parts_around:
            changes |= part.shown(scene)
        return changes

    def _rate(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        session_id, language = self._readers.of(stored, request)
        turn_id, chosen, *words = event_texts(event, ["id", "rating", "reason", "detail"])
        given = [word.strip() for word in words if word.strip()]
        rating = _RATINGS.get(chosen, Rating.NONE)
        with toast_errors(language):
            self._engine.store.rate(session_id, turn_id, rating, "；".join(given)[: 2 * MAX_REASON_LENGTH])
            if given:
                toast_info("web.reason.kept", language)
        scene = self._readers.scene(stored, request)
        if scene.is_gone:
            return self._everything(scene)
        return self._thread.rated(scene, turn_id, asks_why=not given and rating is not Rating.NONE)

    def _sync(self, stored: object, request: gr.Request) -> Changes:
        return {self._thread.turns: self._thread.shown(self._readers.scene(stored, request))[self._thread.turns]}

    def _branch(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        before = self._readers.scene(stored, request)
        with toast_errors(before.language):
            self._engine.store.show(before.who.session_id, event_texts(event, ["id"])[0])
        after = self._readers.scene(stored, request)
        return self._around(after) | self._thread.changed(before, after)

    def _search(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """The conversations that have what is looked for; all of them where nothing is."""
        who, language = visitor(stored), self._readers.language(request)
        sought = event_texts(event, ["sought"])[0]
        found = self._engine.store.conversations(who.session_id, sought.strip()[:MAX_SEARCH_LENGTH])
        return self._list.found(Scene(who, language, now_in(zone_of(request))), found, sought)

    def _suggest(self, stored: object, request: gr.Request) -> Any:
        scene = self._readers.scene(stored, request)
        found = self._suggestions(scene)
        return self._composer.suggested(found, expects_more=not found and scene.may_be_followed) or gr.skip()

    def _suggestions(self, scene: Scene) -> tuple[str, ...]:
        return self._engine.suggestions(scene.who.session_id, scene.turns[-1].turn_id) if scene.turns else ()

    def _rename(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        conversation_id, title = event_texts(event, ["id", "title"])
        scene = self._readers.scene(stored, request)
        with toast_errors(scene.language):
            self._engine.rename_conversation(scene.who.session_id, conversation_id, title)
        renamed = replace(scene, conversations=self._engine.store.conversations(scene.who.session_id))
        return self._head.shown(renamed) | self._search(stored, event, request)

    def _start(self, stored: object, request: gr.Request) -> Changes:
        who = visitor(stored)
        with toast_errors(self._readers.language(request)):
            who = Visitor(who.session_id, self._engine.store.start(who.session_id))
        return self._leave(who, request)

    def _open(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        return self._leave(Visitor(visitor(stored).session_id, event_texts(event, ["id"])[0]), request)

    def _remove(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """Delete the conversation in view."""
        self._delete(stored, event, request)
        return self._leave(Visitor(visitor(stored).session_id), request)

    def _drop(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """Delete another one: in that in view, an answer may be on its way."""
        self._delete(stored, event, request)
        return self._search(stored, event, request)

    def _delete(self, stored: object, event: gr.EventData, request: gr.Request) -> None:
        with toast_errors(self._readers.language(request)):
            self._services.retention.delete_conversation(visitor(stored).session_id, event_texts(event, ["id"])[0])

    def _leave(self, who: Visitor, request: gr.Request) -> Changes:
        return self._everything(self._readers.scene(who.stored(), request))
