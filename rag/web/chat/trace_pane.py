"""How an answer came about: of the newest turn, or of the one that the reader asks about."""

import gradio as gr

from rag.types import Turn
from rag.web.chat.render_foot import other_ways
from rag.web.chat.render_trace import trace
from rag.web.parts import EACH, Changes, drawn, told
from rag.web.readers import Readers
from rag.web.scene import Scene


class TracePane:
    """The folded account of a turn; `part` reports another one that is asked about, and a decision overruled in it."""

    def __init__(self, readers: Readers, browser: gr.BrowserState) -> None:
        self._browser = browser
        self._readers = readers

    def build(self) -> None:
        """The parts, in their place on the page."""
        self.part = drawn("trace", "look", "retry")
        self.outputs = [self.part]

    def wire(self) -> None:
        """Connect what the reader asks about."""
        self.part.look(self._look, [self._browser], [self.part], **EACH)

    def shown(self, scene: Scene) -> Changes:
        """The account of the newest turn of the branch in view."""
        return {self.part: account(scene.turns[-1], scene) if scene.turns else {"turn": "", "html": ""}}

    def _look(self, stored: object, event: gr.EventData, request: gr.Request) -> Changes:
        """The account of one turn; of the newest one where that is not in the branch in view.

        The script is told whose answer it is, as by now another one may have been asked for.
        """
        scene = self._readers.scene(stored, request)
        turn_id, opens, asked = told(event, ["id", "opens", "asked"])
        turn = next((turn for turn in scene.turns if turn.turn_id == turn_id), None)
        value = self.shown(scene)[self.part] if turn is None else {**account(turn, scene), "opens": opens}
        return {self.part: {**value, "asked": asked}}


def account(turn: Turn, scene: Scene) -> dict[str, str]:
    """How a turn of the branch in view came about, for the page's script."""
    place = scene.turns.index(turn)
    earlier = scene.turns[:place]
    recalled = [before for before in earlier if before.turn_id in turn.recalled]
    ways, is_newest = other_ways(turn, earlier), turn is scene.turns[-1]
    return {"turn": turn.turn_id, "html": trace(turn, ways, recalled, is_newest, scene.language)}
