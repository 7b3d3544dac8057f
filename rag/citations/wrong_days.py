"""Figures told of another day of the week: 周一至周五8:30—17:30 for 周六, which has 9:00—12:00."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.language.numbers import DATED, Number
from rag.language.weekdays import weekdays

_SENTENCE_END = re.compile(r"[。;!?\n]")


def figures_of_another_day(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only of days of the week that sentence or question does not mean."""
    asked = frozenset[int]().union(*(named.days for named in weekdays(claim.asked.folded)))
    is_named = any(weekdays(claim.text.folded))
    for number in claim.own_numbers:
        meant = _days_of(claim.text, number) if is_named else asked
        if not meant or number.kind in DATED:
            continue
        places = [
            _days_of(passage, other) for passage in cited.passages for other in passage.numbers if number.agrees(other)
        ]
        if places and all(days and meant.isdisjoint(days) for days in places):
            yield number.written


def _days_of(text: Plain, number: Number) -> frozenset[int]:
    """The days named last before a number in its sentence; none where none are, or a cell of a table ends between."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text.text, 0, number.place)]
    before = text.folded[ends[-1] if ends else 0 : number.place]
    named = [*weekdays(before)]
    return named[-1].days if named and "|" not in before[named[-1].end :] else frozenset()
