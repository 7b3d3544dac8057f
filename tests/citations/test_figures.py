"""Figures of a table that an answer tells of another row or column than they stand in."""

import pytest

from tests.citations.reasons import reason_of_last

CARDS = (
    "会员等级与权益\n等级 | 年费 | 购物折扣 | 生日礼 | 免费停车\n普卡 | 免费 | 9.5折 | 无 | 每月2小时\n"
    "银卡 | 98元 | 9折 | 50元券 | 每月6小时\n金卡 | 298元 | 8.5折 | 100元券 | 每月20小时\n"
    "会员卡自激活之日起一年内有效。新开的金卡当月打8折。"
)
PUMPS = (
    "参数 | 型号XR-200 | 型号XR-300 | 型号XR-500\n额定功率(kW) | 2.2 | 3.0 | 5.5\n最大流量(m3/h) | 12 | 20 | 45\n"
    "最高扬程(m) | 32 | 40 | 50\n防护等级 | IP54 | IP55 | IP55\n重量(kg) | 35 | 48 | 96"
)
FEES = (
    "项目 | 收费标准 | 按\n高层住宅物业费 | 2.80元/平方米·月 | 面积\n多层住宅物业费 | 1.90元/平方米·月 | 面积\n"
    "地下车位管理费 | 80元/个·月 | 车位\n地面临停 | 首小时免费，之后2元/小时 | 次"
)
LESSONS = (
    "课程名称 | 学分 | 学时 | 上课时间\n高等数学A | 5 | 80 | 周一1-2节、周三3-4节\n大学物理 | 4 | 64 | 周二3-4节\n"
    "大学英语 | 3 | 48 | 周五3-4节"
)


@pytest.mark.parametrize(
    ("answer", "table", "question"),
    [
        ("金卡打9折", CARDS, ""),
        ("金卡年费98元", CARDS, ""),
        ("普卡年费98元", CARDS, ""),  # its cell has a word
        ("98元", CARDS, "金卡的年费是多少？"),
        ("金卡每月免费停车6小时", CARDS, ""),
        ("XR-300的额定功率为5.5kW", PUMPS, ""),
        ("XR-500的重量为48kg", PUMPS, ""),
        ("XR-500最高扬程为45m", PUMPS, ""),  # of another row in its column
        ("高层住宅物业费为1.90元/平方米", FEES, ""),
        ("地面临停80元", FEES, ""),
        ("高等数学A有4学分", LESSONS, ""),  # its row has a 4, but of a lesson
        ("大学物理共80学时", LESSONS, ""),
    ],
)
def test_a_figure_of_another_row_or_column_than_is_named_is_not_borne_out(
    answer: str, table: str, question: str
) -> None:
    assert reason_of_last(f"{answer}[1]。", table, question) in ("citation.cell", "citation.row", "citation.column")


@pytest.mark.parametrize(
    ("answer", "table", "question"),
    [
        ("金卡打8.5折", CARDS, ""),
        ("银卡打9折，金卡打8.5折", CARDS, ""),
        ("与金卡比，98元的银卡年费低", CARDS, ""),
        ("金卡当月打8折", CARDS, ""),  # told in a sentence
        ("金卡有效期为1年", CARDS, ""),
        ("XR-300的额定功率为3kW，重48kg", PUMPS, ""),
        ("XR-500重96公斤", PUMPS, ""),
        ("高层住宅物业费为2.8元/平方米", FEES, ""),
        ("地面临停之后每小时2元", FEES, ""),
        ("高等数学A在周三3-4节上课，共5学分", LESSONS, ""),
    ],
)
def test_a_figure_of_the_row_and_column_that_are_named_is(answer: str, table: str, question: str) -> None:
    assert reason_of_last(f"{answer}[1]。", table, question) is None
