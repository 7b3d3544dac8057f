"""Tables without upright lines: cells that stand below each other in several rows. Pure functions.

When in doubt, lines stay lines: each rule below says what it demands.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from loaders.aligned_rows import APART, Column, Row, follows, meets, with_header
from loaders.cells import is_a_list, reads_like_cells
from loaders.cleaning import clean_line, close_gaps
from loaders.glue import glued
from loaders.lines import TextLine, is_wide, same_row
from loaders.rows import row_text

_LABEL = re.compile(r"\w{2,}[：:]")
_FEWEST_ROWS = 3
_MOST_PARTIAL = 2  # rows with one cell, such as a title within the table, that follow each other
_ALIGNED = 0.5  # em: a cell may stand this far from its column's edge or middle
_LARGEST = 1.4  # of the usual size: symbols of a formula are larger
# Shares of cells or rows.
_FILLED = 0.7
_MOSTLY = 0.75


def with_aligned_rows(pieces: Sequence[TextLine]) -> list[TextLine]:
    """The pieces of a page in order, those that make a table put together to its rows."""
    rows = _rows(pieces)
    lines: list[TextLine] = []
    index = done = 0
    while index < len(rows):
        end, columns = _run(rows, index) if rows[index].is_full else (index, [])
        if not _is_table(rows[index:end], columns):
            index += 1
            continue
        start, head = with_header(rows, done, index, columns)
        lines += [piece for row in rows[done:start] for piece in row.pieces]
        lines += [_line(row, columns) for row in (*head, *rows[index + 1 : end])]
        index = done = end
    return lines + [piece for row in rows[done:] for piece in row.pieces]


def _rows(pieces: Sequence[TextLine]) -> list[Row]:
    rows: list[Row] = []
    for piece in pieces:
        last = rows[-1].groups[-1][-1] if rows else None
        if last is None or piece.note or last.note or not same_row(last, piece):
            rows.append(Row([[piece]]))
        elif not is_wide(last, piece):
            rows[-1].groups[-1].append(piece)
        elif _is_label(whole := [*rows[-1].pieces, piece]):
            rows[-1] = Row([whole])
        else:
            rows[-1].groups.append([piece])
    return rows


def _is_label(pieces: Sequence[TextLine]) -> bool:
    """Whether what begins a row is a spaced-out label with its colon, `地 址：…`: forms have them below each other."""
    text = "\t".join(piece.text for piece in pieces)
    return _LABEL.match(text.replace("\t", "")) is not None and "\t" not in close_gaps(text)


def _run(rows: Sequence[Row], start: int) -> tuple[int, list[Column]]:
    """Where the rows from `start` on end that have the same columns, and these. The first and the last one are full."""
    columns: list[Column] = []
    found, partial = (start, columns), 0
    for index in range(start, len(rows)):
        partial = 0 if rows[index].is_full else partial + 1
        if partial > _MOST_PARTIAL or (index > start and not follows(rows[index - 1], rows[index])):
            break
        wider = _joined(columns, rows[index])
        if wider is None or rows[index].is_caption:
            break
        columns = wider
        if not partial:
            found = index + 1, columns
    return found


def _joined(columns: Sequence[Column], row: Row) -> list[Column] | None:
    """The columns wide enough for a row's cells too; None where it has two in one, or one that reaches over two."""
    joined = list(columns)
    taken: set[Column] = set()
    for cell in row.cells:
        met = [column for column in joined if meets(cell, column)]
        if len(met) > 1 or any(column in taken for column in met):
            return None
        wider = min([cell.left, *(left for left, _ in met)]), max([cell.right, *(right for _, right in met)])
        joined = [*(column for column in joined if column not in met), wider]
        taken.add(wider)
    joined.sort()
    narrow = any(right + APART * row.size > left for (_, right), (left, _) in pairwise(joined))
    return None if narrow else joined


def _is_table(rows: Sequence[Row], columns: Sequence[Column]) -> bool:
    """Whether rows with the same columns are a table, by where their cells stand and what is in them."""
    full = [row for row in rows if row.is_full]
    if len(full) < _FEWEST_ROWS or len(full) < _MOSTLY * len(rows):
        return False
    filled = [[cell for row in full for cell in row.cells if meets(cell, column)] for column in columns]
    if sum(map(len, filled)) < _FILLED * len(full) * len(columns):
        return False
    usual = median(cell.size for row in full for cell in row.cells)
    if max(row.size for row in rows) > _LARGEST * usual or not all(map(_is_aligned, filter(None, filled))):
        return False
    texts = [[clean_line(cell.text) for cell in cells] for cells in filled if cells]
    return reads_like_cells(texts) and not is_a_list(texts)


def _is_aligned(cells: Sequence[TextLine]) -> bool:
    """Whether a column's cells begin, end or have their middles below each other, nearly all of them."""
    for edges in (
        [cell.left for cell in cells],
        [cell.right for cell in cells],
        [(cell.left + cell.right) / 2 for cell in cells],
    ):
        usual = median(edges)
        near = sum(abs(edge - usual) <= _ALIGNED * cell.size for edge, cell in zip(edges, cells, strict=True))
        if near >= _MOSTLY * len(cells):
            return True
    return False


def _line(row: Row, columns: Sequence[Column]) -> TextLine:
    cells = row.cells
    whole = replace(max(cells, key=lambda cell: cell.size), text=row_text(list(_texts(row, columns))), verbatim=True)
    left, bottom = min(cell.left for cell in cells), min(cell.bottom for cell in cells)
    right, top = max(cell.right for cell in cells), max(cell.top for cell in cells)
    return replace(whole, left=left, right=right, bottom=bottom, top=top)


def _texts(row: Row, columns: Sequence[Column]) -> Iterator[str]:
    """The text of each column; a cell over several columns stands in its first."""
    left = list(row.cells)
    for column in columns:
        text = ""
        while left and meets(left[0], column):
            text = glued(text, clean_line(left.pop(0).text))
        yield text
