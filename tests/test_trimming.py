"""What small models add to an answer is left out of it, however the stream cuts it."""

import pytest

from rag.trimming import AnswerTrimmer


def trimmed(answer: str, step: int, *questions: str) -> str:
    trimmer = AnswerTrimmer(questions)
    pieces = [trimmer.feed(answer[start : start + step]) for start in range(0, len(answer), step)]
    return "".join((*pieces, trimmer.close()))


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    ("question", "answer", "left"),
    [
        ("可以上传哪些文件？", "可以上传哪些文件？[1]PDF 和 TXT。[1]", "PDF 和 TXT。[1]"),
        ("可以上传哪些文件？", "可以上传哪些文件？\n\nPDF 和 TXT。", "PDF 和 TXT。"),
        ("那它最多能传多大？", "最多能传多大？[12] 100 MB。[12]", "100 MB。[12]"),
        ("那它最多能传多大？", "最多能传多大？[3]", ""),
        ("How much is it?", "How much is it? Ten yuan.", "Ten yuan."),
    ],
)
def test_the_question_is_no_part_of_its_answer(question: str, answer: str, left: str, step: int) -> None:
    assert trimmed(answer, step, question) == left


@pytest.mark.parametrize("step", [1, 2, 3, 1000])
@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("收入是 15 亿元，编号为[1]。", "收入是 15 亿元[1]。"),
        ("共 269 人，编号：[15]。", "共 269 人[15]。"),
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
        "编号是唯一的[1]，出处不详",
        "年假",
        "，",
    ],
)
def test_all_else_stays_as_it_was_said(answer: str, step: int) -> None:
    assert trimmed(answer, step, "年假有几天？") == answer
