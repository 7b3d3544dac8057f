"""Bare answers that stand in their passage, where it speaks of something else than was asked."""

import pytest

from tests.citations.reasons import reason_of_last
from tests.waiting import within_cpu_seconds

MEALS = "食堂开放时间见公告栏。早餐15元，午餐18元，晚餐20元。外来人员另收服务费2元。"
CITY = (
    "云川市位于省境西部，面积6,240平方公里。2019年末全市常住人口为312万人，其中城镇人口186万人。"
    "市内最高峰为雪顶峰，海拔3,870米；最长的河流是青溪河，全长211公里。市花是杜鹃，由市民投票选出，该活动由文化局主办。"
)
PEOPLE = (
    "公司董事长为李明，负责公司的全面工作。总经理为王志强，负责日常经营和对外合作事宜。"
    "公司于2008年在深圳创立，2015年迁至杭州。技术总监周敏毕业于浙江大学，主持研发中心的全部项目，曾获科技进步奖。"
)


@pytest.mark.parametrize(
    ("question", "answer", "passage"),
    [
        ("早餐多少钱一份？", "20元", MEALS),
        ("早餐多少钱一份？", "是20元", MEALS),
        ("城镇人口有多少？", "312万人", CITY),
        ("最长的河流全长多少？", "6,240公里", CITY),
        ("技术总监毕业于哪所学校？", "李明", PEOPLE),
        ("总经理是谁？", "李明", PEOPLE),
        ("公司董事长是谁？", "王志强", PEOPLE),
    ],
)
def test_what_stands_where_its_passage_speaks_of_something_else_is_not_borne_out(
    question: str, answer: str, passage: str
) -> None:
    assert reason_of_last(f"{answer}[1]。", passage, question) in ("other_matter", "number")


@pytest.mark.parametrize(
    ("question", "answer", "passage"),
    [
        ("早餐多少钱一份？", "15元", MEALS),
        ("午餐呢？", "18元", MEALS),
        ("城镇人口有多少？", "186万人", CITY),
        ("最高峰海拔多少？", "3,870米", CITY),
        ("技术总监毕业于哪所学校？", "浙江大学", PEOPLE),
        ("总经理是谁？", "王志强", PEOPLE),
        ("市花是什么？", "杜鹃", CITY),
        ("充电见哪一章？", "第二章 充电", "第一章 准备\n第二章 充电\n充电前请阅读第一章。"),  # which of several
        ("人口是312万吗？", "人口是312万", CITY),  # the question's own
        ("有哪些餐？", "早餐、午餐和晚餐", MEALS),  # more than a name
    ],
)
def test_what_stands_beside_what_was_asked_is(question: str, answer: str, passage: str) -> None:
    assert reason_of_last(f"{answer}[1]。", passage, question) is None


@pytest.mark.parametrize(
    ("question", "answer", "passage"),
    [
        ("蛋挞烤几分钟？", "12", "鸡翅：180，20分钟；蛋挞：170，12分钟。"),
        ("夜班有几名保安？", "5名", "夜班保安5人，另派机动组3名协助。夜班保安8名的规定已经废止。"),
    ],
)
def test_a_figure_told_without_its_unit_or_in_another_is_found_where_its_passage_has_it(
    question: str, answer: str, passage: str
) -> None:
    assert reason_of_last(f"{answer}[1]。", passage, question) is None


def test_a_figure_told_without_its_unit_is_compared_with_what_counts_the_same() -> None:
    library = "每人可借绘本10册，报刊不外借。办证须押金，借期30天；书架可放古籍2000册。"
    assert reason_of_last("2000[1]。", library, "每人可借多少绘本？") == "other_matter"


def test_what_is_measured_in_another_unit_is_not_the_same_figure() -> None:
    fish = "本鱼分布于西北太平洋。水深12至55公尺。本鱼体形延长呈圆锥状，头部稍平扁，口大，下位。体长可达45公分。"
    assert reason_of_last("55公分[1]。", fish, "体长可达多少？") == "other_matter"


def test_what_a_table_tells_is_told_by_its_rows_and_not_by_what_stands_near() -> None:
    table = "项目 | 单价 | 数量\n早餐 | 15元 | 3份\n午餐 | 18元 | 2份\n另有服务费2元。"
    assert reason_of_last("15元[1]。", table, "早餐多少钱？") is None
    assert reason_of_last("早餐[1]。", table, "15元的是什么？") is None


def test_a_passage_of_many_figures_takes_no_time() -> None:
    with within_cpu_seconds(2):
        reason_of_last("18元[1]。", "早餐每份15元，午餐每份18元。" * 400, "早餐多少钱一份？")


def test_an_answer_of_many_bare_figures_takes_no_time() -> None:
    with within_cpu_seconds(2):
        reason_of_last("18元[1]。\n" * 200, "早餐15元，午餐18元。", "早餐多少钱一份？")


def test_a_question_without_a_pause_takes_no_time() -> None:
    with within_cpu_seconds(2):
        reason_of_last("18元[1]。", "早餐15元，午餐18元。", "的是为有" * 1_500)
        reason_of_last("李明[1]。", PEOPLE, "早餐是由" * 1_500)
