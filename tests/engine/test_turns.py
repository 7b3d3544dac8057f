"""A turn from question to stored answer, and what can go wrong with its model."""

import threading

import pytest
from langchain_core.messages import AIMessageChunk

from rag import events, i18n
from rag.engine import ROOT
from rag.errors import (
    DiskFull,
    EmptyQuestion,
    InternalError,
    ModelGaveNothing,
    ModelOnlyThought,
    ModelRefused,
    ModelStreamBroken,
    QuestionCalledOff,
    QuestionTooLong,
    UnknownConversation,
    UnknownTurn,
    WenquError,
)
from rag.prompts import Prompts
from rag.types import Decision, Message, Provider, SearchResult, Turn, TurnOptions, TurnStatus
from tests.engine.rig import SEARCHES, Build, FixedDecider, failed, model
from tests.samples import hit
from tests.scripted import CUT, FixedKnowledgeBase, retrieval_over

THOUGHT = AIMessageChunk(content="", additional_kwargs={"reasoning_content": "先看手册"})


def test_a_turn_yields_its_stages_in_order_and_ends_with_the_stored_turn(build: Build) -> None:
    engine = build(model(["年假", "为十天", "[1]。"]))
    seen = list(engine.stream("年假有几天？", "s"))
    kinds = [type(event) for event in seen if not isinstance(event, events.Token | events.Waiting)]
    assert kinds == [events.Decided, events.Retrieved, events.Budgeted, events.Finished]
    finished = seen[-1]
    assert isinstance(finished, events.Finished)
    turn = finished.turn
    assert turn.answer == "年假为十天[1]。"
    assert [(item.number, item.page) for item in turn.sources] == [(1, 3), (2, 4)]
    assert turn.usage.cached == 60
    assert turn.timing.first_token is not None
    assert engine.turns("s", turn.conversation_id) == (turn,)


@pytest.mark.parametrize("wanted", [True, False])
def test_the_stages_of_a_turn_are_printed_where_that_is_set(
    build: Build, caplog: pytest.LogCaptureFixture, wanted: bool
) -> None:
    caplog.set_level("INFO", "rag.engine")
    turn = build(model(["十天[1]。"]), console_debug=wanted).ask("年假有几天？", "s")
    printed = [line for line in caplog.messages if line.startswith(turn.turn_id[:8])]
    assert any("Decided" in line for line in printed) is any("Retrieved" in line for line in printed) is wanted


def test_thoughts_are_told_apart_from_the_answer(build: Build) -> None:
    engine = build(model(["<thi", "nk>先看手册</th", "ink>十天[1]。"]))
    seen = list(engine.stream("年假有几天？", "s"))
    assert "".join(event.text for event in seen if isinstance(event, events.Thinking)) == "先看手册"
    turn = engine.turns("s", engine.store.conversations("s")[0].conversation_id)[-1]
    assert (turn.answer, turn.thinking) == ("十天[1]。", "先看手册")


def test_thoughts_that_end_in_mid_answer_were_none_of_it(build: Build) -> None:
    engine = build(model(["先看手册。\n</thi", "nk>\n\n十天", "[1]。"]))
    (*seen, last) = engine.stream("年假有几天？", "s")
    assert isinstance(last, events.Finished)
    assert (last.turn.answer, last.turn.thinking) == ("十天[1]。", "先看手册。")
    told = [event for event in seen if isinstance(event, events.Token | events.ThoughtsEnded)]
    assert told.index(events.ThoughtsEnded()) == len(told) - 3


def test_a_model_that_began_inside_its_thoughts_does_so_again_until_it_does_not(build: Build) -> None:
    thinking, plain = ["先看手册。\n</thi", "nk>\n\n十天", "[1]。"], ["十天", "[1]。"]
    engine = build(model(thinking, thinking, plain, plain))
    engine.ask("年假有几天？", "s")
    (*seen, last) = engine.stream("病假有几天？", "s")
    assert isinstance(last, events.Finished)
    assert (last.turn.answer, last.turn.thinking) == ("十天[1]。", "先看手册。")
    assert "".join(event.text for event in seen if isinstance(event, events.Token)) == "十天[1]。"
    turn = engine.ask("婚假有几天？", "s")
    assert (turn.answer, turn.thinking) == ("十天[1]。", "")
    assert not any(isinstance(event, events.Thinking) for event in engine.stream("产假有几天？", "s"))


