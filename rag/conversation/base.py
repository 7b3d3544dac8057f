"""What every store of conversations can do: few verbs, so that another database can follow."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rag.conversation.rows import TurnVector
from rag.types import Conversation, Rating, Turn


@dataclass(frozen=True, slots=True)
class Expired:
    """How much was deleted because nobody had used it for a long time."""

    conversations: int
    turns: int


class ConversationStore(Protocol):
    """Turns under sessions and conversations. A session sees nothing of another."""

    def start(self, session_id: str) -> str:
        """A new conversation's id."""
        ...

    def conversations(self, session_id: str, containing: str = "") -> tuple[Conversation, ...]:
        """The session's conversations whose title or turns have each word of a text, last used first."""
        ...

    def conversation(self, session_id: str, conversation_id: str | None = None) -> Conversation | None:
        """One of the session's conversations, by default the last used; None if there is no such conversation."""
        ...

    def latest(self, session_id: str) -> str:
        """The id of the conversation last used; where there is none, of a new one, the same for all who ask at once."""
        ...

    def holding(self, session_id: str, turn_id: str) -> str:
        """The id of the conversation that has a turn. Raises UnknownTurn."""
        ...

    def rename(self, session_id: str, conversation_id: str, title: str) -> None:
        """Give a conversation another title. Raises UnknownConversation."""
        ...

    def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
        """All turns of a conversation, of every branch, oldest first. Raises UnknownConversation."""
        ...

    def append(self, turn: Turn) -> None:
        """Store a turn; the branch that it ends is the one in view from now on. Raises StoreError."""
        ...

    def show(self, session_id: str, turn_id: str) -> None:
        """Bring a branch through a turn into view. Raises UnknownTurn."""
        ...

    def shown(self, session_id: str, conversation_id: str) -> str | None:
        """The turn that the branch in view goes through; None where no turn was stored or shown yet."""
        ...

    def rate(self, session_id: str, turn_id: str, rating: Rating, reason: str = "") -> None:
        """What the reader thinks of an answer, in place of what they thought before. Raises UnknownTurn."""
        ...

    def embed(self, session_id: str, turn_id: str, vector: TurnVector) -> None:
        """Store a turn's embedding. Raises UnknownTurn."""
        ...

    def cosines(self, session_id: str, vector: TurnVector, among: Collection[str]) -> Mapping[str, float]:
        """How similar those of the session's turns are whose ids are `among` some, -1 to 1, by turn.

        Turns that have no vector of this model are left out.
        """
        ...

    def expire(self, before: datetime) -> Expired:
        """Delete the conversations that nobody has spoken in since `before`."""
        ...

    def delete(self, session_id: str, conversation_id: str) -> None:
        """Delete a conversation with its turns."""
        ...

    def forget(self, session_id: str) -> None:
        """Delete all of a session's conversations."""
        ...
