"""Figures that are told of other days of the week than are meant."""

import pytest

from rag.citations.plain import plain
from rag.language.weekdays import weekdays
from tests.citations.reasons import reason_of_last

HOURS = (
    "营业时间：周一至周五8:30—17:30，周六9:00—12:00，周日休息。客栈周一至周四每晚180—420元，周五至周日每晚240—560元。"
    "工作日门票98元，周末、节假日128元；停车每天20元。"
)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("周一至周五", {1, 2, 3, 4, 5}),
        ("星期六、星期天", {6, 7}),
        ("周五到周一", {5, 6, 7, 1}),
        ("周二和周四", {2, 4}),
        ("周末及法定节假日", {6, 7, 8}),
        ("平日", {1, 2, 3, 4, 5}),
        ("每天", {1, 2, 3, 4, 5, 6, 7, 8}),
    ],
)
def test_days_are_read_from_ranges_lists_and_what_they_are_called_together(text: str, days: set[int]) -> None:
    (named,) = weekdays(f"客栈{text}开放")
    assert named.days == days


@pytest.mark.parametrize("text", ["一周年庆", "上周日本队", "五个工作日内办结"])
def test_what_only_looks_like_a_day_is_none(text: str) -> None:
    assert not [*weekdays(text)]


@pytest.mark.parametrize(("text", "numbers"), [("周六门票", 0), ("周三次日送达", 0), ("每周三次", 1), ("一周两次", 2)])
def test_the_name_of_a_day_is_no_number(text: str, numbers: int) -> None:
    assert len(plain(text).numbers) == numbers


@pytest.mark.parametrize(
    ("question", "answer", "is_right"),
    [
        ("周六几点关门？", "周六营业到17:30[1]。", False),
        ("周六几点关门？", "17:30[1]。", False),
        ("周六几点关门？", "周六12:00关门[1]。", True),
        ("周三几点关门？", "12:00[1]。", False),
        ("周三几点关门？", "17:30[1]。", True),
        ("周日开门吗？", "周日9:00开门[1]。", False),
        ("客栈周末多少钱？", "客栈周末每晚180—420元[1]。", False),
        ("客栈周末多少钱？", "客栈周末每晚240—560元[1]。", True),
        ("客栈多少钱？", "周一至周四每晚180—420元，周五至周日每晚240—560元[1]。", True),
        ("周六门票多少钱？", "98元[1]。", False),
        ("周六门票多少钱？", "128元[1]。", True),
        ("周六停车多少钱？", "20元[1]。", True),
    ],
)
def test_a_figure_is_of_the_days_named_last_before_it(question: str, answer: str, is_right: bool) -> None:
    assert reason_of_last(answer, HOURS, question) == (None if is_right else "tier")


DOCTORS = (
    "医师 | 职称 | 出诊时间 | 挂号费\n苏晓棠 | 主任医师 | 周二全天 | 50元\n"
    "魏明 | 副主任医师 | 周三下午、周五上午 | 30元\n"
    "丁一凡 | 主治医师 | 周一至周五上午 | 15元"
)


@pytest.mark.parametrize("claim", ["苏晓棠周三在。", "苏晓棠每周三出诊。", "魏明周一出诊。"])
def test_a_day_on_which_none_of_the_named_rows_is_told_is_not_borne_out(claim: str) -> None:
    assert reason_of_last(f"{claim}[1]", DOCTORS, "她周三在吗？") == "cell"


@pytest.mark.parametrize(
    "claim",
    ["魏明周三在。", "苏晓棠周三不在。", "丁一凡周三上午在。", "魏明和丁一凡周三出诊。", "苏晓棠改到周三出诊。"],
)
def test_a_day_of_the_named_row_is_borne_out_and_so_is_a_denial_of_another(claim: str) -> None:
    assert reason_of_last(f"{claim}[1]", DOCTORS, "她周三在吗？") is None


def test_a_day_that_prose_beside_the_table_tells_of_the_row_is_borne_out() -> None:
    told = f"{DOCTORS}\n本月苏晓棠周三加开门诊。"
    assert reason_of_last("苏晓棠周三在。[1]", told, "她周三在吗？") is None
