"""What is told of another day of the week: 周一至周五8:30—17:30 for 周六, or 周三 of who is there 周二."""

from collections.abc import Iterator, Mapping, Sequence

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.grids import PIECE, Grid
from rag.citations.plain import PART_END, Plain
from rag.citations.wrong_cells import MOVES
from rag.language.denials import denials
from rag.language.numbers import DATED
from rag.language.weekdays import Weekdays, weekdays


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
