"""Sentences that have few of their passage's words."""

import pytest

from tests.citations.reasons import reason_of_last

STAYS = "职级 | 飞机 | 火车 | 伙食补助（元/天）\n高层 | 公务舱 | 商务座 | 180\n中层 | 经济舱 | 一等座 | 120"
DATES = "申报时间：2024年7月1日至9月30日，逾期不予受理。"


@pytest.mark.parametrize(
    ("answer", "passage", "question", "is_right"),
    [
        ("高层每天补180元饭钱", STAYS, "伙食补助多少？", True),
        ("7月1日开始申请，9月30日截止", DATES, "什么时候申报？", True),
        ("周末一律放假，并且可以晚起", DATES, "什么时候申报？", False),  # no number tells where it is from
    ],
)
def test_the_numbers_of_its_passage_tell_enough(answer: str, passage: str, question: str, is_right: bool) -> None:
    assert (reason_of_last(f"{answer}[1]。", passage, question) is None) is is_right
