"""Figures from a tier that what was asked of is not in: 20% of 7—14天 for five days, where 4—6天 has 40%.

Tiers are rows of a table, or clauses: 不满10年的，年休假5天；满10年不满20年的，10天.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import HAN_PAIR, Plain, plain
from rag.citations.tables import Table
from rag.language.bounds import bound
from rag.language.measures import worth
from rag.language.numbers import Number

# A span has two, or is one alone.
_ENDS = 2
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

    def holds(self, number: Number) -> bool | None:
        """Whether a number lies within; None where it is of something else."""
        each = worth(number.unit, self.unit)
        return self.least <= number.value * each <= self.most if each else None


def other_tiers(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that a row of tiers has only in those without the number that was asked of, where another one has it.

    Elsewhere the passages do not have them.
    """
    asked = [number for number in claim.asked.numbers if number.kind != "year" or number.value < _CALENDAR]
    # Of several, those are meant that a sentence speaks of; what a passage says of them word for word is true.
    if spoken := [number for number in asked if claim.text.has(number)]:
        asked = spoken if cited.changed else []
    found = (*map(_rows, cited.tables), *map(_cases, cited.passages)) if asked else ()
    several = [tiers for one in found if len(tiers := list(one)) > 1]
    for number in claim.own_numbers if several else ():
        places = sum(number.agrees(other) for tiers in several for tier in tiers for other in tier.told.numbers)
        for tiers in several if cited.has_only(number, places) else ():
            own = [tier for tier in tiers if tier.told.has(number)]
            others = [tier for tier in tiers if tier not in own]
            if own and _are_in_others(asked, own, others):
                yield number.written


def words_of_other_tiers(claim: Claim, cited: Cited) -> Iterator[str]:
    """What a table has only beside a span without the number that was asked of: 抽样分布 of 3—4周 for 第九周."""
    for table in cited.tables:
        spans = [plain(line[0]).numbers for line in table.lines] if table.header else []
        asked = [number for number in claim.asked.numbers if spans and number.unit and number.unit in table.header[0]]
        if len(asked) != 1 or not all(1 <= len(span) <= _ENDS for span in spans):
            continue
        own = [span[0].value <= asked[0].value <= span[-1].value for span in spans]
        told = [
            {cell for cell in line[1:] if HAN_PAIR.search(cell) and cell in claim.text.text} for line in table.lines
        ]
        if any(own) and not any(words for words, is_own in zip(told, own, strict=True) if is_own):
            yield from (max(words, key=len) for words in told if words)


def denials_of_other_tiers(claim: Claim, cited: Cited) -> Iterator[str]:
    """What is denied, or not, as it is of another case than the one spoken of: 不满一年不收取, so from 满1年 on."""
    spoken = next((bounds for text in (claim.text, *claim.asked.sentences) if (bounds := _bounds(text))), None)
    if spoken is None:
        return
    denied = _is_denied(claim.text)
    for passage in cited.passages:
        own, others = list[Plain](), list[Plain]()
        for tier in _cases(passage):
            if worth(tier.unit, spoken[-1]) and tier.told.vocabulary & claim.text.vocabulary:
                (own if _is_of(tier, spoken) else others).append(tier.told)
        if {*map(_is_denied, own)} == {not denied} and {*map(_is_denied, others)} == {denied}:
            yield own[0].as_written


def _is_denied(told: Plain) -> bool:
    return len(told.denials) % 2 == 1


def _is_of(tier: _Tier, bounds: _Bounds) -> bool:
    """Whether a tier has these bounds: from 1年 on and from 12个月 on."""
    least, most, unit = bounds
    each = worth(tier.unit, unit) or Decimal(0)
    return bool(each) and (tier.least * each, tier.most * each) == (least, most)


def _are_in_others(asked: Sequence[Number], own: Sequence[_Tier], others: Sequence[_Tier]) -> bool:
    """Whether a number that was asked of is in another tier, and none in these."""
    held = [[tier.holds(number) for tier in own] for number in asked]
    return not any(map(any, held)) and any(
        None not in within and any(tier.holds(number) for tier in others)
        for number, within in zip(asked, held, strict=True)
    )


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
        # 9月25日 is no range from 9 to 25.
        case (first, last) if first.kind in ("", last.kind) and first.value < last.value and last.unit:
            return first.value, last.value, last.unit
        case (only,) if only.unit:
            side, _ = bound(label.text)
            return {1: (only.value, _ENDLESS, only.unit), -1: (Decimal(0), only.value, only.unit)}.get(side)
    return None
