"""What a question names by its place in a document."""

import time

import pytest

from rag.place import named_place, title_number
from rag.types import Place, SectionNumber


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("第10页讲了什么？", (10,)),
        ("第 十二 页的内容", (12,)),
        ("第3页到第5页的内容", (3, 4, 5)),
        ("第3-5页说了什么", (3, 4, 5)),
        ("第2页和第7页", (2, 7)),
        ("第2、第4页", (2, 4)),
        ("总结前3页", (1, 2, 3)),
        ("最后一页写了什么？", (-1,)),
        ("第１０頁講了什麼？", (10,)),
        ("What does page 3 say?", (3,)),
        ("summarize pages 2-4", (2, 3, 4)),
    ],
)
def test_pages_are_named_by_their_numbers(question: str, pages: tuple[int, ...]) -> None:
    assert named_place(question) == Place(pages)


def test_a_range_of_all_pages_is_cut() -> None:
    place = named_place("第1页到第9999页")
    assert place and len(place.pages) == 50


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("第三章讲什么", (SectionNumber((3,), "章"),)),
        ("第三章第二节的内容", (SectionNumber((3,), "章"), SectionNumber((2,), "节"))),
        ("3.2节讲了什么", (SectionNumber((3, 2)),)),
        ("总结第2部分", (SectionNumber((2,), "部分"),)),
        ("What does chapter 3 say?", (SectionNumber((3,)),)),
    ],
)
def test_sections_are_named_by_their_numbers(question: str, sections: tuple[SectionNumber, ...]) -> None:
    assert named_place(question) == Place(sections=sections)


@pytest.mark.parametrize(
    ("question", "divided"),
    [
        ("这份文档主要讲什么？", False),
        ("总结一下全文", False),
        ("请简要总结这篇论文的核心观点", False),
        ("这份租赁合同的主要内容是什么？", False),
        ("帮我总结一下这几个文件", False),
        ("这三份文件分别讲了什么", False),
        ("总结一下", False),
        ("What is this document about?", False),
        ("summarize the pdf", False),
        ("有哪些章节？", True),
        ("这本书分为几个部分", True),
        ("这份文件的目录", True),
    ],
)
def test_a_whole_document_is_named_in_everyday_words(question: str, divided: bool) -> None:
    assert named_place(question) == Place(divided=divided)


@pytest.mark.parametrize(
    "question",
    [
        "年假有几天？",
        "这份文档一共有多少页？",
        "公司的主要业务是什么",
        "它主要讲什么？",
        "讲了什么",
        "员工请假流程是什么",
        "这份报告提到的主要风险是什么",
        "文档里说了什么时候发布吗",
        "第5条规定了什么",
        "第三季度的营业收入",
        "本文提出了什么方法",
        "打印10页要多久",
        "版本 3.2 的要求",
        "",
    ],
)
def test_most_questions_name_no_place(question: str) -> None:
    assert named_place(question) is None


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("第10页的营业收入是多少", ("营业", "业收", "收入")),
        ("2020年年报第5页说了什么？", ("2020",)),
        ("翻译第2页", ("翻译",)),
        ("java手册主要讲了什么", ("java",)),
        ("介绍一下注意力机制", ("注意", "意力", "力机", "机制")),
    ],
)
def test_what_is_asked_besides_is_told_in_terms(question: str, about: tuple[str, ...]) -> None:
    place = named_place(question)
    assert place and place.about == about


@pytest.mark.parametrize("question", ["总结一下", "介绍一下注意力机制", "有哪些章节？", "主要内容是什么？"])
def test_in_a_conversation_a_whole_document_needs_a_word_for_it(question: str) -> None:
    assert named_place(question) is not None
    assert named_place(question, alone=False) is None


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("第三章 总则", SectionNumber((3,), "章")),
        ("第 12 节 引言", SectionNumber((12,), "节")),
        ("三、单元测试", SectionNumber((3,))),
        ("3.2 定义", SectionNumber((3, 2))),
        ("3 Transport", SectionNumber((3,))),
        ("1. 基础", SectionNumber((1,))),
        ("Chapter 3 Results", SectionNumber((3,), "chapter")),
        ("2020年", None),
        ("附1：版本历史", None),
        ("12345 abc", None),
        ("概述", None),
    ],
)
def test_a_heading_is_known_by_the_number_that_it_begins_with(title: str, number: SectionNumber | None) -> None:
    assert title_number(title) == number


def test_a_long_text_is_looked_through_at_once() -> None:
    begun = time.perf_counter()
    assert named_place("请总结这份" * 2000 + "第") is None
    assert time.perf_counter() - begun < 1
