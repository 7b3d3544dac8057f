"""Tables without upright lines: cells that stand below each other in several rows. Pure functions.

When in doubt, lines stay lines: each rule below says what it demands.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import chain, pairwise
from statistics import median

from loaders.cells import LONG_CELL, is_a_list, reads_like_cells
from loaders.cleaning import clean_line, close_gaps
from loaders.glue import glued
from loaders.lines import TextLine, extended, is_wide, same_row
from loaders.rows import row_text

_LABEL = re.compile(r"\w{2,}[：:]")
_CAPTION = re.compile(r"[表图]\s*[\dA-Z一二三四五六七八九十]|(?:table|figure|fig)\b", re.IGNORECASE)
_HEADER_ROWS = 2
_WIDEST_PITCH = 3.0  # line heights
_APART = 0.4  # em: two columns are at least this far apart, in all rows
_FEWEST_ROWS = 3
_MOST_PARTIAL = 2  # rows with one cell, such as a title within the table, that follow each other
_ALIGNED = 0.5  # em: a cell may stand this far from its column's edge or middle
_LARGEST = 1.4  # of the usual size: symbols of a formula are larger
# Shares of cells or rows.
_FILLED = 0.7
_MOSTLY = 0.75

_Column = tuple[float, float]


@dataclass(frozen=True)
class _Row:
    """Pieces that stand in one row, in groups between wide gaps: its cells."""

    groups: list[list[TextLine]]

    @property
    def pieces(self) -> Iterator[TextLine]:
        """The pieces from left to right."""
        return chain.from_iterable(self.groups)

    @property
    def is_full(self) -> bool:
        """Whether it has several cells."""
        return len(self.groups) > 1

    @cached_property
    def cells(self) -> list[TextLine]:
        """Each group as one."""
        return [reduce(extended, group) for group in self.groups]

    @cached_property
    def size(self) -> float:
        """The size of its largest piece."""
        return max(piece.size for piece in self.pieces)

    @cached_property
    def top(self) -> float:
        """The height that it reaches."""
        return max(piece.top for piece in self.pieces)

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is neither a row of another table nor a note."""
        return not any(piece.verbatim or piece.note for piece in self.pieces)

    @cached_property
    def is_caption(self) -> bool:
        """Whether it begins as the title of a table or a figure."""
        return _CAPTION.match(clean_line(self.cells[0].text)) is not None


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
        start = _with_header(rows, done, index, columns)
        lines += [piece for row in rows[done:start] for piece in row.pieces]
        lines += [_line(row, columns) for row in rows[start:end]]
        index = done = end
    return lines + [piece for row in rows[done:] for piece in row.pieces]


def _rows(pieces: Sequence[TextLine]) -> list[_Row]:
    rows: list[_Row] = []
    for piece in pieces:
        last = rows[-1].groups[-1][-1] if rows else None
        if last is None or piece.note or last.note or not same_row(last, piece):
            rows.append(_Row([[piece]]))
        elif not is_wide(last, piece):
            rows[-1].groups[-1].append(piece)
        elif _is_label(whole := [*rows[-1].pieces, piece]):
            rows[-1] = _Row([whole])
        else:
            rows[-1].groups.append([piece])
    return rows


def _is_label(pieces: Sequence[TextLine]) -> bool:
    """Whether what begins a row is a spaced-out label with its colon, `地 址：…`: forms have them below each other."""
    text = "\t".join(piece.text for piece in pieces)
    return _LABEL.match(text.replace("\t", "")) is not None and "\t" not in close_gaps(text)


def _run(rows: Sequence[_Row], start: int) -> tuple[int, list[_Column]]:
    """Where the rows from `start` on end that have the same columns, and these. The first and the last one are full."""
    columns: list[_Column] = []
    found, partial = (start, columns), 0
    for index in range(start, len(rows)):
        partial = 0 if rows[index].is_full else partial + 1
        if partial > _MOST_PARTIAL or (index > start and not _follows(rows[index - 1], rows[index])):
            break
        wider = _joined(columns, rows[index])
        if wider is None or rows[index].is_caption:
            break
        columns = wider
        if not partial:
            found = index + 1, columns
    return found


def _joined(columns: Sequence[_Column], row: _Row) -> list[_Column] | None:
    """The columns wide enough for a row's cells too; None where it has two in one, or one that reaches over two."""
    joined = list(columns)
    taken: set[_Column] = set()
    for cell in row.cells:
        met = [column for column in joined if _meets(cell, column)]
        if len(met) > 1 or any(column in taken for column in met):
            return None
        wider = min([cell.left, *(left for left, _ in met)]), max([cell.right, *(right for _, right in met)])
        joined = [*(column for column in joined if column not in met), wider]
        taken.add(wider)
    joined.sort()
    narrow = any(right + _APART * row.size > left for (_, right), (left, _) in pairwise(joined))
    return None if narrow else joined


def _follows(above: _Row, row: _Row) -> bool:
    """Whether a row stands right below another one."""
    return row.is_plain and 0 < above.top - row.top <= _WIDEST_PITCH * max(above.size, row.size)


def _meets(cell: TextLine, column: _Column) -> bool:
    """Whether a cell stands above or below a column, or as good as that."""
    margin = _APART * cell.size
    return cell.left < column[1] + margin and cell.right > column[0] - margin


def _with_header(rows: Sequence[_Row], earliest: int, first: int, columns: Sequence[_Column]) -> int:
    """Where a table begins with the header above the row that it was known to begin with."""
    start = first
    while start > max(earliest, first - _HEADER_ROWS) and _follows(rows[start - 1], rows[start]):
        if not _names_columns(rows[start - 1], columns):
            break
        start -= 1
    return start


def _names_columns(row: _Row, columns: Sequence[_Column]) -> bool:
    """Whether the cells of a row may be titles, each of a column or of several."""
    if not row.is_full or row.is_caption or any(len(clean_line(cell.text)) > LONG_CELL for cell in row.cells):
        return False
    return all(any(_meets(cell, column) for column in columns) for cell in row.cells)


def _is_table(rows: Sequence[_Row], columns: Sequence[_Column]) -> bool:
    """Whether rows with the same columns are a table, by where their cells stand and what is in them."""
    full = [row for row in rows if row.is_full]
    if len(full) < _FEWEST_ROWS or len(full) < _MOSTLY * len(rows):
        return False
    filled = [[cell for row in full for cell in row.cells if _meets(cell, column)] for column in columns]
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


def _line(row: _Row, columns: Sequence[_Column]) -> TextLine:
    cells = row.cells
    whole = replace(max(cells, key=lambda cell: cell.size), text=row_text(list(_texts(row, columns))), verbatim=True)
    left, bottom = min(cell.left for cell in cells), min(cell.bottom for cell in cells)
    right, top = max(cell.right for cell in cells), max(cell.top for cell in cells)
    return replace(whole, left=left, right=right, bottom=bottom, top=top)


def _texts(row: _Row, columns: Sequence[_Column]) -> Iterator[str]:
    """The text of each column; a cell over several columns stands in its first."""
    left = list(row.cells)
    for column in columns:
        text = ""
        while left and _meets(left[0], column):
            text = glued(text, clean_line(left.pop(0).text))
        yield text
