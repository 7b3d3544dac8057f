"""A chain answers follow-ups from what earlier turns found."""

import copy
from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage

from rag.chain import ConversationalRetrievalChain
from rag.chain.evidence import HeldEvidence
from rag.decision.base import Material, Situation
from rag.types import Decision
from tests.chains import FIRST, FORM, LEAVE, DecidesInTurn, FixedRetriever, asked, build, chat, memory, said_to


def talk(decisions: list[Decision], *scripts: Sequence[Any], found: list[list[Document]], **fields: Any) -> Any:
    """A chain that remembers, and whose decisions are fixed."""
    return ConversationalRetrievalChain.from_llm(
        chat(*scripts),
        FixedRetriever(found=found),
        memory=memory(),
        decider=DecidesInTurn(decisions),
        return_source_documents=True,
        return_generated_question=True,
        **fields,
    )


RETRIEVE, REUSE, NO_RETRIEVE = Decision.RETRIEVE, Decision.REUSE, Decision.NO_RETRIEVE


def test_a_reusing_turn_is_answered_from_what_earlier_turns_found_without_a_rewrite() -> None:
    chain = talk([RETRIEVE, RETRIEVE, REUSE], ["十天。"], ["填表。"], ["不能。"], found=[[LEAVE], [FORM]])
    chain.invoke({"question": FIRST})
    chain.invoke({"question": "公司的休假申请表在什么地方领取？"})
    outputs = chain.invoke({"question": "它能分几次休？"})
    assert outputs["source_documents"] == [FORM, LEAVE]
    assert outputs["generated_question"] == "公司的休假申请表能分几次休？"
    assert f"{FORM.page_content}\n\n{LEAVE.page_content}" in said_to(chain.combine_docs_chain.llm_chain.llm)


def test_the_decider_sees_the_conversation_the_evidence_in_hand_and_what_else_there_is() -> None:
    chain = talk([RETRIEVE, REUSE], ["十天。"], ["能。"], found=[[LEAVE], [LEAVE, FORM]])
    chain.invoke({"question": FIRST})
    chain.invoke({"question": "年假能分几次休？"})
    first, second = chain.decider.situations
    assert first == Situation(FIRST)
    assert second == Situation(
        "年假能分几次休？",
        ((FIRST, "十天。"),),
        (Material("手册.pdf", ("手册",), LEAVE.page_content),),
        (Material("手册.pdf", ("手册",), FORM.page_content),),
    )


def test_a_question_that_stands_alone_is_searched_for_once() -> None:
    chain = talk([RETRIEVE, RETRIEVE], ["十天。"], ["三十天。"], found=[[LEAVE], [FORM]])
    chain.invoke({"question": FIRST})
    outputs = chain.invoke({"question": "公司差旅费的报销期限是三十天吗？"})
    assert asked(chain) == [FIRST, "公司差旅费的报销期限是三十天吗？"]
    assert outputs["source_documents"] == [FORM]


def test_thanks_are_not_searched_for_when_there_is_evidence_in_hand() -> None:
    chain = talk([RETRIEVE, NO_RETRIEVE], ["十天。"], ["不客气。"], found=[[LEAVE]])
    chain.invoke({"question": FIRST})
    chain.invoke({"question": "谢谢"})
    assert asked(chain) == [FIRST]


def test_evidence_in_hand_is_that_of_the_history_given() -> None:
    chain = build(chat(["十天。"], ["填表。"]), LEAVE, decider=DecidesInTurn([RETRIEVE, RETRIEVE, RETRIEVE]))
    chain.invoke({"question": FIRST, "chat_history": []})
    chain.invoke({"question": "公司差旅费的报销期限是三十天吗？", "chat_history": [("别的问题", "别的回答")]})
    assert isinstance(chain.decider, DecidesInTurn)
    assert chain.decider.situations[-1].in_hand == ()


def test_evidence_of_the_exchange_that_covers_the_question_comes_first_not_the_newest() -> None:
    chain = talk([RETRIEVE, RETRIEVE, REUSE], ["十天。"], ["填表。"], ["能。"], found=[[LEAVE], [FORM]])
    chain.invoke({"question": FIRST})
    chain.invoke({"question": "公司的休假申请表在什么地方领取？"})
    assert chain.invoke({"question": "那年假呢？"})["source_documents"] == [LEAVE, FORM]


def test_what_the_search_found_and_the_evidence_in_hand_lacks_is_not_thrown_away() -> None:
    lake = Document(
        id="3", page_content="青海湖面积约4400平方公里，湖面海拔3196米。", metadata={"source": "青海湖.pdf"}
    )
    chain = talk([RETRIEVE, REUSE], ["十天。"], ["3196 米。"], found=[[LEAVE], [FORM, lake]])
    chain.invoke({"question": FIRST})
    assert chain.invoke({"question": "年假够去青海湖吗，海拔是多少"})["source_documents"] == [lake, LEAVE]


def test_a_whole_question_of_which_nothing_is_in_hand_is_searched_for_whatever_the_decider_says() -> None:
    chain = talk([RETRIEVE, REUSE], ["十天。"], ["三十天。"], found=[[LEAVE], [FORM]], return_decision=True)
    chain.invoke({"question": FIRST})
    outputs = chain.invoke({"question": "公司差旅费的报销期限是多少天？"})
    assert (outputs["decision"], outputs["source_documents"]) == (RETRIEVE, [FORM])


