"""A model that names no source of its answer: what it was taken from is put behind it, where that is clear."""

import threading

import pytest
from langchain_core.messages import AIMessageChunk

from rag import events
from rag.citations import verify
from rag.types import Decision, Provider, Support, TurnStatus
from tests.engine.rig import Build, finished, model
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase

FACT = "员工每年享有十五天年假，可以分两次休完。"
QUESTION = "员工手册规定年假有几天？"


@pytest.fixture(autouse=True)
def _handbook(knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = (hit(11, "病假工资按八成发放。"), hit(12, f"入职满一年后，{FACT}"))


def test_its_marker_comes_as_the_last_piece_of_the_answer(build: Build) -> None:
    (*seen, last) = build(model(["员工每年享有十五天年假，", "可以分两次休完。", "\n\n"])).stream(QUESTION, "s")
    assert isinstance(last, events.Finished)
    assert last.turn.answer == f"{FACT}[2]"
    assert seen[-1] == events.Token("[2]")
    assert "".join(event.text for event in seen if isinstance(event, events.Token)) == last.turn.answer


def test_the_model_sees_it_in_the_next_prompt_which_only_grew(build: Build) -> None:
    scripted = model([FACT], ["病假工资按八成发放[1]。"])
    engine = build(scripted)
    engine.ask(QUESTION, "s")
    engine.ask("员工手册规定病假工资发多少？", "s")
    first, second = scripted.calls
    assert second[: len(first)] == first
    assert second[len(first)].content == f"{FACT}[2]"


def test_an_answer_from_the_evidence_in_hand_gets_one_too(build: Build) -> None:
    engine = build(model([FACT], ["可以，年假可以分两次休完。"]))
    engine.ask(QUESTION, "s")
    turn = finished(engine.stream("年假可以分开休吗？", "s", decision=Decision.REUSE))
    assert turn.answer == "可以，年假可以分两次休完。[2]"


def test_it_may_be_from_other_evidence_in_hand_than_that_which_has_the_words_of_the_question(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    engine = build(model(["按规定发放[2]。"], [FACT], ["每年享有十五天，分两次休完。"]))
    knowledge.hits = (hit(21, "补贴按规定发放。"), hit(22, "去年的补贴按规定发放，同期的也是。"))
    engine.ask("补贴怎么发？", "s")
    knowledge.hits = (hit(12, f"入职满一年后，{FACT}"),)
    list(engine.stream(QUESTION, "s", decision=Decision.RETRIEVE))
    turn = finished(engine.stream("去年同期有几天？", "s", decision=Decision.REUSE))
    assert turn.answer == "每年享有十五天，分两次休完。[3]"
    assert [item.number for item in turn.sources] == [1, 2, 3]


def test_what_was_read_before_and_bears_out_an_answer_with_a_wrong_marker_is_a_source_of_the_turn(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    engine = build(model(["按规定发放[3]。"], [f"{FACT}[3]"]))
    engine.ask(QUESTION, "s")
    knowledge.hits = (hit(21, "补贴按规定发放。"),)
    turn = engine.ask("员工手册规定补贴怎么发？", "s")
    assert [item.number for item in turn.sources] == [3, 2]
    assert [(one.support, one.added) for one in verify(turn).sentences] == [(Support.SUPPORTED, (2,))]


@pytest.mark.parametrize("answer", ["员工每年享有二十天年假。", "每年享有十五天年假[1]。"])
def test_what_is_not_borne_out_or_marked_stays_as_it_was_said(build: Build, answer: str) -> None:
    assert build(model([answer])).ask(QUESTION, "s").answer == answer


def test_an_answer_that_was_cut_off_gets_none(build: Build) -> None:
    cut = AIMessageChunk(content="", response_metadata={"finish_reason": "length"})
    turn = build(model([FACT, cut])).ask(QUESTION, "s")
    assert (turn.status, turn.answer) == (TurnStatus.CUT, FACT)


@pytest.mark.parametrize("said", [[FACT], [FACT] * 4], ids=["stopped", "repeated"])
def test_an_answer_that_was_ended_for_the_model_gets_none(build: Build, said: list[str]) -> None:
    never = threading.Event()
    engine = build(model([*said, never]))
    for event in engine.stream(QUESTION, "s"):
        if isinstance(event, events.Token) and len(said) == 1:
            engine.stop("s")
    never.set()
    assert isinstance(event, events.Finished)
    assert (event.turn.status, event.turn.answer) == (TurnStatus.STOPPED, FACT)


def test_quotations_and_talk_are_left_as_they_are(build: Build) -> None:
    assert build(model([FACT]), provider=Provider.EXTRACTIVE).ask(QUESTION, "s").answer == FACT
    engine = build(model(["十五天[2]。"], [FACT]))
    engine.ask(QUESTION, "s")
    turn = engine.ask("谢谢", "s")
    assert (turn.decision, turn.answer) == (Decision.NO_RETRIEVE, FACT)
