"""What a sentence tells by another period than its passage: 每年8600元 where a table has 元/学期, or 一次 for 一日."""

import re
from collections.abc import Iterator
from functools import lru_cache

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.citations.tables import Table
from rag.language.numbers import DATED, Number

_PERIODS = "年|季度|月|周|星期|天|日|小时|分钟|学期|学年|次"
# Between a period and its number stands no other number but that of a range: 一日20～40mg.
_BEFORE = re.compile(
    rf"(?:每#?个?|(?P<one>#))(?P<period>{_PERIODS})(?![^#]{{0,2}}前)[^#]{{0,14}}(?:#[^#]{{0,4}}[-~至到])?$"
)
_BEHIND = re.compile(rf"#(?:[^#,;。|/]{{0,6}}/[^#,;。|/]{{1,4}}·|[^#,;。|/]{{0,4}}[/每])个?(?P<period>{_PERIODS})")
_OF_A_COLUMN = re.compile(rf"[/每]个?(?P<period>{_PERIODS})")
_SAME = {"日": "天", "星期": "周"}


def other_periods(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers told by a period of which their passages tell none, where they tell each of them by another."""
    own = [one for one in claim.text.numbers if one.kind not in DATED and not claim.granted.has(one)]
    said = [(number, period) for number in own if (period := _period(claim.text, number))]
    others = [one for text in cited.passages for one in _told(text)] if said else []
    for number, period in said:
        if any(its == period and number.agrees(other) for other, its in others):
            continue
        told = [its for other, its in others if number.agrees(other)]
        of_columns = [its for table in cited.tables for its in _of_columns(number, table)]
        # In a cell it is told by the period of its column.
        if told and told.count("") == len(of_columns) and period not in of_columns:
            yield number.written


# The sentences of one answer ask for the same passages.
@lru_cache(maxsize=64)
def _told(text: Plain) -> tuple[tuple[Number, str], ...]:
    """Each number of a text, and by which period it is told."""
    return tuple((number, _period(text, number)) for number in text.numbers)


def _period(text: Plain, number: Number) -> str:
    """By which period a text tells a number; "" where by none."""
    before = _BEFORE.search(text.folded, text.begin_of_clause(number.place), number.place)
    if before and before["one"] and not any(one.place == before.start() and one.value == 1 for one in text.numbers):
        before = None
    found = _BEHIND.match(text.folded, number.place) or before
    return _SAME.get(found["period"], found["period"]) if found else ""


def _of_columns(number: Number, table: Table) -> Iterator[str]:
    """By which periods the columns tell a number that a table has in them."""
    for row, at in table.places(number):
        named = _OF_A_COLUMN.search(table.header[at]) if len(table.lines[row]) == len(table.header) else None
        if named:
            yield _SAME.get(named["period"], named["period"])
