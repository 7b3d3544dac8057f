"""What every part of the conversation's tab is shown from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from rag.engine import Engine
from rag.errors import UnknownConversation
from rag.i18n import Language
from rag.types import Conversation, Turn
from rag.web.session import Visitor
from rag.web.view import TurnView

# Values of Gradio's parts, by part, as an event's handler returns them.
Changes = dict[Any, Any]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is on the page at one moment: who looks, in which language, at which branch of which conversation.

    `branches` gives, for each of the `turns`, those that stand in its place in other branches, itself among them.
    `view` holds what only the events of the newest turn told, right after it has ended.
    """

    who: Visitor
    language: Language
    today: date
    conversations: tuple[Conversation, ...] = ()
    turns: tuple[Turn, ...] = ()
    branches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    view: TurnView | None = None


def read_scene(engine: Engine, who: Visitor, language: Language, view: TurnView | None = None) -> Scene:
    """The scene as it is stored. A visitor who is in no conversation, or in one that is gone, sees their latest."""
    conversations = engine.conversations(who.session_id)
    latest = conversations[0].conversation_id if conversations else None
    today = datetime.now().astimezone().date()
    for conversation_id in (who.conversation_id, latest):
        if conversation_id is None:
            continue
        try:
            turns = engine.turns(who.session_id, conversation_id)
            branches = engine.branches(who.session_id, conversation_id)
        except UnknownConversation:
            continue
        present = Visitor(who.session_id, conversation_id)
        return Scene(present, language, today, conversations, turns, branches, view)
    return Scene(Visitor(who.session_id), language, today, conversations)
