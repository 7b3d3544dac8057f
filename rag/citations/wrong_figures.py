"""Figures of another row or column of a table than the two that are named: 金卡打9折, which 银卡 has and 金卡 8.5折."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rag.citations.cited import Cited
from rag.citations.claim import Claim, speaks_of
from rag.citations.grids import PIECE, Grid
from rag.citations.plain import Plain, plain
from rag.citations.tables import SUM
from rag.language.numbers import Number

_PERIOD = re.compile("[年季月期日]")
_NUMBERED = re.compile(r"第\d+(.)")


def misplaced_figures(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the row and column that are named do not have in their cell, which has another of the same kind.

    Where only a row is named, all of it lacks them. Left out is what the passages tell beside their tables in words of
    the sentence.
    """
    for piece in _pieces(claim.text) if cited.grids else ():
        for number in piece.numbers:
            verdicts = {verdict for grid in cited.grids for verdict in _verdicts(number, piece, grid, claim)}
            if verdicts == {True} and not _is_told_beside(number, piece, claim, cited):
                yield number.written


def _pieces(text: Plain) -> list[Plain]:
    return [text.part(*match.span()) for match in PIECE.finditer(text.text)]


def _verdicts(number: Number, piece: Plain, grid: Grid, claim: Claim) -> Iterator[bool]:
    """Whether a number of a piece is wrong by a table; nothing where the table tells nothing of it."""
    said = piece.valued
    texts = (said, claim.asked.valued) if not claim.own_terms else (said,)
    row, places = _row(texts, grid), _places(number, grid)
    if row is None and places and _is_of_no_row(texts, grid):
        yield True
    if row is None or any(map(number.agrees, _numbers(grid.rows[row]))):
        return
    own, label = grid.lines[row], grid.rows[row]
    # By a part of its label another row may be meant, or by what the answer says before; and some are compared.
    others = {grid.rows[at] for at, _ in places} - {label}
    may_be_meant = any(label in other or speaks_of(claim.told, other, label) for other in others)
    if may_be_meant or re.search(f"[比较与跟同]{re.escape(label)}", said):
        return
    column = _column(said, row, grid, claim) if len(own) == len(grid.columns) else None
    if column is not None and not any(map(number.agrees, _numbers(grid.columns[column]))):
        if any(_is_instead(at, place, row, column, grid) for at, place in places):
            yield (row, column) not in places and _is_another(number, own[column], claim)
    elif places:
        yield all(at != row and place < len(own) and _is_another(number, own[place], claim) for at, place in places)


def _places(number: Number, grid: Grid) -> list[tuple[int, int]]:
    """In which rows and columns a number stands."""
    return [
        (at, place)
        for at, line in enumerate(grid.lines)
        for place, cell in enumerate(line)
        if any(map(number.agrees, _numbers(cell)))
    ]


def _column(said: str, row: int, grid: Grid, claim: Claim) -> int | None:
    """The column that is named, or else was asked for of the same row; of a period another may tell a change."""
    if not grid.heads(said).isdisjoint(grid.columns):
        return _named((said,), grid, grid.columns)
    asked = claim.asked.valued
    if _row((asked,), grid) not in (None, row):
        return None
    column = _named((asked,), grid, grid.columns)
    return column if column is not None and not _PERIOD.search(grid.columns[column]) else None


def _is_instead(at: int, place: int, row: int, column: int, grid: Grid) -> bool:
    """Whether what stands in a cell may be told for that of a row and column: both are periods or sums, or neither."""
    if place == column:
        return True
    head = "".join(grid.columns[place : place + 1])
    return at == row and not (_PERIOD.search(grid.columns[column]) and not (_PERIOD.search(head) or SUM.search(head)))


def _named(texts: Sequence[str], grid: Grid, heads: Sequence[str]) -> int | None:
    """The place of the only one of some heads that the first text with any names."""
    for text in texts:
        named = [head for head in grid.heads(text) if head in heads]
        if named:
            return heads.index(named[0]) if len(named) == heads.count(named[0]) == 1 else None
    return None


def _is_of_no_row(texts: Sequence[str], grid: Grid) -> bool:
    """Whether the first text that numbers rows as a grid does names one that it does not have: 第13期 beside 第20期."""
    counters = {match[1] for row in grid.rows if (match := _NUMBERED.fullmatch(row))}
    named = ([match[0] for match in _NUMBERED.finditer(text) if match[1] in counters] for text in texts)
    rows = next(filter(None, named), [])
    return bool(rows) and not any(row in grid.rows for row in rows)


def _row(texts: Sequence[str], grid: Grid) -> int | None:
    """The row that the first text with any names; of several of one name the one whose other cells it names: M10."""
    if (row := _named(texts, grid, grid.rows)) is not None:
        return row
    for text in texts:
        named = grid.heads(text).intersection(grid.rows)
        alike = [at for at, label in enumerate(grid.rows) if {label} == named]
        told = {at: grid.parts_told(at, text) for at in alike}
        of_one = [at for at in alike if told[at] - set().union(*(told[other] for other in alike if other != at))]
        if alike:
            return of_one[0] if len(of_one) == 1 else None
    return None


def _is_another(number: Number, cell: str, claim: Claim) -> bool:
    """Whether a cell has a number of the same kind that the sentence does not tell, or a word instead of one."""
    told = _numbers(cell)
    alike = [
        other for other in told if other.kind == number.kind and (other.unit in ("", number.unit) or not number.unit)
    ]
    if not told:
        return len(cell) > 1 and cell not in claim.text.valued
    return any(not any(one.agrees(other) for one in claim.text.numbers) for other in alike)


def _is_told_beside(number: Number, piece: Plain, claim: Claim, cited: Cited) -> bool:
    """Whether a clause outside the tables has a number, and a word of what is said or asked."""
    if cited.is_known(number):
        return True
    words = piece.vocabulary | claim.asked.vocabulary
    return any(number.agrees(other) and words & _clause(passage, other).vocabulary for passage, other in cited.numbers)


def _clause(passage: Plain, number: Number) -> Plain:
    """The clause that a number stands in; nothing of one in a cell."""
    start, end = passage.begin_of_clause(number.place), passage.end_of_clause(number.place)
    is_cell = "|" in (passage.text[start - 1 : start], passage.text[end : end + 1])
    return passage.part(start, start if is_cell else end)


@lru_cache(maxsize=4096)
def _numbers(cell: str) -> tuple[Number, ...]:
    """The numbers of a cell, read as within its table."""
    return plain(f"|{cell}|").numbers
