"""Which lines of a page rule its tables, where these stand in form objects."""

from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders import load
from tests.pdf_files import FONT

_TABLE = [["档次", "月费"], ["基础档", "29元"], ["高级档", "59元"]]


def write_form(path: Path, rows: list[list[str]], scale: float = 1, depth: int = 1, beside: str = "") -> Path:
    """A table written into form objects in each other, that are drawn to scale, and what stands beside it."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path))
    canvas.beginForm("0")
    canvas.setFont(FONT, 12 / scale)
    canvas.setLineWidth(1 / scale)
    for index, row in enumerate(rows):
        for column, text in enumerate(row):
            left, bottom = (72 + 100 * column) / scale, (700 - 30 * index) / scale
            canvas.rect(left, bottom, 100 / scale, 30 / scale)
            canvas.drawString(left + 4 / scale, bottom + 10 / scale, text)
    canvas.endForm()
    for level in range(1, depth):
        canvas.beginForm(str(level))
        canvas.doForm(str(level - 1))
        canvas.endForm()
    if beside:
        canvas.setFont(FONT, 12)
        canvas.drawString(72, 760, beside)
    canvas.scale(scale, scale)
    canvas.doForm(str(depth - 1))
    canvas.save()
    return path


@pytest.mark.parametrize("scale", [0.05, 1, 2])
@pytest.mark.parametrize("depth", [1, 2])
def test_a_page_that_is_one_form_object_has_its_tables(tmp_path: Path, scale: float, depth: int) -> None:
    path = write_form(tmp_path / "wps.pdf", _TABLE, scale, depth)
    assert load(path).text == "档次 | 月费\n基础档 | 29元\n高级档 | 59元"


@pytest.mark.parametrize(("beside", "read"), [("", "输入 | 输出"), ("下图是一个系统。", "下图是一个系统。\n输入 输出")])
def test_a_form_object_beside_text_is_a_drawing(tmp_path: Path, beside: str, read: str) -> None:
    assert load(write_form(tmp_path / "drawing.pdf", [["输入", "输出"]], beside=beside)).text == read


def test_forms_in_each_other_are_looked_into_for_a_while(tmp_path: Path) -> None:
    assert load(write_form(tmp_path / "nested.pdf", [["输入", "输出"]], depth=40)).text == "输入 输出"
