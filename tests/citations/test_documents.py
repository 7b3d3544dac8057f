"""Sentences about one document that cite another: two companies' reports have the same rows."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from rag.citations import check, sources_of
from rag.types import Evidence, Support
from tests.samples import evidence

SEED = replace(
    evidence(1, "研发费用 | 125,189,086.49 | 130,828,817.71"),
    document_id="seed",
    document_name="a_2020.pdf",
    opening="a_2020\n公司代码：600201 公司简称：青禾股份\n青禾生物技术股份有限公司\n2020 年年度报告",
)
POWER = replace(
    evidence(2, "管理费用 | 7,764,789.98 | 9,123,456.00"),
    document_id="power",
    document_name="b_q1.pdf",
    opening="b_q1\n东北电气发展股份有限公司\n2018 年第一季度报告",
)

HANDBOOK = {"opening": "a\n员工手册\n2019 年 3 月", "text": "年假为十天。"}


def reasons(answer: str, sources: Sequence[Evidence], question: str = "") -> list[str | None]:
    return [sentence.reason.key if sentence.reason else None for sentence in check(answer, sources, [question])]


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("东北电气的研发费用是125,189,086.49元[1]。", "东北电气的研发费用是多少？"),
        ("研发费用是125,189,086.49元[1]。", "东北电气的研发费用是多少？"),
        ("东北电气发展股份有限公司的研发费用是125,189,086.49元[1]。", "那东北电气的呢？"),
    ],
)
def test_a_figure_of_another_company_is_not_borne_out(answer: str, question: str) -> None:
    assert reasons(answer, [SEED, POWER], question) == ["citation.document"]


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("青禾股份的研发费用是125,189,086.49元[1]。", "青禾股份的研发费用是多少？"),
        ("青禾生物技术公司的研发费用是125,189,086.49元[1]。", ""),
        ("研发费用是125,189,086.49元[1]。", "研发费用是多少？"),
        ("青禾股份的研发费用是125,189,086.49元[1]。", "它们比东北电气多吗？"),  # names its own
        ("第一季度报告的管理费用是7,764,789.98元[2]。", "年度报告和第一季度报告的管理费用"),
    ],
)
def test_what_many_documents_are_called_names_none(answer: str, question: str) -> None:
    assert reasons(answer, [SEED, POWER], question) == [None]


def test_a_passage_may_itself_name_what_another_document_is_called() -> None:
    told = replace(SEED, text="与东北电气的往来款 | 3,000,000.00")
    assert reasons("东北电气的往来款是3,000,000.00元[1]。", [told, POWER]) == [None]


def test_a_wrong_marker_is_not_put_right_by_another_companys_row() -> None:
    [sentence] = check("东北电气的研发费用是125,189,086.49元[2]。", [SEED, POWER], ["东北电气的研发费用是多少？"])
    assert (sentence.support, sentence.added) == (Support.UNVERIFIED, ())
    assert sources_of("东北电气的研发费用是125,189,086.49元。", [SEED, POWER], ["东北电气的研发费用是多少？"]) == ()


def test_where_a_document_tells_it_is_no_longer_called_anything() -> None:
    prose = replace(POWER, opening="b\n水泵使用手册\n本手册说明如何清除缠绕的线，供操作人员阅读。")
    assert reasons("清除缠绕的线的研发费用是125,189,086.49元[1]。", [SEED, prose], "清除缠绕的线") == [None]


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("2021年的研发费用是125,189,086.49元[1]。", "2021年的研发费用是多少？"),
        ("研发费用是125,189,086.49元[1]。", "青禾股份2021年的研发费用是多少？"),
        ("2017年的研发费用是125,189,086.49元[1]。", "2017年呢？"),
    ],
)
def test_a_figure_of_another_year_is_not_borne_out(answer: str, question: str) -> None:
    assert reasons(answer, [SEED], question) == ["citation.year"]


@pytest.mark.parametrize(
    ("answer", "question", "changes"),
    [
        ("2020年的研发费用是125,189,086.49元[1]。", "2020年的研发费用是多少？", {}),
        ("2019年的研发费用是130,828,817.71元[1]。", "2019年的呢？", {}),  # in the next column
        ("2018年的研发费用是99,000.00元[1]。", "2018年的呢？", {"text": "项目 | 2018年\n研发费用 | 99,000.00"}),
        # No report on a year: what it says holds later, too.
        (
            "2023年入职的员工，年假为十天[1]。",
            "2023年入职的员工年假几天？",
            {"opening": "a\n员工手册\n2019 年 3 月", "text": "年假为十天。"},
        ),
    ],
)
def test_what_holds_for_a_year_that_the_passage_may_be_of_is_borne_out(
    answer: str, question: str, changes: dict[str, Any]
) -> None:
    assert reasons(answer, [replace(SEED, **changes)], question) == [None]


def test_what_is_told_word_for_word_of_another_company_does_not_answer() -> None:
    told = replace(SEED, text="公司上半年新建两座育种基地，并与多所农业院校签订了合作协议。")
    for question, reason in (("东北电气有哪些进展？", "citation.document"), ("青禾股份有哪些进展？", None)):
        assert reasons(f"{told.text}[1]", [told, POWER], question) == [reason]


def test_a_short_title_as_a_whole_names_its_document() -> None:
    salt, plant = (
        replace(evidence(number, text), document_id=name, document_name=f"{name}.txt", opening=name)
        for number, name, text in (
            (1, "氯化铷", "为白色晶体，易溶于水。"),
            (2, "紫冠雉", "栖息于山地雨林，以果实为食，通常成对活动。"),
        )
    )
    for question, reason in (("氯化铷有什么特点？", "citation.document"), ("紫冠雉有什么特点？", None)):
        assert reasons("栖息于山地雨林，以果实为食[2]。", [salt, plant], question) == [reason]


def test_what_is_compared_in_one_sentence_was_taken_from_both_documents() -> None:
    seed, power = (
        replace(source, text=f"项目 | 本期\n基本每股收益 | {value}")
        for source, value in ((SEED, "0.36"), (POWER, "-0.0053"))
    )
    question = "东北电气和青禾股份的基本每股收益分别是多少？"
    answer = "东北电气的基本每股收益为-0.0053元/股，青禾股份的基本每股收益为0.36元/股。"
    assert sources_of(answer, [seed, power], [question]) == (2, 1)
    assert reasons(answer.replace("。", "[2][1]。"), [seed, power], question) == [None]
    exchanged = "东北电气的基本每股收益为0.36元/股，青禾股份的基本每股收益为-0.0053元/股。"
    assert sources_of(exchanged, [seed, power], [question]) == ()
    assert reasons(exchanged.replace("。", "[2][1]。"), [seed, power], question) == ["citation.exchanged_document"]


def test_a_quotation_says_nothing_of_the_year_or_the_company_that_was_asked_for() -> None:
    for question in ("青禾股份2021年的研发费用是多少？", "东北电气的研发费用是多少？"):
        assert reasons("> 研发费用 | 125,189,086.49 | 130,828,817.71[1]", [SEED, POWER], question) == [None]


def test_what_a_document_is_called_tells_whose_quarter_its_figures_are_of() -> None:
    # Asked "and the administrative costs?", the answer says the quarter, which no passage of the report repeats.
    answer = "公司第一季度的管理费用是7,764,789.98元"
    assert reasons(f"{answer}[2]。", [SEED, POWER], "那管理费用呢") == [None]
    [corrected] = check(f"{answer}[1]。", [SEED, POWER], ["那管理费用呢"])
    assert (corrected.added, corrected.doubtful) == ((2,), (1,))


PLAN_A, PLAN_B, START_B = (
    replace(
        evidence(number, text),
        document_id=plan,
        document_name=f"安心医疗险{plan}款.pdf",
        opening=f"安心医疗险{plan}款\n安心医疗险{plan}款产品说明书",
    )
    for number, plan, text in (
        (1, "A", "扣除年度免赔额1万元后赔付，年度限额200万元。等待期30天。"),
        (2, "B", "扣除年度免赔额5,000元后赔付，年度限额400万元。等待期60天。"),
        (3, "B", "投保年龄：18周岁至55周岁。"),
    )
)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("A款的年度限额是400万元，B款的年度限额是200万元。[1][2]", "citation.exchanged_document"),
        ("A款的等待期是60天，B款的等待期是30天。[1][2]", "citation.exchanged_document"),
        ("A款的年度限额是400万元。[2]", "citation.document"),
        ("A款的年度限额是200万元，B款的年度限额是400万元。[1][2]", None),
        ("B款的免赔额是5,000元。[2]", None),
    ],
)
def test_documents_are_told_apart_by_what_their_titles_differ_in(answer: str, reason: str | None) -> None:
    assert reasons(answer, [PLAN_A, PLAN_B], "两款的年度限额各是多少？") == [reason]


def test_a_sentence_that_compares_gets_the_passage_of_the_one_whose_marker_is_wrong() -> None:
    answer = "A款的年度限额是200万元，B款的年度限额是400万元。[1][3]"
    [checked] = check(answer, [PLAN_A, PLAN_B, START_B], ["两款的年度限额各是多少？"])
    assert (checked.support, checked.added) == (Support.SUPPORTED, (2,))
    [wrong] = check(answer.replace("400", "300"), [PLAN_A, PLAN_B, START_B], ["两款的年度限额各是多少？"])
    assert wrong.support is Support.UNVERIFIED


def test_a_passage_need_not_repeat_the_name_of_its_document_to_be_found() -> None:
    waiting = replace(PLAN_B, text="2 等待期\n自合同生效之日起60天为等待期，意外伤害无等待期。")
    [checked] = check("安心医疗险B款的等待期是60天[3]。", [PLAN_A, waiting, START_B], ["B款的等待期是多久？"])
    assert (checked.support, checked.added) == (Support.SUPPORTED, (2,))
    [of_other] = check("安心医疗险A款的等待期是60天[3]。", [PLAN_A, waiting, START_B], ["A款的等待期是多久？"])
    assert of_other.support is Support.UNVERIFIED


def test_a_passage_of_the_document_that_is_named_takes_the_place_of_anothers() -> None:
    [checked] = check("A款赔付时扣除年度免赔额。[2]", [PLAN_A, PLAN_B], ["A款赔付时扣什么？"])
    assert (checked.support, checked.added, checked.doubtful) == (Support.SUPPORTED, (1,), (2,))
