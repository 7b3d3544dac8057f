"""Which questions need evidence, which do with what is in hand, and which need none."""

from dataclasses import fields

import pytest

from rag import i18n
from rag.decision.base import Material, Situation
from rag.decision.rules import RulesDecider, Weights, shipped_weights
from rag.decision.signals import Signals
from rag.types import Decision

EARLIER = (("员工手册规定的年假有几天？", "年假为十天。"),)
LEAVE = Material("handbook", ("员工手册", "休假"), "年假为十天，当年有效。病假为五天，须有医院证明。", 8.0)
TRAVEL = Material("handbook", ("员工手册", "差旅"), "住宿每晚不超过四百元，凭发票报销。", 9.0)
PRIZES = Material("report", ("年度报告", "营业收入"), "营业收入为一亿元。", 9.0)


def decide(question: str, *elsewhere: Material, in_hand: tuple[Material, ...] = (LEAVE,)) -> Decision:
    return RulesDecider().decide(Situation(question, EARLIER, in_hand, elsewhere)).decision


@pytest.mark.parametrize(
    "question",
    [
        "谢谢",
        "好的，谢谢你！",
        "你好",
        "嗯嗯",
        "明白了",
        "thanks!",
        "辛苦啦~",
        "谢谢，很清楚。",
        "讲得很清楚",
        "我明白了",
    ],
)
def test_small_talk_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE
    assert RulesDecider().decide(Situation(question)).decision is Decision.NO_RETRIEVE


@pytest.mark.parametrize(
    "question", ["把你上面说的总结成两句话。", "刚才的回答再精简一下", "Summarize what you said above"]
)
def test_a_request_about_the_conversation_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE


@pytest.mark.parametrize("question", ["给我讲个笑话吧。", "写一首诗"])
def test_what_is_to_be_made_up_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE


@pytest.mark.parametrize("question", ["真是太好了，我们公司不错！", "哦，那我就放心了。"])
def test_a_remark_needs_no_evidence(question: str) -> None:
    assert decide(question) is Decision.NO_RETRIEVE


@pytest.mark.parametrize("question", ["那病假呢？", "病假有几天？", "它什么时候过期？", "需要医院证明吗？", "病假天数"])
def test_a_follow_up_that_the_evidence_in_hand_covers_reuses_it(question: str) -> None:
    assert decide(question, TRAVEL) is Decision.REUSE


@pytest.mark.parametrize(
    "question", ["住宿报销的标准是多少？", "换个话题，营业收入是多少？", "帮我找一家300元以下的酒店"]
)
def test_a_question_that_other_passages_answer_is_searched_for(question: str) -> None:
    assert decide(question, TRAVEL, PRIZES) is Decision.RETRIEVE


@pytest.mark.parametrize(
    "question", ["谢谢，那年假有几天？", "总结这份资料的要点", "好的产品有哪些标准？", "把上面的内容总结一下"]
)
def test_a_first_question_with_content_is_searched_for(question: str) -> None:
    verdict = RulesDecider().decide(Situation(question))
    assert (verdict.decision, verdict.reason.key) == (Decision.RETRIEVE, "decision.first_question")


@pytest.mark.parametrize("question", ["那病假呢？", "它什么时候过期？", "为什么？"])
def test_nothing_is_reused_where_nothing_is_in_hand(question: str) -> None:
    assert decide(question, in_hand=()) is not Decision.REUSE


def test_certainty_is_the_probability_of_the_decision() -> None:
    bias = {Decision.RETRIEVE: 1.0, Decision.REUSE: 1.0, Decision.NO_RETRIEVE: 0.0}
    decider = RulesDecider(Weights(bias, {"asks": dict.fromkeys(Decision, 0.0)}))
    without_evidence = decider.decide(Situation("病假呢？", EARLIER))
    assert without_evidence.decision is Decision.RETRIEVE
    assert without_evidence.certainty == pytest.approx(0.7311, abs=1e-4)
    assert decider.decide(Situation("病假呢？", EARLIER, (LEAVE,))).certainty == pytest.approx(0.4223, abs=1e-4)


def test_the_reason_is_the_signal_that_says_most() -> None:
    reason = RulesDecider().decide(Situation("年度报告的营业收入是多少？", EARLIER, (LEAVE,), (PRIZES,))).reason
    assert reason.key == "decision.signal.names_elsewhere"


def test_where_no_signal_speaks_the_reason_says_so() -> None:
    bias = {Decision.RETRIEVE: 1.0, Decision.REUSE: 0.0, Decision.NO_RETRIEVE: 0.0}
    decider = RulesDecider(Weights(bias, {"seeks": dict.fromkeys(Decision, 0.0)}))
    assert decider.decide(Situation("病假呢？", EARLIER)).reason.key == "decision.signal.none"


def test_every_signal_has_its_weights_and_its_sentence() -> None:
    names = {field.name for field in fields(Signals)}
    assert shipped_weights().signals.keys() == names
    sentences = {f"decision.signal.{name}" for name in (*names, "none", "margin_against")}
    assert sentences <= i18n.catalogue(i18n.Language.ZH).keys()
