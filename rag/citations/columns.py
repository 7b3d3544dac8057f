"""Figures taken from a table's wrong column: the first quarter's where the third's was asked for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.citations.plain import Plain, plain
from rag.language.numbers import Number

# 万元, 千股, or 元 alone.
UNIT_OF_A_FIGURE = "[百千万亿]*(?:[美港欧日]?元|[股吨人户台辆件套头亩])"
FIGURE = re.compile(rf"[-+\u2212(（]?\d[\d,，]*(?:\.\d+)?(?:[%％]|(?=[百千万亿]){UNIT_OF_A_FIGURE})?[)）]?")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ASIDE = re.compile(r"\(.*?\)")
# What tells columns of one kind apart: 2019年 and 2020年, 第3季度 and 第4季度, 期初 and 期末, 本期 and 上期.
_APART = re.compile(r"\d+|(?<=[期年月])[初末]|[本上去](?=[期年月季])")
_PART_OF_A_YEAR = re.compile(r"季|月|半年")


@dataclass(frozen=True, slots=True)
class Cell:
    """A figure in a table, what its column is called, and the other columns of the same kind."""

    number: Number
    column: str
    rivals: tuple[str, ...]


def numbers_of(cell: str) -> tuple[Number, ...]:
    """The numbers of a cell, read as within its table: of a lone -5 nobody knows whether its dash is a minus."""
    return plain(f"|{cell}|").numbers


def is_header(row: Sequence[str]) -> bool:
    """Whether a row has no figures but years."""
    return sum(map(bool, row)) > 1 and all(_YEAR.fullmatch(cell) for cell in row if FIGURE.fullmatch(cell))


def cells(text: str) -> tuple[Cell, ...]:
    """The figures of a passage's tables whose column is one of several of a kind."""
    found: list[Cell] = []
    header: tuple[str, ...] = ()
    for line in text.splitlines():
        row = tuple(cell.strip() for cell in line.split("|"))
        if len(row) == 1:
            header = ()
        elif is_header(row):
            header = tuple(_ASIDE.sub("", plain(cell).valued) for cell in row)
        elif len(row) == len(header):
            found += _figures(row, header)
    return tuple(found)


def exchanged_columns(
    numbers: Sequence[Number], said: str, cells: Sequence[Cell], passages: Sequence[Plain]
) -> Iterator[str]:
    """Those `numbers` of a sentence that its passages have only in columns of which nothing is `said`.

    `cells` are those of the passages. A column of the same kind is said, and the sentence has no figure of it: else it
    compares, or quotes a whole row. A quarter's or a month's is nobody's who says but the year.
    """
    held = [(number, [cell for cell in cells if number.agrees(cell.number)]) for number in numbers]
    if any(cell.column in said for _, own in held for cell in own):
        return
    says_year = _YEAR.search(said) is not None and not _PART_OF_A_YEAR.search(said)
    for number, own in held:
        places = sum(number.agrees(other) for passage in passages for other in passage.numbers)
        if own and len(own) == places and all(_is_another(cell, said, says_year) for cell in own):
            yield number.written


def _is_another(cell: Cell, said: str, says_year: bool) -> bool:
    """Whether a column of the same kind is said, or a whole year where this one is a part of it."""
    return any(rival in said for rival in cell.rivals) or (
        says_year and _PART_OF_A_YEAR.search(cell.column) is not None
    )


def _figures(row: Sequence[str], header: Sequence[str]) -> Iterator[Cell]:
    kinds = [_APART.sub("#", column) for column in header]
    for cell, column, kind in zip(row, header, kinds, strict=True):
        if not column or not FIGURE.fullmatch(cell):
            continue
        rivals = (other for other, its in zip(header, kinds, strict=True) if its == kind and other != column)
        if others := tuple(rivals):
            yield from (Cell(number, column, others) for number in numbers_of(cell))
