"""An engine over a scripted model, fixed hits and a real SQLite file."""

import threading
from collections.abc import Callable, Iterable

from rag import events
from rag.decision.base import Situation, Verdict
from rag.engine import Engine
from rag.rerank.features import FeatureReranker
from rag.types import Decision, Message, Provider, Turn
from tests.knowledge import TOKENIZER, Store
from tests.samples import hit
from tests.scripted import ScriptedChatModel, retrieval_over

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


def over_files(build: Build, store: Store, *answers: str) -> Engine:
    """An engine that searches a store's files in each turn, and whose embedded model gives these answers."""
    retrieval = retrieval_over(store.knowledge, reranker=FeatureReranker(TOKENIZER.words), order=store.order)
    return build(model(*([answer] for answer in answers)), Provider.EMBEDDED, retrieval=retrieval, decider=SEARCHES)


def talk(engine: Engine, *questions: str) -> list[Turn]:
    """The turns of a conversation of its own."""
    conversation = engine.store.start("me")
    return [engine.ask(question, "me", conversation_id=conversation) for question in questions]


def join_upkeep() -> None:
    """Wait for the work between turns."""
    for thread in threading.enumerate():
        if thread.name == "upkeep":
            thread.join(30)


def model(*scripts: object) -> ScriptedChatModel:
    """A model that says these, call by call."""
    return ScriptedChatModel(scripts=list(scripts))


def finished(told: Iterable[events.TurnEvent]) -> Turn:
    """The turn that a stream ends with in order."""
    *_, last = told
    assert isinstance(last, events.Finished), last
    return last.turn


def failed(told: Iterable[events.TurnEvent]) -> events.Failed:
    """How a stream ends that comes to nothing."""
    *_, last = told
    assert isinstance(last, events.Failed), last
    return last
