"""What a question names by its place in a document."""

from dataclasses import replace

import pytest

from rag.language.place import asked_place, moved, named_place, title_number
from rag.types import Kind, Place, SectionNumber
from tests.waiting import within_cpu_seconds


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("第10页讲了什么？", (10,)),
        ("第 十二 页的内容", (12,)),
        ("第3张幻灯片讲了什么？", (3,)),
        ("最后一张PPT", (-1,)),
        ("What is on slide 3?", (3,)),
        ("第3页到第5页的内容", (3, 4, 5)),
        ("第3-5页说了什么", (3, 4, 5)),
        ("第2页和第7页", (2, 7)),
        ("第2、第4页", (2, 4)),
        ("总结前3页", (1, 2, 3)),
        ("最后一页写了什么？", (-1,)),
        ("第１０頁講了什麼？", (10,)),
        ("What does page 3 say?", (3,)),
        ("summarize pages 2-4", (2, 3, 4)),
        ("第1、2页和第5-7页", (1, 2, 5, 6, 7)),
        ("第10-8页", (8, 9, 10)),
        ("这份文件第10页说了什么", (10,)),
        ("10-12页讲了什么", (10, 11, 12)),
        ("最后三页", (-3, -2, -1)),
        ("后两页讲了什么", (-2, -1)),
        ("倒数第二页讲了什么", (-2,)),
        ("开头两页", (1, 2)),
        ("封面写了什么", (1,)),
        ("what's on the first page?", (1,)),
        ("the last two pages", (-2, -1)),
        ("p. 10", (10,)),
        ("Summarize pages 3, 5 and 7", (3, 5, 7)),
        ("pages 3 through 5", (3, 4, 5)),
        ("from page 3 to page 5", (3, 4, 5)),
        ("第3页和5页", (3, 5)),
        ("总结3-5页", (3, 4, 5)),
        ("把3、4页总结一下", (3, 4)),
        ("总结3-5页可以吗？", (3, 4, 5)),
        ("1-2页讲了什么", (1, 2)),
        ("第二三页", (2, 3)),
        ("第二十三页", (23,)),
        ("second to last page", (-2,)),
        ("page number 5", (5,)),
        ("summarize the 2nd page", (2,)),
    ],
)
def test_pages_are_named_by_their_numbers(question: str, pages: tuple[int, ...]) -> None:
    assert named_place(question) == Place(pages)


@pytest.mark.parametrize(
    "question",
    [
        "简历控制在1-2页可以吗？",
        "摘要一般写1-2页吗？",
        "论文正文要求30-50页吗？",
        "开题报告3-5页左右怎么写？",
        "简历1-2页够吗？",
        "摘要1-2页就可以了",
        "报告写3到5页",
    ],
)
def test_how_many_pages_something_has_names_none_of_them(question: str) -> None:
    assert named_place(question) is None


@pytest.mark.parametrize("question", ["3-5页可以打印吗？", "3-5页行距是多少"])
def test_pages_that_something_is_asked_of_are_no_length(question: str) -> None:
    place = named_place(question)
    assert place and place.pages == (3, 4, 5)


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("第5页之后说了什么", 6, 55),
        ("第10页以后的内容", 11, 60),
        ("从第5页开始讲了什么", 5, 54),
        ("第3页及以后", 3, 52),
        ("第5页到最后一页", 5, 54),
        ("第5页以前讲了什么", 1, 4),
        ("from page 5 on", 5, 54),
        ("pages 5 onwards", 5, 54),
        ("before page 5", 1, 4),
        ("第5页开始到第8页", None, None),
        ("第1页之前", None, None),
    ],
)
def test_pages_are_read_up_to_the_end_or_from_the_beginning(question: str, first: int, last: int) -> None:
    place = named_place(question)
    assert (place.pages[0], place.pages[-1]) == (first, last) if place else first is None


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("第5页起诉状写了什么", (5,)),
        ("第3页起重机的参数", (3,)),
        ("第3页起草人是谁", (3,)),
        ("第3页起草说明讲了什么", (3,)),
        ("第3页外观设计的要求", (3,)),
        ("第3页前提条件是什么", (3,)),
        ("第3页起重要的内容", tuple(range(3, 53))),
        ("第3页外的内容", ()),
    ],
)
def test_a_word_that_begins_like_an_open_end_is_none(question: str, pages: tuple[int, ...]) -> None:
    place = named_place(question)
    assert (place.pages if place else ()) == pages


def test_a_chapter_with_such_a_word_behind_it_is_that_chapter_alone() -> None:
    asked = named_place("第3章起火怎么办"), named_place("第3章起讲什么")
    assert [place and len(place.sections) for place in asked] == [1, 50]


