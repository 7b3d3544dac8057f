"""Who reads the page, and what every part of the conversation's tab is shown from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

import gradio as gr

from rag.conversation.shelf import Shelf
from rag.errors import UnknownConversation
from rag.i18n import Language
from rag.types import Conversation, Turn
from rag.web.session import Visitor, language_of, visitor, zone_of

# A model that has suggested no questions by then was interrupted, and will suggest none.
_THINKING = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Scene:
    """What a reader sees at one moment: the turns of one branch of a conversation, in their language and time zone.

    `branches` maps each turn to all the turns that stand in its place in some branch, itself among them. `is_gone`: the
    conversation that the reader was in has been deleted.
    """

    who: Visitor
    language: Language
    now: datetime
    conversations: tuple[Conversation, ...] = ()
    turns: tuple[Turn, ...] = ()
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_gone: bool = False

    @property
    def may_be_followed(self) -> bool:
        """Whether the model may still suggest questions that follow the last answer."""
        *_, last = [None, *self.turns]
        return last is not None and bool(last.sources) and datetime.now(UTC) - last.created_at < _THINKING


class Readers:
    """Knows which reader an event comes from, by what their `browser` (a part of the page) has stored."""

    def __init__(self, shelf: Shelf, default: Language, browser: gr.BrowserState) -> None:
        """`default` is the language of readers who have chosen none."""
        self._shelf = shelf
        self.default = default
        self.browser = browser

    def language(self, request: gr.Request) -> Language:
        """The language of the reader who sent a request."""
        return language_of(request, self.default)

    def of(self, stored: object, request: gr.Request) -> tuple[str, Language]:
        """The reader's session, by what their browser has stored, and their language."""
        return visitor(stored).session_id, self.language(request)

    def scene(self, stored: object, request: gr.Request) -> Scene:
        """The conversation that the reader is in, read from the store; `stored` is what their browser keeps."""
        return read_scene(self._shelf, visitor(stored), self.language(request), zone_of(request))


def now_in(zone: tzinfo | None) -> datetime:
    """The present time in a time zone; None stands for the server's."""
    return datetime.now(UTC).astimezone(zone)


def read_scene(shelf: Shelf, who: Visitor, language: Language, zone: tzinfo | None = None) -> Scene:
    """What a visitor sees, read from the store. One who is in no conversation sees their latest."""
    session_id, conversations = who.session_id, shelf.store.conversations(who.session_id)
    now = now_in(zone)
    conversation_id = who.conversation_id or (conversations[0].conversation_id if conversations else None)
    if conversation_id is None:
        return Scene(Visitor(session_id), language, now, conversations)
    try:
        view = shelf.view(session_id, conversation_id)
    except UnknownConversation:
        # It has expired, or another page has deleted it; the next question begins a new one. It does so by itself where
        # there is no other: of a session that was deleted as a whole, nothing may be left.
        fresh = Visitor(session_id, shelf.store.start(session_id) if conversations else None)
        return Scene(fresh, language, now, conversations, is_gone=True)
    return Scene(Visitor(session_id, conversation_id), language, now, conversations, view.turns, view.branches)
