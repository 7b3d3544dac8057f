"""Which way the text of a PDF page runs: lines on their side are turned, watermarks aslant are left out."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from statistics import median
from typing import Any, NamedTuple

import pypdfium2.raw as pdfium

BLANKS = (0x20, 0xA0, 0x3000)
_ASLANT = 10.0  # degrees off a quarter turn: scanned pages with a text layer are less askew
_LARGER = 1.2  # times the size of the text
_QUARTER = 90


class PageBox(NamedTuple):
    """What a character or a ruling line takes of a page, y growing upwards."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass(frozen=True)
class Rotation:
    """How often text is turned by a quarter, counter-clockwise, on a page with that upper right corner."""

    quarters: int
    right: float
    top: float

    def undone(self, box: PageBox) -> PageBox:
        """Where a box stands once the text runs from left to right."""
        left, bottom, right, top = box
        if self.quarters == 1:
            return PageBox(bottom, self.right - right, top, self.right - left)
        if self.quarters == 2:
            return PageBox(self.right - right, self.top - top, self.right - left, self.top - bottom)
        return PageBox(self.top - top, left, self.top - bottom, right)


class Line(NamedTuple):
    """The characters `[start, end)` of a text page, and which way they run, in degrees counter-clockwise."""

    start: int
    end: int
    degrees: int

    @property
    def quarters(self) -> int:
        return round(self.degrees / _QUARTER) % 4

    @property
    def is_aslant(self) -> bool:
        return self.degrees % _QUARTER != 0


def directed(raw: Any, codes: Sequence[int], spans: Sequence[tuple[int, int]]) -> list[Line]:
    """Lines with their directions, parted where these change.

    Each call of pdfium takes its time: where all lines begin and end upright, what is within them is, too.
    """
    degrees = partial(_degrees, raw, pdfium.FS_MATRIX())
    if not any(degrees(start) or (end - start > 1 and degrees(end - 1)) for start, end in spans):
        return [Line(start, end, 0) for start, end in spans]
    return [line for start, end in spans for line in _parted(degrees, codes, start, end)]


def _parted(degrees: Callable[[int], float], codes: Sequence[int], start: int, end: int) -> Iterator[Line]:
    """A line's parts of one direction each. What pdfium puts between words has none."""
    written = (index for index in range(start, end) if codes[index] not in BLANKS)
    for direction, run in groupby(written, key=lambda index: _direction(degrees(index))):
        indices = list(run)
        yield Line(indices[0], indices[-1] + 1, direction)


def _direction(degrees: float) -> int:
    """Degrees to compare: a quarter turn, or what is far from one."""
    quarter = _QUARTER * round(degrees / _QUARTER)
    return quarter % 360 if abs(degrees - quarter) <= _ASLANT else round(degrees)


def _degrees(raw: Any, matrix: Any, index: int) -> float:
    """Which way a character runs, counter-clockwise. The matrix is only lent."""
    pdfium.FPDFText_GetMatrix(raw, index, matrix)
    # Not by the slant of its upright side: slanted letters stand in for italics.
    rising, running = matrix.b, matrix.a
    if not rising and running >= 0:
        return 0.0
    # WPS of 2009 turned the page and its letters over, and these back again by a size below zero.
    turned_back = math.copysign(1.0, pdfium.FPDFText_GetFontSize(raw, index))
    return math.degrees(math.atan2(turned_back * rising, turned_back * running))


def without_watermarks(raw: Any, codes: Sequence[int], lines: Sequence[Line]) -> Sequence[Line]:
    """The lines, those aslant left out that are larger than the text or repeat: others may be titles of columns."""
    aslant = [line for line in lines if line.degrees and line.is_aslant]
    if not aslant or len(aslant) == len(lines):
        return lines
    larger = _LARGER * median(font_size(raw, line.start) for line in lines if not line.is_aslant)
    times = Counter(tuple(codes[line.start : line.end]) for line in aslant)
    marks = {
        line
        for line in aslant
        if times[tuple(codes[line.start : line.end])] > 1 or font_size(raw, line.start) >= larger
    }
    return [line for line in lines if line not in marks]


def font_size(raw: Any, index: int) -> float:
    """The size in points that a character is set in, as the page shows it."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(raw, index, matrix)
    return float(abs(pdfium.FPDFText_GetFontSize(raw, index)) * math.hypot(matrix.a, matrix.b))


def page_rotation(page: Any, lines: Sequence[Line]) -> Rotation | None:
    """How the text of a `PdfPage` is turned; None where most of it runs from left to right."""
    if not any(line.degrees for line in lines):
        return None
    characters = Counter[int]()
    for line in lines:
        characters[line.quarters] += line.end - line.start
    ((quarters, _),) = characters.most_common(1)
    if not quarters:
        return None
    _, _, right, top = page.get_mediabox()
    return Rotation(quarters, right, top)
