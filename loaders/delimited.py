"""Tables whose cells are parted by bars, tabs or commas, as a spreadsheet exports them: in typed text, and in CSV."""

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import chain, groupby, pairwise

from loaders.cells import is_a_list, reads_like_cells
from loaders.rows import row_text
from loaders.table_lines import Row, table_lines

_FEWEST_ROWS, _FEWEST_COLUMNS = 3, 3
_LONGEST_ROW = 1000
_BAR, _TAB, _COMMA = "|", "\t", ","
_OF_CSV = (_COMMA, ";", _TAB, _BAR)
# What programs write for Excel: which mark parts the cells, and that it is to leave a long number as it is.
_TELLS_DELIMITER = re.compile(r"\ufeff?\"?sep=([,;|\t])\"?\n", re.IGNORECASE)
_KEPT_AS_TEXT = re.compile(r"=\"([^\"]+)\"|'(\d+[\dXx]?)")


def with_cell_borders(typed: Sequence[str]) -> Sequence[str]:
    """The rows of a text, those of its tables with borders between their cells."""
    rows = typed
    for delimiter in (_BAR, _TAB, _COMMA):
        # What has borders by now, has its tabs and commas within cells.
        parted = ((row, _cells(row, delimiter) if row == own else ()) for row, own in zip(rows, typed, strict=True))
        groups = [list(group) for _, group in groupby(parted, key=lambda part: len(part[1]))]
        rows = [row for group in groups for row in _bordered(group, delimiter)]
    return rows


def rows_of_csv(text: str) -> Sequence[str]:
    """The rows of a CSV file, with borders between their cells. A cell may have line breaks within quotes."""
    told = _TELLS_DELIMITER.match(text)
    text = text[told.end() :] if told else text
    first = next((line for line in text.split("\n") if any(mark in line for mark in _OF_CSV)), "")
    reader = csv.reader(StringIO(text), delimiter=told[1] if told else max(_OF_CSV, key=first.count), strict=True)
    try:
        rows = [[_plain(cell) for cell in row] for row in reader]
    except csv.Error:  # behind a quote that nothing closes, all would be one cell
        return with_cell_borders(text.split("\n"))
    parts = groupby(rows, key=lambda row: len(row) > 1 or not row)
    return [line for is_table, part in parts for line in (_tables(list(part)) if is_table else chain(*part))]


def _plain(cell: str) -> str:
    line = " ".join(cell.split())
    number = _KEPT_AS_TEXT.fullmatch(line)
    return (number[1] or number[2]) if number else line


def _tables(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    filled = [{column: cell for column, cell in enumerate(row) if cell} for row in rows]
    *above, table = _parts(filled)
    # With borders, it would be taken for the header.
    yield from (" ".join(row.values()) for part in above for row in part)
    if table:
        yield from table_lines(table, range(max(map(len, rows))))


def _parts(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The table, and before it what tells of it, such as whose account it is: in fewer cells, above an empty row."""
    part: list[Row] = []
    for above, row in pairwise([{}, *rows]):
        widest = max(map(len, part), default=0)
        if widest < len(row) and (widest == 1 or (part and not above)):
            yield part
            part = []
        part += [row] if row else []
    yield part


def _cells(row: str, delimiter: str) -> Sequence[str]:
    if row.count(delimiter) < _FEWEST_COLUMNS - 1 or len(row) > _LONGEST_ROW:
        return ()
    return [cell.strip() for cell in next(csv.reader([row], delimiter=delimiter))]


def _bordered(parted: Sequence[tuple[str, Sequence[str]]], delimiter: str) -> Iterator[str]:
    columns = list(zip(*(cells for _, cells in parted), strict=True))
    is_table = len(parted) >= _FEWEST_ROWS and len(columns) >= _FEWEST_COLUMNS and _is_table(columns, delimiter)
    yield from (row_text(cells) if is_table else row for row, cells in parted)


def _is_table(columns: Sequence[Sequence[str]], delimiter: str) -> bool:
    """Whether columns are named and read like cells: of clauses parted by commas, no column has figures only."""
    filled = [[text for text in column if text] for column in columns]
    if not all(column[0] for column in columns) or is_a_list(columns) or not reads_like_cells(filled):
        return False
    return delimiter != _COMMA or any(_holds_figures(column) for column in filled)


def _holds_figures(column: Sequence[str]) -> bool:
    return len(column) > 1 and not _has_digit(column[0]) and all(map(_has_digit, column[1:]))


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))
