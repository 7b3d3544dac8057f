"""PPTX: each slide is a page, its title a heading; shapes in the order in which they are read, notes below them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import chain
from pathlib import Path
from typing import Any

import pptx
from pptx.exc import PythonPptxError
from pptx.oxml import parse_xml

from loaders.archives import unpacking
from loaders.cleaning import clean_typed
from loaders.formulas import formula_text
from loaders.headings import LONGEST
from loaders.health import numbered_pages
from loaders.pptx_graphics import chart_rows, diagram_texts, table_rows
from loaders.rows import joined
from rag.errors import NoWords, TooManyPages
from rag.types import Heading, LoadedDocument

_NOTES = "备注："
# Shapes whose tops differ by less than this part of a slide's height stand in one row.
_ROW_HEIGHT = 0.04
# What each slide repeats, by the names that the file's format gives to it.
_REPEATED = ("dt", "ftr", "hdr", "sldNum")
# Of two or three slides two may well say the same.
_OFTEN = 3
_LINE_BREAK = "\v"
_FORMULA = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_RUN = '<a:r xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:t/></a:r>'
_COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
# What is read of one shape.
Lines = tuple[str, ...]


def read_pptx(path: Path, name: str, max_pages: int) -> LoadedDocument:
    """The slides of a presentation as pages, those included that are left out of a slide show."""
    with unpacking(path, name, PythonPptxError, AttributeError):
        presentation = pptx.Presentation(str(path))
        slides = presentation.slides
        if len(slides) > max_pages:
            raise TooManyPages(name=name, pages=len(slides), limit=max_pages)
        row_height = int(_ROW_HEIGHT * (presentation.slide_height or 0))
        for slide in slides:
            _take_up_newer(slide.element)
            _take_up_formulas(slide.element)
        shapes = [_shapes(slide, row_height) for slide in slides]
        read = [_Slide(*one) for one in zip(slides, shapes, _told_again(shapes), strict=True)]
    pages = numbered_pages((slide.text for slide in read), name, NoWords)
    return LoadedDocument(pages, tuple(Heading(1, slide.title, n) for n, slide in enumerate(read, 1) if slide.title))


class _Slide:
    """What is read of a slide. Without a title of its own it begins with one: it is not of the slide before."""

    def __init__(self, slide: Any, shapes: Sequence[Lines], left_out: Set[Lines]) -> None:
        title = slide.shapes.title
        own = " ".join(_lines(title.text_frame)) if title is not None else ""
        lines = chain.from_iterable(shape for shape in shapes if shape not in left_out)
        self.text = joined([own, *lines, "", *_notes(slide)])
        first = self.text.split("\n", 1)[0].replace("|", " ")
        self.title = own or " ".join(first.split())[:LONGEST]


def _shapes(slide: Any, row_height: int) -> list[Lines]:
    """The lines of each shape of a slide but its title, in the order in which they are read."""
    title = slide.shapes.title
    others = (shape for shape in slide.shapes if title is None or shape.element is not title.element)
    return [tuple(_shape_lines(shape, row_height)) for shape in _ordered(others, row_height)]


def _told_again(slides: Sequence[Sequence[Lines]]) -> list[set[Lines]]:
    """The shapes of each slide that most slides have and one before it had: a watermark, or a footer in a text box."""
    times = Counter(chain.from_iterable(map(set, slides)))
    repeated = {shape for shape, count in times.items() if count >= _OFTEN and 2 * count > len(slides)}
    told: set[Lines] = set()
    again = []
    for slide in slides:
        again.append(repeated & told)
        told.update(slide)
    return again


def _take_up_newer(slide: Any) -> None:
    """Put shapes that only newer programs know, as those with formulas, in the place where they stand with others."""
    for alternatives in list(slide.iter(f"{_COMPATIBILITY}AlternateContent")):
        for shape in list(alternatives.iterfind(f"{_COMPATIBILITY}Choice[1]/*")):
            alternatives.addprevious(shape)


def _take_up_formulas(slide: Any) -> None:
    """Put the text of each formula where it stands among others."""
    for formula in list(slide.iter(_FORMULA)):
        run = parse_xml(_RUN)
        run.text = formula_text(formula)
        formula.addprevious(run)


def _ordered(shapes: Iterable[Any], row_height: int) -> Iterator[Any]:
    """Shapes from top to bottom, those of a row from left to right."""
    rows: list[list[Any]] = []
    for shape in sorted(shapes, key=_top):
        if not rows or _top(shape) - _top(rows[-1][0]) > row_height:
            rows.append([])
        rows[-1].append(shape)
    for row in rows:
        yield from sorted(row, key=lambda shape: shape.left or 0)


def _top(shape: Any) -> int:
    return shape.top or 0


def _shape_lines(shape: Any, row_height: int) -> Iterator[str]:
    """The lines of a shape: its text, the rows of its table or chart, or those of the shapes that it groups.

    An empty line stands behind a table.
    """
    if hasattr(shape, "shapes"):
        for inner in _ordered(shape.shapes, row_height):
            yield from _shape_lines(inner, row_height)
    elif shape.has_text_frame:
        if not _is_repeated(shape):
            yield from _lines(shape.text_frame)
    elif getattr(shape, "has_table", False):
        yield from (*table_rows(shape.table), "")
    elif getattr(shape, "has_chart", False):
        yield from (*chart_rows(shape), "")
    else:
        yield from map(clean_typed, diagram_texts(shape))


def _is_repeated(shape: Any) -> bool:
    placeholder = shape.element.find(".//{*}nvPr/{*}ph")
    return placeholder is not None and placeholder.get("type", "") in _REPEATED


def _lines(frame: Any) -> Iterator[str]:
    """The paragraphs of a text frame, one a line, as are the parts of one that a break parts."""
    for paragraph in frame.paragraphs:
        yield from filter(None, map(clean_typed, paragraph.text.split(_LINE_BREAK)))


def _notes(slide: Any) -> Iterator[str]:
    frame = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    lines = list(_lines(frame)) if frame is not None else []
    yield from (_NOTES + line if index == 0 else line for index, line in enumerate(lines))
