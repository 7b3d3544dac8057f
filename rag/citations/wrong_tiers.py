"""Figures from a tier that what was asked of is not in: 20% of 7—14天 for five days, where 4—6天 has 40%.

Tiers are rows of a table, or clauses: 不满10年的，年休假5天；满10年不满20年的，10天.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain, plain
from rag.citations.tables import Table
from rag.language.bounds import bound
from rag.language.measures import worth
from rag.language.numbers import Number

_ENDLESS = Decimal("Infinity")
# From where to where, and in what unit.
_Bounds = tuple[Decimal, Decimal, str]
_CASE = re.compile(r"(?<![^,;。!?\n|])(?P<label>[^,;。!?\n|]++),(?P<told>[^;。!?\n|]+)")


@dataclass(frozen=True, slots=True)
class _Tier:
    """A row or clause whose label bounds a number from `least` to `most`, and what is told behind that."""

    least: Decimal
    most: Decimal
    unit: str
    told: Plain

    def holds(self, number: Number) -> bool | None:
        """Whether a number lies within; None where it is of something else."""
        each = worth(number.unit, self.unit)
        return self.least <= number.value * each <= self.most if each else None


def other_tiers(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that a row of tiers has only in those without the number that was asked of, where another one has it.

    Elsewhere the passages do not have them.
    """
    # What a passage says word for word is true of the numbers in it.
    asked = [number for number in claim.asked.numbers if cited.changed or not claim.text.has(number)]
    found = (*map(_rows, cited.tables), *map(_cases, cited.passages)) if asked else ()
    several = [tiers for one in found if len(tiers := list(one)) > 1]
    for number in claim.own_numbers if several else ():
        places = sum(number.agrees(other) for tiers in several for tier in tiers for other in tier.told.numbers)
        for tiers in several if cited.has_only(number, places) else ():
            own = [tier for tier in tiers if tier.told.has(number)]
            others = [tier for tier in tiers if tier not in own]
            if own and any(_is_in_another(one, own, others) for one in asked):
                yield number.written


def _is_in_another(asked: Number, own: Sequence[_Tier], others: Sequence[_Tier]) -> bool:
    return all(tier.holds(asked) is False for tier in own) and any(tier.holds(asked) for tier in others)


def _rows(table: Table) -> Iterator[_Tier]:
    for label, cells in zip(table.labels, table.told, strict=True):
        if bounds := _bounds(label):
            yield _Tier(*bounds, plain(" | ".join(cells)))


def _cases(passage: Plain) -> Iterator[_Tier]:
    for case in _CASE.finditer(passage.text):
        if bounds := _bounds(passage.part(*case.span("label"))):
            yield _Tier(*bounds, passage.part(*case.span("told")))


def _bounds(label: Plain) -> _Bounds | None:
    """From where to where a label goes, and in what unit; None for one that is no range."""
    match label.numbers:
        case (first, last) if first.value < last.value and last.unit:
            return first.value, last.value, last.unit
        case (only,) if only.unit:
            side, _ = bound(label.text)
            return {1: (only.value, _ENDLESS, only.unit), -1: (Decimal(0), only.value, only.unit)}.get(side)
    return None
