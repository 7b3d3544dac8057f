"""Tables without upright lines: cells that stand below each other in several rows. Pure functions.

When in doubt, lines stay lines: each rule below says what it demands.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import chain, pairwise
from statistics import median

from loaders.cells import FORMULA, LONG_CELL, is_a_list, reads_like_cells
from loaders.cleaning import clean_line
from loaders.glue import glued
from loaders.headings import is_numbered_heading
from loaders.lines import TextLine, extended, is_wide, same_row
from loaders.rows import row_text

_FEWEST_ROWS = 3
_MOST_PARTIAL = 2  # rows with one cell, such as a title within the table, that follow each other
_HEADER_ROWS = 2
_WIDEST_PITCH = 3.0  # line heights
_APART = 0.4  # em: two columns are at least this far apart, in all rows
_ALIGNED = 0.5  # em: a cell may stand this far from its column's edge or middle
_LARGEST = 1.4  # of the usual size: symbols of a formula are larger
# Shares of cells or rows.
_FILLED = 0.7
_MOSTLY = 0.75
_HEADING = 1.1  # times the size of the row above: numbered titles within a table are not set larger
_WRAPPED = 0.8  # of the least step from row to row: the lines of one cell are closer

_CAPTION = re.compile(r"[表图]\s*[\dA-Z一二三四五六七八九十]|(?:table|figure|fig)\b", re.IGNORECASE)
# One title, whatever it stands over; Chinese ones have no blanks.
_LATIN_WORDS = re.compile(r"[!-~] [!-~]")

Column = tuple[float, float]


@dataclass(frozen=True)
class _Row:
    """Pieces that stand in one row, in groups between wide gaps: its cells."""

    groups: list[list[TextLine]]

    @property
    def pieces(self) -> Iterator[TextLine]:
        return chain.from_iterable(self.groups)

    @property
    def is_full(self) -> bool:
        return len(self.groups) > 1

    @cached_property
    def cells(self) -> list[TextLine]:
        return [reduce(extended, group) for group in self.groups]

    @cached_property
    def size(self) -> float:
        return max(piece.size for piece in self.pieces)

    @cached_property
    def top(self) -> float:
        return max(piece.top for piece in self.pieces)

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is neither a row of another table nor a note."""
        return not any(piece.verbatim or piece.note for piece in self.pieces)


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
        start = _with_header(rows, max(done, index - _HEADER_ROWS), index, columns)
        lines += [piece for row in rows[done:start] for piece in row.pieces]
        lines += [_line(group, columns) for group in _with_wrapped(rows[start:end], columns)]
        index = done = end
    return lines + [piece for row in rows[done:] for piece in row.pieces]


def _rows(pieces: Sequence[TextLine]) -> list[_Row]:
    rows: list[_Row] = []
    for piece in pieces:
        last = rows[-1].groups[-1][-1] if rows else None
        if last is None or piece.note or last.note or not same_row(last, piece):
            rows.append(_Row([[piece]]))
        elif is_wide(last, piece):
            rows[-1].groups.append([piece])
        else:
            rows[-1].groups[-1].append(piece)
    return rows


def _run(rows: Sequence[_Row], start: int) -> tuple[int, list[Column]]:
    """Where the rows from `start` on end that have the same columns, and these. The first and the last one are full."""
    columns: list[Column] = []
    found, partial = (start, columns), 0
    for index in range(start, len(rows)):
        partial = 0 if rows[index].is_full else partial + 1
        if partial > _MOST_PARTIAL or (index > start and not _follows(rows[index - 1], rows[index])):
            break
        wider = _joined(columns, rows[index])
        if wider is None or _is_caption(rows[index]) or (index > start and _is_heading(rows[index - 1], rows[index])):
            break
        columns = wider
        if not partial:
            found = index + 1, columns
    return found


def _follows(above: _Row, row: _Row) -> bool:
    """Whether a row stands right below another one."""
    near = 0 < above.top - row.top <= _WIDEST_PITCH * max(above.size, row.size)
    return near and above.is_plain and row.is_plain


