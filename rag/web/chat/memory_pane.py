"""What the model is told of a conversation's older turns, for the reader to see and to put right."""

from html import escape
from typing import Any

import gradio as gr

from rag.engine import Engine
from rag.errors import UnknownConversation, WenquError
from rag.i18n import Language
from rag.memory import MAX_SUMMARY_LENGTH
from rag.types import Summary
from rag.web.chat.scene import Changes, Scene
from rag.web.labels import acting, told, warn
from rag.web.markup import said
from rag.web.session import Visitor, language_of, visitor


class MemoryPane:
    """The folded block below the trace of a conversation's newest turn."""

    def __init__(self, engine: Engine, browser: gr.BrowserState, default: Language) -> None:
        """`default` is the language of those who have chosen none."""
        self._engine = engine
        self._browser = browser
        self._default = default

    def build(self) -> None:
        """The block's part; empty where a conversation has no summary."""
        self.part = acting("memory", "edit")
        self.outputs = [self.part]

    def wire(self) -> None:
        """Connect its form."""
        self.part.edit(
            self._edit, [self._browser], [self.part], api_visibility="private", show_progress="hidden", queue=False
        )

    def shown(self, scene: Scene) -> Changes:
        """The block of the conversation in view, folded."""
        return {self.part: summary_form(self._summary(scene.who), scene.language)}

    def _edit(self, stored: object, event: gr.EventData, request: gr.Request) -> Any:
        who, language = visitor(stored), language_of(request, self._default)
        summary_id, text = told(event, ["id", "text"])
        try:
            self._engine.edit_summary(who.session_id, summary_id, text)
        except WenquError as error:
            warn(error.message, language)
            return gr.skip()  # what was written stays in its field
        return summary_form(self._summary(who), language, is_open=True)

    def _summary(self, who: Visitor) -> Summary | None:
        if who.conversation_id is None:
            return None
        try:
            return self._engine.summary(who.session_id, who.conversation_id)
        except UnknownConversation:
            return None


def summary_form(summary: Summary | None, language: Language, is_open: bool = False) -> str:
    """A summary as HTML, its text in a field to change it."""
    if summary is None:
        return ""
    opened = " open" if is_open else ""
    edited = f"<em>{said(language, 'summary.edited')}</em>" if summary.edited else ""
    label, save = said(language, "summary.title"), said(language, "summary.save")
    text = escape(summary.text)
    # Gradio changes the page in place. A field that was written in would keep its words for another conversation's
    # summary, were it not for the attribute: where that changes, Gradio sets the field's value too.
    return (
        f"<details{opened}><summary>{label}{edited}</summary>"
        f'<form data-act="edit" data-id="{escape(summary.summary_id)}"><p>{said(language, "summary.hint")}</p>'
        f'<textarea name="text" required maxlength="{MAX_SUMMARY_LENGTH}" aria-label="{label}" value="{text}">\n'
        f'{text}</textarea><button type="submit">{save}</button></form></details>'
    )
