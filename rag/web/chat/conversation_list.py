"""The sidebar's part: the session's conversations, a search among them, and a new one."""

from collections.abc import Sequence

import gradio as gr

from rag.types import Conversation
from rag.web.chat.render_list import conversations, search_field
from rag.web.parts import Changes, acting, drawn
from rag.web.scene import Scene


class ConversationList:
    """Conversations by day; `new`, `search` and `part` report what the reader does with them."""

    def build(self, label: gr.I18n) -> None:
        """The parts, in their place on the page."""
        self.new = gr.Button(label("web.sidebar.new"), elem_id="new-conversation")
        # Gradio's own field does not report the first change of its text.
        self.search = acting("search", "search")
        self.part = drawn("conversations", "open", "remove", "drop", "rename")
        self.outputs = [self.part, self.search]

    def shown(self, scene: Scene) -> Changes:
        """The list, the conversation in view marked in it."""
        return {self.search: search_field(scene.language), **self.found(scene, scene.conversations)}

    def found(self, scene: Scene, entries: Sequence[Conversation], searched: bool = False) -> Changes:
        """Some of the conversations; whether they were searched for, or are all there are."""
        html = conversations(entries, scene.who.conversation_id, scene.now, scene.language, searched)
        return {self.part: {"html": html, "searched": searched}}
