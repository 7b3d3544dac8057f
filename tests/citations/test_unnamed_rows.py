"""Figures of a table that an answer gives to another row than theirs."""

import pytest

from tests.citations.reasons import reason_of_last

RESULTS = (
    "项目 | 2022年 | 2023年\n营业收入 | 1,200.5 | 1,500.8\n净利润 | 200.1 | 310.2\n研发费用 | 80.4 | 95.6\n"
    "销售费用 | 44.3 | 95.6"
)
STAFF = "姓名 | 基本工资 | 奖金\n张三 | 5000 | 500\n李四 | 6000 | 600\n王小五 | 7000 |"
COSTS = "单位：万元\n项目 | 金额\n销售费用 | 3,200\n研发费用 | 4,100\n差旅费 | 78"


@pytest.mark.parametrize(
    ("answer", "table", "question"),
    [
        ("2023年净利润为1,500.8[1]。", RESULTS, ""),
        ("2023年的净利润为1,500.8元[1]。", RESULTS, "2023年净利润是多少？"),
        ("1,500.8[1]", RESULTS, "2023年净利润是多少？"),
        ("2022年的研发费用为44.3元[1]。", RESULTS, "研发费用是多少？"),
        ("研发费用为3,200万元[1]。", COSTS, "研发费用是多少？"),
        ("张三的基本工资是6000元[1]。", STAFF, "张三的工资是多少？"),
        ("张三的奖金为600元[1]。", STAFF, ""),
    ],
)
def test_a_figure_given_to_another_row_is_not_borne_out(answer: str, table: str, question: str) -> None:
    assert reason_of_last(answer, table, question) == "cell"


@pytest.mark.parametrize(
    ("answer", "table", "question"),
    [
        ("2023年净利润为310.2[1]。", RESULTS, "2023年净利润是多少？"),
        ("2023年营收为1,500.8[1]。", RESULTS, "营收和净利润各是多少？"),  # short for it
        ("2023年销售额为1,500.8[1]。", RESULTS, "销售额和净利润各是多少？"),  # in other words
        ("2023年净利润和销售额为310.2和1,500.8[1]。", RESULTS, ""),
        ("净利润有增长，销售额达到1,500.8[1]。", RESULTS, ""),
        ("营业收入和净利润在2023年为1,500.8和310.2[1]。", RESULTS, ""),
        ("营业收入如下。\n与净利润相对的是1,500.8[1]。", RESULTS, ""),  # said before
        ("研发费用为95.6元[1]。", RESULTS, "2023年的研发费用是多少？"),  # the same in two rows
        ("差旅费为78万元[1]。", COSTS, ""),
        ("张三的基本工资是5000元，李四的是6000元[1]。", STAFF, ""),
        ("张三比李四少，后者为6000元[1]。", STAFF, ""),
        ("王小五的基本工资是7000元[1]。", STAFF, ""),
        ("小五的基本工资比张三高，为7000元[1]。", STAFF, ""),
        ("净利润为营业收入的20.7%[1]。", f"{RESULTS}\n净利率为20.7%。", ""),
    ],
)
def test_a_figure_given_to_its_own_row_or_to_none_is(answer: str, table: str, question: str) -> None:
    assert reason_of_last(answer, table, question) is None
