"""What is read where a question names a place: real SQLite, documents of a few pages."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag.knowledge.base import SHARED_COLLECTION
from rag.language.place import asked_place, named_place
from rag.rerank.contents_list import line_of_parts
from rag.retrieval.query import Query
from rag.retrieval.reading import IN_PLACE, ONLY_BEGINNING, asks_for_more, lacks, read
from rag.types import EVERYTHING, Chunk, DocumentStatus, LoadedDocument, Page, PageHealth, Passage, Scope, Section
from tests.knowledge import Store
from tests.statements import asked_of

Titled = tuple[tuple[str, ...], str]
BOOK: tuple[Titled, ...] = (
    (("手册",), "封面"),
    (("手册", "前言"), "本手册说明怎样使用和保养这台水泵，供操作人员阅读，请在安装之前读完，并且妥善保管。"),
    (("手册", "一、安装"), "安装之前先关闭电源。"),
    (("手册", "一、安装", "1.1 准备"), "准备扳手和密封圈。"),
    (("手册", "二、保养"), "每年更换一次润滑油。"),
    (("手册", "二、保养", "2.1 清洗"), "用清水冲洗滤网。"),
)

MINE = Query((), ["me"])


def put(store: Store, name: str, *titled: Titled, collection: str = "me", first_label: int = 1) -> str:
    """A document with one chunk a page, each under its headings."""
    pages = tuple(
        Page(number, str(label), text, PageHealth.TEXT)
        for number, (label, (_, text)) in enumerate(enumerate(titled, first_label), 1)
    )
    sections, start = [], 0
    for page, (path, _) in zip(pages, titled, strict=True):
        passage = Passage(page.text, start, start + len(page.text), page.number, page.number, page.label, path)
        sections.append(Section(passage, (passage,)))
        start += len(page.text) + 1
    document = store.catalog.register(collection, name, f"{collection}{name}", start)
    store.knowledge.add(document.document_id, tuple(sections), LoadedDocument(pages))
    return document.document_id


def texts(store: Store, question: str, scope: Scope = EVERYTHING) -> list[str]:
    """What is read for a question."""
    place = named_place(question)
    assert place
    found = read(store.order, place, Query((), ["me", SHARED_COLLECTION], scope))
    return [chunk.passage.text for chunk in found.chunks]


def test_a_page_is_read_as_it_stands(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    assert texts(store, "第3页讲了什么？") == [BOOK[2][1]]
    assert texts(store, "第3页到第5页的内容") == [text for _, text in BOOK[2:5]]
    assert texts(store, "最后一页写了什么") == [BOOK[-1][1]]
    assert texts(store, "第70页写了什么") == []


def test_what_is_being_read_anew_is_read_by_its_places_meanwhile(store: Store) -> None:
    document_id = put(store, "水泵.pdf", *BOOK)
    assert store.catalog.requeue(document_id, tuple(DocumentStatus))
    assert texts(store, "第3页讲了什么？") == [BOOK[2][1]]
    assert store.found("润滑油", "me") == [BOOK[4][1]]


def test_which_documents_there_are_is_told_without_their_headings(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    with asked_of(store.catalog.engine) as asked:
        assert store.order.documents(["me"]) == store.order.in_any_state(["me"])
    assert not any("outline" in statement for statement in asked.statements)


def test_of_a_document_of_many_parts_no_more_are_read_than_are_told(store: Store) -> None:
    put(store, "清单.pdf", *(((f"第{number}项",), f"这是第{number}项。") for number in range(1, 101)))
    order = store.order
    read_of, plain = list[int](), order.texts

    def counted(chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        read_of.append(len(chunk_ids))
        return plain(chunk_ids)

    order.texts = counted  # type: ignore[method-assign]
    place = named_place("总结一下这份文件")
    assert place
    found = read(order, place, MINE)
    assert (len(found.chunks), found.notes) == (24, (IN_PLACE, ONLY_BEGINNING))
    assert max(read_of) <= 40


def test_a_page_that_is_only_the_beginning_of_a_passage_is_read(store: Store) -> None:
    pages = (Page(1, "1", "年度报告", PageHealth.TEXT), Page(2, "2", "重要提示：公司保证内容真实。", PageHealth.TEXT))
    document = LoadedDocument(pages)
    # Under the page and the heading that most of it belongs to, as the splitter has it.
    cover = Passage(document.text, 0, len(document.text), 2, 2, "2", ())
    registered = store.catalog.register("me", "年报.pdf", "年报", 100)
    store.knowledge.add(registered.document_id, (Section(cover, (cover,)),), document)
    assert texts(store, "第1页写了什么？") == texts(store, "第2页写了什么？") == [document.text]
    assert texts(store, "第1页写了什么？", Scope(pages=frozenset({1}))) == [document.text]


def test_a_page_beyond_the_last_is_the_one_that_bears_the_number_in_print(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK, first_label=195)
    assert texts(store, "第197页讲了什么？") == [BOOK[2][1]]
    assert texts(store, "第3页讲了什么？") == [BOOK[2][1]]
    assert texts(store, "第397页讲了什么？") == []


@pytest.mark.parametrize(
    ("question", "is_all"),
    [
        ("第70页写了什么", True),
        ("水泵第70页写了什么", True),
        ("第70页的违约金是多少", False),
        ("第九章写了什么", False),
    ],
)
def test_what_asks_only_for_pages_that_there_are_not_is_not_searched_for(
    store: Store, question: str, is_all: bool
) -> None:
    place = named_place(question)
    assert place and not lacks(store.order, place, MINE)
    put(store, "水泵.pdf", *BOOK)
    assert lacks(store.order, place, MINE) is is_all


def test_a_chapter_is_read_with_its_sections(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    assert texts(store, "第一章讲什么") == [BOOK[2][1], BOOK[3][1]]
    assert texts(store, "第二章第一节讲了什么") == [BOOK[5][1]]
    assert texts(store, "2.1节的内容") == [BOOK[5][1]]
    assert texts(store, "第三章讲什么") == []


def test_a_heading_that_has_the_unit_goes_before_one_that_has_the_number_only(store: Store) -> None:
    put(store, "书.pdf", (("第一章 开头", "二、其一"), "其一。"), (("第二章 后来",), "后来的事。"))
    assert texts(store, "第二章讲什么") == ["后来的事。"]


def test_several_chapters_are_read_in_turn(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    assert texts(store, "第一章和第二章讲了什么") == [BOOK[place][1] for place in (2, 4, 3, 5)]
    assert texts(store, "第一到二章") == [BOOK[place][1] for place in (2, 4, 3, 5)]
    assert texts(store, "第一章第一节和第二章第一节") == [BOOK[3][1], BOOK[5][1]]


def test_what_is_open_at_one_end_is_read_as_far_as_the_document_goes(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    assert texts(store, "第一章以后讲了什么") == [BOOK[4][1], BOOK[5][1]]
    assert texts(store, "从第5页到最后写了什么") == [BOOK[4][1], BOOK[5][1]]
    assert texts(store, "第3页之前写了什么") == [BOOK[0][1], BOOK[1][1]]
    assert texts(store, "第6页之后写了什么") == []


def test_chapters_and_pages_are_counted_from_the_end(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    assert texts(store, "最后一章讲了什么") == [BOOK[4][1], BOOK[5][1]]
    assert texts(store, "倒数第三章") == []
    assert texts(store, "倒数第二页") == [BOOK[4][1]]


def test_a_part_is_read_by_its_title(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK, (("手册", "三、附则"), "自今日起施行。"), (("附录 A 术语",), "滤网：过滤用。"))
    assert texts(store, "前言写了什么") == [BOOK[1][1]]
    assert texts(store, "附则") == ["自今日起施行。"]
    assert texts(store, "附录A讲了什么") == ["滤网：过滤用。"]
    assert texts(store, "水泵的前言写了什么") == [BOOK[1][1]]
    assert texts(store, "宪法的前言写了什么") == []


def test_who_says_chapter_may_mean_what_is_uppermost(store: Store) -> None:
    put(store, "年报.pdf", (("第一节 释义", "二、简称"), "简称。"), (("第二节 业务",), "业务的概要。"))
    assert texts(store, "第二章讲了什么") == ["业务的概要。"]
    assert texts(store, "第二部分讲了什么") == ["业务的概要。"]


def test_a_heading_without_its_number_has_that_of_its_line(store: Store) -> None:
    put(store, "书.pdf", (("绪论",), "第 1 章 绪论\n本章说明背景。"), (("绪论", "术语"), "1.1 术 语\n样本。"))
    assert texts(store, "第一章讲了什么") == ["第 1 章 绪论\n本章说明背景。", "1.1 术 语\n样本。"]
    assert texts(store, "1.1节讲了什么") == ["1.1 术 语\n样本。"]


def test_a_chapter_without_a_number_has_that_of_its_sections(store: Store) -> None:
    put(
        store,
        "书.pdf",
        (("绪论", "术语"), "1.1 术语\n样本。"),
        (("降维",), "降维的背景。"),
        (("降维", "2.1 近邻"), "近邻。"),
    )
    assert texts(store, "第二章讲了什么") == ["降维的背景。", "近邻。"]


def test_of_a_whole_document_its_introduction_is_read_first_below_the_titles_of_its_parts(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    place = named_place("这份文件主要讲什么？")
    assert place
    first, *others = read(store.order, place, MINE).chunks
    assert first.passage.text == BOOK[1][1]
    assert first.passage.context == "前言 / 一、安装 / 二、保养"
    assert [chunk.passage.text for chunk in others] == [BOOK[2][1], BOOK[4][1]]


def test_of_very_many_parts_the_line_above_names_the_first_whole() -> None:
    line = line_of_parts(f"第{number}部分 掌柜的应用程序" for number in range(1, 99))
    assert line.startswith("第1部分 掌柜的应用程序 / 第2部分") and line.endswith("应用程序") and 200 < len(line) <= 240


def test_the_list_of_contents_answers_how_a_document_is_divided(store: Store) -> None:
    contents = "目录\n一、安装 ...... 3\n二、保养 ...... 5\n三、附录 ...... 9"
    put(store, "水泵.pdf", BOOK[1], (("目录",), contents), *BOOK[2:])
    assert texts(store, "有哪些章节？") == [contents]


def test_without_a_list_of_contents_the_titles_answer_it(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    assert texts(store, "这份文件有哪些章节？") == [BOOK[1][1]]


def test_several_documents_are_read_in_turn_the_newest_first(store: Store) -> None:
    put(store, "旧.pdf", ((), "旧文件的第一页。"), ((), "旧文件的第二页。"))
    put(store, "新.pdf", ((), "新文件的第一页。"), ((), "新文件的第二页。"))
    found = ["新文件的第一页。", "旧文件的第一页。", "新文件的第二页。", "旧文件的第二页。"]
    assert texts(store, "第1页和第2页讲了什么") == found


def test_a_document_called_by_its_name_is_read_alone(store: Store) -> None:
    put(store, "水泵手册.pdf", ((), "水泵的第一页。"))
    put(store, "2020年度报告.pdf", ((), "报告的第一页。"))
    assert texts(store, "水泵手册第1页讲了什么") == ["水泵的第一页。"]
    assert texts(store, "2020年的报告主要讲什么") == ["报告的第一页。"]


def test_what_a_document_says_of_itself_is_read_at_its_beginning_and_its_end(store: Store) -> None:
    put(store, "用水办法.pdf", *(((), f"第{number}页的内容。") for number in range(1, 7)))
    ends = ["第1页的内容。", "第2页的内容。", "第6页的内容。"]
    assert texts(store, "作者是谁") == texts(store, "用水办法是谁印发的") == ends
    put(store, "短信.pdf", ((), "只有一页。"))
    assert texts(store, "用水办法什么时候印发的") == ends
    assert texts(store, "标题是什么") == ["只有一页。", *ends]
    for number in range(5):
        put(store, f"另一份{number}.pdf", ((), "别的内容。"))
    assert texts(store, "标题是什么") == texts(store, "用电办法是谁印发的") == []


def test_what_names_no_document_is_not_taken_for_one(store: Store) -> None:
    put(store, "水泵手册.pdf", ((), "水泵的第一页。"))
    assert texts(store, "介绍一下注意力机制") == []


def test_a_number_or_a_latin_word_names_a_document_only_where_it_is_whole(store: Store) -> None:
    put(store, "audit 2015.pdf", ((), "审计的第一页。"))
    assert texts(store, "What is report 5 about?") == texts(store, "what is aud about") == []
    assert texts(store, "what is the 2015 report about") == ["审计的第一页。"]


def test_older_documents_that_have_the_page_are_read_past_newer_ones_that_do_not(store: Store) -> None:
    put(store, "长.pdf", ((), "一"), ((), "长文件的第二页。"))
    for number in range(6):
        put(store, f"短{number}.pdf", ((), f"短{number}"))
    assert texts(store, "第2页讲了什么") == ["长文件的第二页。"]


def test_the_shared_guide_is_read_only_where_there_is_nothing_else(store: Store) -> None:
    put(store, "指南.md", ((), "指南的第一页。"), collection=SHARED_COLLECTION)
    assert texts(store, "第1页讲了什么") == ["指南的第一页。"]
    put(store, "我的.pdf", ((), "我的第一页。"))
    assert texts(store, "第1页讲了什么") == ["我的第一页。"]


def test_nothing_is_read_outside_a_scope_or_of_another_session(store: Store) -> None:
    own = put(store, "甲.pdf", ((), "甲的第一页。"), ((), "甲的第二页。"))
    put(store, "乙.pdf", ((), "乙的第一页。"))
    put(store, "丙.pdf", ((), "别人的第一页。"), collection="somebody")
    assert texts(store, "第1页讲了什么", Scope(frozenset({own}))) == ["甲的第一页。"]
    assert texts(store, "第1页和第2页讲了什么", Scope(pages=frozenset({2}))) == ["甲的第二页。"]


def test_a_document_that_is_not_read_yet_has_no_place(store: Store) -> None:
    store.catalog.register("me", "等待.pdf", "0", 1)
    assert texts(store, "第1页讲了什么") == []


def test_a_page_of_a_chapter_is_counted_from_where_that_begins_or_ends(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    assert texts(store, "第二章的第1页讲了什么") == [BOOK[4][1]]
    assert texts(store, "第一章的最后一页讲了什么") == [BOOK[3][1]]
    assert texts(store, "第一章的第9页讲了什么") == []


def test_all_that_stands_at_a_place_is_told_however_much_is_read(store: Store) -> None:
    put(store, "长.pdf", *((("一、总则",), f"第{number}条。") for number in range(40)))
    place = named_place("第一章讲了什么")
    assert place
    found = read(store.order, place, MINE)
    assert len(found.chunk_ids) == 40 and len(found.chunks) == 24
    assert found.notes == (IN_PLACE, ONLY_BEGINNING)


def test_of_a_place_that_is_read_whole_it_is_not_said_that_only_its_beginning_was(store: Store) -> None:
    put(store, "长.pdf", *((("一、总则",), f"第{number}条。") for number in range(24)))
    put(store, "短.pdf", *((("一、总则",), f"第{number}款。") for number in range(2)))
    place = named_place("第一章讲了什么")
    assert place
    assert read(store.order, place, MINE).notes == (IN_PLACE, ONLY_BEGINNING)
    alone = read(store.order, replace(place, about=("长",)), MINE)
    assert len(alone.chunks) == 24 and alone.notes == (IN_PLACE,)


def test_a_question_goes_on_in_the_document_that_the_one_before_named(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    put(store, "电机.pdf", (("电机", "一、安装"), "电机要接地。"), (("电机", "二、保养"), "电机要除尘。"))
    earlier = ["水泵第一章讲了什么", "第一章的要点"]
    place = asked_place("第二章讲了什么", "", earlier, alone=False)
    assert place
    found = read(store.order, place, MINE)
    assert {chunk.document_name for chunk in found.chunks} == {"水泵.pdf"}
    other = asked_place("第二章讲了什么", "", [*earlier, "年假有几天？"], alone=False)
    assert other and not other.formerly


def test_of_pages_and_chapters_without_a_document_those_of_the_one_that_the_talk_is_about_are_read(
    store: Store,
) -> None:
    pump = put(store, "水泵.pdf", *BOOK)
    put(store, "电机.pdf", *((("电机", f"{number}、"), f"电机的第{number}页。") for number in "一二三四五六七"))

    def read_in(question: str) -> set[str]:
        place = named_place(question)
        assert place
        return {chunk.document_name for chunk in read(store.order, replace(place, spoken_of=pump), MINE).chunks}

    assert read_in("第二章讲了什么") == read_in("第2页讲了什么") == {"水泵.pdf"}
    # What it does not have is another one's, and so is what is called by a name.
    assert read_in("第7页讲了什么") == read_in("电机第2页讲了什么") == {"电机.pdf"}
    assert read_in("这份文件主要讲什么") == {"水泵.pdf", "电机.pdf"}


def test_the_shared_guide_can_be_called_by_its_name_beside_own_files(store: Store) -> None:
    put(store, "水泵.pdf", *BOOK)
    put(store, "使用指南.md", (("指南", "一、开始"), "先上传文件。"), collection=SHARED_COLLECTION)
    assert texts(store, "《使用指南》第一章讲了什么") == ["先上传文件。"]


def test_what_counts_things_means_no_heading_without_its_unit(store: Store) -> None:
    put(store, "论文.pdf", (("论文", "1 引言"), "本文研究水泵。"), (("论文", "2 方法"), "方法是实验。"))
    assert texts(store, "第一篇论文讲了什么") == []
    assert texts(store, "第一章讲了什么") == ["本文研究水泵。"]


@pytest.mark.parametrize(
    "question", ["《水泵使用手册》讲了什么？", "概述一下《使用手册》", "水泵使用手册有哪些章节？", "水泵手册的主要内容"]
)
def test_a_document_may_be_called_as_it_opens(store: Store, question: str) -> None:
    put(store, "scan_01.pdf", ((), "水泵使用手册 第二版"), (("前言",), "本手册说明怎样使用这台水泵，供操作人员阅读。"))
    put(store, "scan_02.pdf", ((), "风机安装规程"), (("前言",), "本规程说明怎样安装这台风机，供施工人员阅读。"))
    place = named_place(question)
    assert place
    found = read(store.order, place, MINE)
    assert {chunk.document_name for chunk in found.chunks} == {"scan_01.pdf"}
    assert not asks_for_more(place, found.names)


def test_of_a_title_that_no_document_has_nothing_is_read(store: Store) -> None:
    put(store, "scan_01.pdf", ((), "水泵使用手册 第二版"), (("前言",), "本手册说明怎样使用这台水泵，供操作人员阅读。"))
    assert texts(store, "《公司法》讲了什么？") == []


LAW: tuple[Titled, ...] = (
    ((), "第一条 本手册适用于全体员工。\n第二条 公司实行标准工时制。"),
    (("第二章 考勤",), "第三条 员工迟到的，第四次起每次扣五十元，依照第二条计算；"),
    (("第二章 考勤",), "一个月内迟到十次的，通报批评。"),
    (("第二章 考勤",), "第四条 连续旷工三日的，可以解除合同。\n第 12 条 加班须经批准。"),
)


@pytest.mark.parametrize(
    ("question", "pages"),
    [
        ("第三条说了什么？", [2, 3]),
        ("第二条是什么", [1]),
        ("第十二条讲了什么", [4]),
        ("第一条和第四条", [1, 4]),
        ("第七条说了什么？", []),
    ],
)
def test_an_article_is_read_from_the_line_that_it_begins_to_the_next_one(
    store: Store, question: str, pages: list[int]
) -> None:
    put(store, "law.pdf", *LAW)
    place = named_place(question)
    assert place is not None
    there = read(store.order, place, MINE)
    assert [chunk.passage.page for chunk in there.chunks] == pages


def test_an_article_that_is_a_heading_is_read_with_all_below_it(store: Store) -> None:
    put(
        store,
        "lease.pdf",
        (("第一条 房屋",), "位于某路。"),
        (("第二条 租金",), "按季度支付。"),
        (("三、附则",), "另行约定。"),
    )
    for question, pages in (("第二条说了什么？", [2]), ("第三条说了什么？", [])):
        place = named_place(question)
        assert place is not None
        there = read(store.order, place, MINE)
        assert [chunk.passage.page for chunk in there.chunks] == pages
