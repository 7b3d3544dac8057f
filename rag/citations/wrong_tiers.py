"""What is told from a tier that what was asked of is not in: 20% of 7—14天 for five days, where 4—6天 has 40%.

Tiers are rows of a table, or clauses: 不满10年的，年休假5天；满10年不满20年的，10天.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import HAN_PAIR, PAUSE, Plain, plain
from rag.citations.tables import Table
from rag.language.bounds import bound
from rag.language.measures import worth
from rag.language.numbers import Number

# From here on a year is one of the calendar, and in no tier: 2020年 is not 3年以上.
_CALENDAR = 1000
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

    @property
    def words(self) -> frozenset[str]:
        """Its clauses or cells that are words alone."""
        told = (part.strip() for part in PAUSE.split(self.told.folded) if "#" not in part)
        return frozenset(part for part in told if HAN_PAIR.match(part))

    def holds(self, number: Number) -> bool | None:
        """Whether a number lies within; None where it is of something else."""
        each = worth(number.unit, self.unit)
        return self.least <= number.value * each <= self.most if each else None


def other_tiers(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers and words that tiers have only beside those without the number that was asked of; another one has it.

    Elsewhere the passages do not have them.
    """
    asked = [number for number in claim.asked.numbers if number.kind != "year" or number.value < _CALENDAR]
    # Of several, those are meant that a sentence speaks of; what a passage says of them word for word is true.
    if spoken := [number for number in asked if claim.text.has(number)]:
        asked = spoken if cited.changed else []
    found = (*map(_rows, cited.tables), *map(_cases, cited.passages)) if asked else ()
    several = [tiers for one in found if len(tiers := list(one)) > 1]
    for number in claim.own_numbers if several else ():
        own = [[tier for tier in tiers if tier.told.has(number)] for tiers in several]
        places = sum(number.agrees(other) for tiers in own for tier in tiers for other in tier.told.numbers)
        if cited.has_only(number, places) and any(map(partial(_are_others, asked), own, several)):
            yield number.written
    for tiers in several:
        said = {word for tier in tiers for word in tier.words if word in claim.text.folded}
        beside = [tier for tier in tiers if not said.isdisjoint(tier.words)]
        told = sum(len(said & tier.words) for tier in beside)
        if told == sum(map(cited.folded.count, said)) and _are_others(asked, beside, tiers):
            yield max(said, key=len)


def _are_others(asked: Sequence[Number], own: Sequence[_Tier], tiers: Sequence[_Tier]) -> bool:
    """Whether a number that was asked of is in another tier than these, and none in these."""
    held = [[tier.holds(number) for tier in own] for number in asked]
    return (
        bool(own)
        and not any(map(any, held))
        and any(
            None not in within and any(tier.holds(number) for tier in tiers if tier not in own)
            for number, within in zip(asked, held, strict=True)
        )
    )


def _rows(table: Table) -> Iterator[_Tier]:
    for label, cells in zip(table.labels, table.told, strict=True):
        # 3—4 below 周次.
        if bounds := _bounds(label) or _bounds(plain(f"{label.as_written}{table.counter}")):
            yield _Tier(*bounds, plain(" | ".join(cells)))


def _cases(passage: Plain) -> Iterator[_Tier]:
    for case in _CASE.finditer(passage.text):
        if bounds := _bounds(passage.part(*case.span("label"))):
            yield _Tier(*bounds, passage.part(*case.span("told")))


def _bounds(label: Plain) -> _Bounds | None:
    """From where to where a label goes, and in what unit; None for one that is no range."""
    match label.numbers:
        # 9月25日 is no range from 9 to 25.
        case (first, last) if first.kind in ("", last.kind) and first.value < last.value and last.unit:
            return first.value, last.value, last.unit
        case (only,) if only.unit:
            side, _ = bound(label.text)
            if label.text.startswith("第"):
                return only.value, only.value, only.unit
            return {1: (only.value, _ENDLESS, only.unit), -1: (Decimal(0), only.value, only.unit)}.get(side)
    return None
