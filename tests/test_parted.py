"""What a message asks is told from how, by whom and why."""

import pytest

from rag.language.parted import narrowed, parted
from rag.rewriting.prompt_form import prompt_form
from tests.waiting import within_cpu_seconds


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("年假有几天？请用一句话回答，不要超过50字。", "年假有几天？"),
        ("请根据上传的资料，回答：员工请假流程是什么？", "员工请假流程是什么？"),
        ("请告诉我答案：2020年的营业收入是多少？", "2020年的营业收入是多少？"),
        ("那个，我想问一下哈，保修期有多久？", "保修期有多久？"),
        ("保修期有多久？谢谢，麻烦尽快，急用！", "保修期有多久？"),
        ("列出公司的主要产品，用表格形式输出，并注明出处。", "列出公司的主要产品"),
        ("病假呢，不要超过50字", "病假呢"),
        ("What may a paper of 5,000 words cost? Answer briefly.", "What may a paper of 5,000 words cost?"),
        ("年假有几天？能不能用一句话回答我？", "年假有几天？"),
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
    ("message", "asked"),
    [
        ("你是医生，患者对青霉素过敏。应该用哪种药？", "患者对青霉素过敏。应该用哪种药？"),
        ("假设你是销售经理，客户要求退货。公司规定怎么处理？", "客户要求退货。公司规定怎么处理？"),
        ("请你作为律师，分析甲方的违约责任。有哪些条款？", "分析甲方的违约责任。有哪些条款？"),
        ("从现在起，你是一位资深律师，擅长合同法。押金是多少？", "押金是多少？"),
        ("你是一名资深律师，请根据资料回答：押金是多少？", "押金是多少？"),
    ],
)
def test_who_is_to_answer_is_told_from_the_case_behind_it(message: str, asked: str) -> None:
    assert parted(message).asked == asked


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("八达岭长城的门票价格是多少？谢谢", "八达岭长城的门票价格是多少？"),
        ("谢谢，那病假呢？", "那病假呢？"),
        ("好的，谢谢，那病假呢？", "那病假呢？"),
        ("你好，日志文件保存多少天，麻烦了", "日志文件保存多少天"),
        ("OK，门票多少钱？", "门票多少钱？"),
        ("太好了！怎么申请？", "怎么申请？"),
        ("谢谢！为什么？", "为什么？"),
        ("你好 年假有几天 谢谢", "年假有几天"),
        ("谢谢，再短一点", "再短一点"),
        ("Thanks, how many days of sick leave are there?", "how many days of sick leave are there?"),
    ],
)
def test_courtesies_are_neither_asked_nor_repeated(message: str, asked: str) -> None:
    parts = parted(message)
    assert (parts.asked, parts.around) == (asked, "")


def test_how_to_answer_is_told_in_the_order_in_which_it_was_said() -> None:
    how = "请分点回答，不要超过100字，并注明出处。"
    assert parted(f"年假有几天，{how}").around == how


@pytest.mark.parametrize(
    "message",
    [
        "年假有几天？",
        "谢谢",
        "好的，谢谢！",
        "谢谢惠顾是什么意思？",
        "“谢谢，再见”是什么意思？",
        "“请用一句话回答。”是什么意思？",
        "「今天很好。谢谢。」是谁说的？",
        "日志输出，能不能用中文？",
        "密码长度不得超过多少？不少于几个字？",
        "论文字数不超过5,000字",
        "不对，简短一点",
        "你是律师吗，怎么收费？",
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


TICKET = "八达岭长城的门票价格为40元。"
TEXT = f"单个方法的总行数不超过80行。{TICKET}员工在试用期内离职，工资按天结算。"


@pytest.mark.parametrize(
    ("question", "narrow"),
    [
        ("我们部门正在写一份材料，领导要求把情况弄清楚。单个方法的总行数不超过多少？", "单个方法的总行数不超过多少？"),
        ("作为一名审计人员，我需要核对数据，单个方法的总行数不超过多少？", "单个方法的总行数不超过多少？"),
        ("hi，单个方法的总行数不超过多少？thanks", "单个方法的总行数不超过多少？"),
        ("员工在试用期离职，工资怎么结算？", ""),
        ("八达岭长城，我想去看一看。门票价格是多少？", "八达岭长城，门票价格是多少？"),
        ("我想去长安街走走。那里的门票价格是多少？", ""),
        ("最近一直睡得不太好。怎么办？", ""),
        ("单个方法的总行数不超过多少？", ""),
        ("我去问一问，单个方法的总行数80行以上可以吗？", "单个方法的总行数80行以上可以吗？"),
    ],
)
def test_what_no_passage_speaks_of_and_does_not_ask_is_left_out(question: str, narrow: str) -> None:
    assert narrowed(question, [TEXT]) == narrow


@pytest.mark.parametrize(
    "subject",
    [
        "故宫博物院，",
        "小米14 Pro，",
        "颐和园（北京），",
        "Python项目：",
        "我买的是iPhone，",
        "我在阿里巴巴上班，",
        "The Tesla，",
    ],
)
def test_what_names_something_is_left_in_a_question_that_no_passage_answers(subject: str) -> None:
    assert narrowed(f"{subject}门票价格是多少？", [TICKET]) == ""
    assert narrowed(f"昨天刚入职，{subject}门票价格是多少？", [TICKET]) == f"{subject}门票价格是多少？"


@pytest.mark.parametrize(
    "around",
    [
        "领导要求把情况弄清楚。",
        "昨天刚入职，",
        "我是新来的员工，",
        "我们部门正在写材料，",
        "老师您好，",
        "I am new here，",
    ],
)
def test_what_only_tells_why_something_is_asked_is_left_out(around: str) -> None:
    assert narrowed(f"{around}门票价格是多少？", [TICKET]) == "门票价格是多少？"


@pytest.mark.parametrize("row", ["一", "好", "谢谢，", "请回答，", "。，", "“", "1,"])
def test_a_long_row_takes_no_time(row: str) -> None:
    with within_cpu_seconds(1):
        assert parted(row * 3_000).around == ""


def test_a_rewrite_is_put_with_how_it_is_to_be_answered() -> None:
    question = "病假工资呢？请用一句话回答，不要超过50字。"
    assert prompt_form(question, "病假工资呢？") == question
    assert (
        prompt_form(question, "病假工资按什么比例发放？") == "病假工资按什么比例发放？\n请用一句话回答，不要超过50字。"
    )
