"""What the model remembers of a conversation, for the reader to see and to put right."""

from typing import Any

import gradio as gr

from rag.engine import Engine
from rag.errors import UnknownConversation, WenquError
from rag.web.chat.render_memory import memory
from rag.web.parts import MAY_WARN, Changes, drawn, told, warn
from rag.web.readers import Readers
from rag.web.scene import Scene


class MemoryPane:
    """The folded block below the account of an answer."""

    def __init__(self, engine: Engine, readers: Readers, browser: gr.BrowserState) -> None:
        self._engine = engine
        self._browser = browser
        self._readers = readers

    def build(self) -> None:
        """The block's part; empty where nothing has been said yet."""
        self.part = drawn("memory", "edit")
        self.outputs = [self.part]

    def wire(self) -> None:
        """Connect its form."""
        self.part.edit(self._edit, [self._browser], [self.part], **MAY_WARN)

    def shown(self, scene: Scene) -> Changes:
        """The block of the conversation in view, folded until the reader opens it."""
        return {self.part: {"html": self._html(scene)}}

    def _edit(self, stored: object, event: gr.EventData, request: gr.Request) -> Any:
        scene = self._readers.scene(stored, request)
        summary_id, text = told(event, ["id", "text"])
        try:
            self._engine.edit_summary(scene.who.session_id, summary_id, text)
        except WenquError as error:
            warn(error.message, scene.language)
            return gr.skip()  # what was written stays in its field
        return self.shown(scene)

    def _html(self, scene: Scene) -> str:
        if not scene.turns:
            return ""
        last = scene.turns[-1]
        try:
            known = self._engine.recollection(last.session_id, last.conversation_id)
        except UnknownConversation:
            # Another page has deleted it since the scene was read.
            return ""
        recalled = [turn for turn in scene.turns if turn.turn_id in last.recalled]
        return memory(known, recalled, scene.language)
