from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders import load
from loaders.borderless_tables import with_aligned_rows
from loaders.cleaning import clean_line
from loaders.lines import TextLine, to_rows
from loaders.sections import split_document
from tests.pdf_files import FONT

LEFTS = (60, 200, 300, 400)
COLOURS = [["颜色", "局部表示", "分布式表示"], ["琥珀色", "1000", "0.75"], ["天蓝色", "0100", "0.50"]]
COLOURS += [["中国红", "0010", "0.22"], ["咖啡色", "0001", "0.31"]]


def piece(text: str, left: float, top: float, size: float = 10) -> TextLine:
    """A piece of text as wide as its characters are."""
    width = sum(size if ord(character) > 0x2E80 else size / 2 for character in text)
    return TextLine(text, left, left + width, top - size, top, size)


def placed(rows: Sequence[Sequence[str]], lefts: Sequence[float] = LEFTS, pitch: float = 18) -> list[TextLine]:
    """Cells in rows below each other, each at the left of its column; empty ones left out."""
    return [
        piece(text, left, 700 - pitch * index)
        for index, row in enumerate(rows)
        for text, left in zip(row, lefts, strict=False)
        if text
    ]


def texts(pieces: Sequence[TextLine]) -> list[str]:
    return [row.text for row in to_rows(with_aligned_rows(pieces))]


def has_rows(pieces: Sequence[TextLine]) -> bool:
    return any("|" in text for text in texts(pieces))


def test_cells_below_each_other_are_rows_of_a_table() -> None:
    above, below = piece("各种颜色的表示如下：", 60, 730), piece("表 1 颜色的表示", 180, 600)
    assert texts([above, *placed(COLOURS), below]) == [
        "各种颜色的表示如下：",
        *(" | ".join(row) for row in COLOURS),
        "表 1 颜色的表示",
    ]


def test_an_empty_cell_keeps_the_others_in_their_column() -> None:
    rows = [*COLOURS, ["平均", "", "0.45"]]
    assert texts(placed(rows))[-1] == "平均 |  | 0.45"


def test_a_cell_that_stands_alone_in_its_row_and_column_is_one_of_the_table() -> None:
    rows = [*COLOURS[:3], ["", "", "", "旁注"], *COLOURS[3:]]
    assert texts(placed(rows)) == [" | ".join(row) for row in COLOURS[:3]] + [" |  |  | 旁注"] + [
        " | ".join(row) for row in COLOURS[3:]
    ]


def test_numbers_that_end_below_each_other_are_a_column() -> None:
    amounts = ["1,581,905", "83.25", "7,120"]
    names = ["营业收入", "每股收益", "研发费用"]
    pieces = [
        part
        for index, (name, amount) in enumerate(zip(names, amounts, strict=True))
        for part in (piece(name, 60, 700 - 18 * index), piece(amount, 400 - 5 * len(amount), 700 - 18 * index))
    ]
    assert texts(pieces) == [f"{name} | {amount}" for name, amount in zip(names, amounts, strict=True)]


def test_a_title_over_two_columns_belongs_to_the_header() -> None:
    over = [piece("项目", 60, 718), piece("分类与回归的结果", 200, 718)]
    rows = [
        ["方法", "甲", "乙"],
        ["线性回归", "0.91", "0.90"],
        ["决策树", "0.93", "0.92"],
        ["随机森林", "0.95", "0.94"],
    ]
    told = texts([*over, *placed(rows, (60, 200, 255))])
    assert told[:2] == ["项目 | 分类与回归的结果", "方法 | 甲 | 乙"]


def test_a_title_within_a_table_is_a_row_of_it() -> None:
    rows = [*COLOURS, ["其他颜色"], ["鸭蛋青", "1001", "0.12"]]
    assert texts(placed(rows))[5:] == ["其他颜色 |", "鸭蛋青 | 1001 | 0.12"]


def test_rows_that_leave_the_first_column_empty_at_the_pitch_of_all_rows_stay_rows() -> None:
    rows = [*COLOURS, ["", "1001", "0.12"], ["", "1010", "0.13"]]
    assert texts(placed(rows))[-2:] == [" | 1001 | 0.12", " | 1010 | 0.13"]


def test_a_note_in_the_margin_is_no_cell() -> None:
    note = TextLine("旁注", 500, 520, 664, 672, 8, note=True)
    pieces = placed(COLOURS)
    assert "旁注" not in " ".join(text for text in texts([*pieces[:6], note, *pieces[6:]]) if "|" in text)


