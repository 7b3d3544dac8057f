from collections.abc import Iterable, Sequence

from loaders.headers_footers import without_headers_footers as without_headers_footers_of
from loaders.lines import TextLine

LETTERS = "甲乙丙丁戊己庚辛壬"
SHEET = (0.0, 842.0)
FOOT = 37


def line(text: str, index: float, size: float = 12, *, verbatim: bool = False) -> TextLine:
    bottom = 800 - 20 * index
    return TextLine(text, 70, 530, bottom, bottom + size, size, verbatim=verbatim)


def without_headers_footers(
    pages: Sequence[Sequence[TextLine]], numbers: Sequence[int] = (), drift: float = 2
) -> list[list[TextLine]]:
    return without_headers_footers_of(pages, [SHEET] * len(pages), numbers, drift)


def body(letter: str, count: int = 6) -> list[TextLine]:
    return [line(f"{letter}方应当履行第{name}项义务。", 3 + index) for index, name in enumerate("子丑寅卯辰巳"[:count])]


def texts(pages: Iterable[Sequence[TextLine]]) -> list[list[str]]:
    return [[row.text for row in page] for page in pages]


def framed(tops: Sequence[Sequence[TextLine]], feet: Sequence[Sequence[TextLine]] = ()) -> list[list[TextLine]]:
    """Pages of text, each with its own lines above and below."""
    below = feet or [[] for _ in tops]
    return [[*top, *body(letter), *foot] for top, letter, foot in zip(tops, LETTERS[: len(tops)], below, strict=True)]


def stays(pages: list[list[TextLine]]) -> bool:
    return without_headers_footers(pages) == pages


def goes(pages: list[list[TextLine]]) -> bool:
    """Whether nothing but the text is left."""
    return without_headers_footers(pages) == [body(letter) for letter in LETTERS[: len(pages)]]


def test_headers_footers_and_page_numbers_are_removed() -> None:
    pages = [
        [
            line("年度报告", 0),
            line(f"{number} / 9", 1),
            line(f"正文{'甲乙丙丁戊己庚辛壬'[number]}", 2),
            line(f"- {number} -", FOOT),
        ]
        for number in range(9)
    ]
    assert [[row.text for row in page] for page in without_headers_footers(pages)] == [
        [f"正文{letter}"] for letter in "甲乙丙丁戊己庚辛壬"
    ]


def test_what_repeats_in_the_middle_of_pages_stays() -> None:
    pages = [[line(f"{letter}{row}", index) for index, row in enumerate("一二三四五六七")] for letter in "甲乙丙丁"]
    repeated = [[*page[:3], line("□适用 √不适用", 3), *page[3:]] for page in pages]
    assert without_headers_footers(repeated) == repeated


def test_numbers_at_the_edge_of_pages_that_are_amounts_stay() -> None:
    pages = [
        [line(f"甲{number}乙"[: 1 + number], 0), line(f"1,{number}00.00 2,{number}00.00", FOOT)]
        for number in range(1, 5)
    ]
    assert all(page[-1].text.endswith("00.00") for page in without_headers_footers(pages))


def test_a_page_of_nothing_but_its_header_keeps_it() -> None:
    pages = [[line("机密文件", 0)] for _ in range(5)]
    assert without_headers_footers(pages) == pages


def test_page_numbers_go_in_every_form_and_from_any_number_on() -> None:
    forms = ["{}", "- {} -", "第 {} 页 共 90 页", "{} / 90", "滨江市公共资源交易中心 {}", "试卷 第 {} 页（共 90 页）"]
    for form in forms:
        assert goes(framed([[]] * 5, [[line(form.format(30 + number), FOOT)] for number in range(5)])), form


