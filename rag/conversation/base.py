"""What every store of conversations can do."""

from typing import Protocol

from rag.types import Conversation, Turn


class ConversationStore(Protocol):
    """Turns under sessions and conversations. A session sees nothing of another one."""

    def start(self, session_id: str) -> str:
        """A new conversation's id."""
        ...

    def conversations(self, session_id: str) -> tuple[Conversation, ...]:
        """The session's conversations, the one spoken in last first."""
        ...

    def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
        """All turns of a conversation, of every branch, oldest first. Raises UnknownConversation."""
        ...

    def append(self, turn: Turn) -> None:
        """Store a turn. Raises StoreError."""
        ...

    def delete(self, session_id: str, conversation_id: str) -> None:
        """Delete a conversation with its turns."""
        ...

    def forget(self, session_id: str) -> None:
        """Delete all of a session's conversations."""
        ...


def path_to(turns: tuple[Turn, ...], turn_id: str | None = None) -> tuple[Turn, ...]:
    """The turns from a conversation's root to `turn_id` (to its newest turn if None), oldest first."""
    by_id = {turn.turn_id: turn for turn in turns}
    turn = by_id.get(turn_id) if turn_id else turns[-1] if turns else None
    path: list[Turn] = []
    while turn is not None:
        path.append(turn)
        turn = by_id.get(turn.parent_turn_id) if turn.parent_turn_id else None
    return tuple(reversed(path))
