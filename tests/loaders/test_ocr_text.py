"""Recognised lines become text in reading order, and each keeps its place."""

from loaders.ocr_text import is_readable, with_recognised
from rag.types import Box, Heading, LoadedDocument, Page, PageHealth, RecognisedLine, RecognisedPage

HEIGHT = 0.02


def seen(*lines: tuple[str, float, float, float]) -> RecognisedPage:
    """A recognised page of A4: text, left, top and right of each line, in shares of the page."""
    return RecognisedPage(
        595, 842, tuple(RecognisedLine(text, Box(left, top, right, top + HEIGHT)) for text, left, top, right in lines)
    )


def image(number: int) -> Page:
    return Page(number, str(number), "", PageHealth.EMPTY)


def read(*pages: RecognisedPage) -> tuple[Page, ...]:
    document = LoadedDocument(tuple(image(number) for number in range(1, len(pages) + 1)))
    return with_recognised(document, dict(enumerate(pages, start=1))).pages


def test_lines_that_reach_the_edge_are_one_paragraph_and_each_keeps_its_box() -> None:
    first, second = "公司的经营宗旨是依靠科技进步与科学管理，全心全意", "为客户提供优质的产品和服务。"
    (page,) = read(seen((second, 0.1, 0.13, 0.5), (first, 0.1, 0.1, 0.9)))
    assert (page.text, page.health) == (first + second, PageHealth.OCR)
    assert [(page.text[line.start : line.end], line.box.top) for line in page.lines] == [(first, 0.1), (second, 0.13)]


def test_pieces_of_one_row_are_one_line_though_they_stand_at_slightly_different_heights() -> None:
    (page,) = read(seen(("1000 万元", 0.6, 0.098, 0.8), ("注册资本", 0.1, 0.1, 0.3), ("备注", 0.1, 0.2, 0.2)))
    assert page.text == "注册资本 1000 万元\n备注"
    assert page.lines[0].box == Box(0.1, 0.1, 0.8, 0.12)


def test_offsets_count_cleaned_characters() -> None:
    (page,) = read(seen(("第 一 章　总 则", 0.1, 0.1, 0.4), ("正 文。", 0.1, 0.2, 0.9)))
    assert [page.text[line.start : line.end] for line in page.lines] == page.text.split("\n")
    assert "正文。" in page.text


def test_two_columns_are_read_one_after_the_other() -> None:
    left = [f"左栏第{index}行的文字写满了整个一栏的宽度" for index in range(8)]
    right = [f"右栏第{index}行的文字写满了整个一栏的宽度" for index in range(8)]
    lines = [
        (text, edge, 0.1 + 0.03 * index, edge + 0.38)
        for index, pair in enumerate(zip(left, right, strict=True))
        for text, edge in zip(pair, (0.1, 0.52), strict=True)
    ]
    (page,) = read(seen(*lines))
    assert page.text.index("左栏第7行") < page.text.index("右栏第0行")


def test_a_table_is_read_by_rows_and_each_row_keeps_its_box() -> None:
    rows = [("项目", "金额"), ("营业收入", "158.19"), ("研发费用", "20.70"), ("每股收益", "0.66")]
    cells = [
        (text, left, 0.1 + 0.03 * index, left + 0.02 * len(text))
        for index, row in enumerate(rows)
        for text, left in zip(row, (0.1, 0.6), strict=True)
    ]
    (page,) = read(seen(*cells))
    assert page.text.split("\n") == [" | ".join(row) for row in rows]
    assert [(line.box.left, line.box.top) for line in page.lines] == [(0.1, 0.1), (0.1, 0.13), (0.1, 0.16), (0.1, 0.19)]


def test_what_all_pages_repeat_at_their_edges_is_left_out() -> None:
    texts = ["经营范围。", "注册资本。", "股东名册。", "董事任期。"]
    pages = read(*(seen(("公司章程", 0.4, 0.02, 0.6), (text, 0.1, 0.5, 0.9)) for text in texts))
    assert [page.text for page in pages] == texts


def test_pages_with_a_text_layer_stay_as_they_are() -> None:
    kept = Page(1, "i", "第一章 总则\n正文。", PageHealth.TEXT)
    document = LoadedDocument((kept, image(2), image(3)), (Heading(1, "第一章 总则", 1),))
    merged = with_recognised(document, {2: seen(("第二章 组织", 0.1, 0.1, 0.4), ("董事五名。", 0.1, 0.2, 0.4))})
    assert merged.pages[0] == kept
    assert [page.health for page in merged.pages] == [PageHealth.TEXT, PageHealth.OCR, PageHealth.EMPTY]
    assert [(heading.title, heading.page) for heading in merged.outline] == [("第一章 总则", 1), ("第二章 组织", 2)]


def test_an_outline_that_tells_of_the_recognised_pages_is_kept_alone() -> None:
    outline = (Heading(1, "组织", 1),)
    merged = with_recognised(LoadedDocument((image(1),), outline), {1: seen(("第二章 组织", 0.1, 0.1, 0.4))})
    assert merged.outline == outline


def test_specks_are_not_text() -> None:
    assert not is_readable(seen((" ", 0.1, 0.1, 0.2)))
    assert not is_readable(seen())
    assert is_readable(seen(("甲", 0.1, 0.1, 0.2)))


def test_a_page_with_readable_text_keeps_it() -> None:
    page = Page(1, "1", "年假为十天。", PageHealth.TEXT)
    assert with_recognised(LoadedDocument((page,)), {1: seen(("年假为＋夭。", 0.1, 0.1, 0.4))}).pages == (page,)


def test_a_sentence_over_two_recognised_pages_is_one_and_the_next_page_not_yet_recognised_stays_apart() -> None:
    full, rest = "公司的经营宗旨是依靠科技进步与科学管理，全心全意", "为客户提供优质的产品和服务。"
    page = seen((full, 0.1, 0.1, 0.9), (full, 0.1, 0.13, 0.9))
    document = LoadedDocument(tuple(image(number) for number in (1, 2, 3)))
    whole = with_recognised(document, {1: page, 2: seen((rest, 0.1, 0.1, 0.5))})
    assert whole.text == f"{full}{full}{rest}\n"
    assert with_recognised(document, {1: page, 3: seen((rest, 0.1, 0.1, 0.5))}).text == f"{full}{full}\n\n{rest}"
