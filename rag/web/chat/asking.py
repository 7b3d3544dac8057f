"""An answer on its way to the page, from its question to its end."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

import gradio as gr

from rag.engine import ROOT, Engine
from rag.errors import ModelMissing, ModelNotLoaded, ModelUnreachable, UnknownTurn, WenquError
from rag.types import Decision, Evidence, TurnOptions
from rag.web.chat.composer import Composer
from rag.web.chat.sources_pane import SourcesPane
from rag.web.chat.thread import LiveTurn, Thread
from rag.web.parts import Changes, event_texts, toast_info
from rag.web.readers import Readers, Scene, read_scene
from rag.web.session import Visitor
from rag.web.view import TurnView, views

# The model that should have answered is no more: another one may be there.
_GONE = (ModelUnreachable, ModelMissing, ModelNotLoaded)
# A model that answers from elsewhere may not hear that it is to stop.
_STOPPING_SECONDS = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Going:
    """An answer that `page` waits for: whether it is to end, and whether it has."""

    page: str
    cancel: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, put in the place of the branch's turn number `place` (None: after the last), and what overrules.

    `page` is the browser's tab that waits for its answer: several may show one session, and one conversation.
    """

    question: str
    page: str
    place: int | None = None
    decision: Decision | None = None


class Asking:
    """The handlers of all that begins an answer.

    `around` shows a scene in all parts of the tab but the thread; `look_again` looks for a model where the present one
    is gone.
    """

    def __init__(
        self,
        engine: Engine,
        readers: Readers,
        thread: Thread,
        composer: Composer,
        sources: SourcesPane,
        around: Callable[[Scene], Changes],
        *,
        look_again: Callable[[], None],
    ) -> None:
        self._engine = engine
        self._readers = readers
        self._thread = thread
        self._composer = composer
        self._sources = sources
        self._around = around
        self._look_again = look_again
        self._going: list[Going] = []

    def ask(self, question: str, stored: object, request: gr.Request) -> Iterator[Changes]:
        """The question that was written."""
        yield self._composer.empty()
        try:
            scene = self._scene(stored, request)
        except WenquError as error:
            yield self._composer.refused(question, error.message, self._readers.language(request))
            return
        yield from self._answer(Asked(question, _page(request)), scene)

    def choose(self, stored: object, event: gr.EventData, request: gr.Request) -> Iterator[Changes]:
        """A question that was suggested."""
        asked = Asked(event_texts(event, ["id"])[0], _page(request))
        yield from self._answer(asked, self._scene(stored, request))

    def retry(self, stored: object, event: gr.EventData, request: gr.Request) -> Iterator[Changes]:
        """A turn's question once more, in a branch of its own; the reader may decide what it does about evidence."""
        turn_id, chosen = event_texts(event, ["id", "decision"])
        yield from self._again(turn_id, "", Decision(chosen) if chosen in set(Decision) else None, stored, request)

    def edit(self, stored: object, event: gr.EventData, request: gr.Request) -> Iterator[Changes]:
        """Another question in a turn's place, in a branch of its own."""
        turn_id, text = event_texts(event, ["id", "text"])
        yield from self._again(turn_id, text, None, stored, request)

    def stop(self, request: gr.Request) -> None:
        """End the answers that this page waits for; those of the session's other pages go on."""
        for going in self._going_on(request):
            going.cancel.set()

    def _going_on(self, request: gr.Request) -> list[Going]:
        return [going for going in tuple(self._going) if going.page == _page(request)]

    def _scene(self, stored: object, request: gr.Request) -> Scene:
        """What the reader sees once the answers have ended that they have stopped: what is asked now comes after those.

        Else the end of such a one would take away the button that stops the next.
        """
        for going in self._going_on(request):
            if going.cancel.is_set():
                going.ended.wait(_STOPPING_SECONDS)
        return self._readers.scene(stored, request)

    def _again(
        self, turn_id: str, text: str, decision: Decision | None, stored: object, request: gr.Request
    ) -> Iterator[Changes]:
        scene = self._scene(stored, request)
        for place, turn in enumerate(scene.turns):
            if turn.turn_id == turn_id:
                yield from self._answer(Asked(text or turn.question, _page(request), place, decision), scene)
                return
        # Another page has gone to another branch, or deleted the conversation: this one shows what there is.
        refused = self._composer.refused(text, UnknownTurn().message, scene.language)
        yield self._around(scene) | self._thread.shown(scene) | refused

    def _answer(self, asked: Asked, scene: Scene) -> Iterator[Changes]:
        """What changes on the page until the answer has ended; as it was before, where the store fails meanwhile."""
        going = Going(asked.page)
        self._going.append(going)
        try:
            yield from self._arriving(asked, scene, going.cancel)
        except WenquError as error:
            before = self._thread.changed(scene, scene, asked.place)
            yield before | self._refused(asked, error, scene)
        finally:
            self._going.remove(going)
            going.ended.set()

    def _arriving(self, asked: Asked, scene: Scene, cancel: threading.Event) -> Iterator[Changes]:
        who, parent = scene.who, None  # the last turn of the branch in view
        if asked.place is not None:
            parent = scene.turns[asked.place].parent_turn_id or ROOT
        events = self._engine.stream(
            asked.question,
            who.session_id,
            parent,
            conversation_id=who.conversation_id,
            decision=asked.decision,
            options=TurnOptions(language=scene.language),
            cancel=cancel,
        )
        live = LiveTurn(scene.language, (item for turn in scene.turns for item in turn.sources))
        # A reader who leaves must not keep the model: closing ends the turn.
        with closing(events):
            around: Changes = {}
            if scene.is_gone:  # else the page would ask to stop the conversation that is gone, and nobody know of it
                around = self._around(scene)
                toast_info("web.chat.gone", scene.language)
            # At once with its question: a second press in between would begin another one.
            changes = around | self._composer.busy() | self._thread.cut(scene, asked.place)
            sources: tuple[Evidence, ...] = ()
            for view in views(asked.question, events):
                if view.over:
                    yield self._ended(view, asked, scene)
                    return
                changes[self._thread.live] = live.value(view)
                if view.evidence != sources:
                    sources = view.evidence
                    changes |= self._sources.found(view, scene.turns[: asked.place], scene)
                yield changes
                changes = {}

    def _ended(self, view: TurnView, asked: Asked, before: Scene) -> Changes:
        """The page after a turn: what is stored of it, or why nothing is, with the question kept to try again."""
        if isinstance(view.error, _GONE):
            self._look_again()
        who = before.who if view.turn is None else Visitor(before.who.session_id, view.turn.conversation_id)
        after = read_scene(self._engine, who, before.language, before.now.tzinfo)
        page = self._around(after) | self._thread.changed(before, after, asked.place)
        if view.turn is None and after.who.conversation_id is None:
            # Its session may have been deleted meanwhile, by another page: the browser must not have it back.
            page = {part: value for part, value in page.items() if part is not self._readers.browser}
        if view.turn is None and view.error is not None:
            page |= self._refused(asked, view.error, before)
        return page

    def _refused(self, asked: Asked, error: WenquError, scene: Scene) -> Changes:
        """Why a question was not taken, which is given back unless it stands on the page still."""
        stands = asked.place is not None and scene.turns[asked.place].question == asked.question
        return self._composer.refused("" if stands else asked.question, error.message, scene.language)


def _page(request: gr.Request) -> str:
    return request.session_hash or ""
