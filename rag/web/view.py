"""A turn's events folded into what is displayed of it while it goes on. Knows nothing of Gradio."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from rag.errors import WenquError
from rag.events import (
    Budgeted,
    Condensed,
    Decided,
    EvidenceShortened,
    Failed,
    Finished,
    Queued,
    Reading,
    Recalled,
    Retrieved,
    Thinking,
    ThoughtsEnded,
    Token,
    TurnEvent,
    Waiting,
)
from rag.types import Candidate, Decision, Evidence, Turn


class Stage(StrEnum):
    """The steps of a turn, in order."""

    QUEUED = "queued"
    DECIDING = "deciding"
    SEARCHING = "searching"
    READING = "reading"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class TurnView:
    """What is known so far of the turn that answers `question`.

    It may cite the `evidence`; `candidates` are what its search made of the best passages.
    """

    question: str
    stage: Stage = Stage.DECIDING
    waiting: int = 0
    decided: Decided | None = None
    evidence: tuple[Evidence, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    read: float | None = None
    thinking: str = ""
    answer: str = ""
    turn: Turn | None = None
    error: WenquError | None = None

    @property
    def over(self) -> bool:
        """Whether the turn has ended, in whatever way."""
        return self.turn is not None or self.error is not None


def fold(view: TurnView, event: TurnEvent) -> TurnView:
    """The view after one more event."""
    match event:
        case Queued(position):
            return replace(view, stage=Stage.QUEUED, waiting=position)
        case Decided():
            searches = event.decision is Decision.RETRIEVE
            return replace(view, stage=Stage.SEARCHING if searches else Stage.READING, decided=event)
        case Retrieved() | EvidenceShortened():  # a shorter one leaves what the search made of it
            found = event.trace.candidates if isinstance(event, Retrieved) else view.candidates
            return replace(view, stage=Stage.READING, evidence=event.evidence, candidates=found)
        case Reading(processed, total):
            return replace(view, stage=Stage.READING, read=processed / total if total else None)
        case Thinking(text):
            return replace(view, stage=Stage.WRITING, thinking=view.thinking + text)
        case ThoughtsEnded():
            return replace(view, thinking=view.thinking + view.answer, answer="")
        case Token(text):
            return replace(view, stage=Stage.WRITING, answer=view.answer + text)
        case Budgeted():
            return replace(view, stage=Stage.READING, thinking="", answer="")
        case Condensed() | Recalled() | Waiting():
            return view
        case Finished(turn):
            return replace(view, turn=turn)
        case Failed(error, turn):
            return replace(view, turn=turn, error=error)


def views(
    question: str,
    events: Iterable[TurnEvent],
    interval: float = 0.08,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[TurnView]:
    """The views of a turn: the first, the last, each with a new stage, and of the others one every `interval` seconds.

    A new stage is never held back: it tells the reader that something happens.
    """
    view = TurnView(question)
    yield view
    shown, shown_at = view, clock()
    for event in events:
        view = fold(view, event)
        now = clock()
        if view.over or view.stage is not shown.stage or now - shown_at >= interval:
            yield view
            shown, shown_at = view, now
