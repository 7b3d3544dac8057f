from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loaders.sections import split_document
from loaders.sentences import pack, sentence_spans
from loaders.splitter import ChineseSentenceSplitter, PDFTextSplitter
from rag.types import Heading, LoadedDocument, Page, PageHealth, Section
from tests.waiting import within_cpu_seconds

texts = st.text(alphabet="高血压，。！？；…”’（） \nab1.,!?|：", max_size=400)


def document(*pages: str, outline: tuple[Heading, ...] = ()) -> LoadedDocument:
    made = (Page(number, f"p{number}", text, PageHealth.TEXT) for number, text in enumerate(pages, start=1))
    return LoadedDocument(tuple(made), outline)


def bare(text: str) -> str:
    return "".join(text.split())


def children(sections: tuple[Section, ...]) -> list[str]:
    return [child.text for section in sections for child in section.children]


def sentences(text: str, limit: int = 100) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, 0, len(text), limit)]


def test_a_sentence_keeps_its_mark_and_closing_quotes() -> None:
    text = "他说：“走吧！”她问（为什么？）我不知道……好；行。"
    assert sentences(text) == ["他说：“走吧！”", "她问（为什么？）", "我不知道……", "好；", "行。"]


def test_the_number_that_a_line_begins_with_is_no_sentence() -> None:
    assert sentences("3. 验证\n12. 回滚\nA4. Free. Yes!") == ["3. 验证", "12. 回滚", "A4. Free.", "Yes!"]
    assert sentences("A. 细胞核 B. 叶绿体\n选B. 理由见下") == ["A. 细胞核 B. 叶绿体", "选B.", "理由见下"]
    assert sentences("It took 3. Then 12. In 2024. Ok.") == ["It took 3.", "Then 12.", "In 2024.", "Ok."]


def test_a_question_that_is_quoted_in_a_sentence_does_not_end_it() -> None:
    text = "先问“年假几天？”，再问“病假呢？”。他说……，就走了。"
    pieces = [text[start:end] for start, end in sentence_spans(text, 0, len(text), 100)]
    assert pieces == ["先问“年假几天？”，再问“病假呢？”。", "他说……，就走了。"]


@pytest.mark.parametrize("row", ["。", "。”", "”", "？！”"])
def test_an_endless_row_of_marks_is_split_in_no_time(row: str) -> None:
    with within_cpu_seconds(10):
        text = row * 100_000 + "，"
        assert "".join(text[start:end] for start, end in sentence_spans(text, 0, len(text), 1000)) == text


def test_ascii_marks_end_a_sentence_only_before_a_blank() -> None:
    assert sentences("a != b; 版本 3.5 可用. Next one? Yes") == ["a != b;", "版本 3.5 可用.", "Next one?", "Yes"]


def test_a_long_sentence_is_cut_at_a_comma_then_by_length() -> None:
    assert sentences("一二三四五六，七八九十", limit=8) == ["一二三四五六，", "七八九十"]
    assert sentences("一二三四五六七八九十", limit=4) == ["一二三四", "五六七八", "九十"]


def test_overlap_repeats_whole_sentences() -> None:
    spans = [(0, 10), (10, 14), (14, 24), (24, 30)]
    assert list(pack(spans, limit=24, overlap=5)) == [spans[:3], spans[3:]]
    assert list(pack(spans, limit=15, overlap=5)) == [spans[:2], spans[1:3], spans[3:]]


@given(texts, st.integers(min_value=2, max_value=60))
def test_no_chunk_exceeds_the_limit_and_no_character_is_lost(text: str, limit: int) -> None:
    chunks = ChineseSentenceSplitter(max_len=limit).split_text(text)
    assert all(len(chunk) <= limit for chunk in chunks)
    assert bare("".join(chunks)) == bare(text)


@given(texts, st.integers(min_value=10, max_value=60), st.integers(min_value=1, max_value=9))
def test_with_overlap_every_chunk_adds_something(text: str, limit: int, overlap: int) -> None:
    groups = list(pack(list(sentence_spans(text, 0, len(text), limit)), limit, overlap))
    assert all(group[-1][1] - group[0][0] <= limit for group in groups)
    assert all(before[0] < after[0] and before[-1] < after[-1] for before, after in pairwise(groups))
    assert all(before[-1][1] - after[0][0] <= overlap for before, after in pairwise(groups))


