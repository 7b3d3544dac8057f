"""Figures of a table that an answer takes from a row whose label says more than the answer does."""

import pytest

from rag.citations import sources_of
from tests.citations.reasons import reason_among
from tests.samples import evidence

RESULTS = evidence(
    1,
    "主要会计数据 | 2020年 | 2019年 | 本期比上年同期增减(%)\n营业收入 | 1,581,905,632.48 | 1,126,782,253.35 | 40.39\n"
    "归属于上市公司股东的净利润 | 406,195,463.77 | 220,967,219.67 | 83.83\n"
    "归属于上市公司股东的扣除非经常性损益的净利润 | 392,188,211.83 | 215,418,340.36 | 82.06\n"
    "基本每股收益（元／股） | 0.36 | 0.20 | 80.00\n扣除非经常性损益后的基本每股收益（元／股） | 0.35 | 0.19 | 84.21\n"
    "营业收入（调整前） | 1,500,000.55 | 1,100,000.55 | 36.36",
)
BALANCE = evidence(
    2,
    "项目 | 期末余额 | 期初余额\n流动资产合计 | 151,539.98 | 157,538.48\n非流动资产合计 | 147,069.06 | 148,697.56\n"
    "其中：对联营企业的投资收益 | 11.25 | 12.25\n二、投资收益（损失以“－”号填列） | 33.25 | 44.25\n"
    "应收股利 |\n税费返还 | 7,100.25 | 8,100.25\n收到的税费返还 | 9,100.25 | 6,100.25\n"
    "货币资金 | 55.75 | 66.75\n其中：受限的货币资金 | 55.75 | 22.75\n坏账准备 | 5.5 | 6.5\n其他坏账准备 | 3.5 | 4.5\n"
    "3.5 万元\n调整前上期末未分配利润 | 3,368.5 | 2,634.5\n期末未分配利润 | 2,685.5 | 2,368.5\n"
    "减：所得税费用 |\n五、净利润 | 422.25 | 226.25\n归属于母公司股东的净利润 | 406.25 | 221.25\n"
    "归属于母公司股东的扣除非经常性损益的净利润 | 392.25 | 215.25",
)


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("2020年的净利润为392,188,211.83元[1]。", "净利润是多少？"),
        ("3.92亿元[1]。", "2020年归属于上市公司股东的净利润是多少？"),
        ("归母净利润同比增长82.06%[1]。", "归母净利润增长了多少？"),
        ("公司期末的净利润为406.25元[2]。", "公司的净利润是多少？"),
        ("2020年的基本每股收益为0.35元[1]。", "每股收益呢？"),
        ("2020年的营业收入为1,500,000.55元[1]。", "2020年的营业收入是多少？"),
        ("期末的流动资产合计为147,069.06元[2]。", "期末的流动资产合计是多少？"),
        ("期末的投资收益为11.25元[2]。", "投资收益是多少？"),
        ("营业收入增长很快[1]。期初的流动资产合计为148,697.56元[2]。", "流动资产合计是多少？"),
    ],
)
def test_a_figure_of_a_row_that_says_more_than_the_sentence_is_not_borne_out(answer: str, question: str) -> None:
    assert reason_among(answer, [RESULTS, BALANCE], question) == "row"


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("2020年的净利润为406,195,463.77元[1]。", "净利润是多少？"),
        ("扣除非经常性损益后，净利润为3.92亿元[1]。", "赚了多少？"),
        ("392,188,211.83元[1]。", "扣非净利润是多少？"),
        ("以下扣除非经常性损益：\n- 2020年的净利润为392,188,211.83元[1]。", "净利润是多少？"),  # said before
        ("净利润分别为406,195,463.77元和392,188,211.83元[1]。", "净利润有哪两个口径？"),  # it has both
        ("净利润有两个口径：422.25元和392.25元[2]。", "期末的净利润是多少？"),
        ("每股收益为0.36元，剔除偶发的损益后为0.35元[1]。", "每股收益是多少？"),
        ("调整前营业收入为1,500,000.55元[1]。", "调整前的营业收入是多少？"),
        ("非流动资产合计为147,069.06元[2]。", "非流动资产合计是多少？"),
        ("期末的税费返还为9,100.25元[2]。", "税费返还是多少？"),  # the row above may have had its label broken in two
        ("期末的货币资金为55.75元[2]。", "货币资金期末余额是多少？"),  # the same in both rows
        ("2019年末的未分配利润为2,634.5元[2]。", "2019年末的未分配利润是多少？"),  # the period told by its year
        ("坏账准备为3.5万元[2]。", "坏账准备是多少？"),  # it stands elsewhere, too
    ],
)
def test_a_figure_of_the_row_that_the_sentence_names_is(answer: str, question: str) -> None:
    assert reason_among(answer, [RESULTS, BALANCE], question) is None


@pytest.mark.parametrize(("first", "numbers"), [("扣除非经常性损益后业绩也有增长。", (1,)), ("业绩有增长。", ())])
def test_a_forgotten_marker_is_put_where_the_answer_has_said_which_row_it_means(
    first: str, numbers: tuple[int, ...]
) -> None:
    answer = f"{first}2020年归属于上市公司股东的净利润为392,188,211.83元。"
    assert sources_of(answer, [RESULTS, BALANCE], ["2020年的业绩如何？"]) == numbers
