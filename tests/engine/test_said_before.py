"""An answer that only says what another question was answered with, and the model that is asked anew for it."""

import pytest

from rag import events
from rag.errors import ModelStreamBroken
from rag.types import Decision
from tests.engine.rig import Build, failed, finished, model
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase

LEAVE = "员工每年享有十天带薪年假，须提前一周申请"
SICK = "员工病假最长为五天，须提供医院证明"


@pytest.fixture
def knowledge() -> FixedKnowledgeBase:
    return FixedKnowledgeBase(hit(11, f"{LEAVE}。", page=3))


def _asked_behind_leave(
    build: Build, knowledge: FixedKnowledgeBase, question: str, *scripts: list[str]
) -> tuple[events.Finished, list[str], list[int]]:
    """The turn of a question about sick leave behind one about leave, its tokens, and how long each prompt was."""
    scripted = model([f"{LEAVE}[1]。"], *scripts)
    engine = build(scripted)
    first = engine.ask("员工手册里年假有多少天？", "s")
    knowledge.hits = (hit(12, f"{SICK}。", page=4),)
    *seen, last = engine.stream(question, "s", conversation_id=first.conversation_id, decision=Decision.RETRIEVE)
    assert isinstance(last, events.Finished)
    tokens = [event.text for event in seen if isinstance(event, events.Token)]
    return last, tokens, [len(call) for call in scripted.calls]


def test_what_another_question_was_answered_with_is_not_said_and_the_model_asked_without_the_talk(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    again = [f"{LEAVE[:6]}", f"{LEAVE[6:]}[1]。", "还有别的。"]
    last, tokens, lengths = _asked_behind_leave(build, knowledge, "员工手册里病假最长多久？", again, [f"{SICK}[2]。"])
    assert last.turn.answer == "".join(tokens) == f"{SICK}[2]。"
    assert lengths == [2, 4, 2]
    assert [source.chunk_id for source in last.turn.sources] == [12]


def test_a_wrong_marker_does_not_make_it_an_answer_and_a_second_time_it_is_taken(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    again = [f"{LEAVE}[2]。"]
    last, _, lengths = _asked_behind_leave(build, knowledge, "员工手册里病假最长多久？", again, again)
    assert last.turn.answer == f"{LEAVE}[2]。"
    assert lengths == [2, 4, 2]


def test_a_nod_is_no_answer_either(build: Build, knowledge: FixedKnowledgeBase) -> None:
    last, tokens, lengths = _asked_behind_leave(
        build, knowledge, "员工手册里病假最长多久？", ["好的，", "我知道了。"], [f"{SICK}[2]。"]
    )
    assert last.turn.answer == "".join(tokens) == f"{SICK}[2]。"
    assert lengths == [2, 4, 2]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param([f"{LEAVE[:7]}", "十五天[2]。"], id="only begins alike"),
        pytest.param([f"{LEAVE}，", "病假另算[2]。"], id="goes on within the sentence"),
        pytest.param(["五天[2]。"], id="another"),
        pytest.param(["好的，", "病假最长五天[2]。"], id="nods and answers"),
        pytest.param(["会。"], id="whether"),
        pytest.param(["没收", "到。"], id="whether not"),
    ],
)
def test_what_only_begins_like_an_earlier_answer_is_said_whole(
    build: Build, knowledge: FixedKnowledgeBase, reply: list[str]
) -> None:
    last, tokens, lengths = _asked_behind_leave(build, knowledge, "员工手册里病假最长多久？", reply)
    assert last.turn.answer == "".join(tokens) == "".join(reply)
    assert lengths == [2, 4]


