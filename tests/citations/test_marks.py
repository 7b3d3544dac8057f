"""What a table marks as high or low, called so by an answer or not."""

import pytest

from tests.citations.reasons import reason_of, reason_of_last

REPORT = (
    "项目 | 结果 | 参考范围 | 提示\n收缩压 | 146 mmHg | 90—139 | ↑\n心率 | 78 次/分 | 60—100 |\n"
    "血钾 | 3.1 | 3.5—5.3 | ↓\n尿酸 | 455 | 208—428 | H"
)


@pytest.mark.parametrize(
    "sentence",
    [
        "收缩压为146 mmHg，正常",
        "心率78次/分，偏高",
        "血钾3.1，偏高",
        "尿酸不高，属于正常",
        "收缩压、心率不正常",
        "收缩压偏高，尿酸正常",
    ],
)
def test_what_is_called_otherwise_than_its_row_is_marked_is_not_borne_out(sentence: str) -> None:
    assert reason_of(sentence, REPORT) == "comparison"


@pytest.mark.parametrize(
    "sentence",
    [
        "收缩压为146 mmHg，偏高",
        "心率78次/分，正常",
        "血钾3.1，偏低",
        "收缩压、血钾和尿酸不正常",
        "尿酸偏高，心率正常",
        "收缩压的正常范围是90—139",
    ],
)
def test_what_is_called_as_its_row_is_marked_is_borne_out(sentence: str) -> None:
    assert reason_of(sentence, REPORT) is None


@pytest.mark.parametrize(
    ("question", "answer", "reason"),
    [
        ("尿酸正常吗？", "正常。[1]", "comparison"),
        ("尿酸正常吗？", "不正常。[1]", None),
        ("心率正常吗？", "不正常。[1]", "comparison"),
    ],
)
def test_the_row_may_be_named_by_the_question_alone(question: str, answer: str, reason: str | None) -> None:
    assert reason_of_last(answer, REPORT, question) == reason


def test_a_table_that_marks_nothing_calls_nothing_normal() -> None:
    table = "项目 | 结果 | 单位\n收缩压 | 146 | mmHg\n心率 | 78 | 次/分"
    assert reason_of("收缩压146，偏高", table) is None


@pytest.mark.parametrize(("sentence", "reason"), [("尿酸正常", "comparison"), ("尿酸偏高", None)])
def test_the_label_of_a_row_is_behind_what_numbers_it(sentence: str, reason: str | None) -> None:
    report = "序号 | 项目 | 结果 | 提示\n1 | 血糖 | 5.1 |\n2 | 尿酸 | 455 | ↑"
    assert reason_of(sentence, report) == reason
