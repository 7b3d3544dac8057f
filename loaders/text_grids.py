"""Tables drawn with bars and rules in typed text, a rule below every row: a row for each, its cells whole."""

import re
from collections.abc import Collection, Sequence
from functools import reduce
from itertools import accumulate, groupby, pairwise

from loaders.glue import glued
from loaders.rows import row_text

_RULE = re.compile(r"[+|](?:[-=]+[+|])++")
_BAR = "|"
# With fewer, a rule may only part the rows from what names them and from what they sum up to.
_FEWEST_BANDS = 4
_MOST_LINES = 50  # of a cell


def with_grid_rows(typed: Sequence[str]) -> Sequence[str]:
    """The rows of a text, each band of a drawn table one of them, and nothing in place of its rules and other lines."""
    rows: list[str] = []
    for is_grid, group in groupby(typed, key=lambda row: _is_of_grid(row.strip())):
        lines = list(group)
        rows += _drawn([line.strip() for line in lines]) or lines if is_grid else lines
    return rows


def _is_of_grid(row: str) -> bool:
    return _RULE.fullmatch(row) is not None or (len(row) > 1 and row[0] == row[-1] == _BAR)


def _drawn(lines: Sequence[str]) -> list[str]:
    """The rows that lines draw; none where they draw no table, or one whose cells reach over columns."""
    rules = [index for index, line in enumerate(lines) if _RULE.fullmatch(line)]
    bands = [lines[above + 1 : below] for above, below in pairwise([-1, *rules, len(lines)])]
    if sum(map(bool, bands)) < _FEWEST_BANDS or max(map(len, bands)) > _MOST_LINES:
        return []
    borders = {column for index in rules for column, mark in enumerate(lines[index]) if mark in "+|"}
    rows: list[str] = []
    for band in bands:
        cut = [_cells(line, borders) for line in band]
        if any(len(cells) != len(borders) - 1 for cells in cut):
            return []
        texts = [reduce(glued, column) for column in zip(*cut, strict=True)]
        rows += [row_text(texts), *[""] * len(band)] if texts else [""]
    return rows[: len(lines)]


def _cells(line: str, borders: Collection[int]) -> list[str]:
    """What stands between the bars of a line, or between those at the borders where a cell has one too."""
    if line.count(_BAR) == len(borders):
        return [cell.strip() for cell in line.split(_BAR)[1:-1]]
    # A Chinese character takes two columns.
    columns = accumulate((1 if mark.isascii() else 2 for mark in line), initial=0)
    marked = enumerate(zip(columns, line, strict=False))
    bars = [index for index, (column, mark) in marked if mark == _BAR and column in borders]
    return [line[left + 1 : right].strip() for left, right in pairwise(bars)]
