"""DOCX: paragraphs and tables in order, headings by their style, pages by explicit breaks."""

import re
import zipfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from loaders.cleaning import clean_line
from loaders.headings import detect_headings
from loaders.health import page_health, require_text
from rag.errors import DamagedFile, FileTooLarge, TooManyPages
from rag.types import Heading, LoadedDocument, Page

_MEGABYTE = 1024 * 1024
# What the parts of a file may unpack to: a guard against zip bombs, far above any real document's XML.
_MAX_UNPACKED_MB = 300
_HEADING_STYLE = re.compile(r"(?:heading|标题)\s*([1-9])$", re.IGNORECASE)
_PAGE_BREAK = './/w:br[@w:type="page"] | ./w:pPr/w:pageBreakBefore'


def read_docx(path: Path, name: str, max_pages: int) -> LoadedDocument:
    """The pages of a DOCX file: a page ends where its author broke it. A table row is one line."""
    document = _open(path, name)
    pages: list[list[str]] = [[]]
    outline: list[Heading] = []
    for text, level, breaks in _blocks(document):
        if breaks:
            pages.append([])
        if text:
            pages[-1].append(text)
        if level and text:
            outline.append(Heading(level, text, len(pages)))
    if len(pages) > max_pages:
        raise TooManyPages(name=name, pages=len(pages), limit=max_pages)
    texts = ["\n".join(lines) for lines in pages]
    result = tuple(Page(number, str(number), text, page_health(text)) for number, text in enumerate(texts, start=1))
    require_text(result, name)
    return LoadedDocument(result, tuple(outline) or detect_headings(result), clean_line(document.core_properties.title))


def _open(path: Path, name: str) -> Any:
    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        with zipfile.ZipFile(path) as archive:
            unpacked = sum(member.file_size for member in archive.infolist()) // _MEGABYTE
        if unpacked > _MAX_UNPACKED_MB:
            raise FileTooLarge(name=name, size_mb=unpacked, limit_mb=_MAX_UNPACKED_MB)
        return docx.Document(str(path))
    except (zipfile.BadZipFile, OpcError, LxmlError, KeyError, ValueError, OSError, EOFError) as error:
        raise DamagedFile(name=name) from error


def _blocks(container: Any) -> Iterator[tuple[str, int, bool]]:
    """Each paragraph and table row: its text, its heading level (0: none), whether a new page begins with it."""
    from docx.table import Table

    for block in container.iter_inner_content():
        if isinstance(block, Table):
            yield from ((row, 0, False) for row in _rows(block))
            continue
        style = _HEADING_STYLE.match(block.style.name or "") if block.style is not None else None
        text = " ".join(clean_line(line) for line in block.text.split("\n")).strip()
        yield text, int(style[1]) if style else 0, bool(block._p.xpath(_PAGE_BREAK))


def _rows(table: Any) -> Iterator[str]:
    """Rows as text, cells parted by bars. A merged cell stands in its row once."""
    for row in table.rows:
        cells = (next(same) for _, same in groupby(row.cells, key=lambda cell: cell._tc))
        text = " | ".join(_cell_text(block for block in _blocks(cell)) for cell in cells)
        if text.strip(" |"):
            yield text


def _cell_text(blocks: Iterable[tuple[str, int, bool]]) -> str:
    return " ".join(text for text, _, _ in blocks if text)
