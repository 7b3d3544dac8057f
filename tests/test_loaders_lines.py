from loaders.furniture import without_furniture
from loaders.headings import bare
from loaders.lines import TextLine, join_lines, to_rows, with_notes


def line(text: str, index: int, left: float = 70, right: float = 530, size: float = 12) -> TextLine:
    bottom = 700 - 20 * index
    return TextLine(text, left, right, bottom, bottom + size, size)


def test_a_full_line_that_ends_no_sentence_is_joined_with_the_next() -> None:
    lines = [line("高血压患者应当每天", 0), line("测量血压", 1, right=150)]
    assert join_lines(lines) == "高血压患者应当每天测量血压"


def test_latin_words_are_joined_with_a_blank() -> None:
    lines = [
        line("retrieval augmented generation is a way to", 0),
        line("answer questions with", 1),
    ]
    assert join_lines(lines) == "retrieval augmented generation is a way to answer questions with"


def test_a_short_line_stays_apart() -> None:
    assert join_lines([line("项目", 0, right=100), line("高血压患者应当每天", 1)]) == "项目\n高血压患者应当每天"


def test_headings_items_rows_and_code_stay_apart() -> None:
    texts = [
        "第一章 总则",
        "1.1 适用范围",
        "1. 甲方应当",
        "2. 乙方应当",
        "甲\t366\t258",
        "乙\t12\t8",
        "int a = 1;",
        "int b = 2;",
    ]
    assert join_lines([line(text, index) for index, text in enumerate(texts)]).count("\n") == len(texts) - 1


def test_a_title_of_the_outline_stays_apart() -> None:
    lines = [line("注意力机制", 0), line("大脑神经系统", 1)]
    assert join_lines(lines, apart={bare("注意力 机制")}) == "注意力机制\n大脑神经系统"
    assert join_lines(lines) == "注意力机制大脑神经系统"


def test_a_sentence_goes_on_in_the_next_column() -> None:
    lines = [line("全部用中文或量", 30, 50, 285), line("符号。", 0, 307, 340)]
    assert join_lines(lines) == "全部用中文或量符号。"


def test_an_index_stays_in_its_row() -> None:
    base = TextLine("输入 x", 70, 120, 100, 112, 12)
    index = TextLine("i", 120, 123, 98, 105, 7)
    rest = TextLine("的概率", 124, 160, 100, 112, 12)
    assert [row.text for row in to_rows([base, index, rest])] == ["输入 xi的概率"]


def test_cells_of_one_row_are_parted_by_a_tab() -> None:
    cells = [TextLine("总资产", 70, 110, 100, 112, 12), TextLine("12.40", 300, 330, 100, 112, 12)]
    assert [row.text for row in to_rows(cells)] == ["总资产\t12.40"]


def test_notes_in_the_margin_do_not_cut_up_the_text() -> None:
    body = [line(f"正文第{index}行继续写下去", index, 70, 400) for index in range(4)]
    note = TextLine("旁注", 430, 450, 680, 688, 8)
    text = join_lines(to_rows(with_notes([*body[:2], note, *body[2:]])))
    assert text == "".join(row.text for row in body) + "\n旁注"


def test_headers_footers_and_page_numbers_are_removed() -> None:
    pages = [
        [
            line("年度报告", 0),
            line(f"{number} / 9", 1),
            line(f"正文{'甲乙丙丁戊己庚辛壬'[number]}", 2),
            line(f"- {number} -", 3),
        ]
        for number in range(9)
    ]
    assert [[row.text for row in page] for page in without_furniture(pages)] == [
        [f"正文{letter}"] for letter in "甲乙丙丁戊己庚辛壬"
    ]


def test_what_repeats_in_the_middle_of_pages_stays() -> None:
    pages = [[line(f"{letter}{row}", index) for index, row in enumerate("一二三四五六七")] for letter in "甲乙丙丁"]
    repeated = [[*page[:3], line("□适用 √不适用", 3), *page[3:]] for page in pages]
    assert without_furniture(repeated) == repeated


def test_numbers_at_the_edge_of_pages_that_are_amounts_stay() -> None:
    pages = [
        [line(f"甲{number}乙"[: 1 + number], 0), line(f"1,{number}00.00 2,{number}00.00", 1)] for number in range(1, 5)
    ]
    assert all(page[-1].text.endswith("00.00") for page in without_furniture(pages))


def test_a_page_of_nothing_but_its_header_keeps_it() -> None:
    pages = [[line("机密文件", 0)] for _ in range(5)]
    assert without_furniture(pages) == pages
