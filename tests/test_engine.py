"""A turn from question to stored answer, with a scripted model and real SQLite."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rag import events
from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.database import open_database
from rag.decision.base import Decider, Situation, Verdict
from rag.decision.rules import RulesDecider
from rag.engine import ROOT, Engine
from rag.errors import (
    EmptyQuestion,
    ModelGaveNothing,
    ModelStreamBroken,
    PromptTooLong,
    QuestionTooLong,
    UnfitTitle,
    UnknownConversation,
    UnknownTurn,
)
from rag.llm.gate import ModelGate
from rag.memory import Memory
from rag.prompts import Prompts
from rag.recall import Recall
from rag.settings import DialogueSettings
from rag.types import Decision, Message, Provider, Rating, Turn, TurnStatus
from tests.fakes import FakeEmbeddings
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, ScriptedChatModel, retrieval_over

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


@pytest.fixture
def knowledge() -> FixedKnowledgeBase:
    return FixedKnowledgeBase(*HITS)


@pytest.fixture
def build(tmp_path: Path, knowledge: FixedKnowledgeBase) -> Build:
    database = open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}")
    store = SqlConversationStore(database)

    def engine(
        model: ScriptedChatModel,
        provider: Provider = Provider.OLLAMA,
        on_turn: Callable[[Turn], None] | None = None,
        decider: Decider | None = None,
        slots: int = 1,
        **settings: object,
    ) -> Engine:
        dialogue = DialogueSettings.model_validate({"decide_by": "rules", **settings})
        current = lambda: (provider, "scripted", model)  # noqa: E731
        recall = Recall(store, FakeEmbeddings(), "fake", dialogue.max_relevant_turns)
        memory = Memory(dialogue, SummaryStore(database), Prompts(), recall)
        gate = ModelGate(slots)
        return Engine(
            dialogue,
            retrieval_over(knowledge),
            store,
            current,
            gate,
            memory,
            decider=decider or RulesDecider(),
            on_turn=on_turn,
        )

    return engine


def join_upkeep() -> None:
    for thread in threading.enumerate():
        if thread.name == "upkeep":
            thread.join(10)


def model(*scripts: object) -> ScriptedChatModel:
    return ScriptedChatModel(scripts=list(scripts))


def test_a_turn_yields_its_stages_in_order_and_ends_with_the_stored_turn(build: Build) -> None:
    engine = build(model(["年假", "为十天", "[1]。"]))
    seen = list(engine.stream("年假有几天？", "s"))
    kinds = [type(event) for event in seen if not isinstance(event, events.Token)]
    assert kinds == [events.Decided, events.Retrieved, events.Budgeted, events.Citation, events.Finished]
    finished = seen[-1]
    assert isinstance(finished, events.Finished)
    turn = finished.turn
    assert turn.answer == "年假为十天[1]。"
    assert [(item.number, item.page) for item in turn.sources] == [(1, 3), (2, 4)]
    assert turn.usage.cached == 60
    assert turn.timing.first_token is not None
    assert engine.turns("s", turn.conversation_id) == (turn,)


def test_a_follow_up_is_searched_by_its_rewrite_and_by_itself(build: Build, knowledge: FixedKnowledgeBase) -> None:
    scripted = model(["十天[1]。"], ["婚假有几天？"], ["三天[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("年假有几天？", "s")
    turn = engine.ask("那婚假呢？", "s")
    assert turn.generated_question == "婚假有几天？"
    assert knowledge.searches[-1] == (("婚假有几天？", "那婚假呢？"), ("s", "shared"))


def test_evidence_of_an_earlier_turn_that_is_cited_is_a_source_of_this_turn(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    engine = build(model(["十天[1]。"], ["婚假三天[3]，年假见前文[1]。"]))
    engine.ask("员工手册的年假有几天？", "s")
    knowledge.hits = (hit(13, "婚假为三天。", page=5),)
    turn = engine.ask("员工手册的婚假有几天？", "s")
    assert [item.number for item in turn.sources] == [3, 1]


def test_condensing_and_answering_stand_on_the_same_prefix(build: Build) -> None:
    scripted = model(["十天[1]。"], ["婚假有几天？"], ["三天[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("年假有几天？", "s")
    engine.ask("那婚假呢？", "s")
    first, condense, answer = scripted.calls
    assert condense[: len(first)] == first
    assert answer[: len(condense) - 1] == condense[:-1]


def test_without_a_model_a_follow_up_is_joined_to_the_question_before_it(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model(["十天[1]。"], ["三天[2]。"])
    engine = build(scripted, Provider.EXTRACTIVE, decider=SEARCHES)
    engine.ask("员工手册的年假有几天？", "s")
    engine.ask("那婚假呢？", "s")
    assert knowledge.searches[-1][0] == ("员工手册的年假有几天？ 那婚假呢？", "那婚假呢？")
    assert len(scripted.calls) == 2


def test_a_follow_up_that_the_evidence_in_hand_covers_is_answered_from_it(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model(["十天[1]。"], ["五天[2]。"])
    engine = build(scripted)
    first = engine.ask("年假有几天？", "s")
    seen = list(engine.stream("那病假呢？", "s"))
    kinds = [type(event) for event in seen if not isinstance(event, events.Token)]
    assert kinds == [events.Decided, events.Retrieved, events.Budgeted, events.Citation, events.Finished]
    finished = seen[-1]
    assert isinstance(finished, events.Finished)
    assert finished.turn.decision is Decision.REUSE
    assert finished.turn.sources == first.sources
    assert finished.turn.answer == "五天[2]。"
    searched = [questions for questions, _ in knowledge.searches]
    assert searched == [("年假有几天？",), ("那病假呢？ 员工手册 休假",)]


def test_a_turn_that_reuses_evidence_adds_only_its_question_to_the_prompt(build: Build) -> None:
    scripted = model(["十天[1]。"], ["五天[2]。"])
    engine = build(scripted)
    engine.ask("年假有几天？", "s")
    engine.ask("那病假呢？", "s")
    first, second = scripted.calls
    assert second[: len(first)] == first
    assert str(second[-1].content) == "问题：那病假呢？"


def test_an_uncertain_reuse_is_searched_for_all_the_same(build: Build) -> None:
    engine = build(model(["十天[1]。"], ["婚假有几天？"], ["我不知道。"]), decider=FixedDecider(Decision.REUSE, 0.6))
    engine.ask("年假有几天？", "s")
    (decided,) = (event for event in engine.stream("那婚假呢？", "s") if isinstance(event, events.Decided))
    assert decided.decision is Decision.RETRIEVE
    assert decided.reason.key == "decision.rather_search"
    stored = engine.turns("s", engine.conversations("s")[0].conversation_id)[-1]
    assert (stored.reason, stored.certainty) == (decided.reason, 0.6)


def test_thanks_are_answered_without_a_search(build: Build, knowledge: FixedKnowledgeBase) -> None:
    engine = build(model(["十天[1]。"], ["不客气！"]))
    engine.ask("年假有几天？", "s")
    turn = engine.ask("谢谢！", "s")
    assert turn.decision is Decision.NO_RETRIEVE
    assert turn.sources == ()
    assert len(knowledge.searches) == 1


def test_thoughts_are_told_apart_from_the_answer(build: Build) -> None:
    engine = build(model(["<thi", "nk>先看手册</th", "ink>十天[1]。"]))
    seen = list(engine.stream("年假有几天？", "s"))
    assert "".join(event.text for event in seen if isinstance(event, events.Thinking)) == "先看手册"
    turn = engine.turns("s", engine.conversations("s")[0].conversation_id)[-1]
    assert (turn.answer, turn.thinking) == ("十天[1]。", "先看手册")


def test_a_stopped_turn_keeps_what_it_has_of_its_answer(build: Build) -> None:
    never = threading.Event()
    engine = build(model(["年假为", never, "十天"]))
    turns = engine.stream("年假有几天？", "s")
    for event in turns:
        if isinstance(event, events.Token):
            engine.stop("s")
    assert isinstance(event, events.Finished)
    never.set()
    assert (event.turn.status, event.turn.answer) == (TurnStatus.STOPPED, "年假为")


def test_stopping_leaves_other_sessions_alone(build: Build) -> None:
    engine = build(model(["年假为", "十天"]))
    for event in engine.stream("年假有几天？", "one"):  # noqa: B007
        engine.stop("other")
    assert isinstance(event, events.Finished)
    assert event.turn.status is TurnStatus.FINISHED


def test_a_reader_who_leaves_in_mid_answer_finds_the_part_they_saw(build: Build) -> None:
    engine = build(model(["年假为", "十天"]))
    turns = engine.stream("年假有几天？", "s")
    next(event for event in turns if isinstance(event, events.Token))
    turns.close()
    (turn,) = engine.turns("s", engine.conversations("s")[0].conversation_id)
    assert (turn.status, turn.answer) == (TurnStatus.STOPPED, "年假为")


def test_a_model_that_breaks_off_leaves_a_marked_part_that_can_be_retried(build: Build) -> None:
    engine = build(model(["年假为", ModelStreamBroken(model="m")], ["年假为十天[1]。"]))
    failed = list(engine.stream("年假有几天？", "s"))[-1]
    assert isinstance(failed, events.Failed)
    assert failed.turn is not None
    assert (failed.turn.status, failed.turn.answer) == (TurnStatus.FAILED, "年假为")
    assert failed.turn.message == failed.error.message
    conversation = failed.turn.conversation_id
    again = engine.ask("年假有几天？", "s", ROOT, conversation_id=conversation)
    assert engine.turns("s", conversation) == (again,)


def test_a_model_that_says_nothing_is_an_error_of_its_own(build: Build) -> None:
    engine = build(model(["<think>想了很久</think>"]))
    with pytest.raises(ModelGaveNothing):
        engine.ask("年假有几天？", "s")


def test_the_turn_after_a_failed_one_does_not_repeat_it_to_the_model(build: Build) -> None:
    scripted = model([ModelStreamBroken(model="m")], ["十天[1]。"])
    engine = build(scripted)
    with pytest.raises(ModelStreamBroken):
        engine.ask("第一问的内容是什么？", "s")
    engine.ask("员工手册规定年假有几天？", "s")
    assert not any("第一问" in str(message.content) for message in scripted.calls[-1])


@pytest.mark.parametrize(
    ("question", "error"), [("  \n", EmptyQuestion), ("问" * 10_000, QuestionTooLong)], ids=["empty", "long"]
)
def test_a_question_that_cannot_be_asked_fails_before_anything_is_stored(
    question: str, error: type[Exception], build: Build
) -> None:
    engine = build(model())
    (failed,) = engine.stream(question, "s")
    assert isinstance(failed, events.Failed)
    assert isinstance(failed.error, error)
    assert engine.conversations("s") == ()


def test_a_session_reaches_no_other_session(build: Build) -> None:
    engine = build(model(["十天[1]。"], ["十天[1]。"]))
    theirs = engine.ask("年假有几天？", "theirs")
    assert engine.conversations("mine") == ()
    with pytest.raises(UnknownConversation):
        engine.turns("mine", theirs.conversation_id)
    with pytest.raises(UnknownConversation):
        engine.ask("年假有几天？", "mine", conversation_id=theirs.conversation_id)
    with pytest.raises(UnknownTurn):
        engine.ask("年假有几天？", "mine", theirs.turn_id)


def test_an_older_parent_begins_a_branch_that_the_newest_turn_decides(build: Build) -> None:
    engine = build(model(["一"], ["二"], ["三"]))
    first = engine.ask("员工手册的年假有几天？", "s")
    engine.ask("员工手册的病假有几天？", "s")
    third = engine.ask("员工手册的婚假有几天？", "s", first.turn_id)
    assert engine.turns("s", first.conversation_id) == (first, third)


def test_a_branch_that_is_shown_stays_in_view_and_the_next_question_follows_it(build: Build) -> None:
    engine = build(model(["一"], ["二"], ["三"], ["四"]))
    root = engine.ask("员工手册的年假有几天？", "s")
    old = engine.ask("员工手册的病假有几天？", "s")
    new = engine.ask("员工手册的婚假有几天？", "s", root.turn_id)
    conversation = root.conversation_id
    assert engine.branches("s", conversation) == {
        root.turn_id: (root.turn_id,),
        new.turn_id: (old.turn_id, new.turn_id),
    }
    assert engine.turns("s", conversation, old.turn_id) == (root, old)
    assert engine.turns("s", conversation) == (root, new)
    engine.show_branch("s", old.turn_id)
    assert engine.turns("s", conversation) == (root, old)
    following = engine.ask("员工手册的产假有几天？", "s")
    assert following.parent_turn_id == old.turn_id
    engine.show_branch("s", root.turn_id)
    assert engine.turns("s", conversation) == (root, old, following)


def test_turns_that_are_not_of_the_conversation_are_refused(build: Build) -> None:
    engine = build(model(["一"]))
    turn = engine.ask("员工手册的年假有几天？", "s")
    (failed,) = engine.stream("员工手册的病假有几天？", "s", "unknown")
    assert isinstance(failed, events.Failed)
    assert (type(failed.error), failed.turn) == (UnknownTurn, None)
    with pytest.raises(UnknownTurn):
        engine.turns("s", turn.conversation_id, "unknown")
    with pytest.raises(UnknownTurn):
        engine.show_branch("other", turn.turn_id)
    assert engine.turns("s", turn.conversation_id) == (turn,)


def test_a_conversation_is_renamed_and_found_by_what_was_said(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    conversation = engine.ask("年假有几天？", "s").conversation_id
    engine.rename_conversation("s", conversation, "  休假\n规定 ")
    assert [item.title for item in engine.search_conversations("s", "十天")] == ["休假 规定"]
    assert engine.search_conversations("s", "病假") == ()
    assert engine.search_conversations("other", "十天") == ()
    with pytest.raises(UnknownConversation):
        engine.rename_conversation("other", conversation, "我的")


@pytest.mark.parametrize("title", ["", " \n", "长" * 81])
def test_a_title_is_neither_empty_nor_longer_than_a_list_has_room_for(title: str, build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    conversation = engine.ask("年假有几天？", "s").conversation_id
    with pytest.raises(UnfitTitle):
        engine.rename_conversation("s", conversation, title)


def test_two_questions_of_one_session_at_once_are_answered_in_order(build: Build) -> None:
    hold = threading.Event()
    engine = build(model([hold, "一"], ["二"]))
    first = engine.stream("员工手册的年假有几天？", "s")
    next(first)
    second = engine.stream("员工手册的病假有几天？", "s")
    assert next(second) == events.Queued(1)
    hold.set()
    list(first)
    list(second)
    turns = engine.turns("s", engine.conversations("s")[0].conversation_id)
    assert [turn.answer for turn in turns] == ["一", "二"]


def test_every_turn_that_is_stored_is_told_of_as_it_was_stored(build: Build) -> None:
    told: list[Turn] = []
    engine = build(model(["一"], ["二", ModelStreamBroken(model="m")]), on_turn=told.append)
    first = engine.ask("员工手册的年假有几天？", "s")
    with pytest.raises(ModelStreamBroken):
        engine.ask("员工手册的病假有几天？", "s")
    with pytest.raises(UnknownConversation):
        engine.ask("员工手册的婚假有几天？", "s", conversation_id="expired")
    assert [turn.status for turn in told] == [TurnStatus.FINISHED, TurnStatus.FAILED]
    assert engine.turns("s", first.conversation_id) == tuple(told)


def test_an_answer_can_be_rated_by_its_session_only(build: Build) -> None:
    engine = build(model(["一"]))
    turn = engine.ask("年假有几天？", "s")
    engine.rate("s", turn.turn_id, Rating.BAD, "答非所问")
    (rated,) = engine.turns("s", turn.conversation_id)
    assert (rated.feedback, rated.feedback_reason) == (-1, "答非所问")
    with pytest.raises(UnknownTurn):
        engine.rate("other", turn.turn_id, Rating.GOOD)


def test_forgetting_deletes_all_conversations_of_the_session_only(build: Build) -> None:
    engine = build(model(["一"], ["二"]))
    engine.ask("年假有几天？", "mine")
    engine.ask("年假有几天？", "theirs")
    engine.forget("mine")
    assert engine.conversations("mine") == ()
    assert len(engine.conversations("theirs")) == 1


def asked_twice(build: Build, opinion: str) -> tuple[ScriptedChatModel, list[events.TurnEvent]]:
    """A second question that the rules are not certain of, and what the model thinks of it."""
    scripted = model(["十天[1]。"], [opinion], ["回答。"])
    engine = build(scripted, decider=FixedDecider(Decision.RETRIEVE, 0.6), decide_by="auto")
    engine.ask("员工手册规定年假有几天？", "s")
    return scripted, list(engine.stream("那病假呢？", "s"))


@pytest.mark.parametrize(
    ("opinion", "decision"),
    [
        ("[REUSE]", Decision.REUSE),
        ("[NO_RETRIEVE]", Decision.NO_RETRIEVE),
        ("[RETRIEVE] 病假有几天？", Decision.RETRIEVE),
    ],
)
def test_where_the_rules_are_uncertain_the_model_decides_on_the_same_prefix(
    opinion: str, decision: Decision, build: Build
) -> None:
    scripted, seen = asked_twice(build, opinion)
    (decided,) = [event for event in seen if isinstance(event, events.Decided)]
    assert decided.decision is decision
    first, judging, _ = scripted.calls
    assert judging[: len(first)] == first


def test_the_model_gives_decision_and_stand_alone_question_in_one_call(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted, _ = asked_twice(build, "[RETRIEVE] 病假有几天？")
    assert len(scripted.calls) == 3
    assert knowledge.searches[-1][0] == ("病假有几天？", "那病假呢？")


def test_a_reply_out_of_form_leaves_the_decision_to_the_rules(build: Build) -> None:
    scripted, seen = asked_twice(build, "我觉得应该查一下")
    assert isinstance(seen[-1], events.Finished)
    assert seen[-1].turn.decision is Decision.RETRIEVE
    assert scripted.calls


def test_the_reader_overrules_the_decision_for_a_turn(build: Build, knowledge: FixedKnowledgeBase) -> None:
    engine = build(model(["十天[1]。"], ["你好"], ["又是十天[1]。"]))
    first = engine.ask("员工手册规定年假有几天？", "s")
    searches = len(knowledge.searches)
    (*_, last) = engine.stream("员工手册规定婚假有几天？", "s", first.turn_id, decision=Decision.NO_RETRIEVE)
    assert isinstance(last, events.Finished)
    assert (last.turn.decision, last.turn.sources) == (Decision.NO_RETRIEVE, ())
    (*_, last) = engine.stream("员工手册规定婚假有几天？", "s", first.turn_id, decision=Decision.REUSE)
    assert isinstance(last, events.Finished)
    assert (last.turn.decision, last.turn.sources) == (Decision.REUSE, first.sources)
    assert len(knowledge.searches) == searches


def test_evidence_that_is_not_there_cannot_be_reused_whoever_says_so(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    (*_, last) = engine.stream("员工手册规定年假有几天？", "s", decision=Decision.REUSE)
    assert isinstance(last, events.Finished)
    assert last.turn.decision is Decision.RETRIEVE
    assert last.turn.reason == Message("decision.nothing_in_hand")


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


@pytest.mark.parametrize("limit", [1100, 1300, 1600])
def test_prompt_and_answer_never_exceed_the_limit_whatever_the_question_and_the_passages(
    limit: int, build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = tuple(hit(number, f"第{number}段有很多话。" * 30) for number in range(1, 6))
    engine = build(model(*[["答" * 100]] * 12), llm_max_token=limit, evidence_tokens=400, decider=SEARCHES)
    for number in range(6):
        seen = list(engine.stream(f"第{number}个问题" + "很长" * 60 + "？", "s"))
        (budgeted,) = (event for event in seen if isinstance(event, events.Budgeted))
        budget = budgeted.budget
        parts = budget.system + budget.summary + budget.history + budget.recalled + budget.evidence + budget.question
        assert parts + budget.answer <= limit
        assert budgeted.left_out or budget.evidence < 400


def test_passages_without_room_are_told_of_in_their_order(build: Build, knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = tuple(hit(number, f"第{number}段有很多话。" * 12) for number in range(1, 5))
    engine = build(model(["答[1]。"]), evidence_tokens=120)
    (budgeted,) = (event for event in engine.stream("年假有几天？", "s") if isinstance(event, events.Budgeted))
    assert [item.chunk_id for item in budgeted.left_out] == [3, 4]


def test_a_prompt_that_the_model_finds_too_long_is_tried_once_with_half_the_evidence(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    too_long = PromptTooLong(tokens=5000, limit=4096)
    knowledge.hits = tuple(hit(number, f"第{number}段。" * 8) for number in range(1, 5))
    scripted = model([too_long], ["答[1]。"])
    (*_, last) = build(scripted).stream("年假有几天？", "s")
    assert isinstance(last, events.Finished)
    assert [item.number for item in last.turn.sources] == [1, 2]
    assert "第3段" in str(scripted.calls[0][-1].content)
    assert "第3段" not in str(scripted.calls[1][-1].content)


def test_a_prompt_that_stays_too_long_is_a_clear_error(build: Build) -> None:
    too_long = PromptTooLong(tokens=5000, limit=4096)
    scripted = model([too_long], [too_long])
    with pytest.raises(PromptTooLong, match=r"5000.*4096"):
        build(scripted).ask("年假有几天？", "s")
    assert len(scripted.calls) == 2


def test_a_prompt_without_new_evidence_that_is_too_long_is_not_tried_again(build: Build) -> None:
    scripted = model([PromptTooLong(tokens=5000, limit=4096)])
    with pytest.raises(PromptTooLong):
        build(scripted).ask("谢谢！", "s")
    assert len(scripted.calls) == 1


@pytest.mark.parametrize("script", [["<think>想了很久</think>"], ["<think>想了很久"], ["", " \n"], []])
def test_a_model_that_gives_no_answer_is_told_apart_and_asked_again_without_it(script: list[str], build: Build) -> None:
    scripted = model(script, ["十天[1]。"])
    engine = build(scripted)
    (*_, last) = engine.stream("员工手册规定年假有几天？", "s")
    assert isinstance(last, events.Failed)
    assert isinstance(last.error, ModelGaveNothing)
    turn = engine.ask("员工手册规定病假有几天？", "s")
    assert turn.answer == "十天[1]。"
    assert "年假" not in str(scripted.calls[-1][-1].content).split("问题：")[1]
    assert len(scripted.calls[-1]) == 2


def test_a_conversation_that_expired_is_told_of_and_nothing_is_stored(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    conversation = engine.ask("年假有几天？", "s").conversation_id
    engine.delete_conversation("s", conversation)
    (failed,) = engine.stream("那病假呢？", "s", conversation_id=conversation)
    assert isinstance(failed, events.Failed)
    assert (type(failed.error), failed.turn) == (UnknownConversation, None)
    assert engine.conversations("s") == ()


@pytest.mark.parametrize("slots", [1, 3])
def test_questions_asked_at_once_in_one_conversation_follow_each_other_whatever_the_model_can_serve(
    slots: int, build: Build
) -> None:
    engine = build(model(*[[f"第{number}答"] for number in range(4)]), slots=slots)
    conversation = engine.start_conversation("s")
    threads = [
        threading.Thread(
            target=engine.ask, args=(f"员工手册第{number}条怎样规定？", "s"), kwargs={"conversation_id": conversation}
        )
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    turns = engine.turns("s", conversation)
    assert [turn.answer for turn in turns] == ["第0答", "第1答", "第2答", "第3答"]
    assert [turn.parent_turn_id for turn in turns] == [None, *(turn.turn_id for turn in turns[:-1])]


UNLIKELY = tuple(replace(found, relevance=0.001) for found in HITS)


def test_where_nothing_relevant_is_found_it_refuses_without_asking_the_model(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = UNLIKELY
    scripted = model()
    turn = build(scripted).ask("食堂几点开门？", "s")
    assert scripted.calls == []
    assert turn.answer == Prompts().fill("refusal")
    assert [(item.text, item.relevant) for item in turn.sources] == [("年假为十天。", False), ("病假为五天。", False)]
    assert turn.status is TurnStatus.FINISHED


def test_what_only_came_nearest_is_not_shown_to_the_model_later(build: Build, knowledge: FixedKnowledgeBase) -> None:
    knowledge.hits = UNLIKELY
    scripted = model(["年假为十天[3]。"])
    engine = build(scripted)
    engine.ask("食堂几点开门？", "s")
    knowledge.hits = HITS[:1]
    engine.ask("员工手册规定年假有几天？", "s")
    said = [str(message.content) for message in scripted.calls[0]]
    assert not any("病假" in text for text in said)
    assert sum("年假为十天。" in text for text in said) == 1


def test_a_follow_up_without_its_subject_is_left_to_the_model(build: Build, knowledge: FixedKnowledgeBase) -> None:
    scripted = model(["十天[1]。"], ["它按入职年数计算。"], ["按年数[2]。"])
    engine = build(scripted, decider=SEARCHES)
    engine.ask("员工手册规定年假有几天？", "s")
    knowledge.hits = UNLIKELY
    assert engine.ask("那它怎么算？", "s").answer == "按年数[2]。"


def test_questions_that_may_follow_are_thought_of_on_the_prefix_of_the_next_question(build: Build) -> None:
    scripted = model(["十天[1]。"], ["1. 年假怎样申请？\n年假有几天？\n2. 病假有几天？"])
    engine = build(scripted, suggest_questions=True)
    turn = engine.ask("年假有几天？", "s")
    join_upkeep()
    assert engine.suggestions("s", turn.turn_id) == ("年假怎样申请？", "病假有几天？")
    assert engine.suggestions("other", turn.turn_id) == ()
    answered, asked = scripted.calls
    assert asked[: len(answered)] == answered
    engine.forget("s")
    assert engine.suggestions("s", turn.turn_id) == ()


def test_nothing_is_suggested_unless_configured_nor_after_small_talk(build: Build) -> None:
    for engine in (build(model(["十天[1]。"])), build(model(["不客气！"]), suggest_questions=True)):
        turn = engine.ask("谢谢！", "s")
        join_upkeep()
        assert engine.suggestions("s", turn.turn_id) == ()