@pytest.mark.parametrize("question", ["第三章以后讲了什么", "what comes after chapter 3", "从第四章起", "第4章到最后"])
def test_chapters_are_read_up_to_the_end(question: str) -> None:
    place = named_place(question)
    assert place and place.sections[:2] == (SectionNumber((4,), "章"), SectionNumber((5,), "章"))


def test_what_a_chapter_is_on_is_no_open_end() -> None:
    place = named_place("What says chapter 3 on testing?")
    assert place and place.sections == (SectionNumber((3,), "章"),)


def test_a_page_of_a_chapter_is_named_by_both() -> None:
    place = named_place("第三章的最后一页讲了什么")
    assert place == Place((-1,), (SectionNumber((3,), "章"),))


def test_the_rewrite_tells_the_place_that_a_question_goes_on_to() -> None:
    assert asked_place("那下一页呢？", "java手册第11页讲了什么", [], alone=False) == named_place(
        "java手册第11页讲了什么"
    )
    assert asked_place("第2页呢？", "年假 第2页呢？", [], alone=False) == named_place("年假 第2页呢？")
    assert asked_place("第2页呢？", "年假有几天？", [], alone=False) == Place((2,))
    assert asked_place("第2页的年假", "差旅 第3页的年假", [], alone=False) == named_place("第2页的年假")


def test_a_question_that_points_to_a_kind_of_document_is_not_about_the_one_before() -> None:
    place = asked_place("那租赁合同第十条讲了什么", "", ["员工手册第十条讲了什么"], alone=False)
    assert place and not place.formerly


def test_in_a_conversation_a_rewrite_means_no_whole_document_by_itself() -> None:
    assert asked_place("分为哪几部分？", "报销制度分为哪几部分？", [], alone=False) is None
    place = asked_place("它讲了什么？", "这份手册讲了什么？", [], alone=False)
    assert place == Place(names_documents=True, kind=Kind(("手册",)))


def test_a_range_of_all_pages_is_cut() -> None:
    place = named_place("第1页到第9999页")
    assert place and len(place.pages) == 50


@pytest.mark.parametrize(
    ("question", "sections"),
    [
        ("第三章讲什么", (SectionNumber((3,), "章"),)),
        ("第叁章讲什么", (SectionNumber((3,), "章"),)),
        ("第三章第二节的内容", (SectionNumber((3,), "章"), SectionNumber((2,), "节"))),
        ("3.2节讲了什么", (SectionNumber((3, 2), "节"),)),
        ("总结第2部分", (SectionNumber((2,), "部分"),)),
        ("What does chapter 3 say?", (SectionNumber((3,), "章"),)),
        ("what is the second chapter about", (SectionNumber((2,), "章"),)),
        ("3.2讲了什么", (SectionNumber((3, 2), "节"),)),
        ("第一章到第三章", tuple(SectionNumber((number,), "章") for number in (1, 2, 3))),
        ("第一、三章", (SectionNumber((1,), "章"), SectionNumber((3,), "章"))),
        ("chapters 1 to 2", (SectionNumber((1,), "章"), SectionNumber((2,), "章"))),
        ("最后一章讲了什么", (SectionNumber((-1,), "章"),)),
        ("第3章节的内容", (SectionNumber((3,), "章"),)),
        ("第一讲讲了什么", (SectionNumber((1,), "讲"),)),
        ("第三四章", (SectionNumber((3,), "章"), SectionNumber((4,), "章"))),
        ("chapter twelve", (SectionNumber((12,), "章"),)),
        ("chapter IV", (SectionNumber((4,), "章"),)),
        ("the third to last chapter", (SectionNumber((-3,), "章"),)),
        ("前言写了什么", (SectionNumber((), title="前言"),)),
        ("附录A", (SectionNumber((), title="附录A"),)),
        ("这篇论文的结论是什么？", (SectionNumber((), title="结论"),)),
        ("What does the introduction say?", (SectionNumber((), title="introduction"),)),
    ],
)
def test_sections_are_named_by_their_numbers(question: str, sections: tuple[SectionNumber, ...]) -> None:
    place = named_place(question)
    assert place is not None
    assert replace(place, kind=None) == Place(sections=sections)


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
        ("这是什么文档", False),
        ("我上传的是什么文件", False),
        ("PDF里有什么", False),
        ("我刚上传的文件是什么", False),
        ("知识库里有哪些内容", False),
        ("这份合同都有哪些内容", False),
        ("这个办法主要规定了哪些内容？", False),
        ("能不能帮我把这份文件总结一下", False),
        ("对全文做一个总结", False),
        ("将本文总结成五点", False),
        ("用100字概括这篇文章", False),
        ("请阅读文档并总结", False),
        ("给我一份总结", False),
        ("两份报告分别讲了什么", False),
        ("大概讲了什么？", False),
        ("讲讲这本书", False),
        ("這份報告的重點是什麼", False),
        ("What is this document about?", False),
        ("what's this about?", False),
        ("what are the main points of these papers", False),
        ("summarize all documents", False),
        ("tl;dr", False),
        ("give me an overview", False),
        ("How many chapters are there?", True),
        ("一共有几章", True),
        ("列出大纲", True),
        ("summarize the pdf", False),
        ("每一章讲了什么", False),
        ("各章的主要内容", False),
        ("summarize each chapter", False),
        ("这份报告的结构", True),
        ("有哪些章节？", True),
        ("这本书分为几个部分", True),
        ("这份文件的目录", True),
    ],
)
def test_a_whole_document_is_named_in_everyday_words(question: str, divided: bool) -> None:
    place = named_place(question)
    assert place is not None
    assert replace(place, names_documents=False, kind=None) == Place(divided=divided)


