"""The ruling lines of a PDF page, from pdfium's path objects."""

from collections.abc import Callable, Iterator
from ctypes import byref, c_float, c_int
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfMatrix

from loaders.rotation import PageBox, Rotation
from loaders.ruling import Grid, Rule, find_grids

_THICKEST = 3.0  # points
_SHORTEST = 2.0
# The grid of a table may be one path; a drawing has more.
_MOST_SEGMENTS = 2000
_RECTANGLE_SEGMENTS = 5
_MOST_FORMS = 3


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
