"""Ruling lines of a page put together to the grids of tables. Pure geometry, in points, y growing upwards."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

# Lines that should meet miss each other by their own width, and some programs draw them in pieces.
_TOLERANCE = 3.0
# More lines or cells than any table needs, and more grids than any page has tables, are a drawing.
_MOST_LINES = 600
_MOST_CELLS = 40_000
_MOST_GRIDS = 100


@dataclass(frozen=True, slots=True, order=True)
class Rule:
    """A horizontal line at height `at`, or an upright one at distance `at`, from `start` to `end`."""

    at: float
    start: float
    end: float

    def covers(self, position: float) -> bool:
        """Whether the line passes there."""
        return self.start - _TOLERANCE <= position <= self.end + _TOLERANCE


@dataclass(frozen=True)
class Grid:
    """Lines that touch each other. Rows count from the top; a cell is known by its first row and column."""

    horizontal: tuple[Rule, ...]
    upright: tuple[Rule, ...]

    @cached_property
    def columns(self) -> list[float]:
        """The distances that part columns, with both sides: outer lines are often left out."""
        ends = (end for rule in self.horizontal for end in (rule.start, rule.end))
        return _distinct([*(rule.at for rule in self.upright), *_outermost(ends)])

    @cached_property
    def rows(self) -> list[float]:
        """The heights that part rows, from the bottom."""
        ends = (end for rule in self.upright for end in (rule.start, rule.end))
        return _distinct([*(rule.at for rule in self.horizontal), *_outermost(ends)])

    @property
    def row_count(self) -> int:
        """The number of rows."""
        return len(self.rows) - 1

    @property
    def column_count(self) -> int:
        """The number of columns."""
        return len(self.columns) - 1

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """The cell that holds a point; None outside."""
        column, row = bisect_right(self.columns, x) - 1, self.row_count - bisect_right(self.rows, y)
        if 0 <= column < self.column_count and 0 <= row < self.row_count:
            return self.cells[row][column]
        return None

    @cached_property
    def cells(self) -> list[list[tuple[int, int]]]:
        """The cell at each row and column. One that no line crosses stands at several."""
        cells = [[(row, column) for column in range(self.column_count)] for row in range(self.row_count)]
        beside = [_passing(self.upright, distance) for distance in self.columns]
        for row in range(self.row_count):
            top, bottom = self.rows[self.row_count - row], self.rows[self.row_count - row - 1]
            above = _passing(self.horizontal, top)
            for column in range(self.column_count):
                if row and not _cover(above, (self.columns[column] + self.columns[column + 1]) / 2):
                    cells[row][column] = cells[row - 1][column]
                elif column and not _cover(beside[column], (top + bottom) / 2):
                    cells[row][column] = cells[row][column - 1]
        return cells


def _passing(rules: Iterable[Rule], position: float) -> list[Rule]:
    """The lines that stand at a height, or at a distance."""
    return [rule for rule in rules if abs(rule.at - position) <= _TOLERANCE]


def _cover(rules: Iterable[Rule], position: float) -> bool:
    return any(rule.covers(position) for rule in rules)


def find_grids(horizontal: Iterable[Rule], upright: Iterable[Rule]) -> list[Grid]:
    """The grids of at least two columns that lines make, without what looks like a drawing."""
    lines, columns = _joined(horizontal), _joined(upright)
    if len(lines) > _MOST_LINES or len(columns) > _MOST_LINES:
        return []
    found = (Grid(tuple(across), tuple(up)) for across, up in _touching(lines, columns))
    grids = [grid for grid in found if grid.column_count >= 2 and grid.row_count >= 1]
    cells = sum(grid.column_count * grid.row_count for grid in grids)
    return grids if len(grids) <= _MOST_GRIDS and cells <= _MOST_CELLS else []


def _joined(rules: Iterable[Rule]) -> list[Rule]:
    """The pieces of each line joined."""
    lines: list[list[Rule]] = []
    for rule in sorted(rules):
        if not lines or rule.at - lines[-1][0].at > _TOLERANCE:
            lines.append([])
        lines[-1].append(rule)
    return [rule for line in lines for rule in _without_gaps(line)]


def _without_gaps(line: Sequence[Rule]) -> list[Rule]:
    joined: list[Rule] = []
    for rule in sorted(line, key=lambda piece: piece.start):
        if joined and rule.start <= joined[-1].end + _TOLERANCE:
            joined[-1] = Rule(joined[-1].at, joined[-1].start, max(joined[-1].end, rule.end))
        else:
            joined.append(rule)
    return joined


def _touching(horizontal: Sequence[Rule], upright: Sequence[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """The lines in connected groups."""
    groups: list[tuple[set[int], list[Rule]]] = []
    for column in upright:
        met = {index for index, rule in enumerate(horizontal) if rule.covers(column.at) and column.covers(rule.at)}
        group = met, [column]
        apart = []
        for other in groups:
            if met.isdisjoint(other[0]):
                apart.append(other)
            else:
                group = group[0] | other[0], other[1] + group[1]
        groups = [*apart, group] if met else groups
    return [([horizontal[index] for index in sorted(across)], up) for across, up in groups]


def _distinct(positions: Iterable[float]) -> list[float]:
    distinct: list[float] = []
    for position in sorted(positions):
        if not distinct or position - distinct[-1] > _TOLERANCE:
            distinct.append(position)
    return distinct


def _outermost(positions: Iterable[float]) -> tuple[float, float]:
    values = list(positions)
    return min(values), max(values)
