"""A session's conversations as its reader sees them: under a name, and branch by branch."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from rag.conversation.base import ConversationStore
from rag.errors import UnfitTitle, UnknownTurn
from rag.types import Turn

MAX_TITLE_LENGTH = 80


@dataclass(frozen=True, slots=True)
class View:
    """The branch in view, oldest turn first.

    `branches` gives, for each of the `turns`, those that stand in its place in other branches, itself among them, in
    their order; by ids.
    """

    turns: tuple[Turn, ...]
    branches: Mapping[str, tuple[str, ...]]


class Shelf:
    """Shows a conversation by one of its branches: the one that was spoken in or looked at last."""

    def __init__(self, store: ConversationStore) -> None:
        self.store = store

    def conversation_for(self, session_id: str, parent_turn_id: str | None) -> str:
        """Where a question belongs that names no conversation: where its parent stands, or in the one last used.

        The latter is started where there is none. Raises UnknownTurn.
        """
        if parent_turn_id:
            return self.store.holding(session_id, parent_turn_id)
        return self.store.latest(session_id)

    def rename_conversation(self, session_id: str, conversation_id: str, title: str) -> None:
        """Give a conversation another title. Raises UnfitTitle, UnknownConversation."""
        title = " ".join(title.split())
        if not 0 < len(title) <= MAX_TITLE_LENGTH:
            raise UnfitTitle(length=len(title), limit=MAX_TITLE_LENGTH)
        self.store.rename(session_id, conversation_id, title)

    def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
        """The branch in view, oldest turn first. Raises UnknownConversation."""
        _, branch = self._read(session_id, conversation_id)
        return branch

    def path(self, session_id: str, conversation_id: str, last_turn_id: str) -> tuple[Turn, ...]:
        """The turns up to one of them, oldest first; empty for no turn. Raises UnknownConversation, UnknownTurn."""
        turns = self.store.turns(session_id, conversation_id)
        path = path_to(turns, last_turn_id) if last_turn_id else ()
        if last_turn_id and not path:
            raise UnknownTurn()
        return path

    def view(self, session_id: str, conversation_id: str) -> View:
        """The branch in view, and where others leave it. Raises UnknownConversation."""
        turns, path = self._read(session_id, conversation_id)
        siblings: dict[str | None, list[str]] = defaultdict(list)
        for turn in turns:
            siblings[turn.parent_turn_id].append(turn.turn_id)
        return View(path, {turn.turn_id: tuple(siblings[turn.parent_turn_id]) for turn in path})

    def _read(self, session_id: str, conversation_id: str) -> tuple[tuple[Turn, ...], tuple[Turn, ...]]:
        """All turns of a conversation, and of them the newest branch through what was shown last."""
        # In this order: a turn that is stored in between must not be in view before it is there.
        shown = self.store.shown(session_id, conversation_id)
        turns = self.store.turns(session_id, conversation_id)
        return turns, path_to(turns, newest_after(turns, shown))


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
