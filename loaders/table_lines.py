"""The rows of tables whose cells a file tells; of a wide one, what each column says of a row."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from statistics import median
from typing import NamedTuple

from loaders.headings import LONGEST
from loaders.rows import LONGEST_HEADER, LONGEST_REPEATED, MOST_COLUMNS, are_titles, numbers, row_text

Row = Mapping[int, str]
# What a row is about stands in its first cells, such as a number, a department and a name, or in a name behind figures.
_LABELS, _MOST_LABELS = 3, 8
_FEWEST_NAMES, _LOOKED_AT = 3, 100
_FEWEST_TITLES = 5
_LONGEST_LINE = 150
_MOST_LINES = 3  # of a header
_NOTED = re.compile(r"[：:。]|.{30}")


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
    above, named, rows = _parted(table)
    # With borders, they would be taken for the header.
    yield from (" ".join(row.values()) for row in above)
    header = reduce(_below, named)
    if _is_wide(header) and not numbers(list(named[0].values())):
        names = row_text([header[column] for column in sorted(header)])
        yield from (title for row in named[:-1] for title in row.values() if title not in names)
        yield names
        name = _column_of_names(sorted(header)[:_MOST_LABELS], rows[:_LOOKED_AT])
        for row in rows:
            yield from _record(row, header, name)
        return
    if are_titles(list(named[0].values())):
        columns = sorted({column for row in table for column in row})
    for row in (*named, *rows):
        yield row_text([row.get(column, "") for column in columns[: bisect_right(columns, max(row))]])


def _is_wide(header: Row) -> bool:
    """Whether a header would not stand above a passage, and its rows are longer than one. Few long cells are texts."""
    titles = [header[column] for column in sorted(header)]
    return (
        len(titles) >= _FEWEST_TITLES and median(map(len, titles)) <= LONGEST and len(row_text(titles)) > LONGEST_HEADER
    )


def _parted(table: Sequence[Row]) -> tuple[Sequence[Row], Sequence[Row], Sequence[Row]]:
    """What is noted above a table, the lines of its header, and the rows below."""
    begun, end = 0, 1
    while end < min(len(table) - 1, _MOST_LINES) and _goes_on(*table[end - 1 : end + 2]):
        begun = end if _is_note(table[end - 1], table[end]) else begun
        end += 1
    return table[:begun], table[begun:end], table[end:]


def _goes_on(line: Row, row: Row, below: Row) -> bool:
    """Whether a row is the next line of a header: it has more titles, and shares one, or stands above numbers."""
    above, titles = list(line.values()), list(row.values())
    if len(row) <= len(line) or numbers([*above, *titles]) or not (are_titles(above) or _is_note(line, row)):
        return False
    return any(row.get(column) == title for column, title in line.items()) or numbers(list(below.values())) > 0


def _is_note(line: Row, row: Row) -> bool:
    """Whether a line above the titles of a table is none of them: `单位：万元`, or what is told of some columns."""
    told = [_NOTED.search(text) is not None for text in line.values()]
    return all(told) or (any(told) and min(line) > min(row))


def _below(titles: Row, line: Row) -> Row:
    """The titles of columns by the next line of their header; of alike ones, each with what stands above it."""
    named, group, times = dict(titles), "", Counter(line.values())
    for column in sorted(line):
        if column in titles:
            group = titles[column] if titles[column] != line[column] else ""
        named[column] = f"{group} {line[column]}".lstrip() if times[line[column]] > 1 else line[column]
    return named


def _column_of_names(columns: Iterable[int], rows: Sequence[Row]) -> int | None:
    """The first of the columns that has several names rather than figures, if any has."""
    for column in columns:
        cells = [row[column] for row in rows if column in row]
        names = [cell for cell in cells if any(map(str.isalpha, cell))]
        if 2 * len(names) > len(cells) and len(set(names)) >= min(_FEWEST_NAMES, len(rows)):
            return column
    return None


def _record(row: Row, header: Row, name: int | None) -> Iterator[str]:
    """What is in a row by the names of its columns, in lines that begin alike: each is quoted whole."""
    columns = sorted(row)
    told = {column: f"{header[column]}：{row[column]}" if column in header else row[column] for column in columns}
    first = [column for column in columns if column in (*columns[:_LABELS], name)]
    label, line = "，".join(told[column] for column in first), ""
    for cell in (told[column] for column in columns if column not in first):
        if line and len(label) + len(line) + len(cell) > _LONGEST_LINE:
            yield label + line
            line = ""
        line += f"，{cell}"
    yield label + line