@pytest.mark.parametrize(
    "question",
    [
        "年假有几天？",
        "这份文档一共有多少页？",
        "输出的文件有哪些",
        "输出文件有哪些",
        "程序生成的文件是什么",
        "公司的主要业务是什么",
        "它主要讲什么？",
        "讲了什么",
        "员工请假流程是什么",
        "这份报告提到的主要风险是什么",
        "文档里说了什么时候发布吗",
        "最后一条是什么",
        "第一条消息是谁发的",
        "第一条件是什么",
        "这句话出自第几条",
        "第三季度的营业收入",
        "本文提出了什么方法",
        "打印10页要多久",
        "版本 3.2 的要求",
        "第二课堂的学分怎么算",
        "第一回合谁赢了",
        "第三节车厢在哪",
        "第二卷扬机的额定载荷",
        "第5节课几点上",
        "翻到下一页按哪个键",
        "首页的轮播图怎么设置",
        "这个规定是什么",
        "这份合同包括哪些附件",
        "附件1需要几份",
        "这里面最好的三本书是什么",
        "薪酬结构是什么？",
        "除了第三章还有什么",
        "学完第三章以后做什么",
        "第三章之外还有什么",
        "最后一页之前一页讲了什么",
        "What is in the first sectıon?",
        "in which chapter I can find it",
        "前几页",
        "前0页",
        "第99999页",
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
        ("前三页是谁写的", ("谁",)),
        ("总结报告怎么写", ("怎么",)),
        ("检验报告的结论", ("检验",)),
    ],
)
def test_what_is_asked_besides_is_told_in_terms(question: str, about: tuple[str, ...]) -> None:
    place = named_place(question)
    assert place and place.about == about


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("论文题目是什么", True),
        ("标题是什么？", False),
        ("请问作者是谁", False),
        ("什么时候写的", False),
        ("这份文件是谁写的？", True),
        ("本条例什么时候公布的", True),
        ("员工手册的作者是谁", True),
        ("数据条例是哪个部门印发的", True),
        ("年报的发布日期", True),
        ("who wrote this report?", True),
        ("what is the title of this paper", True),
    ],
)
def test_what_a_document_says_of_itself_is_asked_of_the_one_that_is_named_or_alone(question: str, named: bool) -> None:
    place, behind = named_place(question), named_place(question, alone=False)
    assert place and place.of_itself
    assert bool(behind and behind.of_itself) is named


@pytest.mark.parametrize(
    "question",
    [
        "作者的主要观点是什么",
        "作者为什么写这本书",
        "论文题目怎么定",
        "第三题的题目是什么",
        "这款产品什么时候发布的",
        "什么时候发布公告",
        "哪个部门制定年度计划",
        "谁负责编写测试报告",
    ],
)
def test_what_is_told_in_a_document_is_not_what_it_says_of_itself(question: str) -> None:
    place = named_place(question)
    assert place is None or not place.of_itself


@pytest.mark.parametrize(
    "question",
    ["总结一下", "介绍一下注意力机制", "有哪些章节？", "主要内容是什么？", "结论是什么？", "what's this about?"],
)
def test_in_a_conversation_a_whole_document_needs_a_word_for_it(question: str) -> None:
    assert named_place(question) is not None
    assert named_place(question, alone=False) is None


