"""What the model is told: prefixes, the budget, and what stands outside it."""

import threading
from dataclasses import replace
from typing import Any

import pytest

from rag import events
from rag.errors import KnowledgeUnavailable, PromptTooLong, QuestionTooLong
from rag.knowledge.base import SHARED_COLLECTION
from rag.metrics import Metrics
from rag.retrieval import Retrieval
from rag.retrieval.reading import IN_PLACE
from rag.types import Message, Provider
from tests.engine.rig import SEARCHES, Build, join_upkeep, model
from tests.fakes import FakeEmbeddings
from tests.knowledge import Store
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, retrieval_over
from tests.waiting import wait_for


def test_condensing_and_answering_stand_on_the_same_prefix(build: Build) -> None:
    scripted = model(["十天[1]。"], ["婚假有几天？"], ["三天[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("年假有几天？", "s")
    engine.ask("那婚假呢？", "s")
    first, condense, answer = scripted.calls
    assert condense[: len(first)] == first
    assert answer[: len(condense) - 1] == condense[:-1]


def test_a_turn_that_reuses_evidence_adds_only_its_question_to_the_prompt(build: Build) -> None:
    scripted = model(["十天[1]。"], ["五天[2]。"])
    engine = build(scripted)
    engine.ask("年假有几天？", "s")
    engine.ask("那病假呢？", "s")
    first, second = scripted.calls
    assert second[: len(first)] == first
    assert str(second[-1].content) == "问题：那病假呢？"


def test_a_question_is_put_to_the_model_as_it_stands_alone(build: Build) -> None:
    scripted = model(["十天[1]。"], ["员工手册的婚假有几天？"], ["三天[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("员工手册里年假有几天？", "s")
    turn = engine.ask("那婚假呢？", "s")
    asked = str(scripted.calls[-1][-1].content)
    assert turn.generated_question in asked and turn.question not in asked


def test_a_place_is_read_by_itself_and_is_in_the_conversation_afterwards(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripted = model(["十天[1]。"], ["年假和病假[1][2]。"], ["好的。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("员工手册里年假有几天？", "s")
    find = Retrieval.find

    def reads(self: Retrieval, *questions: Any, **others: Any) -> Any:
        return replace(find(self, *questions, **others), prompt="read")

    monkeypatch.setattr(Retrieval, "find", reads)
    turn = engine.ask("员工手册第3页讲了什么？", "s")
    system, asked = scripted.calls[1]
    assert system == scripted.calls[0][0] and turn.question in str(asked.content)
    assert all(item.text in str(asked.content) for item in turn.sources)
    assert turn.budget and turn.budget.history == 0
    monkeypatch.undo()
    engine.ask("谢谢", "s")
    said = [str(message.content) for message in scripted.calls[-1]]
    assert said[2] == "十天[1]。" and turn.question in said[3] and said[4] == turn.answer


def test_an_older_turn_that_a_question_comes_back_to_is_told_of_and_stored(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model(["十天[1]。"], ["七点。"], ["摘要一。"], ["六点。"], ["摘要二。"], ["还是十天。"], ["摘要三。"])
    engine = build(scripted, decider=SEARCHES, max_recent_turns=2)
    first = engine.ask("员工手册规定年假有几天？", "s")
    engine.ask("食堂的早饭几点开始？", "s")
    join_upkeep()
    engine.ask("班车的末班几点出发？", "s")
    join_upkeep()
    knowledge.hits = ()
    seen = list(engine.stream("员工手册规定的年假有几天来着？", "s"))
    (recalled,) = (event for event in seen if isinstance(event, events.Recalled))
    assert recalled.turns == (first,)
    stored = engine.turns("s", first.conversation_id)[-1]
    assert stored.recalled == (first.turn_id,)
    join_upkeep()
    assert "答：十天。" in str(scripted.calls[5][-1].content)


@pytest.mark.parametrize("found", [True, False])
def test_older_turns_are_not_told_of_again_where_the_model_finds_the_prompt_too_long(
    build: Build, knowledge: FixedKnowledgeBase, found: bool
) -> None:
    too_long = PromptTooLong(tokens=5000, limit=4096)
    scripted = model(["十天[1]。"], ["七点。"], ["摘要。"], ["六点。"], ["摘要。"], [too_long], ["十天。"], ["摘要。"])
    engine = build(scripted, decider=SEARCHES, max_recent_turns=2)
    for question in ("员工手册规定年假有几天？", "食堂的早饭几点开始？", "班车的末班几点出发？"):
        engine.ask(question, "s")
        join_upkeep()
    knowledge.hits = (hit(9, "年假按工龄计算。"),) if found else ()
    turn = engine.ask("员工手册规定的年假有几天来着？", "s")
    join_upkeep()
    told = ["答：十天。" in str(call[-1].content) for call in scripted.calls[5:7]]
    assert told == [True, False] and turn.recalled == () and turn.budget and turn.budget.recalled == 0


def test_turns_that_cannot_be_embedded_are_summarised_all_the_same(build: Build) -> None:
    embeddings = FakeEmbeddings()
    embeddings.refused = {"年假", "早饭"}
    scripted = model(["十天[1]。"], ["七点。"], ["摘要一。"])
    engine = build(scripted, decider=SEARCHES, embeddings=embeddings, max_recent_turns=2)
    first = engine.ask("员工手册规定年假有几天？", "s")
    engine.ask("食堂的早饭几点开始？", "s")
    join_upkeep()
    known = engine.recollection("s", first.conversation_id)
    assert known.summary is not None and known.summary.text == "摘要一。"


def test_the_parts_of_the_prompt_are_told_of_and_kept_with_the_turn(build: Build) -> None:
    engine = build(model(["十天[1]。"], ["五天[2]。"]))
    engine.ask("年假有几天？", "s")
    seen = list(engine.stream("那病假呢？", "s"))
    (budgeted,) = (event for event in seen if isinstance(event, events.Budgeted))
    budget = budgeted.budget
    assert isinstance(seen[-1], events.Finished)
    assert seen[-1].turn.budget == budget
    assert (budget.limit, budget.answer, budget.evidence, budget.recalled) == (8192, 512, 0, 0)
    assert min(budget.system, budget.history, budget.question) > 0


def test_a_question_that_does_not_fit_beside_its_answer_and_a_passage_is_a_clear_error(build: Build) -> None:
    scripted = model()
    with pytest.raises(QuestionTooLong, match=r"1903.*419"):
        build(scripted, llm_max_token=1300).ask("请问" + "很长的问题" * 380 + "？", "s")
    assert scripted.calls == []


def test_new_evidence_is_cut_before_turns_leave_the_prompt(build: Build, knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = (hit(1, "第一段有很多话。" * 30),)
    engine = build(
        model(["答" * 150], ["答。"]),
        Provider.EMBEDDED,
        llm_max_token=1500,
        # Between the turns nothing is put into a summary.
        max_token_threshold=2.0,
        evidence_tokens=700,
        decider=SEARCHES,
    )
    first = engine.ask("第一个问题是什么？", "s")
    knowledge.hits = tuple(hit(number, f"第{number}段有很多话。" * 30) for number in range(2, 6))
    second = engine.ask("第二个问题是什么？", "s")
    assert second.first_turn_in_prompt == first.turn_id
    assert second.budget is not None and 100 <= second.budget.evidence < 350


def test_what_was_found_and_had_no_room_is_not_told_to_be_missing(build: Build, knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = (hit(1, "第一段。"),)
    scripted = model(["答。"])
    turn = build(scripted, Provider.EMBEDDED, evidence_tokens=1).ask("年假有几天？", "s")
    assert turn.sources == ()
    assert "没有找到" not in str(scripted.calls[0][-1].content)


def test_passages_without_room_are_told_of_in_their_order(build: Build, knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = tuple(hit(number, f"第{number}段有很多话。" * 12) for number in range(1, 5))
    engine = build(model(["答[1]。"]), Provider.EMBEDDED, evidence_tokens=120)
    (budgeted,) = (event for event in engine.stream("年假有几天？", "s") if isinstance(event, events.Budgeted))
    assert [item.chunk_id for item in budgeted.left_out] == [3, 4]


def test_what_a_place_has_that_had_no_room_is_stored_with_the_turn(store: Store, build: Build) -> None:
    store.put(
        "s", "月报.pdf", *(f"{number}月的销售额另见附表，并由财务部门在次月核对。" * 3 for number in range(1, 10))
    )
    retrieval = retrieval_over(store.knowledge, order=store.order)
    engine = build(model(["答[1]。"]), Provider.EMBEDDED, retrieval=retrieval, evidence_tokens=120)
    asked = engine.ask("第2页到第9页讲了什么？", "s")
    (stored,) = engine.turns("s", asked.conversation_id)
    assert asked.trace == stored.trace
    assert [item.page for item in stored.sources] == [2, 3, 4, 5, 6]
    left_out = Message("search.no_room", {"name": "月报.pdf", "count": 3, "pages": "7–9"})
    assert stored.trace.notes == (IN_PLACE, left_out)


def test_a_prompt_that_the_model_finds_too_long_is_tried_once_with_half_the_evidence_which_is_no_search(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = tuple(hit(number, f"第{number}段。" * 8) for number in range(1, 5))
    scripted = model([PromptTooLong(tokens=5000, limit=4096)], ["答[1]。"])
    told = list(build(scripted).stream("年假有几天？", "s"))
    assert ["第3段" in str(call[-1].content) for call in scripted.calls] == [True, False]
    (shortened,) = (event for event in told if isinstance(event, events.EvidenceShortened))
    assert [item.number for item in shortened.evidence] == [1, 2]
    metrics = Metrics(lambda: 0, dict)
    for event in told:
        metrics.observe(event)
    assert 'wenqu_stage_seconds_count{stage="retrieve"} 1.0' in metrics.text().decode()


def test_a_prompt_that_stays_too_long_is_a_clear_error(build: Build) -> None:
    too_long = PromptTooLong(tokens=5000, limit=4096)
    scripted = model([too_long], [too_long])
    with pytest.raises(PromptTooLong, match=r"5000.*4096"):
        build(scripted).ask("年假有几天？", "s")
    assert len(scripted.calls) == 2


def test_a_prompt_that_nothing_can_be_left_out_of_is_not_tried_again(build: Build) -> None:
    scripted = model([PromptTooLong(tokens=5000, limit=4096)])
    with pytest.raises(PromptTooLong):
        build(scripted).ask("谢谢！", "s")
    assert len(scripted.calls) == 1


def test_a_conversation_that_the_model_finds_too_long_goes_on_with_half_its_history(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    too_long = PromptTooLong(tokens=5000, limit=4096)
    long, also_long = "答" * 250, "复" * 250
    scripted = model([long], [also_long], [too_long], [too_long], ["三。"], ["摘要。"], ["四。"])
    engine = build(scripted, decider=SEARCHES)
    for number in range(1, 5):
        knowledge.hits = (hit(number, f"第{number}段。" * 20),)
        turn = engine.ask(f"员工手册第{number}条规定了什么内容？", "s")
        join_upkeep()
    turns = engine.turns("s", turn.conversation_id)
    assert [turn.answer for turn in turns] == [long, also_long, "三。", "四。"]
    assert [turn.first_turn_in_prompt for turn in turns] == [None, turns[0].turn_id, turns[1].turn_id, turns[1].turn_id]
    whole, shorter, following = (scripted.calls[number] for number in (3, 4, 6))
    assert shorter[1:-1] == whole[3:-1]
    assert following[1 : len(shorter)] == shorter[1:]
    assert str(following[0].content).endswith("摘要。")


@pytest.mark.parametrize("question", ["谢谢！", "详细说说"])
def test_a_question_without_new_evidence_is_asked_once_more_with_half_the_history(build: Build, question: str) -> None:
    too_long = PromptTooLong(tokens=5000, limit=4096)
    scripted = model(["十天[1]。" * 90], [too_long], ["好。"], ["摘要。"])
    engine = build(scripted)
    first = engine.ask("年假有几天？", "s")
    second = engine.ask(question, "s")
    join_upkeep()
    assert "年假为十天。" in str(scripted.calls[1]) and "年假为十天。" not in str(scripted.calls[2][:-1])
    assert second.sources == (first.sources if question == "详细说说" else ())
    assert ("年假为十天。" in str(scripted.calls[2][-1].content)) is bool(second.sources)


def test_what_was_said_before_the_model_found_its_prompt_too_long_is_no_part_of_the_answer(build: Build) -> None:
    engine = build(model(["<think>想</think>半句", PromptTooLong(tokens=5000, limit=4096)], ["全句。"]))
    turn = engine.ask("年假有几天？", "s")
    assert (turn.thinking, turn.answer) == ("", "全句。")


def test_questions_that_may_follow_are_thought_of_on_the_prefix_of_the_next_question(build: Build) -> None:
    thought_of = "1. 年假怎样申请？\n年假有几天？\n2. 病假有几天？\n3. 婚假有几天？\n4. 产假有几天？"
    scripted = model(["十天[1]。"], [thought_of])
    engine = build(scripted, suggest_questions=True)
    turn = engine.ask("年假有几天？", "s")
    join_upkeep()
    # Three, and none that was asked.
    assert engine.suggestions("s", turn.turn_id) == ("年假怎样申请？", "病假有几天？", "婚假有几天？")
    assert engine.suggestions("other", turn.turn_id) == ()
    answered, asked = scripted.calls
    assert asked[: len(answered)] == answered
    assert scripted.arguments[1]["reasoning"] is False
    engine.forget("s")
    assert engine.suggestions("s", turn.turn_id) == ()


@pytest.mark.parametrize(("slots", "thought_of"), [(2, ("病假有几天？",)), (1, ())])
def test_what_is_done_for_others_ends_only_where_it_keeps_a_question_waiting(
    build: Build, slots: int, thought_of: tuple[str, ...]
) -> None:
    others_turn = threading.Event()
    scripted = model(["十天[1]。"], [others_turn, "病假有几天？"], ["五天[2]。"], ["年假有几天？"])
    engine = build(scripted, slots=slots, suggest_questions=True)
    turn = engine.ask("年假有几天？", "one")
    assert wait_for(lambda: len(scripted.calls) == 2)
    engine.ask("病假有几天？", "other")
    others_turn.set()
    join_upkeep()
    assert engine.suggestions("one", turn.turn_id) == thought_of


def test_nothing_is_suggested_unless_configured_nor_after_small_talk(build: Build) -> None:
    for engine in (build(model(["十天[1]。"])), build(model(["不客气！"]), suggest_questions=True)):
        turn = engine.ask("谢谢！", "s")
        join_upkeep()
        assert engine.suggestions("s", turn.turn_id) == ()


def test_before_the_first_question_a_search_is_tried_and_the_common_prefix_read(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model(["十天[1]。"])
    engine = build(scripted, Provider.EMBEDDED)
    engine.warm()
    assert knowledge.searches == [(("问渠",), (SHARED_COLLECTION,))]
    engine.ask("年假有几天？", "s")
    assert scripted.read_ahead[0][:-1] == scripted.calls[0][:-1]
    assert engine.store.conversations("s")


def test_a_store_that_refuses_the_search_before_the_first_question_keeps_no_prefix_from_being_read(
    build: Build, knowledge: FixedKnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise KnowledgeUnavailable(address="http://127.0.0.1:9")

    monkeypatch.setattr(knowledge, "search", refuse)
    scripted = model()
    build(scripted, Provider.EMBEDDED).warm()
    assert len(scripted.read_ahead) == 1
