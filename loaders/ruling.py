"""The grids of a PDF page's tables: its ruling lines, from pdfium's path objects, put together where they touch.

In points, y growing upwards.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from ctypes import byref, c_float, c_int
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfMatrix

from loaders.rotation import PageBox, Rotation

# Lines that should meet miss each other by their own width, and some programs draw them in pieces.
_TOLERANCE = 3.0
# More lines or cells than any table needs, and more grids than any page has tables, are a drawing.
_MOST_LINES = 600
_MOST_CELLS = 40_000
_MOST_GRIDS = 100
_THICKEST = 3.0  # points
_SHORTEST = 2.0
# The grid of a table may be one path; a drawing has more.
_MOST_SEGMENTS = 2000
_RECTANGLE_SEGMENTS = 5
_MOST_FORMS = 3


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


def page_grids(page: Any, rotation: Rotation | None) -> list[Grid]:
    """The grids of a `PdfPage`, from the lines and outlined boxes that stand on it, turned as its text is.

    Filled boxes only shade.
    """
    horizontal: list[Rule] = []
    upright: list[Rule] = []
    for stroke in _strokes(page):
        left, bottom, right, top = rotation.undone(PageBox(*stroke)) if rotation else stroke
        if top - bottom <= _THICKEST and right - left > _SHORTEST:
            horizontal.append(Rule((bottom + top) / 2, left, right))
        if right - left <= _THICKEST and top - bottom > _SHORTEST:
            upright.append(Rule((left + right) / 2, bottom, top))
    return find_grids(horizontal, upright) if horizontal and upright else []


def _strokes(page: Any) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of all straight lines."""
    for shape, placed in _paths(page, pdfium.FPDFPage_CountObjects, pdfium.FPDFPage_GetObject, PdfMatrix()):
        left, bottom, right, top = placed.on_rect(*_bounds(shape))
        if top - bottom <= _THICKEST or right - left <= _THICKEST:
            yield left, bottom, right, top
        elif _is_stroked(shape):
            segments = pdfium.FPDFPath_CountSegments(shape)
            if segments == _RECTANGLE_SEGMENTS:
                yield from ((left, y, right, y) for y in (bottom, top))
                yield from ((x, bottom, x, top) for x in (left, right))
            elif segments <= _MOST_SEGMENTS:
                yield from _segments(shape, segments, placed)


def _paths(
    whole: Any, count: Callable[[Any], int], get: Callable[[Any, int], Any], placed: PdfMatrix, forms: int = 0
) -> Iterator[tuple[Any, PdfMatrix]]:
    """The paths of a page or form object, and how what they tell is placed on the page.

    Form objects beside text are mostly drawings. But WPS, and who stamps a page, writes the whole of it into one.
    """
    shapes = [(shape, pdfium.FPDFPageObj_GetType(shape)) for shape in (get(whole, at) for at in range(count(whole)))]
    has_text = any(kind == pdfium.FPDF_PAGEOBJ_TEXT for _, kind in shapes)
    for shape, kind in shapes:
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            yield shape, placed
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and not has_text and forms < _MOST_FORMS:
            within = _matrix(shape).multiply(placed)
            yield from _paths(shape, pdfium.FPDFFormObj_CountObjects, pdfium.FPDFFormObj_GetObject, within, forms + 1)


def _matrix(shape: Any) -> PdfMatrix:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(shape, matrix)
    return PdfMatrix.from_raw(matrix)


def _bounds(shape: Any) -> tuple[float, float, float, float]:
    sides = (c_float(), c_float(), c_float(), c_float())
    pdfium.FPDFPageObj_GetBounds(shape, *sides)
    return sides[0].value, sides[1].value, sides[2].value, sides[3].value


def _is_stroked(shape: Any) -> bool:
    fill, stroke = c_int(), c_int()
    return bool(pdfium.FPDFPath_GetDrawMode(shape, byref(fill), byref(stroke))) and bool(stroke.value)


def _segments(shape: Any, count: int, placed: PdfMatrix) -> Iterator[tuple[float, float, float, float]]:
    """The lines of a path, where they stand on the page."""
    matrix = _matrix(shape).multiply(placed)
    before: tuple[float, float] | None = None
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(shape, index)
        x, y = c_float(), c_float()
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        here = matrix.on_point(x.value, y.value)
        if before and pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_LINETO:
            yield min(before[0], here[0]), min(before[1], here[1]), max(before[0], here[0]), max(before[1], here[1])
        before = here
