"""Recognised lines put in reading order, cleaned and joined, with the place of each. Pure functions."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from statistics import median

from loaders.cleaning import clean_line
from loaders.columns import row_order
from loaders.headers_footers import without_headers_footers
from loaders.heading_detection import detect_headings
from loaders.headings import bare
from loaders.lines import TextLine
from loaders.outline import complete_outline
from loaders.page_breaks import with_separators
from loaders.page_rows import page_rows
from loaders.paragraphs import join_with_places
from rag.types import Box, Heading, LoadedDocument, Page, PageHealth, PlacedLine, RecognisedLine, RecognisedPage

# The boxes of lines of one size differ in height: a smaller difference says nothing about the size.
_SMALLER, _LARGER = 0.7, 1.4
_DRIFT = 14.0  # points: sheets lie up to half a centimetre higher or lower in a scanner


def is_readable(page: RecognisedPage) -> bool:
    """Whether anything that was recognised is text."""
    return any(clean_line(line.text) for line in page.lines)


def with_recognised(document: LoadedDocument, recognised: Mapping[int, RecognisedPage]) -> LoadedDocument:
    """The document, pages with recognised text in place of those without readable text, by number."""
    imaged = {page.number for page in document.pages if page.health is not PageHealth.TEXT}
    numbers = [number for number, page in recognised.items() if number in imaged and is_readable(page)]
    seen = [recognised[number] for number in numbers]
    edges = [(0.0, page.height) for page in seen]
    rows = without_headers_footers([_rows(page) for page in seen], edges, numbers, drift=_DRIFT)
    apart = {bare(heading.title) for heading in document.outline}
    read = {
        number: _page(document.pages[number - 1], recognised[number], lines, apart)
        for number, lines in zip(numbers, rows, strict=True)
    }
    lines_of = dict(zip(numbers, rows, strict=True))
    pages = with_separators(
        [read.get(page.number, page) for page in document.pages],
        [lines_of.get(page.number, []) for page in document.pages],
        apart,
    )
    return replace(document, pages=pages, outline=_outline(document.outline, pages))


def _page(page: Page, seen: RecognisedPage, rows: Sequence[TextLine], apart: Collection[str]) -> Page:
    text, places = join_with_places(rows, apart)
    lines = tuple(PlacedLine(start, end, _box(row, seen)) for row, start, end in places)
    return Page(page.number, page.label, text, PageHealth.OCR, lines)


def _outline(outline: Sequence[Heading], pages: Sequence[Page]) -> tuple[Heading, ...]:
    """The file's headings; where they tell nothing of the recognised pages, with those found on them."""
    recognised = [page for page in pages if page.health is PageHealth.OCR]
    numbers = {page.number for page in recognised}
    if any(heading.page in numbers for heading in outline):
        return complete_outline(outline, recognised)
    return tuple(sorted([*outline, *detect_headings(recognised)], key=lambda heading: heading.page))


def _rows(page: RecognisedPage) -> list[TextLine]:
    """A recogniser tells its lines in any order."""
    pieces = _pieces(page)
    return page_rows([pieces[index] for index in row_order(pieces)])


def _pieces(page: RecognisedPage) -> list[TextLine]:
    pieces = [_piece(line, page) for line in page.lines if clean_line(line.text)]
    usual = median(piece.size for piece in pieces) if pieces else 0.0
    return [
        replace(piece, size=usual) if _SMALLER * usual <= piece.size <= _LARGER * usual else piece for piece in pieces
    ]


def _piece(line: RecognisedLine, page: RecognisedPage) -> TextLine:
    """A piece in points, y growing upwards."""
    box = line.box
    top, bottom = (1 - box.top) * page.height, (1 - box.bottom) * page.height
    return TextLine(line.text, box.left * page.width, box.right * page.width, bottom, top, top - bottom)


def _box(row: TextLine, page: RecognisedPage) -> Box:
    edges = row.left / page.width, 1 - row.top / page.height, row.right / page.width, 1 - row.bottom / page.height
    return Box(*(round(edge, 5) for edge in edges))