def test_one_answer_with_a_tag_does_not_have_the_next_readers_taken_for_thoughts(build: Build) -> None:
    tagged = ["资料如此。\n</thi", "nk>\n\n十天[1]。"]
    engine = build(model(["十天[1]。"], tagged, ["年假为十天", CUT]))
    engine.ask("年假有几天？", "one")
    engine.ask("病假有几天？", "one")
    turn = engine.ask("婚假有几天？", "other")
    assert (turn.status, turn.answer, turn.thinking) == (TurnStatus.CUT, "年假为十天", "")


def test_an_answer_that_was_taken_for_thoughts_and_reached_its_limit_is_given_back(build: Build) -> None:
    tagged = ["资料如此。\n</thi", "nk>\n\n十天[1]。"]
    engine = build(model(tagged, ["年假为", "十天", CUT], ["五天[1]。"]))
    engine.ask("年假有几天？", "one")
    turn = engine.ask("病假有几天？", "other")
    assert (turn.status, turn.answer, turn.thinking) == (TurnStatus.CUT, "年假为十天", "")
    assert not any(isinstance(event, events.Thinking) for event in engine.stream("婚假有几天？", "other"))


def test_a_model_that_begins_inside_its_thoughts_has_room_for_them(build: Build) -> None:
    scripted = model(["先看手册。\n</think>\n\n十天[1]。"], ["先看手册。\n</think>\n\n五天[1]。"])
    engine = build(scripted, Provider.OPENAI)
    engine.ask("年假有几天？", "s")
    turn = engine.ask("病假有几天？", "s")
    assert turn.budget
    none, most = [call.get("max_tokens") for call in scripted.arguments]
    # Not all that the prompt leaves by its estimate, which may be too low.
    assert none is None and most is not None and turn.budget.answer < most < turn.budget.left


@pytest.mark.parametrize("thoughts", [[THOUGHT], ["<think>先看手册"], []], ids=["beside", "tagged", "hidden"])
def test_whose_thoughts_took_all_that_an_answer_may_have_is_asked_once_more_with_room_for_them(
    build: Build, thoughts: list[str | AIMessageChunk]
) -> None:
    scripted = model([*thoughts, CUT], [THOUGHT, "十天[1]。"], [THOUGHT, "五天[1]。"])
    engine = build(scripted, Provider.OPENAI)
    turn = engine.ask("年假有几天？", "s")
    assert (turn.status, turn.answer, turn.thinking) == (TurnStatus.FINISHED, "十天[1]。", "先看手册")
    engine.ask("病假有几天？", "s")
    none, *most = [call.get("max_tokens") for call in scripted.arguments]
    assert none is None and turn.budget and len(most) == 2
    assert all(limit and limit > turn.budget.answer for limit in most)


@pytest.mark.parametrize(
    ("provider", "options"), [(Provider.OPENAI, TurnOptions(max_tokens=50)), (Provider.OLLAMA, TurnOptions())]
)
def test_who_was_given_all_the_room_there_is_is_not_asked_again(
    build: Build, provider: Provider, options: TurnOptions
) -> None:
    scripted = model([THOUGHT, CUT])
    *_, last = build(scripted, provider).stream("年假有几天？", "s", options=options)
    assert isinstance(last, events.Failed) and isinstance(last.error, ModelOnlyThought)
    assert len(scripted.calls) == 1


