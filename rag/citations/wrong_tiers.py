"""Figures from a tier of a table that what was asked of is not in: 20% of 7—14天 for five days, where 4—6天 has 40%."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain, plain
from rag.citations.tables import Table
from rag.language.bounds import bound
from rag.language.measures import times
from rag.language.numbers import Number

_ENDLESS = Decimal("Infinity")


@dataclass(frozen=True, slots=True)
class _Tier:
    """A row of a table whose label bounds a number from `least` to `most`, and the row's other numbers."""

    least: Decimal
    most: Decimal
    unit: str
    numbers: tuple[Number, ...]

    def holds(self, number: Number) -> bool | None:
        """Whether a number lies within; None where it is of something else."""
        worth = Decimal(1) if number.unit == self.unit else times(number.unit, self.unit)
        return self.least <= number.value * worth <= self.most if worth else None


def other_tiers(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only in tiers without the number that was asked of, where another one has it."""
    tables = [found for table in cited.tables if len(found := list(_tiers(table))) > 1] if claim.asked.numbers else []
    for number in claim.own_numbers:
        for tiers in tables:
            own = [tier for tier in tiers if any(map(number.agrees, tier.numbers))]
            others = [tier for tier in tiers if tier not in own]
            if own and any(_is_in_another(asked, own, others) for asked in claim.asked.numbers):
                yield number.written


def _is_in_another(asked: Number, own: Sequence[_Tier], others: Sequence[_Tier]) -> bool:
    return all(tier.holds(asked) is False for tier in own) and any(tier.holds(asked) for tier in others)


def _tiers(table: Table) -> Iterator[_Tier]:
    for label, *cells in table.lines:
        bounds = _bounds(plain(label))
        if bounds:
            yield _Tier(*bounds, plain(" | ".join(cells)).numbers)


def _bounds(label: Plain) -> tuple[Decimal, Decimal, str] | None:
    """From where to where a label goes, and in what unit; None for one that is no range."""
    match label.numbers:
        case (first, last) if first.value < last.value and last.unit:
            return first.value, last.value, last.unit
        case (only,) if only.unit:
            side, _ = bound(label.text)
            return {1: (only.value, _ENDLESS, only.unit), -1: (Decimal(0), only.value, only.unit)}.get(side)
    return None
