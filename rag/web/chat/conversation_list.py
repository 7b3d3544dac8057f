"""The sidebar's part: the session's conversations, and a new one."""

import gradio as gr

from rag.web.chat.render_list import conversations
from rag.web.chat.scene import Changes, Scene
from rag.web.labels import acting


class ConversationList:
    """Conversations by day; `new` and `part` report what the reader does with them."""

    def build(self, label: gr.I18n) -> None:
        """The parts, in their place on the page."""
        self.new = gr.Button(label("web.sidebar.new"), elem_id="new-conversation")
        self.part = acting("conversations", "open", "remove")
        self.outputs = [self.part]

    def shown(self, scene: Scene) -> Changes:
        """The list, the conversation in view marked in it."""
        return {self.part: conversations(scene.conversations, scene.who.conversation_id, scene.today, scene.language)}
