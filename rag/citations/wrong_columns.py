"""Figures taken from a table's wrong column: the first quarter's where the third's was asked for."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.tables import Cell

_YEAR = re.compile(r"(?:19|20)\d\d")
_PART_OF_A_YEAR = re.compile(r"季|月|半年")


def exchanged_columns(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only in columns of which neither sentence nor question says anything.

    A column of the same kind is said, and the sentence has no figure of it: else it compares, or quotes a whole row.
    A quarter's or a month's is nobody's who says but the year.
    """
    cells = [cell for table in cited.tables for cell in table.cells] if claim.own_numbers else []
    held = [(number, [cell for cell in cells if number.agrees(cell.number)]) for number in claim.own_numbers]
    if any(cell.column in claim.said for _, own in held for cell in own):
        return
    for number, own in held:
        if cited.has_only(number, len(own)) and all(_is_another(cell, claim.said) for cell in own):
            yield number.written


def _is_another(cell: Cell, said: str) -> bool:
    """Whether a column of the same kind is said, or a whole year where this one is a part of it."""
    says_year = _YEAR.search(said) is not None and not _PART_OF_A_YEAR.search(said)
    return any(rival in said for rival in cell.rivals) or (
        says_year and _PART_OF_A_YEAR.search(cell.column) is not None
    )
