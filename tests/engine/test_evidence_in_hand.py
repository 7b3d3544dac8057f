"""What a prompt holds is not sent again, however much of a section a passage took in."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag import events
from rag.citations import verify
from rag.decision.rules import RulesDecider
from rag.decision.signals import lacks_a_term
from rag.decision.situation import situation_of
from rag.evidence import most_covering
from rag.opening import open_transcript
from rag.prompts import Prompts
from rag.rerank.contents_list import line_of_parts
from rag.tokens import average_estimate
from rag.types import Decision, LoadedDocument, Page, PageHealth, Passage, Provider, Section, Support, Turn, TurnOptions
from tests.engine.rig import SEARCHES, Build, FixedDecider, finished, model
from tests.knowledge import Store, open_store
from tests.samples import evidence, hit
from tests.scripted import FixedKnowledgeBase, FixedReranker, RerankerBy, retrieval_over

LEAVE, SICK, TRAVEL = "第三章 休假\n年假五天。", "第四章 病假\n病假三十天。", "第五章 报销\n出差凭票报销。"
CHAPTERS = (LEAVE, SICK, TRAVEL)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A handbook of three chapters in one section."""
    store = open_store(tmp_path)
    text = "\n".join(CHAPTERS)
    children = tuple(
        Passage(chapter, text.index(chapter), text.index(chapter) + len(chapter), 1, 1, "1", ("手册", chapter[:6]))
        for chapter in CHAPTERS
    )
    section = Section(Passage(text, 0, len(text), 1, 1, "1"), children)
    document = store.catalog.register("s", "员工手册.pdf", "0" * 64, len(text))
    store.knowledge.add(document.document_id, (section,), LoadedDocument((Page(1, "1", text, PageHealth.TEXT),)))
    store.fill()
    return store


def test_what_stands_in_a_widened_passage_is_not_sent_again(build: Build, store: Store) -> None:
    scripted = model(["五天[1]。"], ["病假三十天[1]。"])
    engine = build(scripted, retrieval=retrieval_over(store.knowledge), decider=SEARCHES)
    first = engine.ask("员工手册规定年假有几天？", "s")
    (whole,) = first.sources
    assert (whole.text, whole.heading_path) == ("\n".join(CHAPTERS), ("手册",))
    *_, searched, finished = (
        event
        for event in engine.stream("员工手册规定病假有几天？", "s")
        if isinstance(event, events.Retrieved | events.Finished)
    )
    assert isinstance(finished, events.Finished) and isinstance(searched, events.Retrieved)
    assert finished.turn.sources == (whole,)
    assert "病假三十天" not in str(scripted.calls[-1][-1].content)
    assert {item.passage for item in searched.trace.candidates} == {whole.chunk_id}


def test_what_comes_nearest_is_quoted_from_a_passage_in_hand_that_another_chunk_of_it_found(
    build: Build, store: Store
) -> None:
    reranker = FixedReranker({})
    retrieval = retrieval_over(store.knowledge, reranker=reranker)
    engine = build(model(["五天[1]。"]), retrieval=retrieval, decider=SEARCHES)
    (whole,) = engine.ask("员工手册规定年假有几天？", "s").sources
    reranker.relevance = {chunk: 0.1 for chunk in whole.chunk_ids if chunk != whole.chunk_id}
    turn = engine.ask("员工手册规定生病能歇几天？", "s")
    assert [item.number for item in turn.sources] == [1]
    assert "> 病假三十天。[1]" in turn.answer


