"""From a span of a page's cleaned text to boxes on the page, one for each line that it runs over. Pure functions."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from loaders.text_tiling import UNMATCHED, align
from rag.types import Box, PlacedLine

# A formula leaves its line for an index and returns to it.
_OPEN_ROWS = 3
_SAME_ROW = 0.5  # of the lower one's height
_WIDEST_GAP = 2.0  # em: a wider one separates columns or cells
_HALF_WIDTH = 0.5  # em: Latin letters and digits, where a Chinese character takes one


class Glyph(NamedTuple):
    """A visible character and its box: in points, from the upper left corner of the page as it is displayed."""

    character: str
    left: float
    top: float
    right: float
    bottom: float


class _Rectangle(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        return self.bottom - self.top


def boxes_of_glyphs(
    text: str, spans: Iterable[tuple[int, int]], glyphs: Sequence[Glyph], size: tuple[float, float]
) -> tuple[tuple[Box, ...], ...]:
    """Where each span `[start, end)` of a text stands on a page of that size in points, in the text's order."""
    raw, owners = _lines(glyphs)
    aligned = align(text, raw)
    rectangles = _without_room(glyphs)
    owned = ([owners[place] for place in aligned[start:end] if place != UNMATCHED] for start, end in spans)
    return tuple(_boxes([rectangles[owner] for owner in dict.fromkeys(own)], *size) for own in owned)


def _boxes(drawn: list[_Rectangle], width: float, height: float) -> tuple[Box, ...]:
    upright = _runs_downwards(drawn)
    rows = _rows(map(_turned, drawn) if upright else drawn)
    return tuple(
        _clipped(row.left / width, row.top / height, row.right / width, row.bottom / height)
        for row in (map(_turned, rows) if upright else rows)
    )


def boxes_of_lines(text: str, start: int, end: int, lines: Iterable[PlacedLine]) -> tuple[Box, ...]:
    """Where `text[start:end]` stands on a page whose lines are known but not their characters."""
    boxes = []
    for line in lines:
        first, last = max(start, line.start), min(end, line.end)
        if first < last:
            whole = _ems(text[line.start : line.end])
            begun = _ems(text[line.start : first]) / whole
            boxes.append(_part(line.box, begun, begun + _ems(text[first:last]) / whole))
    return tuple(boxes)


def _lines(glyphs: Sequence[Glyph]) -> tuple[str, list[int]]:
    """The glyphs' text, with a line break where it does not go on beside the last one, and whose each character is."""
    rectangles = [_rectangle(glyph) for glyph in glyphs]
    if _runs_downwards(rectangles):
        rectangles = [_turned(rectangle) for rectangle in rectangles]
    raw, owners = [], []
    for index, glyph in enumerate(glyphs):
        if index and not _in_one_row(rectangles[index - 1], rectangles[index]):
            raw.append("\n")
            owners.append(index)
        raw.append(glyph.character)
        owners.append(index)
    return "".join(raw), owners


def _rows(rectangles: Iterable[_Rectangle]) -> list[_Rectangle]:
    """The rectangles of characters, those that stand in one row put together."""
    rows: list[_Rectangle] = []
    for rectangle in rectangles:
        for index in range(len(rows) - 1, max(-1, len(rows) - 1 - _OPEN_ROWS), -1):
            if _in_one_row(rows[index], rectangle):
                rows[index] = _union(rows[index], rectangle)
                break
        else:
            rows.append(rectangle)
    return rows


def _in_one_row(row: _Rectangle, other: _Rectangle) -> bool:
    overlap = min(row.bottom, other.bottom) - max(row.top, other.top)
    gap = max(row.left, other.left) - min(row.right, other.right)
    em = max(row.height, other.height)
    return overlap >= _SAME_ROW * min(row.height, other.height) and gap <= _WIDEST_GAP * em


def _rectangle(glyph: Glyph) -> _Rectangle:
    return _Rectangle(glyph.left, glyph.top, glyph.right, glyph.bottom)


def _without_room(glyphs: Sequence[Glyph]) -> list[_Rectangle]:
    """The glyphs' rectangles, those of marks set closer than they are wide without the half that is on the next one."""
    rectangles = [_rectangle(glyph) for glyph in glyphs]
    for index, (glyph, after) in enumerate(zip(glyphs, rectangles[1:], strict=False)):
        mark = rectangles[index]
        is_closer = (mark.left + mark.right) / 2 <= after.left < mark.right
        if is_closer and not glyph.character.isalnum() and _in_one_row(mark, after):
            rectangles[index] = mark._replace(right=after.left)
    return rectangles


def _union(first: _Rectangle, second: _Rectangle) -> _Rectangle:
    return _Rectangle(
        min(first.left, second.left),
        min(first.top, second.top),
        max(first.right, second.right),
        max(first.bottom, second.bottom),
    )


def _runs_downwards(rectangles: Sequence[_Rectangle]) -> bool:
    """Whether the text goes from character to character up or down the page: vertical writing, or text on its side."""
    steps = [(abs(after.left - before.left), abs(after.top - before.top)) for before, after in pairwise(rectangles)]
    return sum(down > across for across, down in steps) > len(steps) / 2


def _turned(rectangle: _Rectangle) -> _Rectangle:
    """With its axes swapped, so that columns are rows."""
    return _Rectangle(rectangle.top, rectangle.left, rectangle.bottom, rectangle.right)


def _ems(text: str) -> float:
    return sum(_HALF_WIDTH if character.isascii() else 1.0 for character in text)


def _part(box: Box, begun: float, ended: float) -> Box:
    width = box.right - box.left
    return _clipped(box.left + begun * width, box.top, box.left + ended * width, box.bottom)


def _clipped(left: float, top: float, right: float, bottom: float) -> Box:
    """A box within the page, rounded to what can be seen: finer steps would only lengthen the message."""
    return Box(*(round(min(max(value, 0.0), 1.0), 5) for value in (left, top, right, bottom)))
