"""From cleaned text back to the characters of the file, and from those to boxes."""

from collections.abc import Sequence

from loaders.page_boxes import Glyph, boxes_of_glyphs, boxes_of_lines
from loaders.text_tiling import UNMATCHED, align
from rag.types import Box, PlacedLine

PAGE = (100.0, 200.0)


def glyphs(text: str, left: float = 10, top: float = 20) -> list[Glyph]:
    """A line of characters of 5 by 5 points."""
    return [Glyph(character, left + 5 * i, top, left + 5 * i + 5, top + 5) for i, character in enumerate(text)]


def matched(clean: str, raw: str) -> str:
    """What of the raw text the clean one was matched with, `_` for nothing."""
    return "".join("_" if place == UNMATCHED else raw[place] for place in align(clean, raw))


def boxes_of(text: str, start: int, end: int, drawn: Sequence[Glyph], size: tuple[float, float]) -> tuple[Box, ...]:
    """The boxes of one span."""
    return boxes_of_glyphs(text, [(start, end)], drawn, size)[0]


def test_each_character_of_an_unchanged_text_is_matched_with_itself() -> None:
    text = "本公司注册资本为1,000万元。"
    assert align(text, text) == list(range(len(text)))


def test_blanks_and_dropped_headers_do_not_matter() -> None:
    assert matched("注册 资本\n为一千万元", "年度报告第3页注册资本为一千万元") == "注册_资本_为一千万元"


def test_compatibility_forms_match_what_they_were_made_of() -> None:
    assert matched("ABC的金额file", "ＡＢＣ⽬的⾦额ﬁle".replace("⽬", "")) == "ＡＢＣ的⾦额ﬁﬁle"


def test_blocks_that_changed_places_are_found_again() -> None:
    left, right = "左栏先讲注册资本与公司章程的规定", "右栏再讲董事会的组成和议事规则"
    rows = "".join(a + b for a, b in zip((left[:8], left[8:]), (right[:8], right[8:]), strict=True))
    places = align(left + right, rows)
    assert [rows[place] for place in places] == list(left + right)
    assert sorted(places) == list(range(len(rows)))


def test_cells_that_occur_often_are_told_apart_by_their_neighbours() -> None:
    raw = "收入0.000.00费用0.0012成本0.00"
    places = align("收入 | 0.00 | 0.00\n费用 | 0.00 | 12\n成本 | 0.00", raw)
    assert [place for place in places if place != UNMATCHED] == list(range(len(raw)))


def test_lines_that_begin_alike_are_told_apart_where_the_file_breaks_them() -> None:
    raw = "左栏第一行讲公司的名称\n右栏第一行讲注册的资本\n左栏第二行讲公司的住所\n右栏第二行讲股东的出资"
    clean = "左栏第一行讲公司的名称左栏第二行讲公司的住所右栏第一行讲注册的资本右栏第二行讲股东的出资"
    assert matched(clean, raw) == clean
    assert align(clean, raw)[22:33] == list(range(12, 23))


def test_a_cell_repeated_in_each_row_it_spans_is_found_each_time() -> None:
    raw = "生物制药原材料265,207包装费20,393"
    places = align("生物制药 | 原材料 | 265,207\n生物制药 | 包装费 | 20,393", raw)
    assert places[:4] == [0, 1, 2, 3]
    assert places[21:25] == [0, 1, 2, 3]


def test_a_repeated_cell_is_found_with_the_short_line_that_it_ends_in() -> None:
    raw = "会计师事务所（境\n内）\n名称\n致同会计师\n办公地址\n北京市"
    text = "会计师事务所（境内） | 名称 | 致同会计师\n会计师事务所（境内） | 办公地址 | 北京市"
    places = align(text, raw)
    assert [raw[places[text.rindex(letter)]] for letter in "会境内"] == ["会", "境", "内"]


def test_a_repeated_cell_does_not_go_far_for_its_like() -> None:
    raw = "合计\n" + "".join(map(chr, range(0x4E00, 0x4E00 + 400))) + "\n收入\n成本\n利润"
    text = raw.replace("合计\n", "合计 | ", 1) + "\n合计 | 收入"
    assert align(text, raw)[-7:-5] == [UNMATCHED, UNMATCHED]


def test_punctuation_goes_with_the_character_beside_it() -> None:
    assert matched("《章程》：总则。", "其他；《章程》：总则。") == "《章程》：总则。"


def test_text_that_the_file_does_not_have_is_matched_with_nothing() -> None:
    assert matched("完全不同的内容", "something else") == "_______"
    assert align("", "") == []


def test_endless_repetition_is_aligned_in_time() -> None:
    assert align("a" * 3000, "a" * 3000) == list(range(3000))


def test_a_passage_within_a_line_has_a_box_of_that_part() -> None:
    assert boxes_of("第一句。第二句。", 4, 8, glyphs("第一句。第二句。"), PAGE) == (Box(0.3, 0.1, 0.5, 0.125),)


def test_each_line_of_a_passage_has_its_own_box() -> None:
    drawn = [*glyphs("这一行很长很长"), *glyphs("它接着写", top=28)]
    boxes = boxes_of("这一行很长很长它接着写", 3, 11, drawn, PAGE)
    assert boxes == (Box(0.25, 0.1, 0.45, 0.125), Box(0.1, 0.14, 0.3, 0.165))


def test_a_wide_gap_in_a_row_parts_columns() -> None:
    drawn = [*glyphs("左栏末行"), *glyphs("右栏首行", left=60)]
    assert len(boxes_of("左栏末行右栏首行", 0, 8, drawn, PAGE)) == 2


def test_an_index_does_not_break_its_line() -> None:
    index = Glyph("2", 15, 24.2, 17, 27)
    drawn = [Glyph("x", 10, 20, 15, 25), index, *glyphs("加一", left=18)]
    assert len(boxes_of("x2加一", 0, 4, drawn, PAGE)) == 2


def test_text_that_runs_down_the_page_has_a_box_for_each_column() -> None:
    right = [Glyph(character, 50, 20 + 5 * i, 55, 25 + 5 * i) for i, character in enumerate("天地玄黄")]
    left = [Glyph(character, 40, 20 + 5 * i, 45, 25 + 5 * i) for i, character in enumerate("宇宙洪荒")]
    boxes = boxes_of("天地玄黄宇宙洪荒", 0, 8, [*right, *left], PAGE)
    assert boxes == (Box(0.5, 0.1, 0.55, 0.2), Box(0.4, 0.1, 0.45, 0.2))


def test_a_box_does_not_leave_its_page() -> None:
    assert boxes_of("超出", 0, 2, [Glyph("超", -50, 10, 20, 20), Glyph("出", 20, 10, 500, 20)], PAGE) == (
        Box(0.0, 0.05, 1.0, 0.1),
    )


def test_in_lines_without_characters_places_are_shared_out_by_width() -> None:
    text = "甲乙丙丁ab\n戊己"
    lines = [PlacedLine(0, 6, Box(0.1, 0.1, 0.6, 0.2)), PlacedLine(7, 9, Box(0.1, 0.3, 0.3, 0.4))]
    assert boxes_of_lines(text, 2, 8, lines) == (Box(0.3, 0.1, 0.6, 0.2), Box(0.1, 0.3, 0.2, 0.4))
    assert boxes_of_lines(text, 6, 7, lines) == ()
