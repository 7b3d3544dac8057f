"""What is told of another day of the week: 周一至周五8:30—17:30 for 周六, or 周三 of who is there 周二."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.grids import PIECE, Grid
from rag.citations.plain import PART_END, Plain
from rag.citations.wrong_cells import MOVES
from rag.language.denials import denials
from rag.language.numbers import DATED

_DAY = "一二三四五六日"
_WEEK = "(?:周|星期|礼拜)"
_NAMED = re.compile(
    rf"{_WEEK}(?P<first>[{_DAY}天])(?:(?:[至到~-]|[—–]+){_WEEK}?(?P<last>[{_DAY}天]))?(?![年期本书])|"
    r"(?P<weekend>周末|双休日)|(?P<work>工作日(?!内)|平日|平时)|(?P<holiday>法定节假日|节假日|假日)|(?P<every>每[天日]|天天|全年)"
)
_AND = re.compile(r"\s*(?:[、,/和与及跟或]|以及)?\s*")
_HOLIDAY = 8
_GROUPS = {
    "weekend": frozenset({6, 7}),
    "work": frozenset(range(1, 6)),
    "holiday": frozenset({_HOLIDAY}),
    "every": frozenset(range(1, _HOLIDAY + 1)),
}


@dataclass(frozen=True, slots=True)
class Weekdays:
    """Days named in one go, 1 for Monday to 7, 8 for holidays; and from where to where they stand."""

    start: int
    end: int
    days: frozenset[int]


def figures_of_another_day(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only of days of the week that sentence or question does not mean."""
    asked = _all_days([*weekdays(claim.asked.folded)])
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


def days_of_another_row(claim: Claim, cited: Cited) -> Iterator[str]:
    """Days of the week on which all rows that are named with them have none of theirs: 周三 of 苏晓棠 | 周二全天."""
    return (day for piece, day in _days_of_none(claim, cited) if not denials(piece))


def denies_days_of_none(claim: Claim, cited: Cited) -> bool:
    """Whether a sentence denies of rows the days that they do not have: 苏晓棠周三不在."""
    return any(denials(piece) for piece, _ in _days_of_none(claim, cited))


def _days_of_none(claim: Claim, cited: Cited) -> Iterator[tuple[str, str]]:
    """Each piece of a sentence that tells rows of a day that none of them has, with that day."""
    for piece in PIECE.findall(claim.text.valued) if cited.grids else ():
        if not (said := [*weekdays(piece)]) or MOVES.search(piece):
            continue
        days = _all_days(said)
        told = [own for grid in cited.grids if (own := _days_of_rows(grid, piece))]
        if told and all(days.isdisjoint(own) for own in told) and not _is_told_beside(piece, days, cited):
            yield piece, piece[said[0].start : said[0].end]


def _days_of_rows(grid: Grid, piece: str) -> frozenset[int]:
    """The days that the cells of the named rows tell; none of a table with a column for each day."""
    if any(any(weekdays(head)) for head in grid.columns):
        return frozenset()
    named = grid.heads(piece)
    lines = (line for head, line in zip(grid.rows, grid.lines, strict=True) if head in named)
    return _all_days([one for line in lines for cell in line for one in weekdays(cell)])


def _is_told_beside(piece: str, days: frozenset[int], cited: Cited) -> bool:
    """Whether a clause beside the tables tells one of these days of something that a piece names as a row."""
    heads = {head for grid in cited.grids for head in grid.heads(piece)}
    clauses = (clause for passage in cited.passages for clause in PIECE.findall(passage.valued))
    return any(
        any(head in clause for head in heads) and not days.isdisjoint(_all_days([*weekdays(clause)]))
        for clause in clauses
    )


def _all_days(named: Sequence[Weekdays]) -> frozenset[int]:
    return frozenset[int]().union(*(one.days for one in named))


def _days_of_numbers(text: Plain) -> Mapping[int, frozenset[int]]:
    """The days named last before each number in its sentence or cell, by its place."""
    named = [*weekdays(text.folded)]
    last = text.last_before([one.end for one in named], PART_END)
    return {one.place: named[last[one.place]].days if one.place in last else frozenset() for one in text.numbers}


def weekdays(text: str) -> Iterator[Weekdays]:
    """The days that a text names, those joined as one: 周六、周日."""
    last: Weekdays | None = None
    for match in _NAMED.finditer(text):
        own = Weekdays(*match.span(), _days(match))
        if last and _AND.fullmatch(text, last.end, own.start):
            last = Weekdays(last.start, own.end, last.days | own.days)
            continue
        if last:
            yield last
        last = own
    if last:
        yield last


def _days(match: re.Match[str]) -> frozenset[int]:
    group = next((name for name in _GROUPS if match[name]), None)
    if group:
        return _GROUPS[group]
    first, last = (_DAY.find(day.replace("天", "日")) + 1 for day in (match["first"], match["last"] or match["first"]))
    return frozenset(range(first, last + 1)) or frozenset({*range(first, 8), *range(1, last + 1)})
