"""Questions in a reply that a model was asked for."""

import pytest

from rag.llm.replier import read_questions


@pytest.mark.parametrize(
    ("reply", "questions"),
    [
        ("年假怎样申请？\n病假有几天？", ("年假怎样申请？", "病假有几天？")),
        ("1. 年假怎样申请？\n2、病假有几天？\n（3）婚假呢？", ("年假怎样申请？", "病假有几天？", "婚假呢？")),
        ("- “年假怎样申请？”\n* **病假有几天？**", ("年假怎样申请？", "病假有几天？")),
        ("以下是三个问题：\n年假怎样申请？\n年假怎样申请？", ("年假怎样申请？",)),
        ("2024年的年假怎样算？", ("2024年的年假怎样算？",)),
        ("我不知道。", ()),
        ("长" * 90 + "？", ()),
        ("", ()),
    ],
)
def test_questions_are_read_whatever_the_model_puts_around_them(reply: str, questions: tuple[str, ...]) -> None:
    assert read_questions(reply) == questions