@pytest.mark.parametrize(
    ("question", "earlier", "asked"),
    [
        ("那下一页呢？", ["java手册第10页讲了什么"], "java手册第11页讲了什么"),
        ("再下一页", ["第10页", "那下一页呢？"], "第12页"),
        ("上一页", ["最后一页"], "倒数第2页"),
        ("前一页呢", ["第1页"], "第0页"),
        ("下一章呢", ["第三章讲什么", "第10页"], "第4章讲什么"),
        ("下一节", ["3.2节讲什么"], "第3.3节讲什么"),
        ("next page", ["page 10"], "第11页"),
        ("下一页呢", ["年假有几天？", "前一页的营业收入"], None),
        ("年假有几天？", ["第10页"], None),
        ("那第三章呢？", ["员工手册第二章讲了什么"], "员工手册第三章讲了什么"),
        ("它的第三章呢", ["员工手册第二章讲了什么", "那第一章呢"], "员工手册第三章讲了什么"),
        ("第12页呢", ["第10页的营业收入是多少"], "第12页的营业收入是多少"),
        ("what about page 4?", ["summarize page 3"], "summarize 第4页"),
        ("第三章呢", ["年假有几天？"], "第三章呢"),
        ("第三章讲了什么", ["员工手册第二章讲了什么"], None),
        ("第六页以后呢", ["手册第三页讲了什么"], "手册第7页到最后讲了什么"),
        ("还有呢", ["第10页"], None),
        ("那租赁合同的第十条呢", ["员工手册第9条写了什么", "第八条呢"], "租赁合同的第十条写了什么"),
        ("电机第2页呢？", ["水泵第1页讲了什么"], "电机第2页讲了什么"),
        ("结论在第5页呢", ["第2页讲了什么"], None),
        ("为什么第三条呢", ["第二条说了什么"], None),
    ],
)
def test_a_step_goes_on_from_the_last_place_of_its_kind(question: str, earlier: list[str], asked: str | None) -> None:
    assert moved(question, earlier) == asked


def test_a_rewrite_to_the_end_of_a_document_names_the_same_place_again() -> None:
    assert named_place("第7页到最后讲了什么") == named_place("第六页以后讲了什么")


@pytest.mark.parametrize(
    ("title", "number"),
    [
        ("第三章 总则", SectionNumber((3,), "章")),
        ("第 12 节 引言", SectionNumber((12,), "节")),
        ("三、单元测试", SectionNumber((3,))),
        ("3.2 定义", SectionNumber((3, 2))),
        ("3 Transport", SectionNumber((3,))),
        ("1. 基础", SectionNumber((1,))),
        ("(三) 代码格式", SectionNumber((3,))),
        ("Chapter 3 Results", SectionNumber((3,), "章")),
        ("2020年", None),
        ("附1：版本历史", None),
        ("12345 abc", None),
        ("概述", None),
    ],
)
def test_a_heading_is_known_by_the_number_that_it_begins_with(title: str, number: SectionNumber | None) -> None:
    assert title_number(title) == number


@pytest.mark.parametrize("text", ["请总结这份", "第1、", "第一页到第", "根据文档", "1.1.", "page 1 to ", "附录"])
def test_a_long_text_is_looked_through_at_once(text: str) -> None:
    named_place(text)  # what is loaded once is not timed
    with within_cpu_seconds(1):
        named_place(text * 2000 + "第")


@pytest.mark.parametrize("question", ["《机器学习概述》里，算法分为哪几类？", "《会计目录》规定年假几天？"])
def test_what_a_title_says_is_not_asked(question: str) -> None:
    assert named_place(question) is None


@pytest.mark.parametrize(
    "question", ["《机器学习概述》讲了什么？", "概述一下《机器学习概述》", "《机器学习概述》有哪些章节？"]
)
def test_what_is_asked_of_a_title_is_asked_of_the_whole_document(question: str) -> None:
    place = named_place(question)
    assert place is not None
    assert (place.titles, place.about, place.names_documents) == (("机器学习概述",), (), True)


def test_a_word_for_documents_is_needed_where_what_is_summed_up_may_be_a_subject() -> None:
    asked = [named_place(question) for question in ("总结一下东方电气的季报", "总结一下东方电气")]
    assert [place and place.names_documents for place in asked] == [True, False]


@pytest.mark.parametrize(
    ("question", "articles", "about"),
    [
        ("第三条说了什么？", [3], ()),
        ("第5条规定了什么", [5], ("规定",)),
        ("第八条第二款第一项是什么", [8], ()),
        ("第三条到第五条", [3, 4, 5], ()),
        ("刑法第二百六十四条怎么规定的", [264], ("刑法", "规定")),
        ("What does article 12 say?", [12], ()),
    ],
)
def test_an_article_is_a_place(question: str, articles: list[int], about: tuple[str, ...]) -> None:
    place = named_place(question)
    assert place is not None and place.sections == tuple(SectionNumber((number,), "条") for number in articles)
    assert set(place.about) <= set(about)
