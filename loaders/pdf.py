"""PDF: how a page becomes lines, tables and headings.

1. pdfium tells the characters with their boxes; `pdf_lines` makes pieces of them, parted at wide gaps, and puts what
   stands in a ruled grid (`ruling`) together to the rows of a table (`tables`).
2. `page_rows` puts the pieces in reading order, column after column (`columns`), sets the notes in the margin apart
   (`lines`), finds tables without rules (`borderless_tables`) and joins pieces of one row.
3. With all pages at hand, `headers_footers` takes these and page numbers away, and `titles` tells which lines are set
   larger than the text.
4. `paragraphs` joins broken lines again, cleaned by `cleaning`: a paragraph, heading or row of a table is one line;
   `page_breaks` tells which sentences go on on the next page.
5. The outline is the file's own where it fits the text, else `heading_detection` finds one by numbering and size.

A page whose text cannot be read has none, and is left to be recognised (`ocr_text`, which goes on from step 2).

pdfium is not safe with threads: use `loaders.reader`, which gives every file a process of its own.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pypdfium2 import PdfiumError
from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

from loaders.cleaning import as_title, clean_line, without_stray_blanks
from loaders.headers_footers import without_headers_footers
from loaders.headings import bare
from loaders.health import has_text, page_health
from loaders.lines import TextLine
from loaders.outline import complete_outline, fits
from loaders.page_breaks import with_separators
from loaders.page_rows import page_rows
from loaders.paragraphs import join_lines
from loaders.pdf_lines import text_lines
from loaders.pdfium import filled_page, opened_pdf
from loaders.rows import without_repeated_headers
from loaders.titles import title_sizes
from rag.errors import DamagedFile, EmptyFile, TooManyPages
from rag.types import Heading, LoadedDocument, Page, PageHealth

_MAX_FORM_DEPTH = 3
_MOST_OF_A_PAGE = 0.5
_FEWEST_CHARACTERS = 30
_STAMPED_PAGES = 3


@dataclass(frozen=True, slots=True)
class _RawPage:
    """A page as pdfium reads it, with its lower and upper edge; `readable`: it could be loaded."""

    label: str
    lines: list[TextLine]
    edges: tuple[float, float]
    readable: bool


def read_pdf(
    path: Path,
    name: str,
    password: str | None,
    max_pages: int,
    on_progress: Callable[[int, int], None] | None,
) -> LoadedDocument:
    """Every page of a PDF with its number, label and health, perhaps none with text. Raises DocumentError."""
    with opened_pdf(path, name, password) as pdf:
        total = len(pdf)
        if total == 0:
            raise EmptyFile(name=name)
        if total > max_pages:
            raise TooManyPages(name=name, pages=total, limit=max_pages)
        raw = []
        for index in range(total):
            raw.append(_read_page(pdf, index))
            if on_progress:
                on_progress(index + 1, total)
        if not any(page.readable for page in raw):
            raise DamagedFile(name=name)
        outline = _outline(pdf)
        rows = without_headers_footers([page.lines for page in raw], [page.edges for page in raw])
        sizes = title_sizes(rows)
        apart = {bare(heading.title) for heading in outline} | set(sizes)
        read = _without_stamps(pdf, _pages(raw, rows, apart))
    whole = _without_repeated_headers(read)
    pages = with_separators(whole, rows, apart)
    # An outline can be held against text only.
    own = outline if fits(outline, pages) or not has_text(pages) else ()
    return LoadedDocument(pages, complete_outline(own, pages, sizes))


def _read_page(pdf: Any, index: int) -> _RawPage:
    """A page that cannot be loaded stays in its place, without text."""
    label = as_title(_told(lambda: pdf.get_page_label(index))) or str(index + 1)
    try:
        with filled_page(pdf, index) as (page, own), closing(page.get_textpage()) as text_page:
            pieces, edges = text_lines(page, text_page, own)
            return _RawPage(label, page_rows(pieces), edges, readable=True)
    except PdfiumError:
        return _RawPage(label, [], (0.0, 0.0), readable=False)


def _is_pictured(pdf: Any, index: int) -> bool:
    """Whether images cover most of a page, as in a scan, which some devices store in strips."""
    with closing(pdf[index]) as page:
        images = page.get_objects(filter=[FPDF_PAGEOBJ_IMAGE], max_depth=_MAX_FORM_DEPTH)
        boxes = (image.get_bounds() for image in images)
        covered = sum((right - left) * (top - bottom) for left, bottom, right, top in boxes)
        width, height = page.get_size()
    return bool(covered >= _MOST_OF_A_PAGE * width * height)


def _outline(pdf: Any) -> tuple[Heading, ...]:
    headings = []
    for bookmark in pdf.get_toc():
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        if page is not None and (title := clean_line(_told(bookmark.get_title))):
            headings.append(Heading(bookmark.level + 1, title, page + 1))
    return tuple(headings)


def _told(tell: Callable[[], str]) -> str:
    """A name that a file gives; nothing where it is cut within a character."""
    try:
        return tell()
    except UnicodeDecodeError:
        return ""


def _pages(raw: Sequence[_RawPage], rows: Sequence[Sequence[TextLine]], apart: Collection[str]) -> list[Page]:
    """The pages with their text; none of what is mojibake: nobody is to find or be shown it."""
    pages = []
    for number, (page, lines) in enumerate(zip(raw, rows, strict=True), start=1):
        text = without_stray_blanks(join_lines(lines, apart))
        health = page_health(text)
        pages.append(Page(number, page.label, "" if health is PageHealth.GARBLED else text, health))
    return pages


def _without_stamps(pdf: Any, pages: Sequence[Page]) -> list[Page]:
    """The pages, empty where an image has no more text on it than a scanner's stamp: that is not what it says.

    What three pages have alike is a stamp however long it is; two may be the same page twice.
    """
    lines = Counter(line for page in pages for line in set(page.text.split("\n")))
    return [
        replace(page, health=PageHealth.EMPTY)
        if page.text
        and sum(len(bare(line)) for line in page.text.split("\n") if lines[line] < _STAMPED_PAGES) < _FEWEST_CHARACTERS
        and _is_pictured(pdf, page.number - 1)
        else page
        for page in pages
    ]


def _without_repeated_headers(pages: Sequence[Page]) -> tuple[Page, ...]:
    texts = without_repeated_headers([page.text for page in pages])
    return tuple(replace(page, text=text) for page, text in zip(pages, texts, strict=True))
