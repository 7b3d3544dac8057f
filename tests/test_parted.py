"""What a message asks is told from how, by whom and why."""

import pytest

from rag.language.parted import parted
from rag.rewriting.putting import as_put


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("年假有几天？请用一句话回答，不要超过50字。", "年假有几天？"),
        ("请根据上传的资料，回答：员工请假流程是什么？", "员工请假流程是什么？"),
        ("请告诉我答案：2020年的营业收入是多少？", "2020年的营业收入是多少？"),
        ("那个，我想问一下哈，保修期有多久？", "保修期有多久？"),
        ("保修期有多久？谢谢，麻烦尽快，急用！", "保修期有多久？"),
        ("列出公司的主要产品，用表格形式输出，并注明出处。", "列出公司的主要产品，"),
        (
            "你是一个专业的财务顾问，请一步一步思考后回答下面的问题。\n"
            "问题：公司的毛利率是多少？\n要求：1. 引用原文 2. 不要编造",
            "公司的毛利率是多少？",
        ),
        ("You are a legal assistant. When does the lease end? Please answer briefly.", "When does the lease end?"),
    ],
)
def test_how_and_by_whom_it_is_to_be_answered_is_not_asked(message: str, asked: str) -> None:
    parts = parted(message)
    assert parts.asked == asked
    assert parts.around


@pytest.mark.parametrize(
    "message",
    [
        "年假有几天？",
        "再说一遍，简短一点。",
        "请用一句话回答，不要超过50字。",
        "如果没有找到原文，怎么标注来源？",
        "商场8:30开门，几点关门呢？请看公告",
        "「子不语：怪、力、乱、神。」的意思是什么？",
        "你是哪个公司的客服机器人？能做什么呢",
        "我是租客，房东不退押金，我该怎么办？",
        "好的，那病假工资按照什么比例发放？",
        "",
    ],
)
def test_what_may_be_part_of_the_question_stays(message: str) -> None:
    parts = parted(message)
    assert (parts.asked, parts.around) == (message, "")


@pytest.mark.parametrize(
    ("message", "briefly"),
    [
        (
            "我们部门正在写一份材料，领导要求把情况弄清楚。单个方法的总行数不超过多少？",
            "单个方法的总行数不超过多少？",
        ),
        ("我们部门正在写2020年的材料。公司的营业收入是多少？", None),
        ("我想去八达岭长城看一看。那里的门票价格是多少？", None),
        ("最近一直睡得不太好。怎么办？", None),
    ],
    ids=["a reason", "a year", "a pronoun", "says too little alone"],
)
def test_why_it_is_asked_is_left_out_where_the_question_needs_none_of_it(message: str, briefly: str | None) -> None:
    parts = parted(message)
    assert parts.without_reasons == (briefly or parts.asked)
    assert parts.asked.startswith(message[:6])


def test_a_rewrite_is_put_with_how_it_is_to_be_answered() -> None:
    question = "病假工资呢？请用一句话回答，不要超过50字。"
    assert as_put(question, "病假工资呢？") == question
    assert as_put(question, "病假工资按什么比例发放？") == "病假工资按什么比例发放？\n请用一句话回答，不要超过50字。"
