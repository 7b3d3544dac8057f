"""What stands in a sentence in the place of something else: the other side, another day, item or party, one for all."""

import pytest

from tests.citations.reasons import reason_of

NOTICE = (
    "培训于周六上午举行，由父亲陪同的学生在东门集合。春季班的教材在年底发放。"
    "课程包括语文、数学、英语、音乐等。初中部在南楼，设有物理、化学、生物三科。"
    "本校是全省最早开设书法课的学校之一，建于1950年。除周一外，其余各天均开放。"
    "2019年，林某向陈某借走图书40余册，南湖队击败北山队。"
)


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("培训于周日上午举行", "comparison"),
        ("由母亲陪同的学生在东门集合", "comparison"),
        ("秋季班的教材在年底发放", "comparison"),
        ("春季班的教材在年初发放", "comparison"),
        ("课程包括语文、化学、英语、音乐等", "exchanged"),
        ("本校是全省最早开设书法课的学校", "comparison"),
        ("包括周一在内，其余各天均开放", "denial"),
        ("2019年，陈某向林某借走图书40余册", "exchanged"),
        ("2019年，北山队击败南湖队", "exchanged"),
    ],
)
def test_what_stands_in_the_place_of_something_else_is_not_borne_out(sentence: str, why: str) -> None:
    assert reason_of(sentence, NOTICE) == why


@pytest.mark.parametrize(
    ("sentence", "is_right"),
    [
        ("本学期开设的选修课有：书法、陶艺、围棋等", True),
        ("本学期开设的选修课有：围棋、陶艺和书法", True),
        ("本学期开设的选修课有：书法、陶艺、游泳等", False),
        ("本学期开设的选修课有：铅球、陶艺、围棋等", False),
    ],
)
def test_the_first_and_the_last_of_a_list_are_compared_too(sentence: str, is_right: bool) -> None:
    passage = (
        "本学期开设的选修课有：书法、陶艺、围棋等。选课于九月第一周在教务系统进行，每名学生至多选两门，"
        "选定后不再调整；各门课程的上课地点以教务处的通知为准。春季运动会的项目有跳远、铅球、游泳。"
    )
    assert (reason_of(sentence, passage) is None) is is_right


@pytest.mark.parametrize(
    "sentence",
    [
        "培训在周六上午举行",
        "父亲陪同的学生于东门集合",
        "年底发放春季班的教材",
        "课程包括英语、语文、音乐和数学",
        "课程有语文、数学、英语等",
        "本校是全省最早开设书法课的学校之一",
        "除周一外均开放",
        "图书40余册由陈某借给林某",
        "北山队被南湖队击败",
        "陈某的图书，2019年有40余册被林某借走",
    ],
)
def test_the_same_in_another_order_or_fewer_words_is_borne_out(sentence: str) -> None:
    assert reason_of(sentence, NOTICE) is None


def test_both_ways_told_is_either_way_right() -> None:
    passage = "甲队在主场击败乙队，三周后乙队击败甲队。"
    assert reason_of("乙队击败甲队，时隔三周", passage) is None


def test_what_grows_may_be_told_by_another_word_where_a_fall_is_told_too() -> None:
    passage = "湿地面积增加了7200公顷，扭转了面积减少的趋势。"
    assert reason_of("湿地面积增长了7200公顷，扭转了面积减少的趋势", passage) is None
    assert reason_of("湿地面积减少了7200公顷", "湿地面积增加了7200公顷。") == "comparison"


def test_the_day_of_a_month_is_no_range() -> None:
    passage = "9月25日晚间，电视台提到他身体不适，不过没有进一步说明。"
    assert reason_of("在9月25日晚间，电视台提到他身体不适", passage) is None


@pytest.mark.parametrize("sentence", ["费用为8000余美元", "费用为8000多美元"])
def test_the_unit_of_a_number_with_something_over_is_read(sentence: str) -> None:
    assert reason_of(sentence, "活动费用为8000余元，由学校支付。") == "number"
    assert reason_of("费用为8000余元", "活动费用为8000余元，由学校支付。") is None
