"""The evidence of the turn in view."""

from collections.abc import Sequence

from rag.i18n import Language
from rag.types import Evidence, Turn
from rag.web.chat.render_sources import sources
from rag.web.chat.scene import Changes, Scene
from rag.web.labels import still


class SourcesPane:
    """Cards of the evidence of the newest turn, and folded below them those of earlier turns."""

    def build(self) -> None:
        """The parts, in their place on the page."""
        self.part = still("sources")
        self.outputs = [self.part]

    def shown(self, scene: Scene) -> Changes:
        """The evidence of the branch in view."""
        current = scene.turns[-1].sources if scene.turns else ()
        return {self.part: sources(current, _earlier(scene.turns, current), scene.language)}

    def cited(self, scene: Scene, turn_id: str, number: str) -> Changes:
        """The evidence of the turn in whose answer a marker was pressed, that marker's first of all."""
        turn = next((turn for turn in scene.turns if turn.turn_id == turn_id), None)
        if turn is None:
            return self.shown(scene)
        shown = int(number) if number.isdecimal() else None
        return {self.part: sources(turn.sources, _earlier(scene.turns, turn.sources), scene.language, shown)}

    def found(self, evidence: Sequence[Evidence], language: Language) -> Changes:
        """The evidence of a turn that goes on."""
        return {self.part: sources(evidence, (), language)}


def _earlier(turns: Sequence[Turn], current: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence of a branch that is not among its newest turn's, by number."""
    found = {item.number: item for turn in turns for item in turn.sources}
    for item in current:
        found.pop(item.number, None)
    return tuple(found[number] for number in sorted(found))
