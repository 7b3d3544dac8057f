"""What is asked again of something else: of what is alike within the question before, or of something as well."""

import pytest

from rag.language.asked_again import asks_as_well
from rag.rewriting.condense import alternatives, by_rules, in_full, leans_on_history, stand_alone


@pytest.mark.parametrize(
    ("former", "question", "whole"),
    [
        ("大风橙色预警多久巡视一次？", "黄色呢？", "大风黄色预警多久巡视一次？"),
        ("生产环境退款限流多少？", "测试环境呢？", "测试环境退款限流多少？"),
        ("研发部经理是谁？", "市场部呢？", "市场部经理是谁？"),
        ("公积金缴存比例是多少？", "提取比例呢？", "公积金提取比例是多少？"),
        ("试用期员工年假几天？", "病假呢？", "试用期员工病假几天？"),
    ],
)
def test_a_name_takes_the_place_of_what_is_alike_within_the_topic(former: str, question: str, whole: str) -> None:
    assert alternatives(question, [former]) == (whole,)


@pytest.mark.parametrize(
    ("former", "question", "whole"),
    [
        ("每天几点上晚自习？", "这个学校是哪年办的？", "学校是哪年办的？"),
        ("营业收入是多少？", "该公司有多少员工？", "公司有多少员工？"),
        ("星河公司去年的营业收入是多少？", "这家公司的电话是多少？", "星河公司的电话是多少？"),
        ("出租人是谁？", "这个人的电话是多少？", "出租人的电话是多少？"),
        ("颐和园几点开门？", "这个景点的门票多少钱？", "颐和园景点的门票多少钱？"),
        ("怎么请假？", "这个手续在哪里办？", "请假手续在哪里办？"),
    ],
)
def test_the_whole_that_documents_are_about_is_no_part_of_what_was_asked_of_it(
    former: str, question: str, whole: str
) -> None:
    assert by_rules(question, [former]) == whole


def test_what_is_alike_nowhere_takes_no_place_within_the_topic() -> None:
    assert alternatives("下单呢？", ["生产环境退款限流多少？"]) == ()


def test_one_way_to_ask_it_again_is_offered_once() -> None:
    assert alternatives("乙方呢？", ["甲方的违约责任是什么？"]) == ("乙方的违约责任是什么？",)


@pytest.mark.parametrize("question", ["重疾也有吗？", "月卡也行吗？", "外地人也可以办吗？", "意外也要等吗？"])
def test_what_is_so_of_another_as_well_is_what_was_just_asked(question: str) -> None:
    earlier = ["甲状腺等待期多久？", "住院能报多少？", "有免赔吗？"]
    assert asks_as_well(question) and leans_on_history(question)
    assert stand_alone("", question, earlier).text == f"有免赔吗？ {question}"


@pytest.mark.parametrize("question", ["周末也开门吗？", "也要吗？", "也门首都是哪里？", "年假也可以分次休吗？"])
def test_what_says_itself_what_is_so_as_well_or_names_nothing_is_asked_as_it_is(question: str) -> None:
    assert not asks_as_well(question)


def test_that_day_is_no_day_without_a_word_before_it() -> None:
    assert "天有水果吗？" not in alternatives("那天有水果吗？", ["周三中午吃什么？"])
    assert "天有水果吗？" not in in_full([("周三中午吃什么？", ""), ("那天有水果吗？", "")])


def test_what_asks_both_ways_says_itself_what_is_asked() -> None:
    assert stand_alone("", "周末算不算呢？", ["员工手册的年假有几天？"]).text == "员工手册的年假周末算不算呢？"
