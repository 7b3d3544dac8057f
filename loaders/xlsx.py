"""XLSX: each sheet that is shown is a page, its name a heading; its tables are parted by empty rows."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from loaders.archives import unpacking
from loaders.headings import is_title
from loaders.health import numbered_pages
from loaders.rows import LONGEST_REPEATED, joined
from loaders.table_lines import table_lines
from loaders.xlsx_workbook import Grid, Workbook
from rag.errors import NoWords, TooManyPages
from rag.types import Heading, LoadedDocument

_SHEET_LEVEL, _TABLE_LEVEL = 1, 2
Row = dict[int, str]


def read_xlsx(path: Path, name: str, max_pages: int) -> LoadedDocument:
    """The sheets of a workbook as pages. A row is one line; what stands alone above or below a table has no borders."""
    texts: list[str] = []
    outline: list[Heading] = []
    with unpacking(path, name) as archive:
        workbook = Workbook(archive)
        if len(workbook.sheets) > max_pages:
            raise TooManyPages(name=name, pages=len(workbook.sheets), limit=max_pages)
        for number, (title, part) in enumerate(workbook.sheets, start=1):
            lines, titles = _lines(workbook.grid(part))
            texts.append(joined([title, *lines]) if lines else "")
            if lines:
                outline.append(Heading(_SHEET_LEVEL, title, number))
                outline.extend(Heading(_TABLE_LEVEL, one, number) for one in titles)
    while texts and not texts[-1]:  # as new workbooks have them
        texts.pop()
    return LoadedDocument(numbered_pages(texts, name, NoWords), tuple(outline))


def _lines(grid: Grid) -> tuple[list[str], list[str]]:
    """The lines of a sheet, an empty one between its tables, and the titles above these."""
    _fill_merged(grid)
    lines: list[str] = []
    titles: list[str] = []
    columns = sorted({column for row in grid.rows.values() for column in row})
    blocks = list(_blocks(grid))
    tables = [any(len(row) > 1 for row in block) for block in blocks]
    for index, block in enumerate(blocks):
        # A title may stand apart from its table.
        is_above = tables[index] or (len(block) == 1 and tables[index + 1 : index + 2] == [True])
        if is_above and len(block[0]) == 1 and is_title(_alone(block[0])):
            titles.append(_alone(block[0]))
        lines += [*_block_lines(block, columns), ""]
    return lines, titles


def _blocks(grid: Grid) -> Iterator[list[Row]]:
    """The rows that no empty row parts."""
    numbers = sorted(number for number, row in grid.rows.items() if row)
    for _, group in groupby(enumerate(numbers), key=lambda place: place[1] - place[0]):
        yield [grid.rows[number] for _, number in group]


def _block_lines(block: Sequence[Row], columns: Sequence[int]) -> Iterator[str]:
    wide = [index for index, row in enumerate(block) if len(row) > 1]
    first, end = (wide[0], wide[-1] + 1) if wide else (len(block), len(block))
    yield from map(_alone, block[:first])
    if wide:
        yield from table_lines(block[first:end], columns)
    yield from map(_alone, block[end:])


def _alone(row: Row) -> str:
    return next(iter(row.values()))


def _fill_merged(grid: Grid) -> None:
    """What is merged over columns stands in the first, over rows in each that has other cells, unless it is long."""
    numbers = sorted(grid.rows)
    for _, group in groupby(sorted(grid.merged, key=attrgetter("left", "top")), key=attrgetter("left")):
        below = 0
        for merged in group:
            # No program lets them overlap.
            if merged.top <= below:
                continue
            below = merged.bottom
            text = grid.rows.get(merged.top, {}).get(merged.left, "")
            for number in numbers[bisect_left(numbers, merged.top) : bisect_right(numbers, merged.bottom)]:
                row = grid.rows[number]
                for column in [column for column in row if merged.left < column <= merged.right]:
                    del row[column]
                row.pop(merged.left, None)
                is_told = number == merged.top or (row and len(text) <= LONGEST_REPEATED)
                if text and is_told:
                    row[merged.left] = text
