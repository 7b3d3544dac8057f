"""How an answer came about: when each step was, and what became of the passages that the search found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rag.types.message import Message
from rag.types.search import Candidate


@dataclass(frozen=True, slots=True)
class Span:
    """A step of a turn, from and to so many seconds after the question."""

    step: str
    begin: float
    end: float

    @property
    def seconds(self) -> float:
        """How long the step took."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """What a turn's events tell beyond the turn itself: `found` is how many chunks each route brought."""

    spans: tuple[Span, ...] = ()
    found: Mapping[str, int] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    notes: tuple[Message, ...] = ()
