"""A question that comes before the vectors of what was just added."""

from collections.abc import Sequence

import pytest

from rag import events
from rag.engine import Engine
from rag.knowledge.base import WORDS_ONLY
from rag.knowledge.request import SearchRequest
from rag.llm.gate import Gate, Ticket
from rag.types import EVERYTHING, Message, RouteTrace, Scope, SearchResult, SearchTrace, Turn
from tests.engine.rig import HITS, Build, model
from tests.scripted import FixedKnowledgeBase, retrieval_over


class Filling(FixedKnowledgeBase):
    """Finds its hits once no passage lacks its vector; each look at how many do tells the next number."""

    def __init__(self, *left: int, notes: tuple[Message, ...] = (), field: str = "chunk_dense") -> None:
        super().__init__(*HITS)
        self.notes, self.left, self.field = notes, list(left), field
        self.looks: list[bool] = []
        self.gate: Gate | None = None

    def search(
        self, questions: Sequence[str], collections: Sequence[str], request: SearchRequest, scope: Scope = EVERYTHING
    ) -> SearchResult:
        """All there is once nothing lacks its vector, else nothing."""
        found = super().search(questions, collections, request, scope)
        trace = SearchTrace(routes=(RouteTrace(self.field, (), 0.0),), notes=self.notes)
        return SearchResult(() if self.left[0] else found.hits, trace)

    def lacking(self, collections: Sequence[str], scope: Scope = EVERYTHING) -> int:
        """The next number, the last one again and again."""
        assert self.gate is not None
        self.looks.append(self.gate.idle.is_set())
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rag.turn.pending_files._LOOK_SECONDS", 0.001)
    monkeypatch.setattr("rag.turn.pending_files._PATIENCE_SECONDS", 0.05)


def _asked(build: Build, knowledge: Filling) -> tuple[list[events.TurnEvent], Turn]:
    engine: Engine = build(model(["年假为十天。[1]"]), retrieval=retrieval_over(knowledge))
    knowledge.gate = vars(engine)["_gate"]
    *seen, last = engine.stream("员工一年能歇几天？", "s")
    assert isinstance(last, events.Finished)
    return seen, last.turn


def test_a_question_that_words_find_nothing_for_waits_for_the_vectors_that_come(build: Build) -> None:
    knowledge = Filling(40, 40, 12, 0)
    seen, turn = _asked(build, knowledge)
    assert turn.answer == "年假为十天。[1]"
    assert sum(isinstance(event, events.Waiting) for event in seen) == 3
    assert knowledge.looks == [False, True, True, True]  # meanwhile they are made


@pytest.mark.parametrize("left", [[101], [0]])
def test_it_does_not_wait_for_many_passages_and_not_where_all_have_vectors(
    build: Build, left: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Ticket, "aside", None)  # nor does the background begin
    knowledge = Filling(*left)
    knowledge.hits = ()
    seen, turn = _asked(build, knowledge)
    assert turn.sources == ()
    assert len(knowledge.looks) == 1
    assert not any(isinstance(event, events.Waiting) for event in seen)


def test_it_waits_no_longer_where_no_more_vectors_come(build: Build) -> None:
    knowledge = Filling(40, 39)
    searched = _asked(build, knowledge)[1]
    assert searched.sources == ()
    assert len(knowledge.looks) > 2


@pytest.mark.parametrize(
    "knowledge",
    [Filling(40, 0, notes=(Message(WORDS_ONLY, {"reason": "down"}),)), Filling(40, 0, field="chunk_sparse")],
)
def test_it_does_not_wait_for_vectors_that_no_search_would_use(build: Build, knowledge: Filling) -> None:
    assert _asked(build, knowledge)[1].sources == ()
    assert knowledge.looks == []
