"""A yes or no alone says what was asked, or denies it."""

import pytest

from rag.citations import check
from rag.citations.claim import answered
from rag.types import Support
from tests.citations.reasons import reason_among
from tests.samples import evidence

RULES = evidence(1, "不得携犬乘坐公共交通工具，经驾驶人同意的出租汽车除外。养犬登记证有效期两年。公司提供班车。")
RESUME = evidence(2, "姓名：林晓雯，性别：女，籍贯：福建泉州，现居杭州。")


@pytest.mark.parametrize(
    ("question", "answer", "said"),
    [
        ("她结婚了吗？", "没有。", "没有她结婚了"),
        ("可以带宠物吗？", "不可以", "不可以带宠物"),
        ("是否需要审批", "需要。", "需要审批"),
        ("有没有年终奖？", "没有", "没有年终奖"),
        ("能否带狗", "能。", "能带狗"),
        ("她结婚了没有", "是的。", "她结婚了"),
        ("产假是98天吗", "是的。", "产假是98天"),
        ("产假是98天吗", "不是。", ""),  # it may be of any other length
        ("年假有几天？", "没有。", ""),
        ("需要审批吗", "不知道。", ""),
        ("需要审批吗", "需要部门主管审批。", ""),
    ],
)
def test_a_yes_or_no_alone_says_what_was_asked(question: str, answer: str, said: str) -> None:
    assert answered(answer, question)[0] == said


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("她结婚了吗？", "没有。[2]", "overlap"),
        ("她会开车吗？", "会。[2]", "overlap"),
        ("能携犬乘坐公共交通工具吗？", "可以。[1]", "denial"),
        ("能携犬乘坐公共交通工具吗？", "不可以。[1]", None),
        ("能带狗坐地铁吗？", "不能。[1]", None),
        ("登记证是两年有效吗？", "是的。[1]", None),
        ("登记证是三年有效吗？", "是的。[1]", "number"),
        ("公司提供班车吗？", "不提供。[1]", "denial"),
        ("登记证是两年有效吗？", "不是。[1]", "denial"),
        ("登记证是三年有效吗？", "不是。[1]", None),
    ],
)
def test_a_yes_or_no_alone_is_borne_out_as_what_it_says(question: str, answer: str, reason: str | None) -> None:
    assert reason_among(answer, [RULES, RESUME], question) == reason


FEES = evidence(
    1,
    "同城转账免收手续费，异地转账需要收取手续费。申报采用线上方式，不接受纸质材料。二月的客流比一月减少三成。"
    "车站东侧的停车楼于五月启用，共有车位一千余个，自驾前来的旅客可凭当日车票停放两小时；货运量则持续增加。",
)


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("二月的客流比一月增加还是减少？", "减少。[1]", None),
        ("二月的客流比一月增加还是减少？", "增加。[1]", "comparison"),
        ("我觉得异地转账需要还是无需收取手续费？", "需要。[1]", None),
        ("我觉得异地转账需要还是无需收取手续费？", "无需[1]", "denial"),
        ("申报用纸质材料还是线上？", "线上[1]", None),  # nothing tells that 材料 is not the other one
    ],
)
def test_one_of_two_that_were_asked_for_alone_is_borne_out_as_what_it_says(
    question: str, answer: str, reason: str | None
) -> None:
    assert reason_among(answer, [FEES, RESUME], question) == reason


def test_a_yes_alone_is_found_in_the_passage_that_has_what_was_asked() -> None:
    [checked] = check("有。[1]", [RULES, evidence(2, "全程进一个翡翠购物店，停留约60分钟。")], ["有购物吗？"])
    assert (checked.support, checked.added) == (Support.SUPPORTED, (2,))


def test_a_yes_or_no_alone_without_a_marker_states_something_from_nowhere() -> None:
    [bare] = check("没有。", [RESUME], ["她结婚了吗？"])
    assert (bare.support, bare.is_bare) == (Support.UNMARKED, True)
    [told] = check("没有。", [RESUME], ["年假有几天？"])
    assert not told.is_bare


def test_beside_another_question_that_asks_whether_grants_nothing() -> None:
    pressure = evidence(1, "总检建议：血压偏高，收缩压146，建议低盐饮食。")
    for question in ("收缩压多少，正常吗？", "收缩压多少？正常吗？"):
        assert reason_among("收缩压146，正常。[1]", [pressure], question) == "comparison"
