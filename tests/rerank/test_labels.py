"""Lines and rows that begin with what a question asks for."""

import pytest

from rag.rerank.labels import labelled
from rag.rerank.question import read_question
from rag.rerank.signals import measure
from tests.knowledge import TOKENIZER
from tests.samples import hit


def share(question: str, body: str) -> float:
    """How much of the question's words, each as long as it is, a label in the body says."""
    words = read_question(question, TOKENIZER.words).words
    total = sum(map(len, words))
    return labelled(question, words, lambda text: sum(len(word) for word in words if word in text) / total, body)


@pytest.mark.parametrize(
    "body",
    [
        "服务期：自合同签订之日起一年。",
        "采购内容 | 保洁\n服务期 | 一年",
        "3. 服务期：一年",
        "一 | 服务期 | 一年",
        "本项目公开招标。服务期：一年。",
        "服务期（含试用期）：一年",
        "服务期：\n自合同签订之日起一年。",
    ],
)
def test_a_label_that_is_what_is_asked_for_says_all_of_the_question(body: str) -> None:
    assert share("服务期多长", body) == 1


@pytest.mark.parametrize(
    ("question", "body", "least", "most"),
    [
        ("管理费多少", "管理费率 | 0.50%", 0.7, 0.8),  # 率 is not asked for
        ("管理费和托管费多少", "管理费：0.50%", 0.4, 0.8),  # of two things one
        ("服务期多长", "服务期内发生的费用由乙方承担。", 0, 0),
        ("服务期多长", "服务期 |", 0, 0),  # nothing stands behind it
        ("服务期多长", "联系人：张三", 0, 0),
    ],
)
def test_a_label_that_says_more_or_less_than_is_asked_for_counts_as_much_as_it_says(
    question: str, body: str, least: float, most: float
) -> None:
    assert least <= share(question, body) <= most


def test_a_form_that_nothing_is_filled_in_on_has_no_labels() -> None:
    question = read_question("联系电话是多少", TOKENIZER.words)
    blank, filled = measure(question, [hit(1, "联系人：\n联系电话：\n地址："), hit(2, "联系电话：8663")])
    assert (blank.labelled, filled.labelled) == (0, 1)
