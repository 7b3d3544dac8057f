"""Which questions stand alone, and which rewrites of those that do not are good."""

import pytest

from rag.condense import accept_rewrite, joined, leans_on_history


@pytest.mark.parametrize(
    "question", ["那它是什么类型？", "病假呢？", "为什么？", "那另外两个呢？", "what about its price?"]
)
def test_a_follow_up_leans_on_the_conversation(question: str) -> None:
    assert leans_on_history(question)


@pytest.mark.parametrize("question", ["单表多大才需要分库分表？", "生物股份2020年的营业收入是多少？"])
def test_a_whole_question_stands_alone(question: str) -> None:
    assert not leans_on_history(question)


def test_the_first_line_of_a_reply_is_the_rewrite_without_its_label() -> None:
    assert accept_rewrite("完整问题：病假有几天？\n\n解释：……", "那病假呢？", ()) == "病假有几天？"


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("", "那病假呢？"),
        ("年假有几天？", "那病假呢？"),
        ("病假的天数是" + "很多" * 60, "那病假呢？"),
        ("营业收入是多少？", "2019年的呢？"),
    ],
)
def test_a_reply_that_cannot_be_the_rewrite_is_refused(reply: str, question: str) -> None:
    assert accept_rewrite(reply, question, ("年假有几天？",)) is None


def test_without_a_model_the_last_question_that_stood_alone_goes_before_the_follow_up() -> None:
    earlier = ("员工手册规定的年假有几天？", "那它什么时候过期？")
    assert joined("病假呢？", earlier) == "员工手册规定的年假有几天？ 病假呢？"
