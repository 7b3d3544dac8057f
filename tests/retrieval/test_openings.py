"""What documents are called at their beginning, and a question that calls one so."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag.knowledge.base import STILL_FILLING
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.request import SearchRequest
from rag.language.folding import fold
from rag.rerank.features import FeatureReranker
from rag.retrieval.openings import addressed, each_first, search_by_name, unnamed
from rag.retrieval.query import Query
from rag.types import Scope, SearchResult
from tests.knowledge import TOKENIZER, Store, content, made_older, open_store

REPORT = "公司简称:东方电气 东方电气股份有限公司 2018 年第一季度报告"
REQUEST = SearchRequest()
OPENING = f"report\n{REPORT}"
PAGES = (
    REPORT,
    "东方电气的董事会认为，东方电气将继续发展。",
    "主要财务数据 | 本期 | 上期 营业收入 | 4,755,785.11 | 5,698,910.35",
    "东方电气于一季度签订合同。",
    "东方电气一季度的收入另见附注。",
)


def by_name(store: Store, question: str, request: SearchRequest = REQUEST) -> SearchResult:
    """What a question finds where documents can be called by their names."""
    return search_by_name(store.knowledge, store.order, request, Query([question], ["me"]))


def plainly(store: Store, question: str, request: SearchRequest = REQUEST) -> SearchResult:
    """What it finds where they cannot."""
    return search_by_name(store.knowledge, None, request, Query([question], ["me"]))


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("东方电气2018年一季度的营业收入是多少？", "年 的营业收入是多少?"),
        ("营业收入是多少？", ""),  # calls nothing
        ("2018年的营业收入是多少？", ""),  # a year alone calls nothing
        ("东方电气股份有限公司？", ""),  # asks for nothing else
        ("20 天内东方电气付了多少货款？", "20 天内 付了多少货款?"),
    ],
)
def test_a_question_is_put_without_what_a_document_is_called(question: str, rest: str) -> None:
    assert unnamed(fold(question), REPORT) == rest


def test_no_word_of_an_english_question_is_a_name() -> None:
    assert unnamed("what is the deadline for the refund?", "rules of the refund and its deadline") == ""


def test_latin_names_are_known_whole() -> None:
    assert unnamed("wenqu 的错误码有几位?", "wenqu guide") == "的错误码有几位?"
    assert unnamed("wen 的错误码有几位?", "wenqu guide") == ""


def test_the_documents_of_an_older_store_learn_how_they_begin(tmp_path: Path) -> None:
    before = open_store(tmp_path)
    document = before.put("me", "report.pdf", *PAGES)
    made_older(before.catalog.engine, 11, "ALTER TABLE documents DROP COLUMN opening")
    assert ReadingOrder(open_store(tmp_path).catalog.engine).openings(["me"]) == {document.document_id: OPENING}


def test_a_document_that_is_read_anew_is_called_as_it_begins_now(store: Store) -> None:
    document = store.put("me", "report.pdf", *PAGES)
    loaded, sections = content("西方电气", "第二页。")
    store.knowledge.add(document.document_id, sections, loaded)
    assert store.order.openings(["me"]) == {document.document_id: "report\n西方电气"}


def test_the_page_that_answers_need_not_call_the_company_by_its_name(store: Store) -> None:
    store.put("me", "report.pdf", *PAGES)
    reranker, question = FeatureReranker(TOKENIZER.words), "东方电气的营业收入是多少？"
    found = plainly(store, question), by_name(store, question)
    without, with_name = (reranker.rank(question, each.hits)[0].chunk.passage.page for each in found)
    assert without != 3 and with_name == 3


def test_a_passage_gains_nothing_by_repeating_what_its_document_is_called(store: Store) -> None:
    store.put("me", "report.pdf", REPORT, "东方电气的营业收入将继续增长。", "主要财务数据 | 营业收入 | 4,755,785.11")
    question = "东方电气的营业收入是多少？"
    rest = store.knowledge.search([unnamed(fold(question), REPORT)], ["me"], SearchRequest()).hits
    found = by_name(store, question).hits
    own = {hit.chunk.chunk_id: hit.score for hit in found}
    assert {hit.chunk.chunk_id: own[hit.chunk.chunk_id] for hit in rest} == {
        hit.chunk.chunk_id: hit.score for hit in rest
    }


@pytest.mark.parametrize(
    ("question", "is_called"),
    [
        ("年会哪天开？", False),  # without the word it would say nothing
        ("年会可以带家属吗？", True),
        ("锐舟科技年会哪天开？", True),  # by a name, whatever is left
    ],
)
def test_a_word_of_a_title_is_left_out_where_the_question_names_a_matter_besides(
    store: Store, question: str, is_called: bool
) -> None:
    store.put("me", "锐舟科技年会通知.pdf", "年会定于1月23日举行。", "家属不参加。", "大会14:00开始。")
    found, plain = (found.hits for found in (by_name(store, question), plainly(store, question)))
    assert ([hit.score for hit in found] != [hit.score for hit in plain]) is is_called


def test_the_trace_tells_also_how_the_document_that_is_called_was_searched(store: Store) -> None:
    store.put("me", "report.pdf", *PAGES)
    for number in range(4):
        store.put("me", f"{number}.pdf", f"东方电气 {number}", f"东方电气的营业收入是多少，见{number}。")
    request = SearchRequest(top_k=2)
    question = "东方电气2018年第一季度报告的主要财务数据是多少？"
    found = by_name(store, question, request)
    plain = plainly(store, question, request)
    known = [{chunk_id for route in each.trace.routes for chunk_id, _ in route.found} for each in (found, plain)]
    assert {hit.chunk.chunk_id for hit in found.hits} <= known[0]
    assert not {hit.chunk.chunk_id for hit in found.hits} <= known[1]
    assert [route.field for route in found.trace.routes] == [route.field for route in plain.trace.routes]


def test_that_the_document_that_is_called_has_no_vectors_yet_is_told(store: Store) -> None:
    for number in range(3):
        store.put("me", f"{number}.pdf", "年度报告", *(f"{number}{place}的营业收入是多少？" for place in range(9)))
    store.put("me", "report.pdf", *PAGES, embed=False)
    question = "东方电气的营业收入是多少？"
    assert plainly(store, question).trace.notes == ()
    assert by_name(store, question).trace.notes == (STILL_FILLING,)


def test_only_the_document_that_is_called_is_searched_without_the_name(store: Store) -> None:
    store.put("me", "a.pdf", "华为技术有限公司 年度报告", "华为的董事会认为华为经营稳健。")
    store.put("me", "b.pdf", "中兴通讯股份有限公司 年度报告", "主要财务数据 | 营业收入 | 1,234")
    question = "华为公司的营业收入是多少？"
    plain = plainly(store, question).hits
    found = by_name(store, question).hits
    of_other = [
        {hit.chunk.chunk_id: hit.score for hit in hits if hit.chunk.document_name == "b.pdf"} for hits in (plain, found)
    ]
    assert of_other[0] == of_other[1]
    assert {hit.opening for hit in found if hit.chunk.document_name == "b.pdf"} == {""}


def test_openings_are_those_of_documents_in_the_scope_of_a_single_page_no_more_than_its_first_line(
    store: Store,
) -> None:
    report = store.put("me", "report.pdf", *PAGES)
    note = store.put("me", "note.txt", "员工手册\n工作时间")
    store.put("other", "theirs.pdf", "别人的报告", "别人的数字。")
    of_report = Scope(frozenset({report.document_id}))
    assert store.order.openings(["me"], most=20) == {report.document_id: OPENING, note.document_id: "note\n员工手册"}
    assert store.order.openings(["me", "other"], of_report, 20) == {report.document_id: OPENING}
    assert store.order.openings(["me", "other"], most=1) == {}
    assert store.order.openings(["me"], Scope(frozenset()), 20) == {}


def test_hits_bear_the_opening_of_their_own_document(store: Store) -> None:
    store.put("me", "report.pdf", *PAGES)
    store.put("me", "note.txt", "营业收入不得虚报。")
    found = by_name(store, "东方电气的营业收入是多少？")
    assert {hit.chunk.document_name: hit.opening for hit in found.hits} == {"report.pdf": OPENING, "note.txt": ""}
    unasked = by_name(store, "营业收入是多少？")
    assert unasked.hits == tuple(replace(hit, opening="") for hit in unasked.hits)


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        ("《东方电气2018年第一季度报告》中，营业收入是多少？", "营业收入是多少？"),
        ("在东方电气2018年的季报里，营业收入是多少？", "营业收入是多少？"),
        ("根据《东方电气季度报告》，东方电气签订了什么合同？", "东方电气签订了什么合同？"),
        ("东方电气股份有限公司：营业收入是多少？", "营业收入是多少？"),
    ],
)
def test_a_question_that_begins_with_documents_names_is_put_to_these(store: Store, question: str, rest: str) -> None:
    report = store.put("me", "report.pdf", *PAGES)
    store.put("me", "other.pdf", "中兴通讯 2018 年年度报告", "主要财务数据 | 营业收入 | 1,234")
    address = addressed(store.order, Query([question, "营收？"], ["me"]))
    assert address and address.scope
    assert set(address.scope.document_ids or ()) == {report.document_id} and address.phrasings == (rest, "营收？")


@pytest.mark.parametrize(
    "question",
    [
        "东方电气的营业收入是多少？",  # names it, but begins to ask
        "东方电气2019年第一季度报告中，营业收入是多少？",  # another year's
        "《公司法》中，股份有限公司要几个发起人？",  # shares a word with its name
        "根据公司规定，营业收入怎么算？",  # 公司 is part of many names
        "在报告里，营业收入是多少？",
        "东方电气的营业收入，和上期比怎么样？",
        "请问一下，营业收入是多少？",
        "《东方电气2018年第一季度报告》讲了什么？",  # asks for nothing in it
    ],
)
def test_no_other_question_is_put_to_a_document(store: Store, question: str) -> None:
    store.put("me", "report.pdf", *PAGES)
    assert addressed(store.order, Query([question], ["me"])) is None


def test_a_question_is_put_to_no_document_outside_its_scope(store: Store) -> None:
    store.put("me", "report.pdf", *PAGES)
    question = "《东方电气季度报告》中，营业收入是多少？"
    assert addressed(store.order, Query([question], ["me"], Scope(frozenset({"another"})))) is None
    address = addressed(store.order, Query([question], ["me"], Scope(pages=frozenset({3}))))
    assert address and address.scope.pages == frozenset({3})


def test_a_document_is_called_by_its_name_among_hundreds(store: Store) -> None:
    for number in range(101):
        store.put("me", f"{number}.pdf", f"第{number}号通知", f"第{number}号附件", embed=False)
    report = store.put("me", "report.pdf", *PAGES, embed=False)
    question = "《东方电气2018年第一季度报告》中，营业收入是多少？"
    address = addressed(store.order, Query([question], ["me"]))
    assert address and address.scope.document_ids == frozenset({report.document_id})


def test_a_cover_that_has_the_whole_name_does_not_come_before_the_table(store: Store) -> None:
    store.put("me", "report.pdf", REPORT, "东方电气股份有限公司2018年第一季度报告全文。", *PAGES[2:])
    question = "东方电气股份有限公司2018年第一季度的营业收入是多少？"
    found = by_name(store, question)
    assert FeatureReranker(TOKENIZER.words).rank(question, found.hits)[0].chunk.passage.page == 3


def test_a_document_is_called_by_its_file_too(store: Store) -> None:
    handbook = store.put("me", "员工手册.pdf", "第一章 总则", "年假为十天。")
    address = addressed(store.order, Query(["《员工手册》中，年假有几天？"], ["me"]))
    assert address and set(address.scope.document_ids or ()) == {handbook.document_id}


@pytest.mark.parametrize(
    "question", ["青禾股份和东北电气的存货分别是多少？", "东北电气的存货比青禾股份多多少？", "青禾股份、东北电气的存货"]
)
def test_of_two_documents_that_are_compared_each_brings_its_best_passage(store: Store, question: str) -> None:
    for name, title in (("a.pdf", "青禾股份 青禾生物股份有限公司"), ("b.pdf", "东北电气发展股份有限公司")):
        stocks = (f"存货 | {number}" for number in ("1,234", "5,678", "9,012"))
        store.put("me", name, f"{title} 年度报告", *stocks, f"{title}的董事会认为经营稳健。")
    found = by_name(store, question)
    assert len(found.compared) == 2
    ranked = FeatureReranker(TOKENIZER.words).rank(question, found.hits)
    best = each_first(ranked, found.compared)[:2]
    assert {hit.chunk.document_name for hit in best} == {"a.pdf", "b.pdf"}
    assert all(hit.chunk.passage.text.startswith("存货") for hit in best)
    assert sorted(best + each_first(ranked, found.compared)[2:], key=ranked.index) == list(ranked)


def test_what_is_asked_of_two_names_alone_is_asked_with_them(store: Store) -> None:
    store.put("me", "a.pdf", "注意力机制与外部记忆", "注意力机制和机器学习的关系。")
    store.put("me", "b.pdf", "机器学习概述", "机器学习的定义。")
    question = "注意力机制和机器学习有什么关系？"
    found = by_name(store, question)
    plain = plainly(store, question)
    assert (found.hits, found.compared) == (plain.hits, ())


def test_what_is_asked_of_several_is_judged_without_their_names(store: Store) -> None:
    for name, title in (("a.pdf", "青禾股份 青禾生物股份有限公司"), ("b.pdf", "东北电气发展股份有限公司")):
        store.put("me", name, f"{title} 年度报告", "存货 | 1,234", f"{title}的董事会认为经营稳健。")
    question = "青禾股份和东北电气的存货分别是多少？"
    found = by_name(store, question)
    assert found.asked == "的存货是多少?"
    alone = by_name(store, "东北电气的存货是多少？")
    assert (alone.asked, alone.compared) == ("", ())


@pytest.mark.parametrize("file", ["{}.pdf", "{}，2023年.pdf"])
def test_what_a_document_tells_as_it_begins_is_no_name_of_it(store: Store, file: str) -> None:
    for name in ("华远科技", "中润科技"):
        begins = f"{name} 2023 年度经营情况通报\n全年研发费用33亿元，各项指标完成良好。"
        store.put("me", file.format(name), begins, "研发费用主要用于新产品的开发。")
    question = "华远科技和中润科技的研发费用是多少？"
    found = by_name(store, question)
    assert (len(found.compared), found.asked) == (2, "的研发费用是多少?")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("哪家公司的存货更多？", "存货"),
        ("两家公司的存货分别是多少？", "存货是多少"),
        ("这两份报告的存货相差多少", "存货"),
        ("各公司的存货", "存货"),
        ("这两家公司哪家的存货更高", "存货"),
    ],
)
def test_of_documents_that_are_compared_by_what_they_are_each_brings_its_best_passage(
    store: Store, question: str, asked: str
) -> None:
    for name, title in (("a.pdf", "青禾股份 青禾生物股份有限公司"), ("b.txt", "东北电气发展股份有限公司")):
        store.put("me", name, f"{title}，董事会认为经营稳健。", *(["存货 | 1,234"] if name == "a.pdf" else []))
    store.put("shared", "guide.md", "两份文件的存货。")
    found = by_name(store, question)
    assert len(found.compared) == 2 and found.asked.replace(" ", "").strip("?") == asked


@pytest.mark.parametrize("question", ["报销需要哪两份文件？", "存货是多少？", "哪家公司负责审计？", "两家公司？"])
def test_what_compares_no_documents_is_searched_for_as_it_is(store: Store, question: str) -> None:
    for name in ("a.pdf", "b.pdf"):
        store.put("me", name, "青禾股份有限公司年度报告", "存货 | 1,234")
    assert by_name(store, question).compared == ()
