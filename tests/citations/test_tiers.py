"""Figures of a table of tiers, from another tier than the one that was asked of."""

import pytest

from tests.citations.reasons import reason_of_last

REFUNDS = (
    "取消时间 | 扣款比例\n出发前15天以上 | 不扣款\n出发前7—14天 | 团费的20%\n"
    "出发前4—6天 | 团费的40%\n出发前1—3天 | 团费的60%"
)
PROSE = (
    "职工累计工作已满1年不满10年的，年休假5天；已满10年不满20年的，年休假10天；已满20年的，年休假15天。"
    "国家法定休假日、休息日不计入年休假的假期。"
)
LEAVE = "工龄 | 年假\n不满10年 | 5天\n满10年不满20年 | 10天\n20年以上 | 15天"
NUMBERED = "序号 | 取消时间 | 扣款比例\n1 | 出发前7—14天 | 20%\n2 | 出发前4—6天 | 40%\n3 | 出发前1—3天 | 60%"


@pytest.mark.parametrize(
    ("question", "answer", "passage"),
    [
        ("提前5天退扣多少？", "扣20%[1]", REFUNDS),
        ("出发前两天退团扣多少？", "40%[1]", REFUNDS),
        ("工作12年有几天年假？", "5天[1]", LEAVE),
        ("工龄25年有几天年假？", "10天[1]", LEAVE),
        ("工作12年有几天年假？", "年休假5天。[1]", PROSE),
        ("工作25年有几天年假？", "年休假10天。[1]", PROSE),
        ("提前5天退扣多少？", "扣20%[1]", NUMBERED),
        ("2012年入职，工作3年，年假几天？", "年休假15天。[1]", PROSE),
        ("工作3年和12年的，年假各几天？", "工作3年的10天[1]", LEAVE),
        (
            "工作12年，年假几天？",
            "年假15天[1]",
            f"{LEAVE}\n四、事假\n事假全年累计不超过15天。",
        ),  # told of another matter, too
    ],
)
def test_what_another_tier_has_is_not_borne_out(question: str, answer: str, passage: str) -> None:
    assert reason_of_last(answer, passage, question) == "tier"


@pytest.mark.parametrize(
    ("question", "answer", "passage"),
    [
        ("提前5天退扣多少？", "扣40%[1]", REFUNDS),
        ("出发前两天退团扣多少？", "60%[1]", REFUNDS),
        ("工作12年有几天年假？", "10天[1]", LEAVE),
        ("工龄25年有几天年假？", "15天[1]", LEAVE),
        ("年假有几天？", "10天[1]", LEAVE),
        ("工作12年有几天年假？", "年休假10天。[1]", PROSE),
        ("工作25年有几天年假？", "年休假15天。[1]", PROSE),
        ("工作3年有几天年假？", "年休假5天。[1]", PROSE),
        ("提前5天退扣多少？", "扣40%[1]", NUMBERED),
        ("提前5天退扣多少？", "另收手续费20%[1]", f"{REFUNDS}\n提前7天以内退团的，另收手续费20%。"),  # elsewhere, too
        ("3个人退团扣多少？", "出发前4—6天扣40%[1]", REFUNDS),
        ("我2012年入职，工作12年，年假几天？", "10天[1]", LEAVE),
        ("工作3年和12年的，年假各几天？", "工作3年的5天，工作12年的10天[1]", LEAVE),
        ("工作3年的、12年的，年假有几天？", "职工累计工作已满1年不满10年的，年休假5天。[1]", PROSE),
    ],
)
def test_what_the_tier_has_that_was_asked_of_is(question: str, answer: str, passage: str) -> None:
    assert reason_of_last(answer, passage, question) is None


WEEKS = "周次 | 内容 | 学时\n1—2 | 数据的收集 | 6\n3—4 | 抽样分布 | 6\n8—10 | 假设检验 | 9\n16 | 总复习 | 3"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("第九周讲什么？", "第九周讲抽样分布[1]", "tier"),
        ("第9周讲什么？", "讲的是总复习。[1]", "tier"),
        ("第九周讲什么？", "第九周讲假设检验[1]", None),
        ("第16周讲什么？", "总复习。[1]", None),
        ("前4周讲什么？", "前4周讲数据的收集、抽样分布。[1]", None),
        ("哪几周讲抽样分布？", "3—4周讲抽样分布。[1]", None),
        ("第5周讲什么？", "抽样分布在3—4周。[1]", None),  # no row has it
    ],
)
def test_what_stands_beside_a_span_of_other_weeks_is_not_borne_out(
    question: str, answer: str, reason: str | None
) -> None:
    assert reason_of_last(answer, WEEKS, question) == reason


FEE = "贷款满12个月后提前还款的，不收取违约金；不满12个月的，按提前还款本金的1%收取违约金。"


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("贷款八个月了，提前还款呢？", "不收取违约金[1]", "tier"),
        ("贷款15个月了，提前还款呢？", "不收取违约金[1]", None),
        ("不满一年呢？", "不满一年收取1%的违约金[1]", None),
        ("满一年呢？", "满一年不收取违约金[1]", None),
        ("满一年呢？", "满12个月后提前还款的，要收取违约金[1]", "denial"),
        ("提前还款要交违约金吗？", "满12个月后不收取违约金[1]", None),
    ],
)
def test_what_is_denied_of_one_tier_is_not_of_another(question: str, answer: str, reason: str | None) -> None:
    assert reason_of_last(answer, FEE, question) == reason


def test_a_denial_of_something_else_is_of_no_tier() -> None:
    passage = "单个方法不超过80行，新成员除外。员工入职满一年后，每年享有十五天年假。"
    assert reason_of_last("单个方法不超过八十行[1]", passage) is None


def test_a_year_of_the_calendar_is_in_no_tier() -> None:
    aged = "账龄 | 期末余额\n1年以内 | 269,795\n1至2年 | 24,991\n3年以上 | 18,995"
    assert reason_of_last("269,795[1]。", aged, "2020年1年以内的期末余额是多少？") is None