def test_while_a_model_is_silent_a_turn_shows_that_it_goes_on(build: Build) -> None:
    scripted = model(
        ["十天[1]。"], [slow := threading.Event(), "婚假有几天？"], [still := threading.Event(), "三天[2]。"]
    )
    engine = build(scripted, decider=SEARCHES)
    engine.ask("年假有几天？", "s")
    seen: list[events.TurnEvent] = []
    for event in engine.stream("那婚假呢？", "s"):
        seen.append(event)
        if event == events.Waiting():
            (still if slow.is_set() else slow).set()
    kinds = [type(event) for event in seen]
    assert kinds.index(events.Waiting) < kinds.index(events.Condensed)
    assert events.Waiting in kinds[kinds.index(events.Budgeted) : kinds.index(events.Token)]


def test_a_rewrite_that_is_only_thought_about_is_left_to_the_rules(build: Build) -> None:
    tagged = ["资料如此。\n</think>\n\n十天[1]。"]
    engine = build(model(tagged, ["它们说的是婚假吗？", CUT], ["三天[2]。"]), decider=SEARCHES)
    engine.ask("年假有几天？", "s")
    assert engine.ask("那婚假呢？", "s").generated_question == "婚假有几天？"


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


def test_an_answer_that_reached_its_limit_is_kept_as_cut(build: Build) -> None:
    turn = build(model(["年假为", CUT])).ask("年假有几天？", "s")
    assert (turn.status, turn.answer) == (TurnStatus.CUT, "年假为")


def test_a_question_called_off_while_it_waits_for_the_one_before_leaves_no_turn(build: Build) -> None:
    never = threading.Event()
    engine = build(model(["年假为", never, "十天"]))
    first, second = engine.stream("年假有几天？", "s"), engine.stream("病假有几天？", "s")
    while not isinstance(next(first), events.Token):
        pass
    assert next(second) == events.Queued(1)
    engine.stop("s")
    (called_off,), (*_, stopped) = list(second), list(first)
    never.set()
    assert isinstance(called_off, events.Failed) and isinstance(stopped, events.Finished)
    assert isinstance(called_off.error, QuestionCalledOff) and called_off.turn is None
    assert engine.turns("s", stopped.turn.conversation_id) == (stopped.turn,)


def test_a_model_that_says_the_same_over_and_over_is_stopped_after_its_first_round(build: Build) -> None:
    never = threading.Event()
    engine = build(model(["年假须提前申请", "。", *(f"[{n}] 年假为十天；" for n in range(1, 9)), never]))
    turn = engine.ask("年假有几天？", "s")
    never.set()
    assert (turn.status, turn.answer) == (TurnStatus.STOPPED, "年假须提前申请。[1] 年假为十天")
    assert turn.message == Message("web.chat.repeats")


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
    (turn,) = engine.turns("s", engine.store.conversations("s")[0].conversation_id)
    assert (turn.status, turn.answer) == (TurnStatus.STOPPED, "年假为")
    assert turn.message == Message("web.chat.left")


@pytest.mark.parametrize("until", [events.Queued, events.Retrieved])
def test_a_reader_who_leaves_before_the_first_word_finds_their_question(
    build: Build, until: type[events.TurnEvent]
) -> None:
    engine = build(model(["年假为", "十天"], ["病假为"], ["婚假为"]))
    before = engine.ask("年假有几天？", "s")
    others = engine.stream("病假有几天？", "other")
    if until is events.Queued:
        next(event for event in others if isinstance(event, events.Token))
    turns = engine.stream("婚假有几天？", "s")
    next(event for event in turns if isinstance(event, until))
    turns.close()
    others.close()
    *_, turn = engine.turns("s", before.conversation_id)
    assert (turn.question, turn.parent_turn_id, turn.answer) == ("婚假有几天？", before.turn_id, "")
    assert (turn.status, turn.message) == (TurnStatus.STOPPED, Message("web.chat.left_early"))


def test_a_reader_who_stops_an_answer_and_then_leaves_has_stopped_it(build: Build) -> None:
    engine = build(model(["年假为", "十天"]))
    turns = engine.stream("年假有几天？", "s")
    next(event for event in turns if isinstance(event, events.Token))
    engine.stop("s")
    turns.close()
    (turn,) = engine.turns("s", engine.store.conversations("s")[0].conversation_id)
    assert turn.message is None


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


