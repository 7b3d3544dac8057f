"""The sidebar's part: the session's conversations, a search among them, and a new one."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

import gradio as gr

from rag.conversation.shelf import MAX_TITLE_LENGTH
from rag.i18n import Language
from rag.types import Conversation
from rag.web import icons
from rag.web.markup import said, tool
from rag.web.parts import Changes, action_part, label, scripted_part
from rag.web.readers import Scene

MAX_SEARCH_LENGTH = 200


class ConversationList:
    """Conversations by day; `new`, `search` and `part` report what the reader does with them."""

    def __init__(self) -> None:
        self.new = gr.Button(label("sidebar.new"), elem_id="new-conversation")
        # Gradio's own field does not report the first change of its text.
        self.search = action_part("search", "search")
        self.part = scripted_part("conversations", "open", "remove", "drop", "rename")
        self.outputs = [self.part, self.search]

    def shown(self, scene: Scene) -> Changes:
        """The list, the conversation in view marked in it."""
        return {self.search: search_field(scene.language), **self.found(scene, scene.conversations)}

    def found(self, scene: Scene, entries: Sequence[Conversation], sought: str = "") -> Changes:
        """The conversations that have what was `sought`; all there are where that is blank."""
        html = conversations(entries, scene.who.conversation_id, scene.now, scene.language, bool(sought.strip()))
        return {self.part: {"html": html, "sought": sought}}


def search_field(language: Language) -> str:
    """Where to write what is searched for; it reports by itself while one writes."""
    label = said(language, "sidebar.search")
    return (
        f'<input type="search" data-act="search" maxlength="{MAX_SEARCH_LENGTH}" placeholder="{label}" '
        f'aria-label="{label}" autocomplete="off">'
    )


def conversations(
    entries: Sequence[Conversation], present: str | None, now: datetime, language: Language, searched: bool = False
) -> str:
    """The session's conversations by the reader's days, newest first; those never spoken in are left out."""
    groups: dict[str, list[str]] = {}
    for entry in entries:
        if entry.turns:
            days = (now.date() - entry.updated_at.astimezone(now.tzinfo).date()).days
            day = "today" if days <= 0 else "yesterday" if days == 1 else "earlier"
            groups.setdefault(day, []).append(_conversation(entry, entry.conversation_id == present, language))
    if searched and not groups:
        return f'<p class="none">{said(language, "sidebar.nothing_found")}</p>'
    return "".join(
        f"<h2>{said(language, f'sidebar.{day}')}</h2><ul>{''.join(items)}</ul>" for day, items in groups.items()
    )


def _conversation(entry: Conversation, present: bool, language: Language) -> str:
    identity, title = escape(entry.conversation_id), escape(entry.title)
    # Of what is in view, an answer may be on its way: to delete it is to leave it, to delete another one is not.
    current, removal = (' aria-current="true"', "remove") if present else ("", "drop")
    confirm, yes = said(language, "sidebar.confirm_delete", title=entry.title), said(language, "bar.delete")
    removes = f'data-act="{removal}" data-id="{identity}" data-confirm="{confirm}" data-yes="{yes}"'
    rename, delete = said(language, "sidebar.rename"), said(language, "sidebar.delete")
    return (
        f'<li{current}><button type="button" class="open" data-act="open" data-id="{identity}" title="{title}">'
        f"<span>{title}</span></button>"
        f"{tool(icons.PENCIL, rename, 'data-edit')}{tool(icons.BIN, delete, removes, 'remove')}"
        f'<form class="edit" data-act="rename" data-id="{identity}" hidden><input type="text" name="title" required '
        f'pattern=".*\\S.*" maxlength="{MAX_TITLE_LENGTH}" value="{title}" aria-label="{rename}" autocomplete="off">'
        "</form></li>"
    )
