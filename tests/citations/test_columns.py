"""Figures of a table that an answer takes from another column than was asked for."""

import pytest

from rag.citations import check
from rag.citations.table_lines import lines_of
from rag.citations.tables import tables_of
from rag.types import Support
from tests.citations.reasons import reason_among, reason_of_last
from tests.samples import evidence

QUARTERS = evidence(
    1,
    "分季度主要财务数据\n| 第一季度（1-3 月份） | 第二季度（4-6 月份） | 第三季度（7-9 月份）\n"
    "营业收入 | 366,175,089.52 | 258,180,404.26 | 483,387,661.41\n净利润 | 150,513 | 31,931 | 113,287",
)
YEARS = evidence(
    2,
    "主要会计数据 | 2020年 | 2019年 | 本期比上年同期增减(%)\n营业收入 | 1,581,905,632.48 | 1,126,782,253.35 | 40.39\n"
    "项目 | 期末余额 | 期初余额\n货币资金 | 40,962,331.62 | 45,175,761.77\n存货 | 8,100.00 | 8,100.00",
)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("366,175,089.52[1]", "第三季度的营业收入是多少？"),
        ("第3季度的营业收入为2.58亿元[1]。", "营业收入呢？"),
        ("营业收入为1,126,782,253.35元[2]。", "2020年的营业收入是多少？"),
        ("期末的货币资金为45,175,761.77元[2]。", "货币资金期末余额是多少？"),
        ("2019年的营业收入为15.8亿元[2]。", "2020年的营业收入是多少？"),  # it names another than was asked for
        ("那净利润是150,513元[1]。", "公司2020年的净利润是多少？"),  # the first quarter's
    ],
)
def test_a_figure_of_another_period_than_was_asked_for_is_not_borne_out(sentence: str, question: str) -> None:
    assert reason_among(sentence, [QUARTERS, YEARS], question) == "cell"


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("483,387,661.41[1]", "第三季度的营业收入是多少？"),
        ("二〇二〇年的营业收入为1,581,905,632.48元[2]。", "营业收入是多少？"),
        ("比上年增长40.39%[2]。", "2020年的营业收入增长了多少？"),  # a column of another kind
        ("营业收入 | 1,581,905,632.48 | 1,126,782,253.35 | 40.39[2]", "2020年的营业收入是多少？"),  # the row as it is
        ("由1,126,782,253.35元增至1,581,905,632.48元[2]。", "2020年的营业收入有什么变化？"),
        ("营业收入为1,126,782,253.35元[2]。", "上年的营业收入是多少？"),  # no column is named
        ("期末的存货为8,100元[2]。", "存货期末余额是多少？"),  # the same in both
        ("150,513[1]", "2020年1至3月的净利润是多少？"),
        ("净利润为150,513元[1]。", "净利润是多少？"),  # no period is named
    ],
)
def test_a_figure_of_the_column_asked_for_or_beside_one_is(sentence: str, question: str) -> None:
    assert reason_among(sentence, [QUARTERS, YEARS], question) is None


def test_columns_are_known_by_the_header_next_above_that_has_as_many_cells() -> None:
    tables = tables_of(lines_of(f"{YEARS.text}\n无关的一行\n净额 | 5.5 | 6.5"))
    known = {
        str(number.value): table.columns[at]
        for table in tables
        for figures in table.figures
        for at, (number,) in figures.items()
        if table.header
    }
    assert known["1126782253.35"] == "2019年"
    assert known["45175761.77"] == "期初余额"
    assert "5.5" not in known


def test_a_rule_below_a_header_is_none() -> None:
    ruled = "| 项目 | 第一季度 | 第三季度 |\n| --- | --- | --- |\n| 营业收入 | 1,230 | 1,830 |"
    for figure, reason in (("1,230", "cell"), ("1,830", None)):
        assert reason_of_last(f"第三季度的营业收入为{figure}[1]。", ruled, "第三季度的营业收入是多少？") == reason


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("华南为101.25万元[1]", "cell"), ("101.25万元[1]", "cell"), ("华南为98万元[1]", None)],
)
def test_the_first_quarter_is_told_apart_from_the_second_without_a_digit(answer: str, reason: str | None) -> None:
    sales = "区域 | 一季度 | 二季度\n华东 | 120万元 | 133万元\n华南 | 98万元 | 101.25万元"
    assert reason_of_last(answer, sales, "华南一季度卖了多少？") == reason


