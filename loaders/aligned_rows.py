"""Rows of pieces that stand beside each other, and the header above those that make a table. Pure functions."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import chain, pairwise

from loaders.cells import FORMULA, LONG_CELL
from loaders.cleaning import clean_line
from loaders.lines import TextLine, extended
from loaders.rows import are_titles

_HEADER_ROWS = 2
_WIDEST_PITCH = 3.0  # line heights
APART = 0.4  # em: two columns are at least this far apart, in all rows
_CAPTION = re.compile(r"[表图]\s*[\dA-Z一二三四五六七八九十]|(?:table|figure|fig)\b", re.IGNORECASE)

Column = tuple[float, float]


@dataclass(frozen=True)
class Row:
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

    def with_cells(self, others: Sequence[TextLine]) -> "Row":
        """The row with these cells as well, at its own height."""
        bottom, top = self.cells[0].bottom, self.cells[0].top
        cells = [*self.cells, *(replace(cell, bottom=bottom, top=top) for cell in others)]
        return Row([[cell] for cell in sorted(cells, key=lambda cell: cell.left)])


def follows(above: Row, row: Row) -> bool:
    """Whether a row stands right below another one."""
    near = 0 < above.top - row.top <= _WIDEST_PITCH * max(above.size, row.size)
    return near and above.is_plain and row.is_plain


def meets(cell: TextLine, column: Column) -> bool:
    """Whether a cell stands above or below a column, or as good as that."""
    margin = APART * cell.size
    return cell.left < column[1] + margin and cell.right > column[0] - margin


def with_header(rows: Sequence[Row], earliest: int, first: int, columns: Sequence[Column]) -> tuple[int, list[Row]]:
    """Where a table begins with its header, and its rows from there up to the one that it was known to begin with.

    Titles may reach over several columns, or be spaced out. One beside these, of a single column, belongs to the titles
    below them too, and may stand between the heights of both.
    """
    head: list[Row] = []
    beside: list[TextLine] = []
    start = first
    certain = start, list(head)  # where it begins without these
    while start > earliest and len(head) < _HEADER_ROWS:
        row = rows[start - 1]
        if _stands_beside(row, head, rows[first], columns):
            certain = certain if beside else (start, list(head))
            beside += row.cells
        elif follows(row, [*head, rows[first]][0]) and (titles := _as_titles(row, columns)):
            head.insert(0, titles)
        else:
            break
        start -= 1
    whole = _completed(head[-1], beside, rows[first], columns) if head else None
    if whole:
        return start, [*head[:-1], *whole]
    start, head = certain if beside else (start, head)
    return start, [*head, rows[first]]


def _as_titles(row: Row, columns: Sequence[Column]) -> Row | None:
    """A row as one of a header, a title between two columns as wide as both; None for what is none."""
    if not row.is_full or not _are_short(row):
        return None
    cells: list[TextLine] = []
    for cell in row.cells:
        wide = cell
        if not _met(cell, columns):
            gaps = ((one, other) for one, other in pairwise(columns) if one[1] < cell.left and cell.right < other[0])
            beside = next(gaps, None)
            if beside is None or any(meets(other, column) for other in row.cells for column in beside):
                return None
            wide = replace(cell, left=beside[0][1], right=beside[1][0])
        cells.append(wide)
    return Row([[cell] for cell in cells])


def _are_short(row: Row) -> bool:
    texts = [clean_line(cell.text) for cell in row.cells]
    return not row.is_caption and all(len(text) <= LONG_CELL and not FORMULA.search(text) for text in texts)


def _stands_beside(row: Row, head: Sequence[Row], below: Row, columns: Sequence[Column]) -> bool:
    """Whether a row is a title of one column that the titles below leave empty, and not above the header."""
    (cell, *others), lowest = row.cells, below.cells[0]
    highest = head[0].top if head else lowest.top + _WIDEST_PITCH * below.size
    if others or not row.is_plain or not _are_short(row) or not lowest.bottom <= cell.middle <= highest:
        return False
    met = _met(cell, columns)
    return len(met) == 1 and not any(meets(other, met[0]) for other in below.cells)


def _completed(above: Row, beside: Sequence[TextLine], below: Row, columns: Sequence[Column]) -> tuple[Row, Row] | None:
    """Two rows of a header with what stands beside titles over columns in both; None where these have not one for each.

    Below such titles, the others leave only the columns empty that have a title above or beside.
    """
    whole = above.with_cells(beside)
    over = [cell for cell in above.cells if len(_met(cell, columns)) > 1]
    alone = [cell for cell in whole.cells if cell.left not in {other.left for other in over}]
    told = sorted(column for cell in (*alone, *below.cells) for column in _met(cell, columns))
    are_beside = all(cell.middle <= above.top for cell in beside)
    is_header = are_beside and are_titles([clean_line(cell.text) for cell in below.cells])
    return (whole, below.with_cells(alone)) if over and is_header and told == list(columns) else None


def _met(cell: TextLine, columns: Sequence[Column]) -> list[Column]:
    return [column for column in columns if meets(cell, column)]
