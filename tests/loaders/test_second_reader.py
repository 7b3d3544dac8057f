from pathlib import Path

import pypdfium2
import pytest
from pypdf import PdfWriter
from pypdf.generic import NameObject, StreamObject
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from loaders import load
from loaders.second_reader import read_again
from rag.types import PageHealth
from tests.pdf_files import FONT
from tests.waiting import within_seconds


def write_flat(path: Path, *pages: str, lines: int = 1) -> Path:
    """A PDF whose text has no width, as a careless writer makes it: pdfium leaves such text out."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path))
    for page in pages:
        text = canvas.beginText(72, 700)
        text.setFont(FONT, 12)
        text.setHorizScale(0)
        for _ in range(lines):
            text.textLine(page)
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return path


def test_a_page_that_pdfium_reads_as_empty_is_read_by_pypdf(tmp_path: Path) -> None:
    path = write_flat(tmp_path / "a.pdf", "年假为十天。", "病假为五天。")
    with pypdfium2.PdfDocument(path) as pdf:
        assert pdf[0].get_textpage().get_text_range() == ""
    pages = load(path).pages
    assert [(page.number, page.text, page.health) for page in pages] == [
        (1, "年假为十天。", PageHealth.TEXT),
        (2, "病假为五天。", PageHealth.TEXT),
    ]


@pytest.mark.clock
def test_a_page_that_takes_pypdf_too_long_is_left_as_it_is(tmp_path: Path) -> None:
    path = write_flat(tmp_path / "a.pdf", "年假为十天。", lines=20_000)
    with within_seconds(2):
        assert read_again(path, None, [1], seconds=0.1) == {}


def test_a_file_that_pypdf_cannot_open_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(b"%PDF-1.7 and nothing more")
    assert read_again(path, None, [1]) == {}


def test_a_page_on_which_pypdf_fails_does_not_keep_it_from_the_others(tmp_path: Path) -> None:
    path = write_flat(tmp_path / "a.pdf", "年假为十天。", "病假为五天。", "事假为两天。")
    writer = PdfWriter(clone_from=str(path))
    broken = StreamObject()
    broken.set_data(b"no such thing")
    broken[NameObject("/Filter")] = NameObject("/UnknownDecode")
    writer.pages[1][NameObject("/Contents")] = writer._add_object(broken)
    writer.write(str(path))
    assert read_again(path, None, [2, 1, 3]) == {1: "年假为十天。", 3: "事假为两天。"}
