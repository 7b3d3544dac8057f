"""Figures of a table that an answer tells of another row or column than they stand in."""

import pytest

from tests.citations.reasons import reason_among, reason_of_last
from tests.samples import evidence

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

TOOLS = (
    "货号 | 品名 | 规格 | 仓库 | 库存 | 单位 | 进价（元）\nHD-1014 | 冲击钻 | 650W | 城南仓 | 160 | 盒 | 15.4\n"
    "HD-1028 | 手电钻 | 12V | 城北仓 | 888 | 件 | 49\nHD-1049 | 活动扳手 | 8寸 | 城南仓 | 640 | 把 | 228\n"
    "HD-1056 | 活动扳手 | 10寸 | 城南仓 | 424 | 个 | 7.6\nHD-1105 | 膨胀螺栓 | M8×80 | 城南仓 | 443 | 个 | 78.3\n"
    "HD-1112 | 膨胀螺栓 | M10×100 | 门店 | 719 | 个 | 89.7"
)
PAYMENTS = (
    "期数 | 还款日 | 应还利息（元） | 剩余本金（元）\n1 | 4月18日 | 1,680.00 | 470,799.04\n"
    "2 | 5月18日 | 1,647.80 | 461,565.88"
)

BALANCE = (
    "项目 | 期初余额 | 本期增加 | 期末余额 | 占总资产的比例(%)\n1、银行存款 | 1,516.01 | 20.5 | 1,098.45 | 24.15\n"
    "其中：定期存款 | 312.4 | 8.25 | 280.6 | 6.17\n二、应收账款 | 454.43 | 33.5 | 20.93 | 0.46"
)


@pytest.mark.parametrize(
    ("answer", "table", "question"),
    [
        ("银行存款的期末余额为1,516.01", BALANCE, ""),
        ("期末余额方面，银行存款为1,516.01", BALANCE, ""),  # the column before a pause
        ("应收账款方面，期初余额为20.93", BALANCE, ""),
        ("定期存款的期初余额是8.25", BALANCE, ""),  # of a column that tells no period
        ("应收账款的期末余额是0.46", BALANCE, ""),
        ("应收账款为33.5", BALANCE, "应收账款的期末余额是多少？"),
        ("手电钻的进价是15.4元", TOOLS, ""),
        ("HD-1028的进价是15.4元", TOOLS, ""),
        ("冲击钻在城北仓", TOOLS, "在哪个仓库？"),
        ("8寸的活动扳手有424把", TOOLS, ""),
        ("M10的膨胀螺栓的进价是78.3元", TOOLS, ""),
        ("第2期的利息是1,680元", PAYMENTS, ""),
        ("1,647.80元", PAYMENTS, "第一期的利息是多少？"),
        ("第13期的利息是1,680元", PAYMENTS, "第13期呢？"),  # of no row
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
    assert reason_of_last(f"{answer}[1]。", table, question) in ("cell", "row")


@pytest.mark.parametrize(
    ("answer", "table", "question"),
    [
        ("期末余额方面，银行存款为1,098.45，应收账款为20.93", BALANCE, ""),
        ("银行存款期末余额占总资产的24.15%", BALANCE, ""),  # told of more than row and column
        ("占比为24.15%", BALANCE, "银行存款期末余额占比是多少？"),
        ("本期增加20.5，银行存款的期末余额为1,098.45", BALANCE, ""),
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
        ("手电钻的进价是49元/件", TOOLS, ""),
        ("HD-1028的进价是49元", TOOLS, ""),
        ("冲击钻在城南仓", TOOLS, "在哪个仓库？"),
        ("8寸的活动扳手有640把", TOOLS, ""),
        ("膨胀螺栓M8×80的进价是78.3元", TOOLS, ""),
        ("第2期的利息是1,647.80元", PAYMENTS, ""),
        ("1,680元", PAYMENTS, "第一期的利息是多少？"),
    ],
)
def test_a_figure_of_the_row_and_column_that_are_named_is(answer: str, table: str, question: str) -> None:
    assert reason_of_last(f"{answer}[1]。", table, question) is None


def test_a_table_that_goes_on_in_another_passage_is_one_table() -> None:
    header, first, second = PAYMENTS.split("\n")
    parts = [evidence(1, f"{header}\n{first}"), evidence(2, f"{header}\n{second}")]
    for answer, reason in (("第一期的利息是1,647.80元[2]。", "cell"), ("第一期的利息是1,680元[1]。", None)):
        assert reason_among(answer, parts) == reason


def test_figures_are_of_the_unit_that_the_title_of_their_table_ends_with() -> None:
    sales = "分渠道营业额（万元）\n渠道 | 8月 | 9月 | 合计\n抖音 | 13.2 | 14.9 | 28.1\n京东 | 11.6 | 12.8 | 24.4"
    assert reason_of_last("抖音9月卖了14.9万元[1]。", sales) is None
    assert reason_of_last("抖音9月卖了28.1万元[1]。", sales) == "cell"
    assert reason_of_last("抖音8月和9月共卖了28.1万元[1]。", sales) is None
    assert reason_of_last("抖音9月卖了14.9元[1]。", sales) == "number"
    apart = sales.replace("\n渠道", "\n总体情况良好。\n渠道")
    assert reason_of_last("抖音9月卖了14.9万元[1]。", apart) == "number"


def test_a_number_of_a_long_clause_behind_a_table_is_not_told_of_what_stands_in_the_table() -> None:
    long_clause = (
        "商场每年春节期间面向全体在册供应商以及长期合作的物流公司和保洁单位还有安保团队发放年货采购券"
        "并对其中连续合作满三年的单位统一按9折结算。"
    )
    cards = f"等级 | 折扣\n金卡 | 8.5折\n银卡 | 9折\n\n{long_clause}"
    assert reason_of_last("金卡打9折[1]。", cards) == "cell"
