"""Requests to have something written from the documents."""

import pytest

from rag.decision.rules import plain_case
from rag.language.place import named_place
from rag.language.topic import topic
from rag.language.writing import asks_to_write, written_about
from rag.rewriting.condense import by_rules
from rag.types import Decision
from tests.waiting import within_cpu_seconds


@pytest.mark.parametrize(
    ("request_", "about"),
    [
        ("写三个面试问题", ""),
        ("给她写一封拒信", ""),
        ("帮我起草一封邮件", ""),
        ("根据以上内容，帮我写一篇新闻稿。", ""),
        ("请根据文档出10道判断题", ""),
        ("做个PPT", ""),
        ("写一份会议通知", "会议"),
        ("出五道关于遍历的选择题", "遍历"),
        ("为这个产品写一句广告语", "产品"),
        ("写一封邮件通知大家待办事项", "大家待办事项"),
    ],
)
def test_what_is_to_be_written_is_asked_for_and_may_have_a_subject(request_: str, about: str) -> None:
    place = named_place(request_)
    assert asks_to_write(request_) and written_about(request_) == about
    assert place and place.writes and place.in_full is not bool(about)
    verdict = plain_case(request_, has_history=True, in_hand=True)
    assert verdict and verdict.decision is Decision.RETRIEVE


@pytest.mark.parametrize(
    "question",
    [
        "写一份报告要什么材料？",
        "他写了一封信",
        "合同里写了几个条款",
        "出一份通知要谁审批",
        "问题有哪些",
        "列出三个问题",
    ],
)
def test_what_documents_answer_is_no_request_to_write(question: str) -> None:
    assert not asks_to_write(question) and written_about(question) == question


def test_what_was_to_be_written_is_no_subject_of_what_is_asked_next() -> None:
    assert topic("写三个面试问题") == ""
    assert by_rules("什么时候能到岗？", ["写三个面试问题"]) is None


@pytest.mark.parametrize("unit", ["一下", "写一封", "帮我", "根据", "以上", "，", "给他们", "写一封信", "个", "题"])
def test_no_request_keeps_its_pattern_busy(unit: str) -> None:
    with within_cpu_seconds(0.1):
        for message in (f"写一封信{unit * 60}"[:119] + "x", f"{unit * 60}"[:119] + "x"):
            asks_to_write(message)
