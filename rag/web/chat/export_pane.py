"""The head of a conversation: its title, and the way to take it along."""

import base64
import re
import uuid
from html import escape
from typing import Any

import gradio as gr

from rag import i18n
from rag.errors import UnknownConversation
from rag.export import to_json, to_markdown
from rag.i18n import Language
from rag.web import icons
from rag.web.export.page import to_html
from rag.web.export.paper import to_pdf
from rag.web.markup import said
from rag.web.parts import MAY_WARN, Changes, event_texts, scripted_part, toast_errors
from rag.web.readers import Readers, Scene

# The media type and the suffix of each format that a conversation can be taken along in.
_FORMATS = {
    "markdown": ("text/markdown", "md"),
    "html": ("text/html", "html"),
    "pdf": ("application/pdf", "pdf"),
    "json": ("application/json", "json"),
}
_NAME_LENGTH = 40


class ExportPane:
    """`part` reports the format that is wanted, and gets the file itself: no address leads to it, none is left over."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self.part = scripted_part("head", "take")
        self.outputs = [self.part]
        # A long conversation takes a moment, but no model's.
        self.part.take(self._take, [readers.browser], self.outputs, **MAY_WARN)

    def shown(self, scene: Scene) -> Changes:
        """The title of the conversation in view; nothing before its first question."""
        return {self.part: {"html": _head(_title(scene), scene.language) if scene.turns else ""}}

    def _take(self, stored: object, event: gr.EventData, request: gr.Request) -> Any:
        scene = self._readers.scene(stored, request)
        chosen = event_texts(event, ["format"])[0]
        with toast_errors(scene.language):
            if scene.is_gone:
                raise UnknownConversation
            if chosen in _FORMATS and scene.turns:
                title, (media_type, suffix) = _title(scene), _FORMATS[chosen]
                file = {
                    # Without it, a file taken twice would be the same value, which is no change to the page.
                    "id": uuid.uuid4().hex,
                    "name": f"{_name(title)}.{suffix}",
                    "type": media_type,
                    "data": base64.b64encode(_file(chosen, title, scene)).decode(),
                }
                return {self.part: {"html": _head(title, scene.language), "file": file}}
        return gr.skip()


def _head(title: str, language: Language) -> str:
    """A conversation's title and the menu of formats."""
    ways = "".join(
        f'<li><button type="button" data-act="take" data-format="{name}">{said(language, f"export.{name}")}'
        f"<small>.{suffix}</small></button></li>"
        for name, (_, suffix) in _FORMATS.items()
    )
    return (
        f'<h1 title="{escape(title)}">{escape(title)}</h1><details class="menu"><summary '
        f'title="{said(language, "export.hint")}">{icons.DOWN}{said(language, "export.button")}</summary>'
        f"<ul>{ways}</ul></details>"
    )


def _file(chosen: str, title: str, scene: Scene) -> bytes:
    turns, language, zone = scene.turns, scene.language, scene.now.tzinfo
    match chosen:
        case "markdown":
            return to_markdown(title, turns, language, zone).encode("utf-8", "replace")
        case "json":
            return to_json(title, turns).encode("utf-8", "replace")
        case "html":
            return to_html(title, turns, language, zone).encode("utf-8", "replace")
        case _:
            return to_pdf(title, turns, language, zone)


def _title(scene: Scene) -> str:
    own = (item.title for item in scene.conversations if item.conversation_id == scene.who.conversation_id)
    return next(own, "") or i18n.text(scene.language, "web.export.untitled")


def _name(title: str) -> str:
    """A name that every file system takes."""
    return re.sub(r"[^\w-]+", "_", title).strip("_")[:_NAME_LENGTH] or "wenqu"
