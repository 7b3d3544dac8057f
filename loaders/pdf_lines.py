"""The lines of a PDF page with their boxes, from pdfium's characters."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import groupby
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

from loaders.lines import CELL_GAP, TextLine
from loaders.ruling import Grid
from loaders.tables import Cell, tables_among, with_table_rows

# pdfium marks a hyphen that a line break brought about; the word is whole without it.
_SOFT_HYPHEN = 0xFFFE
_LINE_BREAKS = (0x0A, 0x0D)
_BLANKS = (0x20, 0xA0, 0x3000)
_SMALLEST = 1.0  # point: characters without a height, such as those of some generated fonts


def text_lines(text_page: Any, grids: Sequence[Grid] = ()) -> list[TextLine]:
    """The lines of a `PdfTextPage` in the order of the file, parted where a gap is wider than a blank.

    What stands in a grid that is a table comes as the table's rows.
    """
    raw = text_page.raw
    codes = [pdfium.FPDFText_GetUnicode(raw, index) for index in range(text_page.count_chars())]
    # Measuring is slow, and what stands between two blanks is asked for up to four times.
    box = cache(partial(_box, raw))
    pieces = (piece for start, end in _lines(codes) for piece in _pieces(box, codes, start, end))
    if not grids:
        return [_measured(box, codes, start, end) for start, end in pieces]
    cells = _cells(box, codes, grids)
    parted = (part for start, end in pieces for part in _cell_pieces(cells, codes, start, end))
    return with_table_rows([(cells[start], _measured(box, codes, start, end)) for start, end in parted], grids)


def _cells(box: "_Boxes", codes: list[int], grids: Sequence[Grid]) -> list[Cell | None]:
    """The cell that each character stands in; None outside tables."""
    cells = [None if code in _BLANKS else _cell(box(index), grids) for index, code in enumerate(codes)]
    tables = tables_among(grids, cells)
    return [cell if cell is not None and cell.grid in tables else None for cell in cells]


def _cell(box: "_Box", grids: Sequence[Grid]) -> Cell | None:
    x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    for number, grid in enumerate(grids):
        if cell := grid.cell_at(x, y):
            return Cell(number, *cell)
    return None


def _cell_pieces(cells: Sequence[Cell | None], codes: list[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """A piece's parts in different cells, without blanks around them."""
    written = [index for index in range(start, end) if codes[index] not in _BLANKS]
    for _, part in groupby(written, key=lambda index: cells[index]):
        indices = list(part)
        yield indices[0], indices[-1] + 1


def _lines(codes: list[int]) -> Iterator[tuple[int, int]]:
    """Where lines start and end, blanks at either end left out."""
    start = 0
    for index, code in enumerate([*codes, _LINE_BREAKS[0]]):
        if code in _LINE_BREAKS:
            end = index
            while start < end and codes[start] in _BLANKS:
                start += 1
            while end > start and codes[end - 1] in _BLANKS:
                end -= 1
            if end > start:
                yield start, end
            start = index + 1


def _pieces(box: "_Boxes", codes: list[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """A line's parts between wide gaps. Only the neighbours of blanks are measured."""
    index = start
    while index < end:
        if codes[index] not in _BLANKS:
            index += 1
            continue
        blank = index
        while codes[index] in _BLANKS:
            index += 1
        before, after = box(blank - 1), box(index)
        if after.left - before.right > CELL_GAP * max(before.height, after.height):
            yield start, blank
            start = index
    yield start, end


def _measured(box: "_Boxes", codes: list[int], start: int, end: int) -> TextLine:
    first, last = box(start), box(end - 1)
    text = "".join(chr(code) for code in codes[start:end] if code not in (0, _SOFT_HYPHEN))
    # Characters outside the first plane may come as two surrogates.
    whole = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    size = max(first.height, last.height, _SMALLEST)
    return TextLine(whole, first.left, last.right, min(first.bottom, last.bottom), max(first.top, last.top), size)


class _Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        return self.top - self.bottom


_Boxes = Callable[[int], _Box]


def _box(raw: Any, index: int) -> _Box:
    """A character's box, as high as its font: capitals and commas alike."""
    rectangle = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(raw, index, rectangle)
    return _Box(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
