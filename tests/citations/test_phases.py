"""Figures of one of several that are numbered alike: 一期, 第二批, 三季度."""

import pytest

from tests.citations.reasons import reason_of_last

BASES = "公司越南一期4GWh基地已于2025年7月投产，主要供应美国市场；二期6GWh预计2026年四季度投产。"
BATCHES = "第一批招收120人，6月20日报到；第二批招收80人，7月5日报到。两批均须体检，费用150元。"
TOGETHER = "第一轮、第二轮面试均为20分钟，第三轮为40分钟。"
OF_REGIONS = "销售额（万元）\n区域 | 一季度 | 二季度 | 合计\n华东 | 120.5 | 133.2 | 253.7\n华南 | 98 | 101.25 | 199.25"
QUARTERS = "第一、二季度收入均为3.2亿元，第三季度收入为4.1亿元。"


@pytest.mark.parametrize(
    ("sentence", "passage", "question"),
    [
        ("越南二期投产：2025年7月", BASES, ""),
        ("2025年7月投产", BASES, "越南二期什么时候投产"),
        ("越南二期投产：2025年7月", BASES.split("；", maxsplit=1)[0], ""),
        ("2025年7月投产", BASES, "越南三期什么时候投产"),
        ("第二批招收120人", BATCHES, ""),
        ("120人", BATCHES, "第二批招多少人？"),
        ("三季度收入为3.2亿元", QUARTERS, ""),
    ],
)
def test_a_figure_of_another_of_several_is_told_of(sentence: str, passage: str, question: str) -> None:
    assert reason_of_last(f"{sentence}[1]。", passage, question) in ("phase", "number")


@pytest.mark.parametrize(
    ("sentence", "passage", "question"),
    [
        ("越南二期预计2026年四季度投产", BASES, ""),
        ("2025年7月投产", BASES, "越南一期什么时候投产"),
        ("二期的产能是6GWh，一期是4GWh", BASES, ""),
        ("第二批招收80人，体检费用150元", BATCHES, ""),
        ("第二轮面试20分钟", TOGETHER, ""),
        ("第一轮面试20分钟", TOGETHER, ""),
        ("20分钟", TOGETHER, "第一轮面试多久？"),
        ("一期2025年7月投产", "一期和二期均于2025年7月投产，三期尚未开工。", ""),
        ("一季度环比增长2.2%", "一季度同比增长4.5%，比上年四季度环比增长2.2%。", ""),  # compared with, not told of
        ("二期投产：2025年7月", "一期已经完成。2025年7月，二期投产。", ""),  # the sentence before is of another
        ("第二轮面试20分钟", "面试20分钟。共两轮，第一轮为笔试。", ""),
        ("华南一季度为98万元", OF_REGIONS, "华南一季度销售额"),
        ("华南 | 98 | 101.25 | 199.25", OF_REGIONS, "华东区一季度销售额是多少"),
    ],
)
def test_its_own_figure_or_that_of_all_is_not(sentence: str, passage: str, question: str) -> None:
    assert reason_of_last(f"{sentence}[1]。", passage, question) is None