def _joined(columns: Sequence[Column], row: _Row) -> list[Column] | None:
    """The columns wide enough for a row's cells too; None where it has two in one, or one that reaches over two."""
    joined = list(columns)
    taken: set[Column] = set()
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


def _meets(cell: TextLine, column: Column) -> bool:
    margin = _APART * cell.size
    return cell.left < column[1] + margin and cell.right > column[0] - margin


def _is_table(rows: Sequence[_Row], columns: Sequence[Column]) -> bool:
    """Whether rows with the same columns are a table, by where their cells stand and what is in them."""
    full = [row for row in rows if row.is_full]
    if len(full) < _FEWEST_ROWS or len(full) < _MOSTLY * len(rows):
        return False
    filled = [[cell for row in full for cell in row.cells if _meets(cell, column)] for column in columns]
    if sum(map(len, filled)) < _FILLED * len(full) * len(columns):
        return False
    usual = median(cell.size for row in full for cell in row.cells)
    if max(row.size for row in rows) > _LARGEST * usual or not all(_is_aligned(cells) for cells in filled):
        return False
    texts = [[clean_line(cell.text) for cell in cells] for cells in filled]
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


def _with_header(rows: Sequence[_Row], earliest: int, start: int, columns: Sequence[Column]) -> int:
    """Where the table begins with its header: titles may reach over several columns, or be spaced out."""
    while start > earliest and _follows(rows[start - 1], rows[start]) and _is_header(rows[start - 1], columns):
        start -= 1
    return start


def _is_header(row: _Row, columns: Sequence[Column]) -> bool:
    if not row.is_full or not all(any(_meets(cell, column) for column in columns) for cell in row.cells):
        return False
    texts = [clean_line(cell.text) for cell in row.cells]
    return not _is_caption(row) and all(len(text) <= LONG_CELL and not FORMULA.search(text) for text in texts)


def _is_heading(above: _Row, row: _Row) -> bool:
    """Whether a row is a numbered title set larger: what follows is another table."""
    numbered = not row.is_full and is_numbered_heading(clean_line(row.cells[0].text))
    return numbered and row.size >= _HEADING * above.size


def _is_caption(row: _Row) -> bool:
    return _CAPTION.match(clean_line(row.cells[0].text)) is not None


def _with_wrapped(rows: Sequence[_Row], columns: Sequence[Column]) -> list[list[_Row]]:
    """The rows of a table, each with the lines that its cells wrap to: these leave the first column empty."""
    steps = [above.top - row.top for above, row in pairwise(rows) if _meets(row.cells[0], columns[0])]
    closest = _WRAPPED * min(steps, default=0.0)
    groups = [[rows[0]]]
    for above, row in pairwise(rows):
        if above.top - row.top <= closest and not _meets(row.cells[0], columns[0]):
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _line(group: Sequence[_Row], columns: Sequence[Column]) -> TextLine:
    wrapped = zip(*(_texts(row, columns) for row in group), strict=True)
    text = row_text([reduce(glued, parts) for parts in wrapped])
    cells = [cell for row in group for cell in row.cells]
    whole = replace(max(cells, key=lambda cell: cell.size), text=text, verbatim=True)
    left, bottom = min(cell.left for cell in cells), min(cell.bottom for cell in cells)
    right, top = max(cell.right for cell in cells), max(cell.top for cell in cells)
    return replace(whole, left=left, right=right, bottom=bottom, top=top)


def _texts(row: _Row, columns: Sequence[Column]) -> Iterator[str]:
    """The text of each column; a cell over several columns stands in its first."""
    left = [part for cell in row.cells for part in _parted(cell, columns)]
    for column in columns:
        text = ""
        while left and _meets(left[0], column):
            text = glued(text, clean_line(left.pop(0).text))
        yield text


def _parted(cell: TextLine, columns: Sequence[Column]) -> list[TextLine]:
    """A cell, or its words where it has one for each column it meets: titles may end and begin close to each other."""
    met = [column for column in columns if _meets(cell, column)]
    text = clean_line(cell.text)
    words = text.split(" ")
    if len(met) != len(words) or _LATIN_WORDS.search(text):
        return [cell]
    return [replace(cell, text=word, left=left, right=right) for word, (left, right) in zip(words, met, strict=True)]
