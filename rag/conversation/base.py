"""Values of the store of conversations, and the paths through a conversation's branches."""

from dataclasses import dataclass

from rag.embeddings.check import Vector
from rag.types import Turn


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
