"""The conversation itself: its turns, and below them the one that goes on."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rag import i18n
from rag.i18n import Language
from rag.types import Evidence, Turn
from rag.web.chat import render_thread
from rag.web.chat.render_foot import other_ways
from rag.web.chat.render_marks import places_of, unchecked
from rag.web.chat.render_thread import Place
from rag.web.markdown import GrowingMarkdown
from rag.web.parts import Changes, scripted_part
from rag.web.readers import Scene
from rag.web.view import TurnView

WELCOME = "welcome"


class Thread:
    """`turns` reports what the reader does with a turn; `live` is the turn that goes on.

    The page keeps the turns that it has: `turns` gets the order of all, and the HTML of those that have changed.
    """

    def __init__(self, ephemeral: bool = False) -> None:
        """`ephemeral` where a restart of the server empties the store."""
        self._ephemeral = ephemeral
        self.turns = scripted_part("turns", "retry", "rate", "edit", "branch", "sync")
        self.live = scripted_part("live")
        self.outputs = [self.turns, self.live]

    def shown(self, scene: Scene) -> Changes:
        """All turns, none of them going on."""
        return {self.turns: self._patch(scene, {}), self.live: None}

    def changed(self, before: Scene, after: Scene, place: int | None = None) -> Changes:
        """The turns after something, of a page that had shown those before it, or only the first `place` of them."""
        kept = {turn.turn_id for turn in before.turns[:place]}
        shown = {turn_id: known for turn_id, known in _places(before).items() if turn_id in kept}
        return {self.turns: self._patch(after, shown), self.live: None}

    def rated(self, scene: Scene, turn_id: str, asks_why: bool) -> Changes:
        """One turn anew, of a page that has all the others as they are."""
        others = {other: known for other, known in _places(scene).items() if other != turn_id}
        return {self.turns: self._patch(scene, others, turn_id if asks_why else None)}

    def cut(self, scene: Scene, place: int | None) -> Changes:
        """Only the first turns, the next one being answered anew; all of them for None."""
        return {self.turns: {"order": [turn.turn_id for turn in scene.turns[:place]], "html": {}}}

    def _patch(
        self, scene: Scene, shown: Mapping[str, tuple[Turn, Place]], asks_why: str | None = None
    ) -> dict[str, Any]:
        """The order of all turns, and the HTML of those that do not stand on the page as they should."""
        if not scene.turns:
            welcome = render_thread.welcome(scene.language, scene.is_gone, self._ephemeral)
            return {"order": [WELCOME], "html": {WELCOME: welcome}}
        places = _places(scene)
        html = {
            turn_id: render_thread.article(turn, replace(place, asks_why=turn_id == asks_why), scene.language)
            for turn_id, (turn, place) in places.items()
            if shown.get(turn_id) != (turn, place) or turn_id == asks_why
        }
        return {"order": list(places), "html": html}


class LiveTurn:
    """A turn that goes on, as what `live` shows of it. Gradio sends only what differs from one value to the next."""

    def __init__(self, language: Language, evidence: Iterable[Evidence] = ()) -> None:
        """`evidence` is what earlier turns have brought in."""
        self._language = language
        self._places = places_of(evidence, language)
        self._markdown = GrowingMarkdown()

    def value(self, view: TurnView) -> Mapping[str, Any]:
        """What is known so far: settled paragraphs stay as they were, thoughts only grow."""
        language = self._language
        cite = unchecked(self._places | places_of(view.evidence, language), language)
        if not view.answer:  # not begun, or begun anew: what had come were thoughts
            self._markdown = GrowingMarkdown()
        return {
            "question": render_thread.question(view.question),
            "stage": "" if view.answer else render_thread.steps(view, language),
            "status": i18n.text(language, f"web.stage.{view.stage}", count=view.waiting),
            "thinking": view.thinking,
            "thoughts": i18n.text(language, f"web.chat.{'thinking' if view.answer else 'thinking_now'}"),
            "blocks": self._markdown.blocks(view.answer, cite) if view.answer else [],
        }


def _places(scene: Scene) -> dict[str, tuple[Turn, Place]]:
    """Each turn with where it stands, by its id: two scenes that agree in it show the same article."""
    ways = {newest.turn_id: other_ways(newest, scene.turns[:-1]) for newest in scene.turns[-1:]}
    return {
        turn.turn_id: (turn, Place(scene.branches.get(turn.turn_id, ()), ways.get(turn.turn_id, ())))
        for turn in scene.turns
    }