INDEX = Document(id="4", page_content="索引的缺点是写入变慢。", metadata={"source": "数据库.pdf"})
CACHE = Document(id="5", page_content="缓存把常用的数据放在内存里。", metadata={"source": "缓存.pdf"})
ABOUT_CACHE = Document(id="6", page_content="缓存的缺点是数据可能过期。", metadata={"source": "缓存.pdf"})


def test_what_older_evidence_tells_of_another_thing_does_not_answer_what_is_asked_of_the_last_one() -> None:
    found = [[INDEX], [CACHE], [ABOUT_CACHE]]
    decisions = [RETRIEVE, RETRIEVE, REUSE]
    chain = talk(
        decisions, ["变慢。"], ["在内存里。"], ["缓存的缺点是什么？"], ["过期。"], found=found, return_decision=True
    )
    chain.invoke({"question": "数据库索引的缺点是什么？"})
    chain.invoke({"question": "系统里的缓存数据放在什么地方？"})
    outputs = chain.invoke({"question": "它的缺点是什么？"})
    assert (outputs["decision"], outputs["source_documents"]) == (RETRIEVE, [ABOUT_CACHE])


def test_a_turn_that_reused_evidence_is_about_that_which_covered_it_not_all_that_was_in_hand() -> None:
    found = [[INDEX], [CACHE], [CACHE], [ABOUT_CACHE]]
    decisions = [RETRIEVE, RETRIEVE, REUSE, REUSE]
    answers = (["变慢。"], ["在内存里。"], ["常用的。"], ["缓存的缺点是什么？"], ["过期。"])
    chain = talk(decisions, *answers, found=found, return_decision=True)
    chain.invoke({"question": "数据库索引的缺点是什么？"})
    chain.invoke({"question": "系统里的缓存数据放在什么地方？"})
    assert chain.invoke({"question": "缓存放的是哪些常用的数据？"})["source_documents"] == [CACHE, INDEX]
    outputs = chain.invoke({"question": "它的缺点是什么？"})
    assert (outputs["decision"], outputs["source_documents"]) == (RETRIEVE, [ABOUT_CACHE])


def test_the_last_answer_in_another_form_needs_no_evidence_that_covers_its_words() -> None:
    found = [[INDEX], [CACHE]]
    chain = talk(
        [RETRIEVE, RETRIEVE, REUSE], ["变慢。"], ["在内存里。"], ["| 内存 |"], found=found, return_decision=True
    )
    chain.invoke({"question": "数据库索引的缺点是什么？"})
    chain.invoke({"question": "系统里的缓存数据放在什么地方？"})
    assert chain.invoke({"question": "用表格列出来"})["decision"] == REUSE


def test_a_turn_that_would_reuse_evidence_without_certainty_rather_searches() -> None:
    chain = talk([RETRIEVE, REUSE], ["十天。"], ["病假有几天？"], ["五天。"], found=[[LEAVE], [FORM]])
    chain.invoke({"question": FIRST})
    chain.decider.certainty = 0.45
    outputs = chain.invoke({"question": "那病假呢？"})
    assert asked(chain) == [FIRST, "那病假呢？", outputs["generated_question"]]
    assert outputs["source_documents"] == [FORM]


def test_reused_evidence_keeps_within_the_token_limit() -> None:
    long = Document(page_content="这是一句话。" * 500)
    chain = talk([RETRIEVE, REUSE], ["十天。"], ["能。"], found=[[LEAVE, long]])
    chain.invoke({"question": FIRST})
    kept = chain.invoke({"question": "年假能分几次休？"})["source_documents"]
    assert kept[0] == LEAVE
    assert len(kept[1].page_content) < len(long.page_content) and kept[1].page_content.endswith("。")


def test_the_evidence_of_the_oldest_turns_is_forgotten() -> None:
    held, retriever = HeldEvidence(), FixedRetriever(found=[])
    talks = [[HumanMessage(f"第 {number} 问"), AIMessage("答")] for number in range(600)]
    for messages in talks:
        held.keep("", retriever, messages, [LEAVE])
    assert held.of("", retriever, talks[0]) == ()
    assert held.of("", retriever, [HumanMessage("第 599 问 "), AIMessage("答\n")]) == ((LEAVE,),)


def test_a_copy_of_a_chain_begins_with_no_evidence_and_keeps_its_own() -> None:
    chain = talk([RETRIEVE], ["十天。"], ["十天。"], found=[[LEAVE]])
    chain.invoke({"question": FIRST})
    copied = copy.deepcopy(chain)
    copied.decider = DecidesInTurn([RETRIEVE])
    copied.invoke({"question": "公司差旅费的报销期限是三十天吗？"})
    assert copied.decider.situations[0].in_hand == ()


def test_the_shipped_rules_reuse_and_search_anew() -> None:
    chain = build(chat(["十天。"], ["能分两次。"], ["一万。"]), LEAVE, memory=memory(), return_decision=True)
    decisions = [
        chain.invoke({"question": question})["decision"]
        for question in (FIRST, "十天年假每年都有吗？", "换个话题，公司 2023 年的营业收入是多少万元？")
    ]
    assert decisions == [RETRIEVE, REUSE, RETRIEVE]
