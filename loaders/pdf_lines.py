"""The lines of a PDF page with their boxes, from pdfium's characters."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from ctypes import c_void_p, cast
from functools import cache, partial
from itertools import groupby, islice, pairwise
from statistics import median
from typing import Any

import pypdfium2.raw as pdfium

from loaders.columns import row_order
from loaders.font_codes import character_codes, font_of, words_without_blank
from loaders.glue import HYPHENS, with_hyphens
from loaders.lines import CELL_GAP, TextLine
from loaders.numerals import BULLETS
from loaders.rotation import BLANKS, Line, PageBox, Rotation, directed, page_rotation, without_watermarks
from loaders.ruling import Grid, page_grids
from loaders.symbols import IN_PDF
from loaders.tables import Cell, tables_among, with_table_rows

_BULLET = re.compile(rf"[{BULLETS}{''.join(IN_PDF)}]")
_LINE_BREAKS = (0x0A, 0x0D)
_FIRST_CHINESE = 0x2E80
_FIXED_PITCH = 1  # of a font's flags, as PDF has them
_TYPEWRITER = re.compile("Mono|Courier|Consol|Menlo|Typewriter")
_SMALLEST = 1.0  # point: characters without a height, such as those of some generated fonts
_STRAIGHT = 0.2  # em: characters of a text that runs downwards begin below each other
_AS_HIGH = 1.25  # characters of one size, in fonts that differ


def text_lines(page: Any, text_page: Any, own: int | None = None) -> tuple[list[TextLine], tuple[float, float]]:
    """The lines of a `PdfPage` in the order of the file, parted where a gap is wider than a blank, and its two edges.

    What stands in a grid that is a table comes as the table's rows. Text on its side is turned, with its tables and
    the lower and the upper edge of the page. What is filled in behind its `own` characters stands where it is seen.
    """
    raw = text_page.raw
    codes = character_codes(raw, text_page.count_chars())
    parted_words = words_without_blank(raw, codes)
    filled_in = list(_filled_in(raw, codes, own)) if own else []
    lines = without_watermarks(raw, codes, directed(raw, codes, [*_lines(codes[:own]), *filled_in]))
    rotation = page_rotation(page, lines)
    box = _boxes(raw, lines, rotation)
    upright = rotation.quarters if rotation else 0
    rows = (row for line in lines for row in _rows(box, codes, line, upright=line.quarters == upright))
    pieces = (piece for row in rows for piece in _pieces(box, codes, *row))
    grids = page_grids(page, rotation)
    cells = _cells(box, codes, grids) if grids else [None] * len(codes)
    parted = (part for start, end in pieces for part in _cell_pieces(cells, codes, start, end)) if grids else pieces
    spans = list(parted)
    listed = _listed(raw, codes, spans)
    texts = (_text(codes, *span, parted_words) for span in spans)
    placed = [
        (cells[span[0]], _measured(box, codes, *span, text, listed=span in listed))
        for span, text in zip(spans, texts, strict=True)
    ]
    # What is shown on its side, pdfium puts in an order of its own.
    if filled_in or 90 * upright != page.get_rotation():
        placed = [placed[index] for index in row_order([piece for _, piece in placed])]
    sheet = PageBox(*page.get_bbox())
    _, bottom, _, top = rotation.undone(sheet) if rotation else sheet
    return with_table_rows(placed, grids), (bottom, top)


def _cells(box: "_Boxes", codes: list[int], grids: Sequence[Grid]) -> list[Cell | None]:
    """The cell that each character stands in; None outside tables."""
    cells = [None if code in BLANKS else _cell(box(index), grids) for index, code in enumerate(codes)]
    tables = tables_among(grids, cells)
    return [cell if cell is not None and cell.grid in tables else None for cell in cells]


def _cell(box: PageBox, grids: Sequence[Grid]) -> Cell | None:
    x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    for number, grid in enumerate(grids):
        if cell := grid.cell_at(x, y):
            return Cell(number, *cell)
    return None


def _cell_pieces(cells: Sequence[Cell | None], codes: list[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """A piece's parts in different cells, without blanks around them."""
    written = [index for index in range(start, end) if codes[index] not in BLANKS]
    for _, part in groupby(written, key=lambda index: cells[index]):
        indices = list(part)
        yield indices[0], indices[-1] + 1


def _lines(codes: list[int]) -> Iterator[tuple[int, int]]:
    """Where lines start and end, blanks at either end left out."""
    start = 0
    for index, code in enumerate([*codes, _LINE_BREAKS[0]]):
        if code in _LINE_BREAKS:
            end = index
            while start < end and codes[start] in BLANKS:
                start += 1
            while end > start and codes[end - 1] in BLANKS:
                end -= 1
            if end > start:
                yield start, end
            start = index + 1


def _filled_in(raw: Any, codes: list[int], start: int) -> Iterator[tuple[int, int]]:
    """Where the lines of each field start and end: pdfium sees none between two of them that nothing parts."""
    written = (index for index in range(start, len(codes)) if codes[index] not in (*BLANKS, *_LINE_BREAKS))
    for _, line in groupby(written, key=lambda index: cast(pdfium.FPDFText_GetTextObject(raw, index), c_void_p).value):
        indices = list(line)
        yield indices[0], indices[-1] + 1


