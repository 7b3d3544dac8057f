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

    @property
    def height(self) -> float:
        """How high its box is."""
        return self.bottom - self.top


def boxes_of_glyphs(
    text: str, spans: Iterable[tuple[int, int]], glyphs: Sequence[Glyph], size: tuple[float, float]
) -> tuple[tuple[Box, ...], ...]:
    """Where each span `[start, end)` of a text stands on a page of that size in points, in the text's order."""
    raw, owners = _lines(glyphs)
    aligned = align(text, raw)
    owned = ([owners[place] for place in aligned[start:end] if place != UNMATCHED] for start, end in spans)
    return tuple(_boxes([glyphs[owner] for owner in dict.fromkeys(own)], *size) for own in owned)


def _boxes(drawn: Sequence[Glyph], width: float, height: float) -> tuple[Box, ...]:
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
    placed = list(map(_turned, glyphs)) if _runs_downwards(glyphs) else glyphs
    raw, owners = [], []
    for index, glyph in enumerate(placed):
        if index and not _in_one_row(placed[index - 1], glyph):
            raw.append("\n")
            owners.append(index)
        raw.append(glyph.character)
        owners.append(index)
    return "".join(raw), owners


def _rows(glyphs: Iterable[Glyph]) -> list[Glyph]:
    """The boxes of characters, those that stand in one row put together."""
    rows: list[Glyph] = []
    for glyph in glyphs:
        for index in range(len(rows) - 1, max(-1, len(rows) - 1 - _OPEN_ROWS), -1):
            if _in_one_row(rows[index], glyph):
                rows[index] = _union(rows[index], glyph)
                break
        else:
            rows.append(glyph)
    return rows


def _in_one_row(row: Glyph, other: Glyph) -> bool:
    overlap = min(row.bottom, other.bottom) - max(row.top, other.top)
    gap = max(row.left, other.left) - min(row.right, other.right)
    em = max(row.height, other.height)
    return overlap >= _SAME_ROW * min(row.height, other.height) and gap <= _WIDEST_GAP * em


def _union(first: Glyph, second: Glyph) -> Glyph:
    return first._replace(
        left=min(first.left, second.left),
        top=min(first.top, second.top),
        right=max(first.right, second.right),
        bottom=max(first.bottom, second.bottom),
    )


def _runs_downwards(glyphs: Sequence[Glyph]) -> bool:
    """Whether the text goes from character to character up or down the page: vertical writing, or text on its side."""
    steps = [(abs(after.left - before.left), abs(after.top - before.top)) for before, after in pairwise(glyphs)]
    return sum(down > across for across, down in steps) > len(steps) / 2


def _turned(glyph: Glyph) -> Glyph:
    """With its axes swapped, so that columns are rows."""
    return Glyph(glyph.character, glyph.top, glyph.left, glyph.bottom, glyph.right)


def _ems(text: str) -> float:
    return sum(_HALF_WIDTH if character.isascii() else 1.0 for character in text)


def _part(box: Box, begun: float, ended: float) -> Box:
    width = box.right - box.left
    return _clipped(box.left + begun * width, box.top, box.left + ended * width, box.bottom)


def _clipped(left: float, top: float, right: float, bottom: float) -> Box:
    """A box within the page, rounded to what can be seen: finer steps would only lengthen the message."""
    return Box(*(round(min(max(value, 0.0), 1.0), 5) for value in (left, top, right, bottom)))
