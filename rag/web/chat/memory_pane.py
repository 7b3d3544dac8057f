"""What the model remembers of a conversation, for the reader to see and to put right."""

from collections.abc import Sequence
from html import escape
from typing import Any

import gradio as gr

from rag.engine import Engine
from rag.errors import UnknownConversation
from rag.i18n import Language
from rag.memory import MAX_SUMMARY_LENGTH
from rag.types import Recollection, Summary, Turn
from rag.web.chat.trace_pane import questions
from rag.web.markup import bar, notice, said
from rag.web.parts import MAY_WARN, Changes, event_texts, scripted_part, toast_errors
from rag.web.readers import Readers, Scene


class MemoryPane:
    """The folded block below the account of an answer."""

    def __init__(self, engine: Engine, readers: Readers) -> None:
        self._engine = engine
        self._readers = readers
        self.part = scripted_part("memory", "edit")
        self.outputs = [self.part]
        self.part.edit(self._edit, [readers.browser], self.outputs, **MAY_WARN)

    def shown(self, scene: Scene) -> Changes:
        """The block of the conversation in view, folded until the reader opens it; empty where nothing was said yet."""
        return {self.part: {"html": self._html(scene)}}

    def _edit(self, stored: object, event: gr.EventData, request: gr.Request) -> Any:
        scene = self._readers.scene(stored, request)
        summary_id, text = event_texts(event, ["id", "text"])
        with toast_errors(scene.language):
            self._engine.edit_summary(scene.who.session_id, summary_id, text)
            return self.shown(scene)
        return gr.skip()  # what was written stays in its field

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


def memory(known: Recollection, recalled: Sequence[Turn], language: Language) -> str:
    """The turns in the prompt and their weight, those that the newest turn came back to, and the summary to edit."""
    count = said(language, "memory.count", count=len(known.held))
    back = f"<h3>{said(language, 'memory.recalled')}</h3>{questions(recalled)}" if recalled else ""
    held = said(language, "memory.held", count=len(known.held), tokens=known.tokens, limit=known.limit)
    trouble = notice(known.trouble, language) if known.trouble else ""
    return (
        f"<details><summary>{said(language, 'memory.title')}<small>{count}</small></summary>"
        f'{trouble}<div class="held"><p>{held}</p>{bar(known.tokens / known.limit)}</div>'
        f"{back}{_summary(known, language)}</details>"
    )


def _summary(known: Recollection, language: Language) -> str:
    if known.summary is None:
        return "" if known.trouble else f'<p class="held">{said(language, "memory.no_summary")}</p>'
    edited = f"<em>{said(language, 'summary.edited')}</em>" if known.summary.edited else ""
    covers = said(language, "memory.covers", count=len(known.covered))
    return (
        f"<h3>{said(language, 'summary.title')}{edited}</h3>"
        f'<details class="earlier"><summary>{covers}</summary>{questions(known.covered)}</details>'
        f"{_form(known.summary, language)}"
    )


def _form(summary: Summary, language: Language) -> str:
    label, text = said(language, "summary.title"), escape(summary.text)
    # The page is changed in place. A field that was written in would keep its words for another conversation's
    # summary, were it not for the attribute: where that changes, the page's script sets the field's value too.
    return (
        f'<form data-act="edit" data-id="{escape(summary.summary_id)}"><p>{said(language, "summary.hint")}</p>'
        f'<textarea name="text" required maxlength="{MAX_SUMMARY_LENGTH}" aria-label="{label}" value="{text}">\n'
        f'{text}</textarea><button type="submit">{said(language, "summary.save")}</button></form>'
    )