def test_page_numbers_go_where_only_some_of_them_are_set_with_blanks() -> None:
    forms = ("第 1 页共 3 页", "第2页共3页", "第 3 页 共 3 页")
    assert goes(framed([[]] * 3, [[line(form, FOOT)] for form in forms]))
    assert stays(framed([[]] * 3, [[line(text, FOOT)] for text in ("合计 1 2", "合计 12", "合计 1 2")]))


def test_titles_of_left_and_right_pages_go() -> None:
    tops = [[line("第三章 注意力机制" if number % 2 else f"{number}\t深度学习", 0)] for number in range(8)]
    assert goes(framed(tops))


def sectioned(header: str, *, titled: bool = True) -> tuple[list[list[TextLine]], list[list[TextLine]]]:
    """Eight pages of four sections with their headers, and without."""
    pages, left = [], []
    for index, letter in enumerate(LETTERS[:8]):
        number, name = f"2.{index // 2 + 1}", f"{LETTERS[index // 2]}方的义务"
        title = [line(f"{number} {name}", 2)] if titled and index % 2 == 0 else []
        left.append([*title, *body(letter)])
        pages.append([line(header.format(page=30 + index, title=f"{number}\t{name}"), 0), *left[-1]])
    return pages, left


def test_a_header_goes_with_the_title_of_its_section_where_the_text_has_that_title() -> None:
    dated = ("{title}\t2019 年 4 月 10 日\t{page}", "{title}\t2019 年 4 月 10 日")
    for header in (*dated, "{page}\t采购合同\t{title}", "{title}\t{page}", "§{title}\t{page}"):
        pages, left = sectioned(header)
        assert without_headers_footers(pages) == left, header


def test_a_header_goes_with_a_chapter_that_it_writes_in_capitals_or_that_several_pages_have() -> None:
    for chapter in ("2", "I"):
        tops = [[line(f"{chapter}\tDATA {letter}\t{number}", 0)] for number, letter in enumerate(LETTERS)]
        titles = [line(f"{chapter} Data {letter}", 20) for letter in LETTERS]
        pages = [[*page, title] for page, title in zip(framed(tops), titles, strict=True)]
        assert without_headers_footers(pages) == [page[1:] for page in pages]
    assert goes(framed([[line(f"{number}\t{LETTERS[number // 4]}方", 0)] for number in range(8)]))


def test_numbers_in_roman_letters_go_from_the_pages_before_the_first_chapter() -> None:
    roman = ["ii", "iii", "iv", "v"]
    assert goes(framed([[line(f"设备维护手册\t{number}", 0)] for number in [*roman, *range(1, 5)]]))
    assert goes(framed([[]] * 4, [[line(number, FOOT)] for number in roman]))
    assert stays(framed([[line(f"{letter}类\t设备", 0)] for letter in ("i", "v", "x", "l")]))


def test_a_row_in_the_margin_stays_where_only_its_number_repeats_or_the_text_has_not_what_it_says() -> None:
    pages, _ = sectioned("{title}\t{page}", titled=False)
    assert stays(pages)
    pages, _ = sectioned("{title}\t2019 年 4 月 10 日\t{page}", titled=False)
    assert stays(pages)
    pages, _ = sectioned("{title}\t2019 年 4 月 10 日\t{page}00")
    assert stays(pages)


def test_the_parts_of_a_footer_that_came_apart_on_one_page_go() -> None:
    feet = [[line("采购合同\t滨江市财政局", FOOT)] for _ in range(4)]
    assert goes(framed([[]] * 5, [*feet, [line("采购合同", FOOT), line("滨江市财政局", FOOT)]]))


def test_a_header_goes_from_the_cover_too_where_it_stands_a_little_higher() -> None:
    assert goes(framed([[line("年度报告", 0.3 if number == 0 else 0)] for number in range(4)]))


def test_rows_of_a_table_that_differ_only_in_their_numbers_stay() -> None:
    assert stays(framed([[line(f"样品{number} | 8.{number} | 合格", 0, verbatim=True)] for number in range(5)]))
    assert stays(framed([[line(f"样品{31 * number}\t8.{number}\t合格", 0)] for number in range(5)]))