@pytest.mark.parametrize(
    ("_", "rows"),
    [
        ("two rows", COLOURS[:2]),
        ("contents", [["1.1", "背景", "3"], ["1.2", "目的", "4"], ["1.3", "范围", "4"], ["2", "定义", "7"]]),
        ("leaders", [["1.1", f"背景{'.' * 40}3"], ["1.2", f"目的{'.' * 40}4"], ["1.3", f"范围{'.' * 40}5"]]),
        ("contents seen", [["6. 通信 .", ".16"], ["6.1 子设备绑定", "..16"], ["6.2 子设备连接", "..17"]]),
        ("sections", [["第一节", "集体合同"], ["第二节", "劳务派遣"], ["第三节", "非全日制用工"]]),
        ("chapters", [["第一章", "总则"], ["第二章", "规划与建设"], ["第三章", "法律责任"], ["第四章", "附则"]]),
        ("references", [["[1]", "周志华 机器学习"], ["[2]", "李航 统计学习"], ["[3]", "邱锡鹏 深度学习"]]),
        ("examples", [["例 7", "引用了公式"], ["例 8", "引用了表格"], ["例 9", "引用了图形"]]),
        ("bullets", [["•", "先绑定设备"], ["•", "再上报属性"], ["•", "最后解绑"]]),
        ("equations", [["Q = WX", "(8.1)"], ["K = WX", "(8.2)"], ["V = WX", "(8.3)"]]),
        ("matrix", [["a11", "a12", "a13"], ["a21", "a22", "a23"], ["a31", "a32", "a33"]]),
        ("axes", [["0", "0.2", "0.4"], ["0", "0.3", "0.6"], ["0", "0.1", "0.9"]]),
        ("code", [["int", "count;"], ["long", "total;"], ["char", "name;"]]),
    ],
)
def test_what_only_looks_like_a_table_stays_lines(_: str, rows: list[list[str]]) -> None:
    assert not has_rows(placed(rows))


def test_labels_of_a_form_that_are_spaced_out_below_each_other_are_words() -> None:
    form = [["地", "址：北京市海淀区学院路甲八号"], ["电", "话：010-62310000"], ["开", "户", "行：工商银行"]]
    pieces = [
        piece(text, 60 + 40 * at, 700 - 18 * row) for row, cells in enumerate(form) for at, text in enumerate(cells)
    ]
    joined = [clean_line(row) for row in texts(pieces)]
    assert joined == ["地址：北京市海淀区学院路甲八号", "电话：010-62310000", "开户行：工商银行"]


def test_prose_in_two_columns_is_no_table() -> None:
    prose = [["这一行是左边一栏的文字它写满了整行", "这一行是右边一栏的文字它写满了整行"]] * 6
    assert not has_rows(placed(prose, (60, 300)))


def test_cells_that_do_not_stand_below_each_other_are_no_table() -> None:
    ragged = [
        part
        for index, shift in enumerate((0, 31, 12, 47, 22))
        for part in (piece("各段标题", 60, 700 - 18 * index), piece("其中说明", 200 + shift, 700 - 18 * index))
    ]
    assert not has_rows(ragged)


def test_rows_far_apart_are_no_table() -> None:
    assert not has_rows(placed(COLOURS, pitch=60))


def write_three_line_table(path: Path, rows: Sequence[Sequence[str]]) -> Path:
    """A table with rules above and below its header and at its end, between two lines of text."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path))
    canvas.setFont(FONT, 10)
    canvas.drawString(60, 760, "研发投入的情况如下。")
    top = 735
    for height in (top, top - 18, top - 18 * len(rows)):
        canvas.line(60, height, 460, height)
    for index, row in enumerate(rows):
        for text, left in zip(row, LEFTS, strict=False):
            canvas.drawString(left, top - 13 - 18 * index, text)
    canvas.drawString(60, top - 18 * len(rows) - 30, "以上数据未经审计。")
    canvas.save()
    return path


def test_a_three_line_table_of_a_file_is_read_by_rows_and_its_chunks_repeat_its_header(tmp_path: Path) -> None:
    rows = [["项目", "2020年", "2019年"], *([f"研究项目{index}", f"{index}.25", f"{index}.5"] for index in range(20))]
    document = load(write_three_line_table(tmp_path / "a.pdf", rows))
    lines = document.text.split("\n")
    assert lines == ["研发投入的情况如下。", *(" | ".join(row) for row in rows), "以上数据未经审计。"]
    children = [child for section in split_document(document, 120, 0, 600) for child in section.children]
    assert len(children) > 2
    assert {child.context for child in children[1:-1]} == {"项目 | 2020年 | 2019年"}
