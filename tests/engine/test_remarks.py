"""Messages that seem to ask for nothing: searched for where the documents tell of them."""

import pytest

from rag.types import Decision, Message, Provider
from tests.engine.rig import Build, FixedDecider, model
from tests.scripted import FixedKnowledgeBase, reranker_by_word, retrieval_over

NEEDS_NOTHING = FixedDecider(Decision.NO_RETRIEVE, 0.9)


@pytest.mark.parametrize(
    ("remark", "relevance", "decision"),
    [
        ("我的年假快到期了", 0.8, Decision.RETRIEVE),
        ("年假能带薪吧", 0.8, Decision.RETRIEVE),
        ("我的年假快到期了", 0.1, Decision.NO_RETRIEVE),
        # What only points to the talk finds what that was about, whatever is said.
        ("那我明天再来", 0.8, Decision.NO_RETRIEVE),
    ],
)
def test_a_remark_is_searched_for_where_a_passage_tells_of_it(
    remark: str, relevance: float, decision: Decision, build: Build, knowledge: FixedKnowledgeBase
) -> None:
    word = "年假" if "年假" in remark else "明天"
    retrieval = retrieval_over(knowledge, reranker=reranker_by_word(word, relevance))
    engine = build(model(["知道了。"], ["好。"]), Provider.EXTRACTIVE, retrieval=retrieval, decider=NEEDS_NOTHING)
    engine.ask("病假有几天？", "s")
    turn = engine.ask(remark, "s")
    assert turn.decision is decision
    assert (turn.reason == Message("decision.told_of")) is (decision is Decision.RETRIEVE)


def test_a_correction_that_is_whole_in_itself_is_searched_for_as_it_stands(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    retrieval = retrieval_over(knowledge, reranker=reranker_by_word("暖气", 0.8))
    engine = build(model(["赔[1]。"], ["不赔[2]。"]), Provider.EXTRACTIVE, retrieval=retrieval)
    engine.ask("水管冻裂了赔不赔", "s")
    assert engine.ask("不是，我问的是暖气没开的情况", "s").generated_question == "暖气没开的情况"
