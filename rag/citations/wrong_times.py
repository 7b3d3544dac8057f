"""Figures told of another time: of 周一至周五 for 周六, of 一期 for 二期, or each year for each month."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import PART_END, WHOLE_END, Plain
from rag.citations.tables import Table
from rag.language.numbers import DATED, Number
from rag.language.weekdays import weekdays

# What is numbered, and seldom counted; behind 期 and 轮 it may be another word.
_KINDS = "期(?![限间末初望货中内])|批(?![准复发])|轮(?![流岗胎换])|阶段|标段|等奖|号楼|号线|季度"
_ONE = "[#一首]"
_NUMBERED = re.compile(rf"{_ONE}(?P<kind>{_KINDS})")
# 一期、二期均于同年投产 is told of both, and so is 第一轮、第二轮.
_TOGETHER = re.compile("(?:[、和与及或至到~-]|以及)第?")
# What is compared with is not told of: 比上年四季度增长.
_COMPARED_WITH = re.compile("[比较与同跟]\\D{0,4}(?:#年)?第?$")
_FIRST = 1
_LONGEST_BEFORE = 8
_PERIODS = "年|季度|月|周|星期|天|日|小时|分钟|学期|学年|次"
# Between a period and its number stands no other number but that of a range: 一日20～40mg.
_BEFORE = re.compile(
    rf"(?:每#?个?|(?P<one>#))(?P<period>{_PERIODS})(?![^#]{{0,2}}前)[^#每]{{0,14}}(?:#[^#]{{0,4}}[-~至到])?$"
)
_BEHIND = re.compile(rf"#(?:[^#,;。|/]{{0,6}}/[^#,;。|/]{{1,4}}·|[^#,;。|/]{{0,4}}[/每])个?(?P<period>{_PERIODS})")
_OF_A_COLUMN = re.compile(rf"[/每]个?(?P<period>{_PERIODS})")
# The one word for periods that have two.
SAME_PERIOD = {"日": "天", "星期": "周"}


@dataclass(frozen=True, slots=True)
class _Named:
    """Which of several of a kind a text names from `start` to `end`: days of the week, or what is numbered alike."""

    start: int
    end: int
    kind: str
    which: frozenset[int]


def figures_of_another_day(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only of days of the week that sentence or question does not mean."""
    return _of_others(claim, cited, _days, PART_END)


def figures_of_another_phase(claim: Claim, cited: Cited) -> Iterator[str]:
    """The same of one of several that are numbered alike."""
    kinds = {one.kind for one in _phases(claim.text) or _phases(claim.asked)}
    return (wrong for kind in kinds for wrong in _of_others(claim, cited, partial(_phases, kind=kind), WHOLE_END))


def _of_others(
    claim: Claim, cited: Cited, read: Callable[[Plain], Sequence[_Named]], stop: re.Pattern[str]
) -> Iterator[str]:
    """Numbers that the passages have, wherever they do, behind the name of others than sentence or question name."""
    said = read(claim.text)
    asked = frozenset[int]().union(*(one.which for one in read(claim.asked)))
    told = [one for text in cited.passages for one in _with_last(text, read(text), stop)] if said or asked else []
    for number, which in _with_last(claim.text, said, stop):
        meant, found = which if said else asked, [its for other, its in told if number.agrees(other)]
        if meant and found and all(its and meant.isdisjoint(its) for its in found) and not cited.is_known(number):
            yield number.written


def _with_last(text: Plain, named: Sequence[_Named], stop: re.Pattern[str]) -> Iterator[tuple[Number, frozenset[int]]]:
    """Each number of a text, but for those of names, with what is named last before it; nothing behind a stop."""
    stops = [0, *(match.end() for match in stop.finditer(text.text))]
    ends, places = [one.end for one in named], {one.start for one in named}
    for number in text.numbers:
        last = bisect_right(ends, number.place) - 1
        is_told = last >= 0 and ends[last] > stops[bisect_right(stops, number.place) - 1]
        if number.place not in places:
            yield number, named[last].which if is_told else frozenset()


def _days(text: Plain) -> list[_Named]:
    return [_Named(one.start, one.end, "", one.days) for one in weekdays(text.folded)]


def _phases(text: Plain, kind: str = "") -> list[_Named]:
    """What a text numbers, of one kind or of any; those joined are named together, and of a table the columns tell."""
    if kind and re.search(rf"\|{kind}|{_ONE}{kind}[^|\n]*\|[^|\n]*{_ONE}{kind}", text.folded):
        return []
    values = {number.place: int(number.value) for number in text.numbers}
    found = list[_Named]()
    for one in _NUMBERED.finditer(text.folded):
        before = text.folded[max(0, one.start() - _LONGEST_BEFORE) : one.start()]
        if _COMPARED_WITH.search(before) or kind not in ("", one["kind"]):
            continue
        which = frozenset({values.get(one.start(), _FIRST)})
        joins = found and _TOGETHER.fullmatch(text.folded, found[-1].end, one.start())
        found.append(_Named(*one.span(), one["kind"], which | found[-1].which if joins else which))
    return found


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
    return SAME_PERIOD.get(found["period"], found["period"]) if found else ""


def _of_columns(number: Number, table: Table) -> Iterator[str]:
    """By which periods the columns tell a number that a table has in them."""
    for row, at in table.places(number):
        named = _OF_A_COLUMN.search(table.header[at]) if len(table.lines[row]) == len(table.header) else None
        if named:
            yield SAME_PERIOD.get(named["period"], named["period"])
