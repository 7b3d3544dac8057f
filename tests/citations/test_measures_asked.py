"""Figures that do not measure what was asked for."""

import pytest

from tests.citations.reasons import reason_of_last

PASSAGE = "最小安装约占40MB磁盘空间，耗时30分钟，技术支持全年免费。企业版每年500元，试用30天后收费。"


@pytest.mark.parametrize("question", ["安装要花多少钱？", "最小安装的价格是多少？"])
@pytest.mark.parametrize("answer", ["最小安装要花40MB[1]。", "最小安装要30分钟[1]。"])
def test_what_is_no_price_does_not_answer_what_something_costs(answer: str, question: str) -> None:
    assert reason_of_last(answer, PASSAGE, question) == "measure"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("企业版多少钱？", "企业版每年500元[1]。"),
        ("企业版多少钱？", "企业版试用30天后收费[1]。"),
        ("技术支持多少钱？", "技术支持全年免费[1]。"),
        ("安装要占多少空间？", "最小安装约占40MB磁盘空间[1]。"),
    ],
)
def test_a_price_and_what_else_is_said_of_money_do(question: str, answer: str) -> None:
    assert reason_of_last(answer, PASSAGE, question) is None


def test_a_row_as_it_stands_may_have_a_price_and_a_measure() -> None:
    checkups = "套餐 | 价格（元） | 报告\n女性套餐 | 899 | 5个工作日\n男性套餐 | 859 | 6个工作日"
    assert reason_of_last("女性套餐 | 899 | 5个工作日[1]", checkups, "女性的多少钱？") is None
