"""Small PDF files for tests."""

from collections.abc import Collection, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pypdfium2
from PIL.Image import Image
from reportlab.lib import colors
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate, Table

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


def write_scan(
    path: Path, pages: Sequence[Sequence[str]], text_pages: Collection[int] = (), stamp: str = "", strips: int = 1
) -> Path:
    """A PDF of images of these lines, as a scanner makes it, with a stamp in its text layer on each.

    `text_pages` (from 1) have a text layer instead; the images of the others are cut into `strips`.
    """
    whole = write_pdf(path.with_suffix(".text.pdf"), pages)
    canvas = Canvas(str(path))
    with closing(pypdfium2.PdfDocument(whole)) as pdf:
        for number, lines in enumerate(pages, start=1):
            with closing(pdf[number - 1]) as page:
                canvas.setPageSize(page.get_size())
                if number in text_pages:
                    canvas.setFont(FONT, 12)
                    for index, line in enumerate(lines):
                        canvas.drawString(72, 760 - 20 * index, line)
                else:
                    _draw_strips(canvas, page.render(scale=1.5).to_pil(), page.get_size(), strips)
                    canvas.drawString(400, 20, stamp)
            canvas.showPage()
    canvas.save()
    whole.unlink()
    return path


def _draw_strips(canvas: Canvas, image: Image, size: tuple[float, float], strips: int) -> None:
    """An image over the whole page, as one or as several that lie below each other."""
    width, height = size
    edges = [image.height * strip // strips for strip in range(strips + 1)]
    for upper, lower in pairwise(edges):
        strip = ImageReader(image.crop((0, upper, image.width, lower)))
        share = height / image.height
        canvas.drawImage(strip, 0, height - lower * share, width, (lower - upper) * share)


def write_book(path: Path, chapters: Sequence[tuple[str, Sequence[str | Sequence[Sequence[str]]]]]) -> Path:
    """A PDF as a word processor makes it: each chapter on a page, with paragraphs that wrap and tables that are ruled.

    A table that goes on has its first row on each page.
    """
    pdfmetrics.registerFont(UnicodeCIDFont(FONT))
    body = ParagraphStyle("body", fontName=FONT, fontSize=11, leading=18, wordWrap="CJK", firstLineIndent=22)
    title = ParagraphStyle("title", fontName=FONT, fontSize=18, leading=30, spaceAfter=12)
    ruled = [("FONT", (0, 0), (-1, -1), FONT, 11), ("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    story: list[Flowable] = []
    for heading, parts in chapters:
        story.append(Paragraph(heading, title))
        story += [
            Paragraph(part, body) if isinstance(part, str) else Table(part, style=ruled, repeatRows=1) for part in parts
        ]
        story.append(PageBreak())
    SimpleDocTemplate(str(path)).build(story)
    return path
