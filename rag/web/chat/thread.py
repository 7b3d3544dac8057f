"""The conversation itself: its turns, and below them the one that goes on."""

from rag.web.chat import render_thread
from rag.web.chat.scene import Changes, Scene
from rag.web.labels import acting, still


class Thread:
    """`turns` reports what the reader does with an answer; `live` is the turn that goes on."""

    def build(self) -> None:
        """The parts, in their place on the page."""
        self.turns = acting("turns", "retry", "rate")
        self.live = still("live")
        self.outputs = [self.turns, self.live]

    def shown(self, scene: Scene) -> Changes:
        """The turns, none of them going on."""
        return {self.turns: render_thread.thread(scene.turns, scene.language), self.live: ""}
