"""The rows of tables whose cells a file tells; of a wide one, what each column says of a row."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from loaders.headings import LONGEST
from loaders.rows import LONGEST_HEADER, LONGEST_REPEATED, MOST_COLUMNS, are_titles, numbers, row_text

Row = Mapping[int, str]
# What a row is about stands in its first cells, such as a number, a department and a name.
_LABELS = 3
_FEWEST_TITLES = 5
_LONGEST_LINE = 150


class SpannedCell(NamedTuple):
    """What stands in a cell, and over how many columns and rows it reaches."""

    text: str
    across: int
    down: int


def placed_cells(rows: Iterable[Iterable[SpannedCell]]) -> Iterator[list[str]]:
    """The text in each column. A cell over columns stands in the first, one over rows in each, unless it is long."""
    below: dict[int, tuple[str, int]] = {}
    for row in rows:
        texts = {column: text for column, (text, _) in below.items()}
        below = {column: (text, left - 1) for column, (text, left) in below.items() if left > 1}
        column = 0
        for cell in row:
            while column in texts:
                column += 1
            for place in range(column, max(column + 1, min(column + cell.across, MOST_COLUMNS))):
                texts[place] = cell.text if place == column else ""
                if cell.down > 1:
                    below[place] = texts[place] if len(cell.text) <= LONGEST_REPEATED else "", cell.down - 1
        yield [texts.get(column, "") for column in range(max(texts, default=-1) + 1)]


def table_lines(table: Sequence[Row], columns: Sequence[int]) -> Iterator[str]:
    """A table's rows, below its header; `columns` are those of the sheet, for a table that only goes on."""
    top = list(table[0].values())
    header, rows = _header(table)
    if _is_wide(header) and not numbers(top):
        yield row_text([header[column] for column in sorted(header)])
        for row in rows:
            yield from _record(row, header)
        return
    if are_titles(top):
        columns = sorted({column for row in table for column in row})
    for row in table:
        yield row_text([row.get(column, "") for column in columns[: bisect_right(columns, max(row))]])


def _is_wide(header: Row) -> bool:
    """Whether a header would not stand above a passage, and its rows are longer than one. Few long cells are texts."""
    titles = [header[column] for column in sorted(header)]
    return (
        len(titles) >= _FEWEST_TITLES and median(map(len, titles)) <= LONGEST and len(row_text(titles)) > LONGEST_HEADER
    )


def _header(table: Sequence[Row]) -> tuple[Row, Sequence[Row]]:
    """What the columns are called, and the rows below. Two lines of a header share what is merged over both."""
    first, *below = table
    second = below[0] if below else {}
    if not numbers(list(second.values())) and any(second.get(column) == title for column, title in first.items()):
        return {**first, **second}, below[1:]
    return first, below


def _record(row: Row, header: Row) -> Iterator[str]:
    """What is in a row by the names of its columns, in lines that begin alike: each is quoted whole."""
    told = [f"{header[column]}：{row[column]}" if column in header else row[column] for column in sorted(row)]
    label, line = "，".join(told[:_LABELS]), ""
    for cell in told[_LABELS:]:
        if line and len(label) + len(line) + len(cell) > _LONGEST_LINE:
            yield label + line
            line = ""
        line += f"，{cell}"
    yield label + line
