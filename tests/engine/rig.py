"""An engine over a scripted model, fixed hits and a real SQLite file."""

import threading
from collections.abc import Callable

from rag.decision.base import Situation, Verdict
from rag.engine import Engine
from rag.types import Decision, Message
from tests.samples import hit
from tests.scripted import ScriptedChatModel

HITS = (hit(11, "年假为十天。", page=3), hit(12, "病假为五天。", page=4))
Build = Callable[..., Engine]


class FixedDecider:
    """Says the same of every turn that takes weighing."""

    def __init__(self, decision: Decision, certainty: float) -> None:
        self.verdict = Verdict(decision, Message("decision.signal.none"), certainty)

    def decide(self, situation: Situation) -> Verdict:
        """The verdict."""
        return self.verdict


SEARCHES = FixedDecider(Decision.RETRIEVE, 0.95)


def join_upkeep() -> None:
    """Wait for the work between turns."""
    for thread in threading.enumerate():
        if thread.name == "upkeep":
            thread.join(30)


def model(*scripts: object) -> ScriptedChatModel:
    """A model that says these, call by call."""
    return ScriptedChatModel(scripts=list(scripts))