ORDER = evidence(
    1,
    "序号 | 品名 | 数量 | 单价(元) | 金额(元) | 占比\n1 | 打印机 | 3 | 5,000 | 15,000 | 75%\n"
    "2 | 扫描仪 | 2 | 2,500 | 5,000 | 25%\n"
    "3 | 投影仪 | 1 | 6,400 | 6,400 | 32%\n合同金额为26,400元。",
)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("扫描仪的金额是多少？", "2,500元[1]", "cell"),
        ("扫描仪的金额是多少？", "扫描仪的金额是2,500元[1]", "cell"),
        ("打印机的单价是多少？", "打印机为15,000元[1]", "cell"),
        ("打印机的金额是多少？", "5,000元[1]", "cell"),  # of another row it is the amount
        ("扫描仪的金额是多少？", "5,000元[1]", None),
        ("扫描仪的金额是多少？", "单价2,500元，两台5,000元[1]", None),  # it tells both
        ("扫描仪的金额是多少？", "扫描仪单价为2,500元[1]", None),  # it names its column
        ("扫描仪多少钱？", "2,500元[1]", None),  # no column is named
        ("投影仪的金额是多少？", "6,400元[1]", None),  # the same in both
        ("扫描仪的金额占多少？", "25%[1]", None),  # of another kind
        ("采购的金额是多少？", "15,000元[1]", None),  # no row is named
        ("打印机的金额是多少？", "打印机和扫描仪分别为15,000元和5,000元[1]", None),
    ],
)
def test_a_figure_beside_the_column_that_the_question_names_is_not_borne_out(
    question: str, answer: str, reason: str | None
) -> None:
    assert reason_among(answer, [ORDER], question) == reason


def test_of_a_period_that_the_question_names_another_column_may_tell_the_change() -> None:
    table = "项目 | 2020年 | 2019年 | 增减额\n营业收入 | 1,581 | 1,126 | 455\n净利润 | 406 | 220 | 186"
    assert reason_of_last("增加了455[1]", table, "2020年的营业收入增加了多少？") is None


STANDARDS = evidence(
    3,
    "城市级别 | 总监 | 经理 | 普通员工\n一线城市 | 800元/晚 | 600元/晚 | 450元/晚\n"
    "省会城市 | 650元/晚 | 480元/晚 | 350元/晚",
)


@pytest.mark.parametrize(("figure", "support"), [("450", Support.SUPPORTED), ("800", Support.UNVERIFIED)])
def test_figures_with_their_units_are_asked_for_their_column_too(figure: str, support: Support) -> None:
    answer = f"普通员工在一线城市的住宿标准是{figure}元/晚[3]。"
    (checked,) = check(answer, [STANDARDS], ["普通员工在一线城市的住宿标准是多少？"])
    assert checked.support is support


CITIES = evidence(
    4,
    "职级 | 一类城市 | 二类城市 | 其他城市\n经理 | 600 | 480 | 380\n其他员工 | 450 | 360 | 300\n"
    "一类城市指北京、上海、广州、深圳；二类城市指省会城市。",
)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("普通员工去上海住宿能报多少？", "普通员工去上海住宿能报360元。[4]", "cell"),
        ("经理去深圳的住宿标准是多少？", "480元[4]", "cell"),
        ("普通员工去上海住宿能报多少？", "普通员工去上海住宿能报450元。[4]", None),
        ("上海和二类城市差多少？", "二类城市是360元。[4]", None),
        ("普通员工去上海住宿能报多少？", "经理 | 600 | 480 | 380[4]", None),  # the row as it is
    ],
)
def test_a_column_is_meant_by_what_a_passage_counts_to_it(question: str, answer: str, reason: str | None) -> None:
    assert reason_among(answer, [CITIES], question) == reason


LEDGER = evidence(
    5,
    "项目 | 期初余额 | 本期增加 | 本期摊销 | 期末余额\n装修工程 | 120.5 | 30.25 | 40.75 | 110\n"
    "合计 | 200.5 | 30.35 | 60.85 | 170\n项目 | 期初余额 | 本期增加 | 本期摊销 | 期末余额\n"
    "专利 | 15.5 | 2.25 | 3.75 | 14\n合计 | 25.5 | 2.25 | 5.75 | 22",
)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("装修工程的本期摊销是多少？", "30.25[5]", "cell"),
        ("装修工程的本期摊销是多少？", "40.75[5]", None),
        ("合计的期初余额是多少？", "合计的期初余额为170[5]", "cell"),  # of which table, nothing tells
        ("合计的期初余额是多少？", "合计的期初余额为200.5[5]", None),
    ],
)
def test_the_column_that_is_asked_for_tells_whatever_the_table_has_beside_it(
    question: str, answer: str, reason: str | None
) -> None:
    assert reason_among(answer, [LEDGER], question) == reason


STAYS = "职级 | 一类城市 | 其他城市\nP5-P6 | 500 | 300\nP7-P8 | 650 | 400\nP9及以上 | 800 | 500\n一类城市指北京、上海。"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("P7去北京住宿标准是多少？", "P7去北京住宿标准是800元", "cell"),
        ("P7去北京住宿标准是多少？", "800元", "cell"),
        ("P7去北京住宿标准是多少？", "P7去北京住宿标准是650元", None),
        ("P7去北京住宿标准是多少？", "650元", None),
        ("P9去北京住宿标准是多少？", "650元", "cell"),
        ("P9去北京住宿标准是多少？", "800元", None),
    ],
)
def test_a_row_of_several_grades_is_that_of_each(question: str, answer: str, reason: str | None) -> None:
    assert reason_of_last(f"{answer}[1]。", STAYS, question) == reason