def test_a_nod_that_turns_out_to_be_a_thought_is_followed_by_its_answer(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    script = ["好的。\n", "</think>", "病假最长五天[2]。"]
    last, _, lengths = _asked_behind_leave(build, knowledge, "员工手册里病假最长多久？", script)
    assert (last.turn.answer, lengths) == ("病假最长五天[2]。", [2, 4])
    assert last.turn.thinking


def test_of_an_answer_that_broke_off_what_was_held_back_stays(build: Build) -> None:
    scripted = model([f"{LEAVE}[1]。"], [LEAVE[:8], ModelStreamBroken(model="m")])
    engine = build(scripted)
    first = engine.ask("员工手册里年假有多少天？", "s")
    last = failed(engine.stream("员工手册里病假最长多久？", "s", conversation_id=first.conversation_id))
    assert last.turn and last.turn.answer == LEAVE[:8]


def test_the_tokens_of_a_nod_count(build: Build, knowledge: FixedKnowledgeBase) -> None:
    last, _, _ = _asked_behind_leave(build, knowledge, "员工手册里病假最长多久？", ["好的。"], [f"{SICK}[2]。"])
    assert last.turn.usage.completion == 14


LIST = "根据资料里的规定，可以归纳为以下几点：\n\n1. "
TABLE = "| 假期的种类和说明 | 可以休的天数有多少 |\n|---|---|\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [(f"{LIST}年假十天[1]。", f"{LIST}病假五天[2]。"), (f"{TABLE}| 年假 | 十天[1] |", f"{TABLE}| 病假 | 五天[2] |")],
)
def test_what_only_leads_to_an_answer_may_be_said_again(
    build: Build, knowledge: FixedKnowledgeBase, before: str, after: str
) -> None:
    scripted = model([before], list(after))
    engine = build(scripted)
    first = engine.ask("员工手册里年假有多少天？", "s")
    knowledge.hits = (hit(12, f"{SICK}。", page=4),)
    last = engine.ask("员工手册里病假最长多久？", "s", conversation_id=first.conversation_id)
    assert (last.answer, len(scripted.calls)) == (after, 2)


@pytest.mark.parametrize("question", ["年假到底有多少天？", "你确定吗？", "不对吧", "简单点说", "列成表格"])
def test_what_is_asked_again_doubted_or_to_be_put_otherwise_is_answered_again(build: Build, question: str) -> None:
    scripted = model([f"{LEAVE}[1]。"], [f"{LEAVE}[1]。"])
    engine = build(scripted)
    first = engine.ask("员工手册里年假有多少天？", "s")
    again = engine.ask(question, "s", conversation_id=first.conversation_id)
    assert again.answer == f"{LEAVE}[1]。"
    assert len(scripted.calls) == 2


def test_what_tells_of_something_else_that_was_found_again_is_no_answer(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    scripted = model([f"{LEAVE}[1]。"], [f"{LEAVE}[1]。"], ["由主管批准[1]。"])
    engine = build(scripted)
    first = engine.ask("员工手册里年假有多少天？", "s")
    knowledge.hits = (hit(11, f"{LEAVE}，由主管批准。", page=3),)
    turn = engine.ask("员工手册里年假由谁批准？", "s", conversation_id=first.conversation_id)
    assert turn.answer == "由主管批准[1]。"


def test_a_short_answer_may_be_that_of_two_questions(build: Build) -> None:
    scripted = model(["可以[1]。"], ["可以[1]。"])
    engine = build(scripted)
    first = engine.ask("员工手册里年假可以折现吗？", "s")
    assert engine.ask("员工手册里病假可以折现吗？", "s", conversation_id=first.conversation_id).answer == "可以[1]。"
    assert len(scripted.calls) == 2


def test_a_follow_up_on_the_evidence_in_hand_is_asked_anew_as_it_stands_alone(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = (hit(11, f"{LEAVE}。{SICK}。", page=3),)
    scripted = model([f"{LEAVE}[1]。"], [f"{LEAVE}[1]。"], [f"{SICK}[1]。"])
    engine = build(scripted)
    first = engine.ask("员工手册里年假有多少天？", "s")
    turn = finished(engine.stream("那病假呢？", "s", conversation_id=first.conversation_id, decision=Decision.REUSE))
    assert turn.answer == f"{SICK}[1]。"
    assert "问题：员工手册里病假有多少天？" in scripted.calls[-1][-1].text
    assert SICK in scripted.calls[-1][-1].text


@pytest.mark.parametrize(
    ("question", "reply", "is_asked_anew"),
    [
        ("员工手册里病假怎么请？", ["7.3", " 休假[2]"], True),
        ("员工手册里病假怎么请？", ["休假须凭医院证明[2]。"], False),
        ("员工手册里哪一章讲病假？", ["第七章 休假[2]"], False),
    ],
)
def test_a_heading_does_not_tell_how_something_is_done(
    build: Build, knowledge: FixedKnowledgeBase, question: str, reply: list[str], is_asked_anew: bool
) -> None:
    last, _, lengths = _asked_behind_leave(build, knowledge, question, reply, [f"{SICK}[2]。"])
    assert last.turn.answer == (f"{SICK}[2]。" if is_asked_anew else "".join(reply))
    assert len(lengths) == 2 + is_asked_anew
