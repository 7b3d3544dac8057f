"""Sentences that tell a figure of a real table by its row and column: the right one, and another row's or column's.

Each is told by itself, and as the answer to a question that names both.
"""

import random
import re
from collections.abc import Iterator, Sequence

from bench.citation_case import Case, limited

RIGHT_TABLES = ("told", "asked_told")
_CELLS = " | "
_FIGURE = re.compile(r"[-+(（]?\d[\d,]*(?:\.\d+)?[%）)]?")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LONGEST_LABEL, _LONGEST_HEAD, _FEWEST_CELLS = 25, 20, 3
# So many of one table.
_PER_TABLE = 2
_TOLD = ("{row}的{column}为{figure}。", "{row}{column}是{figure}。", "{column}方面，{row}为{figure}。")
_ASKED = ("{row}的{column}是多少？", "{column}：{row}是多少", "{row}{column}多少？")
_ANSWERED = ("{figure}。", "{row}为{figure}。", "是{figure}。", "{column}为{figure}。")
Row = list[str]


def tables(passages: Sequence[str], per_kind: int, chance: random.Random) -> Iterator[Case]:
    """Up to `per_kind` cases of every kind, from different tables as far as there are enough."""
    shuffled = list(passages)
    chance.shuffle(shuffled)
    found = ((passage, header, rows) for passage in shuffled for header, *rows in tables_of(passage))
    made = (case for passage, header, rows in found for case in _cases(header, rows, passage, chance))
    yield from limited(made, per_kind)


def tables_of(passage: str) -> Iterator[list[Row]]:
    """Lines of as many cells one below the other, the first of which has no figures."""
    table: list[Row] = []
    for line in [*passage.split("\n"), ""]:
        cells = [cell.strip() for cell in line.split(_CELLS)]
        if table and len(cells) != len(table[0]):
            if len(table) > 2 and not any(map(_FIGURE.fullmatch, table[0][1:])):
                yield table
            table = []
        if len(cells) >= _FEWEST_CELLS:
            table.append(cells)


def _cases(header: Row, rows: list[Row], passage: str, chance: random.Random) -> Iterator[Case]:
    places = named_figures(header, rows)
    for row, at in chance.sample(places, min(_PER_TABLE, len(places))):
        known = {cell for cell in row if cell}
        column = {other[at] for other in rows if _FIGURE.fullmatch(other[at])}
        wrong = {
            "other_row": sorted(column - known),
            "other_column": sorted({cell for cell in row[1:] if _FIGURE.fullmatch(cell)} - {row[at]}),
        }
        told, asked, answered = map(chance.choice, (_TOLD, _ASKED, _ANSWERED))
        for kind, figures in {"told": [row[at]], **wrong}.items():
            if figures:
                said = {"row": row[0], "column": header[at], "figure": chance.choice(figures)}
                yield Case(told.format(**said), passage, kind)
                yield Case(answered.format(**said), passage, f"asked_{kind}", asked.format(**said))


def named_figures(header: Row, rows: Sequence[Row]) -> list[tuple[Row, int]]:
    """The figures of a table, by row and column, that only one row and column of such names have."""
    labels = [row[0] for row in rows]
    return [
        (row, at)
        for row in rows
        for at in range(1, len(header))
        if _FIGURE.fullmatch(row[at])
        and _names(row[0], _LONGEST_LABEL)
        and _names(header[at], _LONGEST_HEAD)
        and labels.count(row[0]) == header.count(header[at]) == 1
    ]


def _names(head: str, longest: int) -> bool:
    return len(head) <= longest and _HAN.search(head) is not None