def test_a_passage_that_would_be_cut_where_it_was_cut_before_is_not_sent_again(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = (hit(1, "员工手册规定了许多事情。" * 20),)
    engine = build(model(["答。"], ["答。"]), Provider.EMBEDDED, evidence_tokens=60, decider=SEARCHES)
    first, second = (engine.ask(f"员工手册规定{asked}有几天？", "s") for asked in ("年假", "病假"))
    assert first.sources == second.sources and first.sources[0].chunk_ids == ()


def test_a_passage_whose_words_are_in_hand_is_told_under_the_one_that_has_them(
    build: Build, knowledge: FixedKnowledgeBase
) -> None:
    knowledge.hits = (hit(1, "员工手册规定年假五天。员工手册规定病假三十天。"),)
    engine = build(model(["答。"], ["答。"]), decider=SEARCHES)
    (first,) = engine.ask("员工手册规定年假有几天？", "s").sources
    knowledge.hits = (hit(2, "员工手册规定病假三十天。"),)
    told = list(engine.stream("员工手册规定病假有几天？", "s"))
    (searched,) = (event for event in told if isinstance(event, events.Retrieved))
    assert [item.number for item in searched.evidence] == [first.number]
    assert {item.passage for item in searched.trace.candidates} == {first.chunk_id}


def test_the_rest_of_a_passage_in_hand_is_no_other_passage_to_a_decider(build: Build, store: Store) -> None:
    engine = build(model(["五天[1]。"]), retrieval=retrieval_over(store.knowledge))
    turn = engine.ask("员工手册规定年假有几天？", "s")
    transcript = open_transcript([turn], (), Prompts(), 8192, average_estimate)
    situation = situation_of("那病假呢？", transcript, store.knowledge, ("s",))
    assert [material.text for material in situation.in_hand] == ["\n".join(CHAPTERS)]
    assert situation.in_hand[0].score > 0
    assert situation.elsewhere == ()


def test_the_same_words_of_another_document_are_its_own_evidence(build: Build, knowledge: FixedKnowledgeBase) -> None:
    clause = "违约的一方支付违约金五千元。"
    engine = build(model(["五千元[1]。"], ["五千元[2]。"]), decider=SEARCHES)
    for chunk_id, document, text in ((1, "甲", f"{clause}押金两千元。"), (2, "乙", clause)):
        found = hit(chunk_id, text)
        knowledge.hits = (replace(found, chunk=replace(found.chunk, document_id=document)),)
        turn = engine.ask(f"租赁合同{document}的违约金是多少？", "s")
        assert [(item.document_id, item.text) for item in turn.sources] == [(document, text)]


def test_evidence_of_a_deleted_document_is_neither_in_hand_nor_in_the_prompt(build: Build, store: Store) -> None:
    retrieval = retrieval_over(store.knowledge, order=store.order)
    scripted = model(["五天[1]。"], ["病假有几天？"], ["资料里没有。"])
    engine = build(scripted, retrieval=retrieval, decider=FixedDecider(Decision.REUSE, 0.99))
    first = engine.ask("员工手册规定年假有几天？", "s")
    assert first.sources and engine.recollection("s", first.conversation_id).held
    store.knowledge.delete(first.sources[0].document_id)
    second = engine.ask("它规定病假有几天？", "s")
    assert second.decision is Decision.RETRIEVE and second.sources == ()
    assert LEAVE not in "".join(message.text for message in scripted.calls[-1])


@pytest.mark.parametrize("by", ["left out", "deleted"])
def test_what_the_last_answer_was_told_from_is_gone_and_older_evidence_does_not_take_its_place(
    build: Build, tmp_path: Path, by: str
) -> None:
    store = open_store(tmp_path)
    south, north = (
        store.put("s", f"{city}条例.txt", f"{city}条例的法律责任见第六章。").document_id for city in ("南市", "北市")
    )
    store.fill()
    decider = FixedDecider(Decision.RETRIEVE, 0.99)
    retrieval = retrieval_over(store.knowledge, order=store.order)
    scripted = model(*(["第六章[1]。"] for _ in range(8)))
    engine = build(scripted, retrieval=retrieval, decider=decider)

    def ask(question: str, document: str) -> Turn:
        return finished(engine.stream(question, "s", options=TurnOptions(documents=frozenset({document}))))

    assert ask("南市条例的法律责任见哪里？", south).sources
    assert ask("北市条例的法律责任见哪里？", north).sources
    decider.verdict = replace(decider.verdict, decision=Decision.REUSE)
    if by == "deleted":
        store.knowledge.delete(north)
    assert ask("那罚款最高多少？", south).decision is Decision.RETRIEVE
    assert ask("那罚款最高多少？", south).decision is Decision.REUSE


@pytest.mark.parametrize(
    ("question", "decision"), [("怎么备份？", Decision.RETRIEVE), ("备份管理在第几页？", Decision.REUSE)]
)
def test_a_list_of_contents_in_hand_tells_but_where_something_stands(
    build: Build, knowledge: FixedKnowledgeBase, question: str, decision: Decision
) -> None:
    knowledge.hits = (hit(1, "备份管理 . 69\n打印机管理 . 67\n添加用户 . 59"),)
    engine = build(
        model(["第67页[1]。"], ["答。"], ["答。"]), decider=RulesDecider(), retrieval=retrieval_over(knowledge)
    )
    engine.ask("手册的打印机管理在第几页？", "s")
    assert engine.ask(question, "s").decision is decision


def test_what_is_told_from_evidence_in_hand_is_checked_by_the_name_that_the_question_lacks(build: Build) -> None:
    table = "套餐 | 月费 | 可办副卡\n畅享99 | 99元 | 2张\n尊享199 | 199元 | 3张"
    scripted = model(["199元[1]。"], ["可以办2张[1]。"], ["可以办3张[1]。"])
    knowledge = FixedKnowledgeBase(hit(11, table))
    engine = build(scripted, retrieval=retrieval_over(knowledge), decider=FixedDecider(Decision.REUSE, 0.99))
    engine.ask("尊享199多少钱？", "s")
    wrong, right = engine.ask("它能办几张副卡？", "s"), engine.ask("它能办几张副卡？", "s")
    assert wrong.generated_question == right.generated_question == "尊享199能办几张副卡？"
    # The model has the conversation, and is asked in the reader's own words.
    assert str(scripted.calls[-1][-1].content) == "问题：它能办几张副卡？"
    supports = [sentence.support for turn in (wrong, right) for sentence in verify(turn).sentences]
    assert supports == [Support.UNVERIFIED, Support.SUPPORTED]


def test_of_the_evidence_in_hand_a_reuse_has_what_answers_most_probably(build: Build) -> None:
    roaming, plans = hit(11, "漫游：日本每日30元。"), hit(12, "流量怎么收费：5元每GB。")
    knowledge, decider = FixedKnowledgeBase(roaming), FixedDecider(Decision.RETRIEVE, 0.99)
    of_japan = RerankerBy(lambda _, found: 0.9 if "日本" in found.chunk.passage.text else 0.2)
    retrieval = retrieval_over(knowledge, reranker=of_japan)
    engine = build(model(["30元[1]。"], ["5元[2]。"], ["30元[1]。"]), retrieval=retrieval, decider=decider)
    engine.ask("漫游的日包怎么收取？", "s")
    knowledge.hits = (plans,)
    engine.ask("套餐的流量怎么收费？", "s")
    knowledge.hits, decider.verdict = (roaming, plans), replace(decider.verdict, decision=Decision.REUSE)
    turn = engine.ask("去日本流量怎么收费？", "s")
    assert turn.decision is Decision.REUSE
    assert [item.number for item in turn.sources] == [1, 2]


def test_what_only_the_line_of_parts_above_a_summary_names_is_not_in_hand(build: Build, store: Store) -> None:
    turn = build(model(["五天[1]。"]), retrieval=retrieval_over(store.knowledge)).ask("员工手册规定年假有几天？", "s")
    opening = evidence(1, f"{line_of_parts(['概况', '故障', '费用', '结论'])}\n本报告说明水泵一年的运行情况。")
    transcript = open_transcript([replace(turn, sources=(opening,))], (), Prompts(), 8192, average_estimate)
    lacking, having = (
        lacks_a_term(situation_of(question, transcript, store.knowledge, ("s",)))
        for question in ("水泵的结论是什么", "水泵的运行情况是什么")
    )
    assert lacking and not having
    told = evidence(2, "结论：应当更换轴承。")
    assert most_covering("结论是什么", [[opening], [told]]) == (told,)
