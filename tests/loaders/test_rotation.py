from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders import load
from loaders.view_worker import see
from loaders.viewer import Look
from tests.pdf_files import FONT

TEXT = ["第一条 供应商应当具备相应的资质。", "第二条 采购部门每年复核一次。", "第三条 本办法自发布之日起施行。"]
ROWS = [["项目", "一月", "二月"], ["用电量", "320", "298"], ["用水量", "1205", "1187"]]
Drawing = Callable[[Canvas], None]


def written(path: Path, *drawings: Drawing, size: tuple[float, float] = (595, 842), rotation: int = 0) -> str:
    """What is read of a PDF of one page."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path), pagesize=size)
    canvas.setPageRotation(rotation)
    for draw in drawings:
        canvas.saveState()
        canvas.setFont(FONT, 12)
        draw(canvas)
        canvas.restoreState()
    canvas.save()
    return load(path).text


def text(canvas: Canvas) -> None:
    for index, line in enumerate(TEXT):
        canvas.drawString(72, 700 - 20 * index, line)


def aslant(mark: str, size: float, *places: tuple[float, float], degrees: float = 45) -> Drawing:
    def draw(canvas: Canvas) -> None:
        for x, y in places:
            canvas.saveState()
            canvas.setFont(FONT, size)
            canvas.translate(x, y)
            canvas.rotate(degrees)
            canvas.drawString(0, 0, mark)
            canvas.restoreState()

    return draw


def turned(x: float, y: float, degrees: float, *, ruled: bool, rows: Sequence[Sequence[str]] = ROWS) -> Drawing:
    """A title and a table, turned about their upper left corner."""

    def draw(canvas: Canvas) -> None:
        canvas.translate(x, y)
        canvas.rotate(degrees)
        canvas.drawString(0, 10, "能源消耗统计")
        for index, row in enumerate(rows):
            for column, cell in enumerate(row):
                canvas.drawString(100 * column + 4, -20 * index - 16, cell)
                if ruled:
                    canvas.rect(100 * column, -20 * index - 20, 100, 20)

    return draw


@pytest.mark.parametrize("degrees", [30, 45, -45, 315])
def test_a_large_mark_aslant_is_no_text_before_or_after_it(tmp_path: Path, degrees: float) -> None:
    mark = aslant("内部资料", 60, (150, 640), degrees=degrees)
    for drawings in ((mark, text), (text, mark)):
        assert written(tmp_path / "a.pdf", *drawings).split("\n") == TEXT


def test_small_marks_aslant_that_cover_a_page_are_no_text(tmp_path: Path) -> None:
    marks = aslant("内部资料 严禁外传", 12, *((x, y) for x in (60, 260, 460) for y in (100, 400, 650)), degrees=30)
    assert written(tmp_path / "a.pdf", marks, text).split("\n") == TEXT


def test_titles_of_columns_that_stand_aslant_stay(tmp_path: Path) -> None:
    drawings = [aslant(title, 12, (100 * index, 750)) for index, title in enumerate(("研发部", "销售部"), 1)]
    read = written(tmp_path / "a.pdf", text, *drawings)
    assert all(title in read for title in ("研发部", "销售部"))


def test_a_page_of_nothing_but_text_aslant_keeps_it(tmp_path: Path) -> None:
    assert written(tmp_path / "a.pdf", aslant("请勿入内", 60, (150, 300))) == "请勿入内"


def test_text_that_lies_a_little_askew_and_slanted_letters_are_text(tmp_path: Path) -> None:
    def slanted(canvas: Canvas) -> None:
        canvas.transform(1, 0, 0.33, 1, 0, 0)
        canvas.setFont(FONT, 16)
        canvas.drawString(72, 760, "强调的话")

    read = written(tmp_path / "a.pdf", text, slanted, aslant("扫描的一行字", 16, (72, 500), degrees=2))
    assert "强调的话" in read and "扫描的一行字" in read


@pytest.mark.parametrize(
    ("degrees", "x", "y", "ruled"),
    [(90, 100, 100, True), (90, 100, 100, False), (180, 500, 500, True), (270, 400, 700, True), (270, 400, 700, False)],
)
def test_a_table_on_its_side_is_read_by_its_rows(
    tmp_path: Path, degrees: float, x: float, y: float, ruled: bool
) -> None:
    read = written(tmp_path / "a.pdf", turned(x, y, degrees, ruled=ruled))
    assert read.split("\n") == ["能源消耗统计", *(" | ".join(row) for row in ROWS)]


@pytest.mark.parametrize(("rotation", "degrees"), [(90, 90), (270, 270), (90, 0)])
def test_a_table_is_read_by_its_rows_on_a_page_that_is_turned(tmp_path: Path, rotation: int, degrees: float) -> None:
    read = written(tmp_path / "a.pdf", turned(300, 400, degrees, ruled=True), rotation=rotation)
    assert read.split("\n") == ["能源消耗统计", *(" | ".join(row) for row in ROWS)]


def test_a_header_stands_upright_above_a_table_on_its_side(tmp_path: Path) -> None:
    read = written(
        tmp_path / "a.pdf",
        lambda canvas: canvas.drawString(250, 800, "年度报告"),
        turned(100, 100, 90, ruled=True),
    )
    assert read.split("\n") == ["年度报告", "能源消耗统计", *(" | ".join(row) for row in ROWS)]


def test_what_is_read_on_its_side_is_found_where_it_stands(tmp_path: Path) -> None:
    read = written(tmp_path / "a.pdf", turned(100, 100, 90, ruled=True))
    start = read.index("用水量")
    ((box,),) = see(Look(tmp_path / "a.pdf", "a.pdf", 1, None, read, ((start, start + 3),))).boxes
    assert 143 < box.left * 595 < box.right * 595 < 162
    assert 100 < (1 - box.bottom) * 842 < (1 - box.top) * 842 < 145


def test_letters_of_a_size_below_zero_on_a_page_turned_over_stand_upright(tmp_path: Path) -> None:
    def text_of_wps(canvas: Canvas) -> None:
        canvas.transform(1, 0, 0, -1, 0, 842)
        for index, line in enumerate(TEXT):
            lines = canvas.beginText(72, 100 + 20 * index)
            lines.setFont(FONT, -12)
            lines.setHorizScale(-100)
            lines.textOut(line)
            canvas.drawText(lines)

    read = written(tmp_path / "a.pdf", text_of_wps)
    assert read.split("\n") == TEXT
    ((box,),) = see(Look(tmp_path / "a.pdf", "a.pdf", 1, None, read, ((4, 7),))).boxes
    assert 85 < box.top * 842 < 100 < box.bottom * 842 < 106
