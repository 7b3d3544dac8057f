"""What every store of conversations can do."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rag.embeddings.check import Vector
from rag.types import Conversation, Rating, Turn


@dataclass(frozen=True, slots=True)
class TurnVector:
    """A vector of length 1 of a turn or of a question, and the model that made it: only those of one model compare."""

    model_id: str
    values: Vector


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


def newest_after(turns: tuple[Turn, ...], turn_id: str | None) -> str | None:
    """The newest of the turns, given oldest first, that follow `turn_id`; that turn itself where none does."""
    branch = {turn_id}
    newest = turn_id
    for turn in turns:
        if turn_id and turn.parent_turn_id in branch:
            newest = turn.turn_id
            branch.add(newest)
    return newest


def path_to(turns: tuple[Turn, ...], turn_id: str | None) -> tuple[Turn, ...]:
    """The turns from a conversation's root to `turn_id` (to its newest turn if None), oldest first."""
    left = {turn.turn_id: turn for turn in turns}
    following = turn_id or (turns[-1].turn_id if turns else None)
    path: list[Turn] = []
    # Each turn once: an imported one may name itself or a later turn as its parent.
    while following is not None and (turn := left.pop(following, None)) is not None:
        path.append(turn)
        following = turn.parent_turn_id
    return tuple(reversed(path))
