"""What is quoted in a conversation without a model."""

from pathlib import Path

from langchain_core.messages import HumanMessage

from rag.llm.extractive import ExtractiveChatModel
from rag.rerank.features import FeatureReranker
from rag.turn.draft import Draft
from rag.turn.prompt_budget import with_quotable
from rag.types import Decision, Provider
from tests.engine.rig import SEARCHES, Build, FixedDecider
from tests.knowledge import TOKENIZER, by_words, open_store
from tests.samples import evidence, hit
from tests.scripted import FixedKnowledgeBase, retrieval_over

HEADER = "套餐 | 月费 | 可办副卡"
PLANS = hit(11, f"{HEADER}\n畅享99 | 99元 | 2张\n尊享199 | 199元 | 3张")
QUOTED = f"| {HEADER} |\n| --- | --- | --- |\n| 尊享199[1] | 199元 | 3张 |"
REPAIR = hit(12, "报修电话是8663，副卡损坏可以补办。")
QUOTES = ExtractiveChatModel(similarities=by_words)
QUOTES_ONE = ExtractiveChatModel(similarities=by_words, limit=1)


def test_what_is_in_hand_is_quoted_beside_what_a_search_brings_anew(build: Build) -> None:
    knowledge = FixedKnowledgeBase(PLANS)
    engine = build(QUOTES, Provider.EXTRACTIVE, decider=SEARCHES, retrieval=retrieval_over(knowledge))
    engine.ask("畅享99的月费是多少？", "s")
    knowledge.hits = (PLANS, REPAIR)
    turn = engine.ask("尊享199的月费是多少？", "s")
    assert turn.decision is Decision.RETRIEVE
    assert QUOTED in turn.answer


def test_a_follow_up_on_evidence_in_hand_is_quoted_by_what_it_means(build: Build) -> None:
    decider = FixedDecider(Decision.REUSE, 0.99)
    retrieval = retrieval_over(FixedKnowledgeBase(PLANS))
    engine = build(QUOTES_ONE, Provider.EXTRACTIVE, decider=decider, retrieval=retrieval)
    engine.ask("尊享199多少钱？", "s")
    turn = engine.ask("它能办几张副卡？", "s")
    assert turn.decision is Decision.REUSE and turn.generated_question == "尊享199能办几张副卡？"
    assert turn.answer == QUOTED


def test_of_a_place_that_was_read_the_beginnings_are_quoted_whatever_was_asked() -> None:
    found = tuple(evidence(number, f"目录。第{number}页讲水泵。水泵要保养。") for number in (1, 2))
    draft = Draft("第4页的水泵讲了什么？", "s", "c", None, evidence=found, place_read="read")
    answer = str(QUOTES.invoke([with_quotable(HumanMessage(draft.question), draft)]).text)
    assert answer == "第1页讲水泵。[1]\n水泵要保养。[1]\n第2页讲水泵。[2]"


def test_a_follow_up_is_quoted_by_its_own_words_too() -> None:
    found = (evidence(1, "这个保险保火灾和爆炸的损失。地震及其次生灾害不赔。"),)
    draft = Draft("地震呢", "s", "c", None, evidence=found, generated_question="这个保险都保哪些损失 地震呢")
    assert str(QUOTES_ONE.invoke([with_quotable(HumanMessage(draft.question), draft)]).text).startswith("地震")


def test_what_had_no_room_in_a_prompt_is_quoted_all_the_same() -> None:
    draft = Draft("年假有几天？", "s", "c", None, left_out=(evidence(1, "年假有十天。"),))
    assert str(QUOTES.invoke([with_quotable(HumanMessage(draft.question), draft)]).text) == "年假有十天。[1]"


def test_of_documents_that_are_compared_each_is_quoted_and_no_third(tmp_path: Path, build: Build) -> None:
    store = open_store(tmp_path)
    for name, company, stocks in (
        ("a.pdf", "青禾股份", "12万元"),
        ("b.pdf", "东北电气", "34万元"),
        ("c.pdf", "海翔药业", "56万元"),
    ):
        store.put(
            "s",
            name,
            f"{company}年度报告",
            f"期末的存货是{stocks}。",
            f"{company}重视存货，存货的管理分别由各部门负责。",
        )
    retrieval = retrieval_over(store.knowledge, reranker=FeatureReranker(TOKENIZER.words), order=store.order)
    engine = build(QUOTES, Provider.EXTRACTIVE, decider=SEARCHES, retrieval=retrieval)
    answer = engine.ask("青禾股份和东北电气的存货分别是多少？", "s").answer
    assert "期末的存货是12万元。" in answer and "期末的存货是34万元。" in answer
    assert "56万元" not in answer and "海翔药业" not in answer
