"""What small models add to an answer is left out of it, however the stream cuts it."""

import pytest

from rag.turn.trimming import AnswerTrimmer
from tests.waiting import within_cpu_seconds


def trimmed(answer: str, step: int, *questions: str) -> str:
    trimmer = AnswerTrimmer(questions)
    pieces = [trimmer.feed(answer[start : start + step]) for start in range(0, len(answer), step)]
    return "".join((*pieces, trimmer.release()))


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    ("question", "answer", "left"),
    [
        ("哪些文件可以上传？", "哪些文件可以上传？[1]PDF 和 TXT。[1]", "PDF 和 TXT。[1]"),
        ("哪些文件可以上传？", "哪些文件可以上传？\n\nPDF 和 TXT。", "PDF 和 TXT。"),
        ("那它最多能传多大？", "最多能传多大？[12] 100 MB。[12]", "100 MB。[12]"),
        ("那它最多能传多大？", "最多能传多大？[3]", ""),
        ("年假可以攒吗？", "年假可以攒吗？可以。", "可以。"),
        ("哪些文件可以上传？", "哪些文件可以上传。[1]", ""),
        ("哪些文件可以上传？", "哪些文件可以上传", ""),
        ("How much is it?", "How much is it? Ten yuan.", "Ten yuan."),
        ("如何重置密码？", "“如何重置密码？”", ""),
    ],
)
def test_the_question_is_no_part_of_its_answer(question: str, answer: str, left: str, step: int) -> None:
    assert trimmed(answer, step, question) == left


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    "answer",
    [
        "“如何重置密码？”一节写明：点击设置。[1]",
        "《如何重置密码？》写明：点击设置。[1]",
        "**“如何重置密码？”** 一节：点击设置。[1]",
    ],
)
def test_what_an_answer_names_as_the_question_is_put_stays(answer: str, step: int) -> None:
    assert trimmed(answer, step, "如何重置密码？") == answer


OPENED = "单表多大才需要分库分表？"


@pytest.mark.parametrize(
    ("answer", "bit_by_bit", "at_once"),
    [
        ("单表多大才需要分库分表？[1] 单表超过 2GB。[1]", "单表超过 2GB。[1]", "单表超过 2GB。[1]"),
        ("单表多大才需要分库分表？[1] **单表**超过 2GB。[1]", "单表超过 2GB。[1]", "**单表**超过 2GB。[1]"),
        ("单表多大才需要分库分表？[1] 2GB 以上。[1]", "单表：2GB 以上。[1]", "2GB 以上。[1]"),
        ("单表多大才需要分库分表。单", "单表：单", "单"),
        ("单表超过 2GB。[1]", "单表超过 2GB。[1]", "单表超过 2GB。[1]"),
    ],
)
def test_an_answer_goes_on_from_what_of_the_question_was_given_before_it_asks(
    answer: str, bit_by_bit: str, at_once: str
) -> None:
    assert [trimmed(answer, step, OPENED) for step in (1, 2)] == [bit_by_bit] * 2
    assert [trimmed(answer, step, OPENED) for step in (3, 1000)] == [at_once] * 2


def test_what_stands_before_the_asking_is_given_at_once() -> None:
    trimmer = AnswerTrimmer([OPENED])
    assert [trimmer.feed("单"), trimmer.feed("表"), trimmer.feed("多大")] == ["单", "表", ""]


