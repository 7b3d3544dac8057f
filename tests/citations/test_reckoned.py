"""What an answer reckons from numbers that it tells and its passage has."""

import pytest

from tests.citations.reasons import reason_of

NOTICE = (
    "管理费调整：自8月1日起，每坪由70元调整为80元；机车停车位清洁费每月150元，汽车停车位每月500元，不调整。"
    "应出席186户，实际出席132户。工期由1.5小时缩短到45分钟。税率由10%调整为13%。"
)


@pytest.mark.parametrize(
    "sentence",
    [
        "管理费涨了10元，每坪从70元调整为80元",
        "每坪由70元调整为80元，增加10元",
        "应出席186户，实际出席132户，相差54户",
        "机车停车位清洁费每月150元，汽车停车位每月500元，合计650元",
        "工期由1.5小时缩短到45分钟，缩短了45分钟",
        "税率由10%调整为13%，提高3个百分点",
    ],
)
def test_the_difference_or_sum_of_numbers_told_beside_it_is_borne_out(sentence: str) -> None:
    assert reason_of(sentence, NOTICE) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "管理费涨了20元，每坪从70元调整为80元",
        "管理费涨了10元",  # of what, it does not tell
        "管理费涨了20元，每坪从70元调整为90元",  # one of the two is wrong
        "管理费涨了10天，每坪从70元调整为80元",
        "管理费每坪10元，从70元调整为80元",  # said to be no difference
        "机车停车位清洁费每月150元，汽车停车位每月500元，合计550元",
        "税率由10%调整为13%，提高4个百分点",
    ],
)
def test_wrong_arithmetic_is_not_borne_out(sentence: str) -> None:
    assert reason_of(sentence, NOTICE) == "number"
