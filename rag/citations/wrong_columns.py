"""Figures taken from a table's wrong column: the first quarter's where the third's was asked for."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.tables import SHORTEST_LABEL, YEAR
from rag.language.numbers import Number

_PART_OF_A_YEAR = re.compile(r"季|月|半年")
_AND = re.compile("[、,和与及]")


@dataclass(frozen=True, slots=True)
class _Column:
    """What a column is called, and the others of its kind."""

    name: str
    rivals: tuple[str, ...]


def exchanged_columns(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only in columns of which neither sentence nor question says anything.

    A column of the same kind is said, and the sentence has no figure of it: else it compares, or quotes a whole row.
    A quarter's or a month's is nobody's who says but the year.
    """
    held = [(number, [*_columns_of(number, cited)]) for number in claim.own_numbers]
    # Which of several a sentence names itself is not the one that was asked for.
    names_one = any(rival in claim.text.valued for _, own in held for column in own for rival in column.rivals)
    said = claim.text.valued if names_one else claim.said
    if any(column.name in said for _, own in held for column in own):
        return
    for number, own in held:
        if cited.has_only(number, len(own)) and all(_is_another(column, said) for column in own):
            yield number.written


def _columns_of(number: Number, cited: Cited) -> Iterator[_Column]:
    """The columns that have a number, for each time; of those that are one of several of a kind."""
    for table in cited.tables:
        for row, at in table.places(number):
            if len(table.lines[row]) == len(table.columns) and table.columns[at] and table.rivals[at]:
                yield _Column(table.columns[at], table.rivals[at])


def _is_another(column: _Column, said: str) -> bool:
    """Whether a column of the same kind is said, or a whole year where this one is a part of it."""
    says_year = YEAR.search(said) is not None and not _PART_OF_A_YEAR.search(said)
    return any(rival in said for rival in column.rivals) or (
        says_year and _PART_OF_A_YEAR.search(column.name) is not None
    )


def columns_of_other_parts(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that a row has in other columns than the one that a passage counts to what is spoken of.

    上海, where 一类城市指北京、上海、广州、深圳.
    """
    for table in cited.tables if claim.own_numbers else ():
        meant = [at for at, column in enumerate(table.columns) if _is_meant_by_a_part(column, claim, cited)]
        for number in claim.own_numbers if len(meant) == 1 else ():
            places = [*table.places(number)]
            rows = [table.figures[row] for row, _ in places]
            is_named = any(table.columns[at] in claim.said for _, at in places)
            is_another = all(meant[0] in row and not any(map(number.agrees, row[meant[0]])) for row in rows)
            if is_another and not is_named and cited.has_only(number, len(places)):
                yield number.written


def _is_meant_by_a_part(column: str, claim: Claim, cited: Cited) -> bool:
    if len(column) < SHORTEST_LABEL or column in claim.said:
        return False
    defines = re.compile(rf"{re.escape(column)}(?:是?指|包[括含])(?P<parts>[^。;!?\n|]+)")
    found = [match["parts"] for passage in cited.passages for match in defines.finditer(passage.valued)]
    return any(len(part) >= SHORTEST_LABEL and part in claim.said for parts in found for part in _AND.split(parts))
