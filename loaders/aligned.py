"""Tables without upright lines: cells that stand below each other in several rows. Pure functions.

Where in doubt, lines stay lines: what is asked for is told at each rule below.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import chain, pairwise
from statistics import median

from loaders.cleaning import CJK, clean_line
from loaders.headings import is_contents_entry
from loaders.lines import TextLine, extended, glue, is_code, is_wide, same_row
from loaders.rows import row_text

_FEWEST_ROWS = 3
_MOST_PARTIAL = 2  # rows with one cell, such as a title within the table, that follow each other
_HEADER_ROWS = 2
_WIDEST_PITCH = 3.0  # line heights
_APART = 0.4  # em: what parts two columns at least, over all rows
_ALIGNED = 0.5  # em: so far from its column's edge or middle may a cell stand
_LARGEST = 1.4  # of the usual size: symbols of a formula are larger
# Shares of cells or rows.
_FILLED = 0.7
_MOSTLY = 0.75
_MOST_OF_A_TEXT = 0.3  # formulas, and cells that end with a comma
# Characters: columns of prose are wider, two columns of a table at least are not.
_LONG_CELL, _LONGEST_CELL = 14, 30

_WORD = re.compile(rf"[{CJK}]{{2}}|[A-Za-z]{{3}}")
_NUMBER = re.compile(r"[-+−(（¥$]*\d[\d,.]*[)）]?\s*[%％‰元次个万亿年]?|[-—–/]+|N/?A", re.IGNORECASE)
_FORMULA = re.compile(r"[=<>∑∏∫∂√∞≈≠≤≥⩽⩾∈∉∀∃∇∝×÷⊤∥‖λμσθαβγδεω^]|· ?· ?·|\. ?\. ?\.")
_FORMULA_NUMBER = re.compile(r"[(（]\d{1,3}(?:[.\-–]\d{1,3})*[a-z]?[)）]")
# What the items of a list begin with: `[3]`, `(a)`, `二、`, `例 7`, or a bullet.
_MARKER = re.compile(
    r"\D{0,3}\d{1,3}(?:\.\d{1,3})*\W{0,2}|\W?(?:[a-zA-Z]|[ivx]{2,4}|[一二三四五六七八九十]{1,3})\W?|[^\w\s]{1,2}"
)
_GOES_ON = re.compile(r"[,，、;；]$")
_CAPTION = re.compile(r"[表图]\s*[\dA-Z一二三四五六七八九十]|(?:table|figure|fig)\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"[.…·\s]*(\d{1,4})")  # what a recogniser sees of leaders belongs to either cell
_PAGE_TITLE = re.compile(r"页[码次数]?|pages?", re.IGNORECASE)

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
        lines += [_line(row, columns) for row in rows[start:end]]
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
        if wider is None or _is_caption(rows[index]):
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
    return _reads_like_cells(texts) and not _is_a_list(texts)


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


def _reads_like_cells(columns: Sequence[Sequence[str]]) -> bool:
    """Whether columns hold words and numbers: no formulas, no code, no prose."""
    cells = [text for column in columns for text in column]
    if any(is_contents_entry(text) for text in cells) or sum(is_code(text) for text in cells) > 1:
        return False
    if any(_share(pattern, cells) > _MOST_OF_A_TEXT for pattern in (_FORMULA, _GOES_ON)):
        return False
    lengths = [median(len(text) for text in column) for column in columns]
    # Two columns with a long one may as well be terms and their definitions, run in.
    if max(lengths) > _LONGEST_CELL or sum(length > _LONG_CELL for length in lengths) > len(lengths) - 2:
        return False
    worded = any(_share(_WORD, column) >= _MOSTLY for column in columns)
    titled = all(_WORD.search(column[0]) for column in columns)
    numbers = sum(_NUMBER.fullmatch(text) is not None for text in cells)
    return worded or (titled and numbers >= len(cells) / 2)


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    return sum(pattern.search(text) is not None for text in texts) / len(texts)


def _is_a_list(columns: Sequence[Sequence[str]]) -> bool:
    """Whether rows are numbered formulas, the items of a list, or titles with the pages that they stand on."""
    first, last = columns[0], columns[-1]
    if sum(_FORMULA_NUMBER.fullmatch(text) is not None for text in last) > 1:
        return True
    if len(columns) == 2 and all(_MARKER.fullmatch(text) for text in first):
        return True
    pages = last[1:] if _PAGE_TITLE.fullmatch(last[0]) else last
    numbers = [int(match[1]) for text in pages if (match := _PAGE_NUMBER.fullmatch(text))]
    return len(numbers) == len(pages) and numbers == sorted(numbers)


def _with_header(rows: Sequence[_Row], earliest: int, start: int, columns: Sequence[Column]) -> int:
    """Where the table begins with its header: titles may reach over several columns, or be spaced out."""
    while start > earliest and _follows(rows[start - 1], rows[start]) and _is_header(rows[start - 1], columns):
        start -= 1
    return start


def _is_header(row: _Row, columns: Sequence[Column]) -> bool:
    if not row.is_full or not all(any(_meets(cell, column) for column in columns) for cell in row.cells):
        return False
    texts = [clean_line(cell.text) for cell in row.cells]
    return not _is_caption(row) and all(len(text) <= _LONG_CELL and not _FORMULA.search(text) for text in texts)


def _is_caption(row: _Row) -> bool:
    return _CAPTION.match(clean_line(row.cells[0].text)) is not None


def _line(row: _Row, columns: Sequence[Column]) -> TextLine:
    text = row_text(list(_texts(row, columns)))
    whole = replace(max(row.cells, key=lambda cell: cell.size), text=text, verbatim=True)
    return replace(whole, left=row.cells[0].left, right=row.cells[-1].right)


def _texts(row: _Row, columns: Sequence[Column]) -> Iterator[str]:
    """The text of each column; a cell over several columns stands in its first."""
    left = list(row.cells)
    for column in columns:
        text = ""
        while left and _meets(left[0], column):
            following = clean_line(left.pop(0).text)
            text += glue(text, following) * bool(text) + following
        yield text
