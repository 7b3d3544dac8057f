"""What an answer takes from its question alone, extremes of a table, and short answers without a marker."""

import pytest

from rag.citations import check, sources_of
from rag.types import Support
from tests.citations.reasons import reason_among
from tests.samples import evidence

RULES = evidence(
    1,
    "1. 体检前一日晚8点后禁食，10点后禁水；高血压患者可用少量清水送服降压药。\n"
    "2. 体检时间为周一至周六7:30—10:30。持老年证者基础套餐减免50元。乙方应开具等额增值税专用发票。运费由卖方承担。",
)
GOODS = evidence(
    2,
    "序号 | 名称 | 单位 | 数量 | 单价（元） | 金额（元）\n1 | 升降办公桌 | 张 | 60 | 1,280 | 76,800\n"
    "2 | 人体工学椅 | 把 | 65 | 860 | 55,900\n3 | 会议桌 | 张 | 2 | 5,600 | 11,200\n合计 | | | | | 143,900",
)
CHECKUPS = evidence(
    3, "项目 | 基础套餐 | 标准套餐 | 深度套餐\n价格（元） | 298 | 688 | 1,580\n肿瘤标志物 | — | 2项 | 6项"
)
PLAN = evidence(
    4,
    "总投资86万元：装修38万元、设备22万元。首年租金预付15万元。\n指标 | 第一年 | 第二年 | 第三年\n"
    "营业收入（万元） | 124 | 181 | 209\n员工人数 | 5 | 6 | 7",
)
COURSES = evidence(5, "课程 | 教室 | 人数\n统计学 | 教2-301 | 86\n管理学 | 教1-101 | 130\n会计学 | 教2-405 | 95")
EVIDENCE = [RULES, GOODS, CHECKUPS, PLAN, COURSES]


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("体检前能喝水吗？", "体检前能喝水[1]。", "overlap"),
        ("体检前可以带家属吗？", "体检前可以带家属[1]。", "overlap"),
        ("体检前能吃降压药吗？", "体检前能吃降压药[1]。", None),
        ("体检前能喝水吗？", "体检前10点后不能喝水[1]。", None),
        ("防水吗？", "防水[1]。", "overlap"),
        ("一年房租多少钱？", "15万元[4]。", None),
        ("发票是普票还是专票？", "发票是普票[1]。", "exchanged"),
        ("发票是普票还是专票？", "发票是专票[1]。", None),
        ("运费由买方还是卖方承担？", "运费由卖方承担[1]。", None),
        ("肿瘤标志物标准套餐查几项？", "肿瘤标志物标准套餐查6项[1]。", "number"),
    ],
)
def test_of_what_was_asked_a_passage_has_to_speak(question: str, answer: str, reason: str | None) -> None:
    assert reason_among(answer, EVIDENCE, question) == reason


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("单价最高的是什么？", "单价最高的是桌子，单价是1,280元[2]。", "extreme"),
        ("单价最高的是什么？", "单价最高的是升降办公桌[2]。", "extreme"),
        ("单价最高的是什么？", "单价最高的是会议桌，单价是5,600元[2]。", None),
        ("最便宜的是哪种？", "单价最低的是人体工学椅[2]。", None),
        ("最便宜的套餐多少钱？", "最便宜的是标准套餐，688元[3]。", "extreme"),
        ("最便宜的套餐多少钱？", "最便宜的是基础套餐，298元[3]。", None),
        ("哪门课人最多？", "统计学人最多，有86人[5]。", "extreme"),
        ("哪门课人最多？", "管理学人最多，有130人[5]。", None),
        ("金额最高的是哪种？", "金额最高的是升降办公桌[2]。", None),  # 合计 is more, and none of them
        # What bounds is no extreme.
        ("最多买几把人体工学椅？", "最多65把人体工学椅[2]。", None),
    ],
)
def test_the_greatest_or_least_of_a_table_is_that(question: str, answer: str, reason: str | None) -> None:
    assert reason_among(answer, EVIDENCE, question) == reason


@pytest.mark.parametrize(("answer", "reason"), [("第3期的利息最高[2]。", "extreme"), ("第1期的利息最高[1]。", None)])
def test_the_greatest_of_a_table_that_goes_on_in_another_passage_is_that_of_the_whole(
    answer: str, reason: str | None
) -> None:
    header = "期数 | 还款日 | 利息（元）\n"
    first = evidence(1, f"{header}第1期 | 4月18日 | 1,680.00\n第2期 | 5月18日 | 1,648.00")
    second = evidence(2, f"{header}第3期 | 6月18日 | 1,616.00\n第4期 | 7月18日 | 1,584.00")
    assert reason_among(answer, [first, second], "哪一期利息最高？") == reason


def test_what_all_rows_come_to_is_not_the_greatest_of_them() -> None:
    sales = evidence(1, "大区 | 销售额（万元）\n华东 | 520\n华南 | 480\n合计 | 1000")
    assert reason_among("销售额最高的是华东[1]。", [sales]) is None


def test_a_short_answer_with_a_wrong_marker_is_from_the_one_passage_with_its_number() -> None:
    *_, checked = check("办公桌60张[1]。", EVIDENCE, ["办公桌买了几张？"])
    assert (checked.support, checked.added) == (Support.SUPPORTED, (2,))


@pytest.mark.parametrize(
    ("question", "answer", "numbers"),
    [
        ("装修花多少？", "装修花38万元。", (4,)),
        ("第二年收入多少？", "第二年收入181万元。", (4,)),
        ("合同总价是多少？", "合同总价是143,900元。", (2,)),
        # The row or the column is told by nothing.
        ("第二年能赚多少？", "第二年能赚181万元。", ()),
        ("员工有几个？", "员工有7个。", ()),
    ],
)
def test_a_short_answer_without_a_marker_is_from_the_passage_that_has_its_number_so(
    question: str, answer: str, numbers: tuple[int, ...]
) -> None:
    assert sources_of(answer, EVIDENCE, [question]) == numbers
