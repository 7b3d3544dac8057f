"""The ruling lines of a PDF page, from pdfium's path objects."""

from collections.abc import Iterator
from ctypes import byref, c_float, c_int
from typing import Any

import pypdfium2.raw as pdfium

from loaders.rotation import PageBox, Rotation
from loaders.ruling import Grid, Rule, find_grids

_THICKEST = 3.0  # points
_SHORTEST = 2.0
# The grid of a table may be one path; a drawing has more.
_MOST_SEGMENTS = 2000
_RECTANGLE_SEGMENTS = 5


def page_grids(page: Any, rotation: Rotation | None) -> list[Grid]:
    """The grids of a `PdfPage`, from the lines and outlined boxes that stand on it, turned as its text is.

    Filled boxes only shade; what stands in form objects is mostly drawings.
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
    for index in range(pdfium.FPDFPage_CountObjects(page)):
        shape = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(shape) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        left, bottom, right, top = _bounds(shape)
        if top - bottom <= _THICKEST or right - left <= _THICKEST:
            yield left, bottom, right, top
        elif _is_stroked(shape):
            segments = pdfium.FPDFPath_CountSegments(shape)
            if segments == _RECTANGLE_SEGMENTS:
                yield from ((left, y, right, y) for y in (bottom, top))
                yield from ((x, bottom, x, top) for x in (left, right))
            elif segments <= _MOST_SEGMENTS:
                yield from _segments(shape, segments)


def _bounds(shape: Any) -> tuple[float, float, float, float]:
    sides = (c_float(), c_float(), c_float(), c_float())
    pdfium.FPDFPageObj_GetBounds(shape, *sides)
    return sides[0].value, sides[1].value, sides[2].value, sides[3].value


def _is_stroked(shape: Any) -> bool:
    fill, stroke = c_int(), c_int()
    return bool(pdfium.FPDFPath_GetDrawMode(shape, byref(fill), byref(stroke))) and bool(stroke.value)


def _segments(shape: Any, count: int) -> Iterator[tuple[float, float, float, float]]:
    """The lines of a path, where they stand on the page."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(shape, matrix)
    before: tuple[float, float] | None = None
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(shape, index)
        x, y = c_float(), c_float()
        pdfium.FPDFPathSegment_GetPoint(segment, x, y)
        here = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        if before and pdfium.FPDFPathSegment_GetType(segment) == pdfium.FPDF_SEGMENT_LINETO:
            yield min(before[0], here[0]), min(before[1], here[1]), max(before[0], here[0]), max(before[1], here[1])
        before = here