@given(st.lists(texts, min_size=1, max_size=4), st.integers(min_value=20, max_value=60))
def test_sections_cover_the_document(pages: list[str], max_len: int) -> None:
    whole = document(*pages)
    sections = split_document(whole, max_len, max_len // 5, 3 * max_len)
    covered: set[int] = set()
    for section in sections:
        assert section.parent.end - section.parent.start <= 3 * max_len
        for passage in (section.parent, *section.children):
            assert passage.text == whole.text[passage.start : passage.end]
        for child in section.children:
            assert len(child.text) <= max_len
            assert section.parent.start <= child.start < child.end <= section.parent.end
            covered.update(range(child.start, child.end))
    assert all(index in covered for index, character in enumerate(whole.text) if not character.isspace())


def test_children_do_not_mix_headings() -> None:
    body = "这是正文的一句话，说明了一些事情，也举了一些例子。" * 3
    whole = document(f"一、甲\n{body}\n二、乙\n{body}", outline=(Heading(1, "一、甲", 1), Heading(1, "二、乙", 1)))
    sections = split_document(whole, 200, 40, 800)
    found = [child for section in sections for child in section.children]
    assert [(child.heading_path, child.text[:3]) for child in found] == [
        (("一、甲",), "一、甲"),
        (("二、乙",), "二、乙"),
    ]


def test_a_child_starts_anew_on_a_new_page() -> None:
    text = "这是一句完整的话，说完了。" * 5
    assert children(split_document(document(text, text), 200, 40, 800)) == [text, text]


def test_a_sentence_that_runs_over_a_page_break_stays_whole() -> None:
    first = "患者每天的食盐摄入量" * 8 + "应当"
    sections = split_document(document(first, "控制在五克以下。" + "另外还要注意休息。" * 3), 200, 40, 800)
    child = sections[0].children[0]
    assert child.text.startswith(first + "\n控制在五克以下。")
    assert (child.page, child.last_page, child.page_label) == (1, 2, "p1")


def test_slides_do_not_give_tiny_chunks() -> None:
    slides = [f"第{number}张\n要点一\n要点二" for number in range(60)]
    found = children(split_document(document(*slides), 200, 40, 800))
    assert min(map(len, found)) >= 40
    assert len(found) < 20


def test_short_sections_of_one_chapter_share_a_parent() -> None:
    body = "内容很短，只有一句话而已，但是也超过了四十个字，所以自己成为一个小段，不会并入别的小段里面。"
    lines = "\n".join(f"1.{number} 节\n{body}" for number in range(1, 5))
    outline = (Heading(1, "1 章", 1), *(Heading(2, f"1.{number} 节", 1) for number in range(1, 5)))
    sections = split_document(document(f"1 章\n{lines}", outline=outline), 200, 40, 800)
    assert len(sections) == 1
    assert sections[0].parent.heading_path == ("1 章",)
    assert [child.heading_path[-1] for child in sections[0].children] == ["1.1 节", "1.2 节", "1.3 节", "1.4 节"]


def test_a_chunk_that_goes_on_with_a_table_knows_its_header() -> None:
    header = "项目 | 2020年 | 2019年"
    rows = [f"科目{number:02} | {number}00,000.00 | {number}50,000.00" for number in range(10, 40)]
    sections = split_document(document("\n".join([header, *rows])), 200, 40, 800)
    found = [child for section in sections for child in section.children]
    assert len(found) > 3
    assert found[0].context == ""
    assert {child.context for child in found[1:]} == {header}
    assert all(line in (header, *rows) for child in found for line in child.text.split("\n"))
    assert found[1].text_in_context == f"{header}\n{found[1].text}"


def test_the_rest_of_a_long_row_knows_what_it_is_about() -> None:
    long = "绑定结果 | 2 | " + "小程序生成密钥并且记录对应关系。" * 20
    text = "\n".join(["名称 | 类型 | 描述", long, "解绑 | 4 | 无"])
    found = [child for section in split_document(document(text), 200, 0, 800) for child in section.children]
    assert found[1].context == "名称 | 类型 | 描述\n绑定结果"


@pytest.mark.parametrize("above", ["", "说明" * 50_000 + " |\n"])
def test_a_line_that_is_too_long_for_a_header_stands_above_no_passage(above: str) -> None:
    header = " | ".join(
        f"第{number}列".translate(str.maketrans("0123456789", "〇一二三四五六七八九")) for number in range(9000)
    )
    text = f"{above}{header}\n" + "\n".join(f"甲{number} | {number}" for number in range(20_000))
    with within_cpu_seconds(10):
        found = [child for section in split_document(document(text), 200, 40, 800) for child in section.children]
    assert max(len(child.context) for child in found) < 200


def test_a_document_of_very_many_headings_is_split_in_no_time() -> None:
    lines = [
        f"第{number}条 本条规定了事项的办理期限与责任人，逾期按照有关办法处理，并且记入档案。"
        for number in range(16_000)
    ]
    outline = tuple(Heading(1, line[: line.index(" ")], 1) for line in lines)
    with within_cpu_seconds(20):
        sections = split_document(document("\n".join(lines), outline=outline), 200, 40, 800)
    assert [child.heading_path for section in sections for child in section.children][-1] == ("第15999条",)


def test_a_passage_carries_no_more_of_a_heading_or_of_a_first_cell_than_of_a_title() -> None:
    title, body = "规定" * 2000, "这是正文的一句话，说明事情的经过。" * 50
    whole = document(f"{title}\n{body}\n{title} | 备注", outline=(Heading(1, title, 1),))
    found = [child for section in split_document(whole, 200, 40, 800) for child in section.children]
    assert {child.heading_path for child in found} == {("规定" * 60 + "…",)}
    assert found[-1].context == "规定" * 60 + "…"


def test_a_lead_in_stays_with_what_it_leads_to() -> None:
    body = "这是一句完整的话，说完了。" * 14
    text = f"{body}\n报文的类型有以下几种：\n第一种是请求，由小程序发出。\n第二种是应答。"
    found = children(split_document(document(text), 200, 0, 800))
    assert "报文的类型有以下几种：\n第一种是请求，由小程序发出。" in found[-1]


RULE = "【强制】这是一条规则，要求写得清清楚楚。说明：理由写在后面，也不能省略。"


@pytest.mark.parametrize(
    "numbers", ["1. 2. 3. 4. 5.", "（一） （二） （三） （四） （五）", "第一条 第二条 第三条 第四条 第五条"]
)
def test_a_passage_begins_with_an_item_of_a_list_rather_than_in_the_midst_of_one(numbers: str) -> None:
    items = [f"{number}{RULE * 2}" for number in numbers.split()]
    found = children(split_document(document("\n".join(items)), 200, 40, 800))
    assert [text.split("\n") for text in found] == [[items[0], items[1]], [items[2], items[3]], [items[4]]]


def test_short_items_share_a_passage_and_a_last_one_is_not_left_alone() -> None:
    items = [f"{number}、{'短短的一项内容' * 2}。" for number in range(1, 14)]
    found = children(split_document(document("\n".join(items)), 200, 40, 800))
    assert [text.count("\n") + 1 for text in found] == [6, 7]


def test_a_number_that_begins_no_line_or_no_item_parts_nothing() -> None:
    text = f"{RULE * 3}见\n3.5 倍，共 2. 项。"
    assert len(children(split_document(document(text), 200, 40, 800))) == 1


def test_the_header_of_a_markdown_table_begins_the_chunk_of_its_first_row() -> None:
    text = "前面的文字已经说得很多。" * 6
    rows = [f"| 参数{number} | 用来设置超时时间的长短 |" for number in range(4)]
    found = children(split_document(document("\n".join([text, "| 参数 | 说明 |", "|---|---|", *rows])), 100, 0, 800))
    assert "参数" not in found[0]
    assert f"| 参数 | 说明 |\n|---|---|\n{rows[0]}" in found[1]


def test_a_caption_stays_with_its_table() -> None:
    body = "这是一句完整的话，说完了。" * 14
    text = f"{body}\n返回值定义\n数值 | 描述\n0 | 成功\n1 | 失败"
    found = children(split_document(document(text), 200, 0, 800))
    assert found[-1].startswith("返回值定义\n数值 | 描述\n0 | 成功")


def test_empty_pages_make_no_sections() -> None:
    assert split_document(document("", " \n "), 200, 40, 800) == ()


def test_lines_are_merged_and_cleaned_by_the_line_splitter() -> None:
    splitter = PDFTextSplitter(chunk_size=10, chunk_overlap=0, length_function=len)
    assert splitter.split_text("高血压  的\n\n \n诊断！！\n标准是什么") == ["高血压 的\n诊断！", "标准是什么"]


def test_the_line_splitter_begins_a_chunk_at_a_heading() -> None:
    splitter = PDFTextSplitter(chunk_size=100, chunk_overlap=0)
    assert splitter.split_text("上文。\n第二章 诊断\n正文。") == ["上文。", "第二章 诊断\n正文。"]


def test_the_sentence_splitter_is_a_langchain_splitter() -> None:
    made = ChineseSentenceSplitter(max_len=20, add_start_index=True).create_documents(
        ["甲。乙。"], [{"source": "a.pdf"}]
    )
    assert [(piece.page_content, piece.metadata) for piece in made] == [
        ("甲。乙。", {"source": "a.pdf", "start_index": 0})
    ]


@pytest.mark.parametrize("text", ["", "  \n ", "\n"])
def test_blanks_give_no_chunks(text: str) -> None:
    assert ChineseSentenceSplitter().split_text(text) == []
    assert PDFTextSplitter().split_text(text) == []


@pytest.mark.parametrize("measure", [len, lambda text: len(text.encode())], ids=["characters", "bytes"])
def test_a_line_longer_than_a_chunk_is_cut_by_whatever_measure(measure: Callable[[str], int]) -> None:
    text = "短行\n" + "一二三四五六七八九十" * 7 + "尾\n末行"
    chunks = PDFTextSplitter(chunk_size=30, chunk_overlap=5, length_function=measure).split_text(text)
    assert max(map(measure, chunks)) <= 30
    assert "".join(chunks).replace("\n", "") == text.replace("\n", "")


def test_a_limit_below_one_character_still_comes_to_an_end() -> None:
    splitter = PDFTextSplitter(chunk_size=1, chunk_overlap=0, length_function=lambda text: 3 * len(text))
    assert splitter.split_text("年假") == ["年", "假"]


def test_the_sentence_splitter_refuses_a_measure_that_it_would_not_follow() -> None:
    with pytest.raises(ValueError, match="characters"):
        ChineseSentenceSplitter(length_function=lambda text: len(text.encode()))