@pytest.mark.parametrize(
    "script", [["<think>想了很久</think>"], ["<think>想了很久"], ["想了很久。</think>"], ["", " \n"], []]
)
def test_a_model_that_gives_no_answer_is_told_apart_and_asked_again_without_it(script: list[str], build: Build) -> None:
    scripted = model(script, ["十天[1]。"])
    engine = build(scripted)
    last = failed(engine.stream("员工手册规定年假有几天？", "s"))
    assert isinstance(last.error, ModelGaveNothing)
    turn = engine.ask("员工手册规定病假有几天？", "s")
    assert turn.answer == "十天[1]。"
    assert "年假" not in str(scripted.calls[-1][-1].content).split("问题：")[1]
    assert len(scripted.calls[-1]) == 2


def test_what_nobody_foresaw_ends_a_turn_in_a_sentence_and_is_in_the_log_with_its_place(
    build: Build, caplog: pytest.LogCaptureFixture
) -> None:
    class BrokenKnowledgeBase(FixedKnowledgeBase):
        def search(self, *_: object, **__: object) -> SearchResult:
            raise ZeroDivisionError("a mistake in the search")

    engine = build(model(), retrieval=retrieval_over(BrokenKnowledgeBase()))
    last = failed(engine.stream("员工手册规定年假有几天？", "s"))
    assert isinstance(last.error, InternalError)
    assert engine.turns("s", engine.store.conversations("s")[0].conversation_id) == (last.turn,)
    assert "a mistake in the search" in caplog.text
    assert "in search\n" in caplog.text


@pytest.mark.parametrize(("reason", "told"), [(DiskFull(path="x"), DiskFull), (ZeroDivisionError(), InternalError)])
def test_a_turn_that_cannot_be_stored_ends_and_leaves_a_traceback_only_where_nobody_foresaw_it(
    reason: Exception, told: type[WenquError], build: Build, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: Turn) -> None:
        raise reason

    last = failed(build(model(["十天[1]。"]), on_turn=refuse).stream("员工手册规定年假有几天？", "s"))
    assert (type(last.error), last.turn) == (told, None)
    assert "could not be stored" in caplog.text
    assert ("Traceback" in caplog.text) is (told is InternalError)


def test_the_turn_after_a_failed_one_does_not_repeat_it_to_the_model(build: Build) -> None:
    scripted = model([ModelStreamBroken(model="m")], ["十天[1]。"])
    engine = build(scripted)
    with pytest.raises(ModelStreamBroken):
        engine.ask("第一问的内容是什么？", "s")
    engine.ask("员工手册规定年假有几天？", "s")
    assert not any("第一问" in str(message.content) for message in scripted.calls[-1])


@pytest.mark.parametrize(
    ("question", "error"),
    [("  \n", EmptyQuestion), ("\u200b \ufeff", EmptyQuestion), ("问" * 10_000, QuestionTooLong)],
    ids=["empty", "unseen", "long"],
)
def test_a_question_that_cannot_be_asked_fails_before_anything_is_stored(
    question: str, error: type[Exception], build: Build
) -> None:
    engine = build(model())
    (failed,) = engine.stream(question, "s")
    assert isinstance(failed, events.Failed)
    assert isinstance(failed.error, error)
    assert engine.store.conversations("s") == ()


def test_a_question_is_asked_without_what_nobody_sees_in_it(build: Build) -> None:
    scripted = model(["十天[1]。"])
    engine = build(scripted)
    turn = engine.ask("年\u200b假\u2060有\u202a几\u202c天\u2068？\u2069\ufeff", "s")
    assert (turn.question, turn.generated_question) == ("年假有几天？", "年假有几天？")
    assert "年假有几天？" in str(scripted.calls[-1][-1].content)


