"""Numbers that an answer tells by another period than its passage."""

import pytest

from tests.citations.reasons import reason_of
from tests.waiting import within_cpu_seconds

FEES = "校区 | 学费（元/学期） | 住宿费（元/学期）\n东校区 | 9800 | 1200\n西校区 | 8600 | 1000"
DOSES = "成人一次0.5g，一日3次。儿童按体重一日20～40mg/kg，分3次服用。"
DEDUCTIONS = "子女教育每个子女每月2000元；继续教育每月400元，最长不超过48个月。物业费6.5元/平方米·月。"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("西校区每年学费8600元", FEES),
        ("西校区学费8600元/年", FEES),
        ("儿童按体重每次20～40mg/kg", DOSES),
        ("子女教育每个子女每年2000元", DEDUCTIONS),
        ("物业费每平方米每年6.5元", DEDUCTIONS),
        ("2004年称每月有28.7万多人就诊", "2004年称每年有28.7万多人就诊。"),
    ],
)
def test_a_number_told_by_another_period_is_not_borne_out(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) == "other_matter"


@pytest.mark.parametrize(
    ("sentence", "passage"),
    [
        ("西校区每学期学费8600元", FEES),
        ("西校区学费8600元", FEES),
        ("儿童按体重每天20～40mg/kg", DOSES),
        ("成人每次0.5g，每日3次", DOSES),
        ("子女教育每个子女每月2000元", DEDUCTIONS),
        ("物业费每平方米每月6.5元", DEDUCTIONS),
        ("年假每年5天", "员工享有年假5天。"),  # by none
        ("提测从5月24日推到了31日", "原定5月24日提测，推迟至5月31日。"),
        ("每年缴费4000元", "每月缴费400元，一年合计4000元。"),
    ],
)
def test_a_number_told_by_the_same_period_or_by_none_is(sentence: str, passage: str) -> None:
    assert reason_of(sentence, passage) is None


def test_a_long_text_of_periods_takes_no_time() -> None:
    with within_cpu_seconds(4):
        reason_of("每月" * 40 + "3元", "每月每日一次" * 4000 + "3元/每每每每。")
