"""Who reads the page, and what every part of the conversation's tab is shown from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo

import gradio as gr

from rag.engine import Engine
from rag.errors import UnknownConversation
from rag.i18n import Language
from rag.types import Conversation, Turn
from rag.web.session import Visitor, language_of, visitor, zone_of

# A model that has not thought of questions by then was kept from it, and will not any more.
_THINKING = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Scene:
    """What is on the page at one moment: who looks, in which language, at which branch of which conversation.

    `now` is in the reader's time zone.
    `branches` gives, for each of the `turns`, those that stand in its place in other branches, itself among them.
    `is_gone`: the conversation that the visitor was in is no more.
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
        """Whether the model may yet think of questions that follow the last answer."""
        *_, last = [None, *self.turns]
        return last is not None and bool(last.sources) and datetime.now(UTC) - last.created_at < _THINKING


class Readers:
    """Tells of the reader whom an event of the page comes from: by what their `browser` keeps, a part of the page."""

    def __init__(self, engine: Engine, default: Language, browser: gr.BrowserState) -> None:
        """`default` is the language of those who have chosen none."""
        self._engine = engine
        self.default = default
        self.browser = browser

    def language(self, request: gr.Request) -> Language:
        """The language that they read in."""
        return language_of(request, self.default)

    def of(self, stored: object, request: gr.Request) -> tuple[str, Language]:
        """Their session, by what their browser keeps, and their language."""
        return visitor(stored).session_id, self.language(request)

    def scene(self, stored: object, request: gr.Request) -> Scene:
        """The conversation before them, as it is stored; `stored` is what their browser keeps."""
        return read_scene(self._engine, visitor(stored), self.language(request), zone_of(request))


def now_in(zone: tzinfo | None) -> datetime:
    """The moment that it is, in a time zone; for None in the server's."""
    return datetime.now(UTC).astimezone(zone)


def read_scene(engine: Engine, who: Visitor, language: Language, zone: tzinfo | None = None) -> Scene:
    """The scene as it is stored. A visitor who is in no conversation sees their latest."""
    session_id, conversations = who.session_id, engine.conversations(who.session_id)
    now = now_in(zone)
    conversation_id = who.conversation_id or (conversations[0].conversation_id if conversations else None)
    if conversation_id is None:
        return Scene(Visitor(session_id), language, now, conversations)
    try:
        view = engine.view(session_id, conversation_id)
    except UnknownConversation:
        # It has expired, or another page has deleted it; the next question begins a new one. It does so by itself where
        # there is no other: of a session that was deleted as a whole, nothing may be left.
        fresh = Visitor(session_id, engine.start_conversation(session_id) if conversations else None)
        return Scene(fresh, language, now, conversations, is_gone=True)
    return Scene(Visitor(session_id, conversation_id), language, now, conversations, view.turns, view.branches)
