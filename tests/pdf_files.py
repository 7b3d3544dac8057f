"""Small PDF files for tests."""

from collections.abc import Sequence
from pathlib import Path

from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

FONT = "STSong-Light"


def write_pdf(
    path: Path,
    pages: Sequence[Sequence[str]],
    outline: Sequence[tuple[str, int, int]] = (),
    encryption: StandardEncryption | None = None,
) -> Path:
    """A PDF with these lines on its pages; `outline` has title, level from 0 and page from 1."""
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    canvas = Canvas(str(path), encrypt=encryption)
    for number, lines in enumerate(pages, start=1):
        canvas.setFont(FONT, 12)
        canvas.bookmarkPage(str(number))
        for title, level, page in outline:
            if page == number:
                canvas.addOutlineEntry(title, str(number), level)
        for index, line in enumerate(lines):
            canvas.drawString(72, 760 - 20 * index, line)
        canvas.showPage()
    canvas.save()
    return path
