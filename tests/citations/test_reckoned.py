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


TABLE = "名称 | 收入 | 成本\n华东区 | 1,200 | 80\n华南区 | 800 | 60\n西北区 | 300 | 20\n注：以上。"


@pytest.mark.parametrize(
    "sentence",
    [
        "华东区的收入为1,200，华南区为800，两者合计2,000",
        "华东区的收入为1,200，华南区为800，两项合计2,000",
        "华东区与华南区的收入分别为1,200和800，两者相差400",
        "华东区的收入为1,200，华南区为800，前者比后者多400",
        "华东区的收入为1,200，华南区为800，华南区比华东区少400",
    ],
)
def test_what_figures_of_a_table_come_to_is_borne_out_without_a_unit(sentence: str) -> None:
    assert reason_of(sentence, TABLE) is None


@pytest.mark.parametrize(
    "sentence",
    [
        "华东区的收入为1,200，华南区为800，两者合计2,100",
        "华东区的收入为1,200，华南区为800，前者比后者少400",
        "华东区的收入为1,200，华南区为800，华南区比华东区多400",
        "华东区的收入为1,200，华南区为800，前者比后者多500",
        "第1名华东区的收入为1,200，第2名华南区为800，前者比后者少400",
    ],
)
def test_a_wrong_sum_or_who_has_more_turned_round_is_not(sentence: str) -> None:
    assert reason_of(sentence, TABLE) == "number"
