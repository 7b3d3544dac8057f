"""The head of a conversation: its title, and the way to take it along."""

import base64
import re
import uuid
from collections.abc import Mapping
from html import escape
from typing import Any

import gradio as gr

from rag import i18n
from rag.errors import UnknownConversation, WenquError
from rag.export import to_json, to_markdown
from rag.i18n import Language
from rag.web import icons
from rag.web.export.page import to_html
from rag.web.export.paper import to_pdf
from rag.web.markup import said
from rag.web.parts import MAY_WARN, Changes, drawn, told, warn
from rag.web.readers import Readers
from rag.web.scene import Scene

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

    def __init__(self, readers: Readers, browser: gr.BrowserState) -> None:
        self._browser = browser
        self._readers = readers

    def build(self) -> None:
        """The part, in its place on the page."""
        self.part = drawn("head", "take")
        self.outputs = [self.part]

    def wire(self) -> None:
        """Connect the menu of formats. A long conversation takes a moment, but no model's."""
        self.part.take(self._take, [self._browser], [self.part], **MAY_WARN)

    def shown(self, scene: Scene) -> Changes:
        """The title of the conversation in view; nothing before its first question."""
        return {self.part: {"html": _head(_title(scene), scene.language) if scene.turns else ""}}

    def _take(self, stored: object, event: gr.EventData, request: gr.Request) -> Any:
        scene = self._readers.scene(stored, request)
        if scene.is_gone:
            warn(UnknownConversation().message, scene.language)
        chosen = told(event, ["format"])[0]
        if chosen not in _FORMATS or not scene.turns:
            return gr.skip()
        title = _title(scene)
        try:
            data = _file(chosen, title, scene)
        except WenquError as error:
            warn(error.message, scene.language)
            return gr.skip()
        media_type, suffix = _FORMATS[chosen]
        file: Mapping[str, str] = {
            # Without it, a file taken twice would be the same value, which is no change to the page.
            "id": uuid.uuid4().hex,
            "name": f"{_name(title)}.{suffix}",
            "type": media_type,
            "data": base64.b64encode(data).decode(),
        }
        return {self.part: {"html": _head(title, scene.language), "file": file}}


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
