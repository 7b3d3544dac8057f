"""Figures told of another day of the week: 周一至周五8:30—17:30 for 周六, which has 9:00—12:00."""

from collections.abc import Iterator, Mapping

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import PART_END, Plain
from rag.language.numbers import DATED
from rag.language.weekdays import weekdays


def figures_of_another_day(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only of days of the week that sentence or question does not mean."""
    asked = frozenset[int]().union(*(named.days for named in weekdays(claim.asked.folded)))
    said = _days_of_numbers(claim.text)
    is_named = any(weekdays(claim.text.folded))
    if not (is_named or asked):
        return
    told = [
        (other, days[other.place])
        for text in cited.passages
        for days in [_days_of_numbers(text)]
        for other in text.numbers
    ]
    for number in claim.own_numbers:
        meant = said[number.place] if is_named else asked
        if meant and number.kind not in DATED:
            places = [days for other, days in told if number.agrees(other)]
            if places and all(days and meant.isdisjoint(days) for days in places):
                yield number.written


def _days_of_numbers(text: Plain) -> Mapping[int, frozenset[int]]:
    """The days named last before each number in its sentence or cell, by its place."""
    named = [*weekdays(text.folded)]
    last = text.last_before([one.end for one in named], PART_END)
    return {one.place: named[last[one.place]].days if one.place in last else frozenset() for one in text.numbers}
