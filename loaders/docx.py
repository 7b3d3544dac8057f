"""DOCX: paragraphs and tables in order, headings by their style, pages by explicit breaks.

The XML itself is walked: python-docx leaves out what is inserted or stands in content controls, and fails on a merged
cell that does not stand exactly below the one that it goes on with.
"""

import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from loaders.cleaning import clean_line
from loaders.headings import detect_headings
from loaders.health import page_health, require_text
from loaders.rows import CELL_BORDER, LONGEST_REPEATED
from rag.errors import DamagedFile, FileTooLarge, TooManyPages
from rag.types import Heading, LoadedDocument, Page

_MEGABYTE = 1024 * 1024
# What the parts of a file may unpack to: a guard against zip bombs, far above any real document's XML.
_MAX_UNPACKED_MB = 300
_HEADING_STYLE = re.compile(r"(?:heading|标题)\s*([1-9])$", re.IGNORECASE)
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_VALUE = f"{_W}val"
_PARAGRAPH, _TABLE, _ROW, _CELL = f"{_W}p", f"{_W}tbl", f"{_W}tr", f"{_W}tc"
# What holds content without a say in it: content controls, insertions that are tracked, links, fields, runs.
_AROUND_BLOCKS = ("body", "sdt", "sdtContent", "customXml")
_AROUND_TEXT = ("ins", "moveTo", "smartTag", "hyperlink", "fldSimple", "dir", "bdo", "r", "ruby", "rubyBase")
_WRAPPERS = frozenset(f"{_W}{name}" for name in _AROUND_BLOCKS + _AROUND_TEXT)
_TEXT, _BREAK = f"{_W}t", f"{_W}br"
_CHARACTERS = {f"{_W}tab": "\t", f"{_W}ptab": "\t", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}
_PAGE_BREAK = "\f"
_BREAKS = {"textWrapping": "\n", "page": _PAGE_BREAK}
_OFF = ("0", "false", "off")
_NUMBER = re.compile(r"[0-9]{1,4}")


def read_docx(path: Path, name: str, max_pages: int) -> LoadedDocument:
    """The pages of a DOCX file: a page ends where its author broke it. A table row is one line."""
    document = _open(path, name)
    pages: list[list[str]] = [[]]
    outline: list[Heading] = []
    for block, level in _blocks(document.element, _heading_levels(document.styles.element)):
        for number, text in enumerate(block.split(_PAGE_BREAK)):
            if number:
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


def _heading_levels(styles: Any) -> dict[str, int]:
    """The level of each style that is a heading's, by the style's id."""
    named = {style.get(f"{_W}styleId"): style.find(f"{_W}name") for style in styles.iterfind(f"{_W}style")}
    matches = {key: _HEADING_STYLE.match(name.get(_VALUE, "")) for key, name in named.items() if name is not None}
    return {key: int(match[1]) for key, match in matches.items() if match}


def _inside(element: Any, tags: Collection[str]) -> Iterator[Any]:
    """The elements with these tags that an element holds, in order, wrapped or not."""
    for child in element:
        if child.tag in tags:
            yield child
        elif child.tag in _WRAPPERS:
            yield from _inside(child, tags)


def _blocks(container: Any, levels: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Each paragraph and table row: its text, with a form feed where a page ends, and its heading level (0: none)."""
    for block in _inside(container, (_PARAGRAPH, _TABLE)):
        if block.tag == _TABLE:
            yield from ((row, 0) for row in _rows(block))
            continue
        style = block.find(f"{_W}pPr/{_W}pStyle")
        text = _PAGE_BREAK.join(map(_clean, _paragraph_text(block).split(_PAGE_BREAK)))
        yield text, levels.get(style.get(_VALUE), 0) if style is not None else 0


def _paragraph_text(paragraph: Any) -> str:
    breaks = paragraph.find(f"{_W}pPr/{_W}pageBreakBefore")
    before = _PAGE_BREAK if breaks is not None and breaks.get(_VALUE) not in _OFF else ""
    return before + "".join(map(_characters, _inside(paragraph, (_TEXT, _BREAK, *_CHARACTERS))))


def _characters(element: Any) -> str:
    if element.tag == _TEXT:
        return element.text or ""
    if element.tag == _BREAK:
        return _BREAKS.get(element.get(f"{_W}type", "textWrapping"), "")
    return _CHARACTERS[element.tag]


def _clean(text: str) -> str:
    return " ".join(clean_line(line) for line in text.split("\n")).strip()


def _rows(table: Any) -> Iterator[str]:
    """Rows as text, cells parted by bars. A cell over several columns stands in its row once."""
    above: dict[int, str] = {}
    for row in _inside(table, (_ROW,)):
        merged: dict[int, str] = {}
        texts: list[str] = []
        column = _number(row, f"{_W}trPr/{_W}gridBefore", 0)
        for cell in _inside(row, (_CELL,)):
            merge = cell.find(f"{_W}tcPr/{_W}vMerge")
            # Where no cell above is merged with it, it only claims to go on with one.
            goes_on = merge is not None and merge.get(_VALUE) != "restart" and column in above
            text = above[column] if goes_on else _cell_text(cell)
            if merge is not None:
                merged[column] = text
            texts.append("" if goes_on and len(text) > LONGEST_REPEATED else text)
            column += _number(cell, f"{_W}tcPr/{_W}gridSpan", 1)
        above = merged
        if any(texts):
            yield CELL_BORDER.join(texts)


def _number(element: Any, path: str, otherwise: int) -> int:
    found = element.find(path)
    match = _NUMBER.fullmatch(found.get(_VALUE, "")) if found is not None else None
    return int(match[0]) if match else otherwise


def _cell_text(cell: Any) -> str:
    parts = (part for text, _ in _blocks(cell, {}) for part in text.split(_PAGE_BREAK))
    return " ".join(part for part in parts if part)
