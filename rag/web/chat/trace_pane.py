"""How the newest answer came about."""

from rag.web.chat.render_trace import trace
from rag.web.chat.scene import Changes, Scene
from rag.web.labels import still


class TracePane:
    """The folded account of the newest turn."""

    def build(self) -> None:
        """The parts, in their place on the page."""
        self.part = still("trace")
        self.outputs = [self.part]

    def shown(self, scene: Scene) -> Changes:
        """The account of the newest turn of the branch in view."""
        return {self.part: trace(scene.turns[-1] if scene.turns else None, scene.view, scene.language)}
