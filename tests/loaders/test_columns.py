from loaders.columns import in_reading_order
from loaders.lines import TextLine, to_rows, with_notes
from loaders.paragraphs import join_lines


def line(text: str, left: float, right: float, top: float, size: float = 10) -> TextLine:
    return TextLine(text, left, right, top - size, top, size)


def column(name: str, left: float, count: int, top: float = 700) -> list[TextLine]:
    return [line(f"{name}{index}", left, left + 230, top - 15 * index) for index in range(count)]


def woven(*columns: list[TextLine]) -> list[TextLine]:
    """Lines as some programs write them: row by row over both columns."""
    return [line for row in zip(*columns, strict=True) for line in row]


def texts(lines: list[TextLine]) -> str:
    return " ".join(line.text for line in lines)


def test_the_left_column_is_read_before_the_right() -> None:
    lines = woven(column("左", 50, 6), column("右", 305, 6))
    assert texts(in_reading_order(lines)) == "左0 左1 左2 左3 左4 左5 右0 右1 右2 右3 右4 右5"


def test_what_reaches_over_both_columns_parts_them() -> None:
    title, caption = line("标题", 50, 535, 730), line("宽图的说明", 50, 535, 600)
    above = woven(column("左", 50, 6), column("右", 305, 6))
    below = woven(column("下左", 50, 6, 580), column("下右", 305, 6, 580))
    ordered = texts(in_reading_order([title, *above, caption, *below])).split()
    assert ordered[0] == "标题"
    assert ordered.index("右5") < ordered.index("宽图的说明") < ordered.index("下左0") < ordered.index("下右0")


def test_a_header_that_stands_apart_stays_whole() -> None:
    header = [line("2", 50, 60, 780), line("计算机学报", 250, 300, 780), line("2019 年", 500, 535, 780)]
    lines = [*header, *woven(column("左", 50, 6), column("右", 305, 6))]
    assert in_reading_order(lines)[:3] == header


def test_short_cells_side_by_side_are_no_columns() -> None:
    cells = woven(
        [line(f"项目{index}", 50, 90, 700 - 15 * index) for index in range(8)],
        [line(f"{index}.00", 305, 330, 700 - 15 * index) for index in range(8)],
        [line(f"{index}.50", 510, 535, 700 - 15 * index) for index in range(8)],
    )
    assert in_reading_order(cells) == cells


def test_one_column_keeps_the_order_of_the_file() -> None:
    lines = [*column("行", 50, 12)[::-1], line("宽", 50, 535, 100)]
    assert in_reading_order(lines) == lines


def test_a_file_that_has_the_columns_in_turn_keeps_its_rows_over_both_and_what_stands_below_them() -> None:
    cells = [
        line(f"{name}{row}", left, left + 60, 790 - 15 * row)
        for row in range(3)
        for name, left in (("甲", 50), ("乙", 180), ("丙", 260), ("丁", 400))
    ]
    prose = [*column("左", 50, 8), *column("右", 305, 8)]
    below = [line("联系方式", 50, 100, 540), line("电话", 50, 100, 520)]
    assert in_reading_order([*cells, *prose, *below]) == [*cells, *prose, *below]


def test_a_file_that_has_the_right_column_first_is_read_from_the_left() -> None:
    lines = [*column("右", 305, 6), *column("左", 50, 6)]
    assert texts(in_reading_order(lines)).startswith("左0 左1")


def test_smaller_lines_of_a_second_column_are_no_notes() -> None:
    left, right = column("左边的一行文字", 50, 6), column("右边的一行文字", 305, 6)
    small = line("图的说明", 305, 345, 600, size=8)
    joined = join_lines(to_rows(with_notes([*left, *right[:3], small, *right[3:]])))
    assert not joined.endswith("图的说明")


def test_the_title_of_a_slide_is_read_first_wherever_the_file_draws_it() -> None:
    title = [line("意图识别", 50, 300, 760, size=24), line("如何确认年报", 50, 300, 730, size=18)]
    below = [*column("行", 50, 6), line("7", 500, 510, 40)]
    assert in_reading_order([*below[:-1], *title, below[-1]]) == [*title, *below]
    header = line("内部资料", 50, 100, 790, size=10)
    assert in_reading_order([*below, header]) == [*below, header]
    beside = line("大字", 50, 200, 700, size=24)
    assert in_reading_order([*below, beside]) == [*below, beside]