def test_a_row_that_all_pages_repeat_stays() -> None:
    assert stays(framed([[line("工号 | 姓名 | 部门", 0, verbatim=True)] for _ in range(5)]))
    assert stays(framed([[line("工号\t姓名\t部门", 2)] for _ in range(5)]))


def test_items_of_a_list_stay() -> None:
    assert stays(framed([[line(f"{30 * number + 1}. 答案：B", 0)] for number in range(5)]))
    assert stays(framed([[line(f"{number}. 答案：B", 0)] for number in range(1, 6)]))
    for bullet in "☑➢":
        assert stays(framed([[line(f"{bullet}已经核对", 0)] for _ in range(5)]))


def test_a_sentence_of_the_text_stays_though_it_ends_several_pages() -> None:
    clause = "因不可抗力致使合同不能履行的，双方互不承担责任。"
    heights = framed([[]] * 4, [[line(clause, FOOT - 1 + number)] for number in range(4)])
    assert stays(heights)
    inside = framed(
        [[]] * 4, [[line(clause, FOOT - 1), line(f"{letter}方违约的除外。", FOOT)] for letter in LETTERS[:4]]
    )
    assert stays(inside)


def test_a_line_that_is_numbered_as_the_pages_are_stays_where_text_follows_closely() -> None:
    for name in ("第{}题", "员工编号：00{}", "步骤{}"):
        assert stays(framed([[line(name.format(number), 2)] for number in range(1, 7)])), name
        last = [[line("以下空白。", FOOT - 1), line(name.format(number), FOOT)] for number in range(1, 7)]
        assert [page[-1].text for page in without_headers_footers(framed([[]] * 6, last))] == [
            row[-1].text for row in last
        ]


def small(text: str, bottom: float) -> TextLine:
    return TextLine(text, 70, 530, bottom, bottom + 9, 9)


def test_what_pages_repeat_above_or_below_their_margins_stays() -> None:
    first = [[line("答案：正确", 4), line(f"{letter}方的理由。", 5)] for letter in LETTERS[:5]]
    assert stays(first)
    last = [[line(f"{letter}方的理由。", 4), line("答案：正确", FOOT - 3)] for letter in LETTERS[:5]]
    assert stays(last)
    assert without_headers_footers_of(last, [(100, 942)] * 5) == [page[:1] for page in last]


def test_a_title_that_a_program_prints_on_every_page_stays_where_it_stands_first() -> None:
    pages = framed([[line("员工花名册", 0, size=18)] for _ in range(4)])
    assert texts(without_headers_footers(pages)) == texts([pages[0], *(body(letter) for letter in LETTERS[1:4])])


def test_titles_that_are_numbered_as_the_pages_are_stay() -> None:
    assert stays(framed([[line(f"附件 {number}", 0, size=18)] for number in range(1, 5)]))


def test_one_or_two_pages_show_too_little_to_lose_anything() -> None:
    assert stays(
        framed([[line("年度报告", 0)]] * 2, [[line("第 1 页 共 2 页", FOOT)], [line("第 2 页 共 2 页", FOOT)]])
    )
    assert stays(framed([[]], [[line("第 1 页 共 1 页", FOOT)]]))


def test_numbers_of_pages_count_from_the_file_where_only_some_of_them_are_read() -> None:
    pages = framed([[]] * 3, [[line(f"- {number} -", FOOT)] for number in (2, 5, 6)])
    assert without_headers_footers(pages, [2, 5, 6]) == [body(letter) for letter in LETTERS[:3]]


def test_sheets_that_lie_askew_in_a_scanner_have_their_headers_higher_or_lower() -> None:
    pages = framed([[line("公司章程", 0.2 * number)] for number in range(4)])
    assert without_headers_footers(pages, drift=14) == [body(letter) for letter in LETTERS[:4]]