def _rows(box: "_Boxes", codes: list[int], line: Line, *, upright: bool) -> Iterator[tuple[int, int]]:
    """A line's parts one below the other: of a heading in bold strokes pdfium sees no new line, since it measures
    strokes before they are scaled."""
    start = line.start
    if upright and _is_below(box(start), box(line.end - 1)):
        written = (index for index in range(start, line.end) if codes[index] not in BLANKS)
        for before, after in pairwise(written):
            if codes[before] not in HYPHENS and _is_new_row(box(before), box(after)):
                yield start, before + 1
                start = after
    yield start, line.end


def _is_new_row(before: PageBox, after: PageBox) -> bool:
    """Whether what follows is below, neither right behind it, as an index is, nor as text that runs downwards is."""
    size = max(before.height, after.height)
    downwards = abs(after.left - before.left) <= _STRAIGHT * size
    apart = after.left - before.right > CELL_GAP * size
    return _is_below(before, after) and not downwards and (apart or after.left < before.right)


def _is_below(before: PageBox, after: PageBox) -> bool:
    return after.top < before.bottom


def _pieces(box: "_Boxes", codes: list[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """A line's parts between wide gaps. Only the neighbours of blanks are measured."""
    index = start
    while index < end:
        if codes[index] not in BLANKS:
            index += 1
            continue
        blank = index
        while codes[index] in BLANKS:
            index += 1
        before, after = box(blank - 1), box(index)
        gap = CELL_GAP * max(before.height, after.height)
        if after.left - before.right > gap or (
            before.left - after.right > gap and _begins_line(box(start), before, after)
        ):
            yield start, blank
            start = index
    yield start, end


def _begins_line(first: PageBox, before: PageBox, after: PageBox) -> bool:
    """Whether what goes on farther left is below, or beside what pdfium takes it for the rest of: a note in the margin.

    The text of a cell that is too narrow runs into the next one.
    """
    return after.left < first.left or after.top <= (before.bottom + before.top) / 2


def _text(codes: list[int], start: int, end: int, parted_words: Collection[int]) -> str:
    """What a line says, with its hyphens, and a blank before each of the words that have none."""
    starts = [start, *(index for index in range(start + 1, end) if index in parted_words)]
    words = ("".join(map(chr, filter(None, codes[one:other]))) for one, other in pairwise([*starts, end]))
    text = with_hyphens(" ".join(words), codes)
    # Characters outside the first plane may come as two surrogates.
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _measured(box: "_Boxes", codes: list[int], start: int, end: int, text: str, *, listed: bool) -> TextLine:
    first, last = box(start), box(end - 1)
    boxes = [box(_behind_bullet(codes, start, end)), last]
    if all(map(_is_flat, boxes)):
        boxes += islice((one for one in map(box, range(start, end)) if not _is_flat(one)), 1)
    size = max(_SMALLEST, _height(boxes, codes[start:end], lambda at: box(start + at)))
    bottom, top = min(one.bottom for one in boxes), max(one.top for one in boxes)
    return TextLine(text, first.left, last.right, bottom, top, size, listed=listed)


def _height(ends: Sequence[PageBox], codes: Sequence[int], box: Callable[[int], PageBox]) -> float:
    """The height of a line by its two ends, or by its Chinese where these are of two fonts and most of it is Chinese.

    In a formula the higher one shows how far it reaches.
    """
    heights = [one.height for one in ends]
    higher = codes[-1] if heights[-1] == max(heights) else codes[0]
    if max(heights) > _AS_HIGH * min(heights) and chr(higher).isalnum():
        chinese = [at for at, code in enumerate(codes) if code >= _FIRST_CHINESE]
        if 2 * len(chinese) > len(codes):
            return median(box(at).height for at in chinese)
    return max(heights)


def _listed(raw: Any, codes: list[int], spans: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """Those of a page's lines that are set in a typewriter's letters; none where all are."""

    def is_typewritten(index: int) -> bool:
        name, flags = font_of(raw, index)
        return bool(flags & _FIXED_PITCH or _TYPEWRITER.search(name))

    # In fonts of Chinese all characters may be of one width.
    latin = ((start, end) for start, end in spans if codes[start] < _FIRST_CHINESE)
    found = {(start, end) for start, end in latin if is_typewritten(start) and is_typewritten(end - 1)}
    return found if len(found) < len(spans) else set()


def _behind_bullet(codes: list[int], start: int, end: int) -> int:
    """Where a line's text begins: its bullet may be of another font, half as high again as that of the text."""
    if not _BULLET.match(chr(codes[start])):
        return start
    return next((index for index in range(start + 1, end) if codes[index] not in BLANKS), start)


def _is_flat(box: PageBox) -> bool:
    """Whether a character's box shows nothing of its font's height: that of 一 may be as low as its stroke."""
    return 2 * box.height < box.right - box.left


_Boxes = Callable[[int], PageBox]


def _boxes(raw: Any, lines: Sequence[Line], rotation: Rotation | None) -> _Boxes:
    """Tells a character's box. Measuring is slow, and what stands between two blanks is asked for up to four times."""
    measured = cache(partial(_box, raw, pdfium.FS_RECTF()))
    if rotation is None:
        return measured
    # A header may stand upright above a table on its side.
    turned = {index for line in lines if line.quarters == rotation.quarters for index in range(line.start, line.end)}
    return cache(lambda index: rotation.undone(measured(index)) if index in turned else measured(index))


def _box(raw: Any, rectangle: Any, index: int) -> PageBox:
    """A character's box, as high as its font: capitals and commas alike. The rectangle is only lent."""
    pdfium.FPDFText_GetLooseCharBox(raw, index, rectangle)
    return PageBox(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