@pytest.mark.parametrize("question", ["手册里核心模块的覆盖率目标是多少？", "核心模块的覆盖率目标是多少？"])
def test_a_part_of_what_stands_before_the_asking_is_given_at_once_too(question: str) -> None:
    trimmer = AnswerTrimmer([question])
    given = [trimmer.feed(word) for word in ("覆盖率", "目标", "是多少？", "覆盖率目标", "是 70%。")]
    assert given == ["覆盖率", "目标", "", "", "是 70%。"]


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    ("again", "left"),
    [
        ("单表超过 2GB。[1]", "超过 2GB。[1]"),
        ("单表多大才需要分库分表。单表超过 2GB。[1]", "超过 2GB。[1]"),
        ("**单表**超过 2GB。[1]", "超过 2GB。[1]"),
        ("根据手册，单表超过 2GB。[1]", "：根据手册，单表超过 2GB。[1]"),
        ("资料中没有相关内容。", "：资料中没有相关内容。"),
    ],
)
def test_a_second_try_goes_on_from_what_the_first_has_given(again: str, left: str, step: int) -> None:
    first = AnswerTrimmer([OPENED])
    assert [first.feed("单"), first.feed("表"), first.feed("多大才需要分库分表。[1]"), first.release()] == [
        "单",
        "表",
        "",
        "",
    ]
    assert first.only_repeated == "单表多大才需要分库分表。[1]"
    second = AnswerTrimmer([OPENED], "单表")
    pieces = [second.feed(again[start : start + step]) for start in range(0, len(again), step)]
    assert "".join((*pieces, second.release())) == left
    assert second.only_repeated == ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("年假的天数是多少？", "年假的天数是[1]"),
        ("年假的天数是多少？", "年假的天数[1]。"),
        ("年假的天数是多少", "年假的天数是多少。[1]"),
        ("年假的天数是多少？", "年假的天数是多少：[1]"),
        ("年假的天数是多少？", "天数是[1]"),
        ("请问年假有几天？", "年假有几天。[1]"),
        ("年假可以攒吗？", "年假可以攒吗？"),
        ("没休完能换钱吗", "没休完能换钱吗。[9]"),
        ("年假能不能折现", "年假能不能折现[1]"),
        ("解绑呢", "解绑呢[1]"),
        ("不对吧，我记得是每10股派2元", "不对吧，我记得是每10股派2元[1]"),
    ],
)
def test_an_answer_that_is_no_more_than_the_question_only_repeats_it(question: str, said: str) -> None:
    trimmer = AnswerTrimmer([question])
    given = "".join(map(trimmer.feed, said)) + trimmer.release()
    assert given in ("", "年假的天数", "年假", "天数") and trimmer.only_repeated == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("员工和经理谁的年假多？", "员工[1]。"),
        ("员工和经理谁的年假多？", "员工和经理[1]。"),
        ("有什么要求？", "有。"),
        ("能不能折现？", "不能折现。"),
        ("用 HTTP 还是 WebSocket 协议？", "WebSocket 协议。"),
        ("年假有几天？", "十天"),
    ],
)
def test_an_answer_may_be_in_words_of_its_question(question: str, said: str) -> None:
    trimmer = AnswerTrimmer([question])
    assert "".join(map(trimmer.feed, said)) + trimmer.release() == said
    assert trimmer.only_repeated == ""


def test_whether_something_is_so_is_asked_by_the_whole_sentence() -> None:
    trimmer = AnswerTrimmer(["年假可以攒吗？"])
    assert trimmer.feed("年假可以") == ""
    assert trimmer.feed("累计。") == "年假可以累计。"


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("收入是 15 亿元，编号为[1]。", "收入是 15 亿元[1]。"),
        ("共 269 人，编号：[15]。", "共 269 人[15]。"),
        ("A款的免赔额是1万元，资料编号为[1]。", "A款的免赔额是1万元[1]。"),
        ("保存 15 天。来源：[2]", "保存 15 天。[2]"),
    ],
)
def test_a_marker_needs_no_announcement(answer: str, left: str, step: int) -> None:
    assert trimmed(answer, step, "多少？") == left


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
def test_an_answer_ends_with_what_it_says(step: int) -> None:
    assert trimmed("第一条。\n\n第二条。 \n\n", step, "有哪几条？") == "第一条。\n\n第二条。"


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    "answer",
    [
        "年假有十天[1]。",
        "你问的是哪一年？",
        "合同的编号为甲零零七，来源",
        "发票上需注明合同编号[1]。",
        "须写明姓名、编号[1]。",
        "须提交资料，资料的份数不限[1]。",
        "引用他人文字须注明出处[1]。",
        "借款人的资金来源[2]",
        "编号是唯一的[1]，出处不详",
        "年假",
        "，",
    ],
)
def test_all_else_stays_as_it_was_said(answer: str, step: int) -> None:
    assert trimmed(answer, step, "年假有几天？") == answer


def test_who_asks_nothing_is_answered_in_the_same_words() -> None:
    assert trimmed("你好！", 1, "你好") == "你好！"


@pytest.mark.parametrize(("question", "said"), [("我工作12年了", "我工作12年了。[5]"), ("最高限价", "最高限价[1]")])
def test_of_documents_nothing_is_told_in_the_same_words(question: str, said: str) -> None:
    trimmer = AnswerTrimmer([question], may_echo=False)
    assert "".join(map(trimmer.feed, said)) + trimmer.release() == ""
    assert trimmer.only_repeated == said


def test_what_is_told_behind_the_same_words_is_an_answer() -> None:
    trimmer, said = AnswerTrimmer(["最高限价"], may_echo=False), "最高限价：5,823.6万元[1]。"
    assert "".join(map(trimmer.feed, said)) + trimmer.release() == said


def test_a_long_text_that_is_to_be_repeated_is_followed_in_no_time() -> None:
    question = "请复述：" + "年假为十天。" * 320
    with within_cpu_seconds(5):
        assert trimmed(question.removeprefix("请复述："), 1, question) == question.removeprefix("请复述：")


@pytest.mark.parametrize("end", ["", "以上。"])
def test_blanks_without_end_keep_nothing_waiting(end: str) -> None:
    answer = "十天。" + 1500 * "\n" + end
    with within_cpu_seconds(1):  # it was 7
        assert trimmed(answer, 4, "年假有几天？") == answer.rstrip()