@pytest.mark.parametrize("slots", [1, 3])
def test_questions_asked_at_once_in_one_conversation_follow_each_other_whatever_the_model_can_serve(
    slots: int, build: Build
) -> None:
    engine = build(model(*[[f"第{number}答"] for number in range(4)]), slots=slots)
    conversation = engine.store.start("s")
    threads = [
        threading.Thread(
            target=engine.ask, args=(f"员工手册第{number}条怎样规定？", "s"), kwargs={"conversation_id": conversation}
        )
        for number in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    turns = engine.turns("s", conversation)
    assert [turn.answer for turn in turns] == ["第0答", "第1答", "第2答", "第3答"]
    assert [turn.parent_turn_id for turn in turns] == [None, *(turn.turn_id for turn in turns[:-1])]


def test_questions_that_are_a_sessions_first_ones_and_asked_at_once_stand_in_one_conversation(build: Build) -> None:
    engine = build(model(*[[f"第{number}答"] for number in range(30)]))
    questions = ("员工手册年假几天？", "员工手册病假几天？", "员工手册事假几天？")
    for session in map(str, range(10)):
        threads = [threading.Thread(target=engine.ask, args=(question, session)) for question in questions]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        (conversation,) = engine.store.conversations(session)
        turns = engine.turns(session, conversation.conversation_id)
        assert sorted(turn.question for turn in turns) == sorted(questions)
        assert [turn.parent_turn_id for turn in turns] == [None, *(turn.turn_id for turn in turns[:-1])]


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


def test_evidence_of_an_earlier_turn_that_is_cited_is_a_source_of_this_turn(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    engine = build(model(["十天[1]。"], ["婚假三天[3]，年假见前文[1]。"]))
    engine.ask("员工手册的年假有几天？", "s")
    knowledge.hits = (hit(13, "婚假为三天。", page=5),)
    turn = engine.ask("员工手册的婚假有几天？", "s")
    assert [item.number for item in turn.sources] == [3, 1]


@pytest.mark.parametrize("by", ["deleting", "forgetting"])
def test_a_conversation_that_is_deleted_while_it_answers_stays_deleted(by: str, build: Build) -> None:
    hold = threading.Event()
    engine = build(model(["年假为", hold, "十天"]))
    turns = engine.stream("年假有几天？", "s")
    next(event for event in turns if isinstance(event, events.Token))
    if by == "deleting":
        engine.delete_conversation("s", engine.store.conversations("s")[0].conversation_id)
    else:
        engine.forget("s")
    hold.set()
    last = failed(turns)
    assert (type(last.error), last.turn) == (UnknownConversation, None)
    assert engine.store.conversations("s") == ()


def test_a_reader_who_leaves_a_conversation_that_is_gone_leaves_without_an_error(build: Build) -> None:
    engine = build(model(["年假为", "十天"]))
    turns = engine.stream("年假有几天？", "s")
    next(event for event in turns if isinstance(event, events.Token))
    engine.delete_conversation("s", engine.store.conversations("s")[0].conversation_id)
    turns.close()
    assert engine.store.conversations("s") == ()


def test_a_turn_that_is_stopped_while_its_question_is_rewritten_searches_for_nothing(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    never = threading.Event()
    engine = build(model(["十天[1]。"], [never, "婚假有几天？"]), decider=SEARCHES)
    engine.ask("员工手册的年假有几天？", "s")
    threading.Timer(0.2, engine.stop, ("s",)).start()
    turn = engine.ask("那婚假呢？", "s")
    never.set()
    assert (turn.status, turn.answer, turn.sources) == (TurnStatus.STOPPED, "", ())
    # The first question's, and the one by words that the decision takes.
    assert len(knowledge.searches) == 2


def test_a_model_that_only_repeats_the_question_is_told_so_once(build: Build) -> None:
    scripted = model(["年假有几天？", "[1]"], ["十天[1]。"])
    turn = build(scripted).ask("年假有几天？", "s")
    assert (turn.answer, turn.status) == ("十天[1]。", TurnStatus.FINISHED)
    assert [message.content for message in scripted.calls[1][-2:]] == [
        "年假有几天？[1]",
        Prompts().fill("only_repeated", question="年假有几天？"),
    ]
    assert turn.usage.completion == 14


def test_what_an_answer_shares_with_its_question_is_given_at_once_and_not_twice(build: Build) -> None:
    seen = list(build(model(["年假", "有几天。"], ["年假有十天[1]。"])).stream("年假有几天？", "s"))
    assert [event.text for event in seen if isinstance(event, events.Token)] == ["年假", "有十天[1]。"]


def test_a_model_that_fails_before_its_first_word_has_said_none(build: Build) -> None:
    seen = list(build(model([ModelStreamBroken(model="m")])).stream("年假有几天？", "s"))
    assert not any(isinstance(event, events.Token) for event in seen)


def test_a_model_that_repeats_it_again_gave_nothing(build: Build) -> None:
    with pytest.raises(ModelGaveNothing):
        build(model(["年假有几天？"], ["年假", "有几天？"])).ask("年假有几天？", "s")


def test_where_it_said_nothing_else_what_comes_nearest_is_told(build: Build) -> None:
    turn = build(model(["卖不卖酒？"], ["卖不卖酒？"])).ask("卖不卖酒？", "s")
    assert turn.status is TurnStatus.FINISHED
    assert turn.answer.startswith(i18n.text(i18n.Language.ZH, "own_answer.nearest", quote="").split("\n")[0])


def test_a_model_that_breaks_off_while_it_rewrites_leaves_the_turn_to_the_rules(build: Build) -> None:
    broken = ModelStreamBroken(model="m")
    engine = build(model(["十天[1]。"], ["年假", broken], ["不能[1]。"]), decider=SEARCHES)
    engine.ask("员工手册的年假有几天？", "s")
    turn = engine.ask("它能折现吗？", "s")
    assert (turn.generated_question, turn.answer) == ("员工手册的年假能折现吗？", "不能[1]。")


def test_a_server_that_refuses_to_judge_in_a_form_leaves_the_decision_to_the_rules(build: Build) -> None:
    refused = ModelRefused(model="m", status=400, detail="response_format")
    uncertain = FixedDecider(Decision.RETRIEVE, 0.6)
    scripted = model(["十天[1]。"], [refused], ["不能[1]。"])
    engine = build(scripted, decider=uncertain, decide_by="auto")
    engine.ask("员工手册的年假有几天？", "s")
    turn = engine.ask("它能折现吗？", "s")
    assert (turn.decision, turn.answer) == (Decision.RETRIEVE, "不能[1]。")


def test_a_turn_of_another_conversation_is_no_parent(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    first = engine.ask("员工手册的年假有几天？", "s")
    other = engine.store.start("s")
    with pytest.raises(UnknownTurn):
        engine.ask("它能折现吗？", "s", first.turn_id, conversation_id=other)
    assert engine.turns("s", other) == ()


def test_deleting_a_conversation_ends_its_answers_and_no_others(build: Build) -> None:
    never, go_on = threading.Event(), threading.Event()
    engine = build(model(["年假为", never], ["病假为", go_on, "五天"]), slots=2)
    deleted, kept = engine.store.start("s"), engine.store.start("s")
    running = engine.stream("年假有几天？", "s", conversation_id=deleted)
    other = engine.stream("病假有几天？", "s", conversation_id=kept)
    for answer in (running, other):
        next(event for event in answer if isinstance(event, events.Token))
    engine.delete_conversation("s", deleted)
    *_, ending = running
    never.set()
    assert isinstance(ending, events.Failed) and isinstance(ending.error, UnknownConversation)
    go_on.set()
    *_, ending = other
    assert isinstance(ending, events.Finished) and ending.turn.answer == "病假为五天[2]"


def test_a_turn_is_told_of_until_its_reader_has_left(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    events_ = engine.stream("年假有几天？", "s")
    assert not engine.is_answering("s")
    next(events_)
    assert engine.is_answering("s") and not engine.is_answering("another") and not engine.is_answering("s", "another")
    events_.close()
    assert not engine.is_answering("s")
