"""DOCX: paragraphs, tables, text boxes and notes in order, headings by their style, pages by explicit breaks.

The XML itself is walked: python-docx leaves out what is inserted or stands in content controls, and fails on a merged
cell that does not stand exactly below the one that it goes on with.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import docx
from docx.opc.exceptions import OpcError
from docx.oxml import parse_xml

from loaders.archives import unpacking
from loaders.cleaning import clean_cell, clean_typed
from loaders.docx_numbering import VALUE, Numbering, W, is_on, whole
from loaders.docx_outline import Block, outline_of, sizes_of_titles
from loaders.docx_styles import Styles
from loaders.docx_text import PAGE_BREAK, inside, text_of
from loaders.health import numbered_pages
from loaders.outline import complete_outline
from loaders.rows import LONGEST_REPEATED, MOST_COLUMNS, joined, row_text
from rag.errors import NoWords, TooManyPages
from rag.types import LoadedDocument

_PARAGRAPH, _TABLE, _ROW, _CELL = f"{W}p", f"{W}tbl", f"{W}tr", f"{W}tc"
_MERGED = f"{W}tcPr/{W}vMerge"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BOX = f"{W}txbxContent"
_NOTES = {"footnotes": "脚注：", "endnotes": "尾注："}
# What is no longer in the text, and what Word writes a second time for older programs.
_UNREAD = (f"{W}del", f"{W}moveFrom", _FALLBACK)
_ROW_BORDER = "；"  # of a table within a line


def read_docx(path: Path, name: str, max_pages: int) -> LoadedDocument:
    """The pages of a DOCX file: a page ends where its author broke it. A table row is one line."""
    document, reader = _open(path, name)
    pages: list[list[Block]] = [[]]
    for block in reader.blocks(document.element):
        for number, text in enumerate(block.text.split(PAGE_BREAK)):
            if number:
                pages.append([])
            pages[-1].append(replace(block, text=text))
    if len(pages) > max_pages:
        raise TooManyPages(name=name, pages=len(pages), limit=max_pages)
    result = numbered_pages((joined([block.text for block in page]) for page in pages), name, NoWords)
    sizes = sizes_of_titles(pages)
    return LoadedDocument(result, complete_outline(outline_of(pages, sizes), result, sizes))


def _open(path: Path, name: str) -> "tuple[Any, _Reader]":
    with unpacking(path, name, OpcError):
        document = docx.Document(str(path))
        return document, _Reader(document)


def _part(document: Any, kind: str) -> Any | None:
    """The root of another part of the file."""
    related = (rel for rel in document.part.rels.values() if rel.reltype.endswith(f"/{kind}") and not rel.is_external)
    found = next(related, None)
    return parse_xml(found.target_part.blob) if found is not None else None


class _Reader:
    """Reads blocks of text, with the parts of the file that say what else belongs to them."""

    def __init__(self, document: Any) -> None:
        self._styles = Styles(document.styles.element)
        self._numbering = Numbering(_part(document, "numbering"))
        self._notes: dict[tuple[str, str], Any] = {}
        for kind in _NOTES:
            root = _part(document, kind)
            self._notes |= {(kind, note.get(f"{W}id", "")): note for note in (root if root is not None else ())}

    def blocks(self, container: Any, in_a_line: bool = False) -> Iterator[Block]:
        """Each paragraph and table row, in its text a form feed where a page ends.

        Behind a paragraph stand the text boxes and the notes that hang on it, behind a table an empty line. What is to
        stand in one line has its tables in one each, without borders: they would part the cells of the row it is in.
        """
        for block in inside(container, (_PARAGRAPH, _TABLE)):
            if block.tag == _TABLE:
                rows = self._rows(block, in_a_line)
                yield from [Block(_ROW_BORDER.join(row.text for row in rows))] if in_a_line else rows
                yield Block("")
                continue
            level = self._styles.heading_level(block)
            lines = [_clean(part, " " if level else "\n") for part in self._text(block).split(PAGE_BREAK)]
            yield Block(PAGE_BREAK.join(lines), level, self._styles.size(block))
            for box in _boxes(block):
                yield from self.blocks(box, in_a_line)
            yield from map(Block, self._notes_of(block))

    def _text(self, paragraph: Any) -> str:
        before = PAGE_BREAK if is_on(paragraph, f"{W}pPr/{W}pageBreakBefore") else ""
        text = text_of(paragraph, partial(self._styles.is_hidden, paragraph))
        # An empty paragraph counts too, but its number says nothing.
        label = self._styles.label(paragraph, self._numbering)
        words = text.lstrip()
        return f"{before}{text.removesuffix(words)}{label} {words}" if label and words else before + text

    def _notes_of(self, paragraph: Any) -> Iterator[str]:
        for kind, title in _NOTES.items():
            for reference in paragraph.iter(f"{W}{kind.removesuffix('s')}Reference"):
                if self._styles.is_hidden(paragraph, reference.getparent()):
                    continue
                note = self._notes.pop((kind, reference.get(f"{W}id", "")), None)
                if note is not None and (text := self._in_one_line(note)):
                    yield title + text

    def _rows(self, table: Any, in_a_line: bool) -> Iterator[Block]:
        """Rows as text, cells parted by borders. A cell over several columns stands in its first, and is said once.

        A lone cell is rather a frame or a title: what stands in it stands for itself.
        """
        above: dict[int, str] = {}
        for row in inside(table, (_ROW,)):
            merged: dict[int, str] = {}
            texts = [""] * _columns(row, f"{W}trPr/{W}gridBefore", 0)
            cells = list(inside(row, (_CELL,)))
            if len(cells) == 1 and not in_a_line and cells[0].find(_MERGED) is None:
                yield from self.blocks(cells[0])
                above = {}
                continue
            for cell in cells:
                column = len(texts)
                merge = cell.find(_MERGED)
                # Without a cell above to continue, it only claims to continue one.
                goes_on = merge is not None and merge.get(VALUE) != "restart" and column in above
                text = above[column] if goes_on else self._in_one_line(cell)
                if merge is not None:
                    merged[column] = text
                texts.append("" if goes_on and len(text) > LONGEST_REPEATED else text)
                texts += [""] * (_columns(cell, f"{W}tcPr/{W}gridSpan", 1) - 1)
            above = merged
            if any(texts):
                yield Block(" ".join(filter(None, texts)) if in_a_line or len(cells) == 1 else row_text(texts))

    def _in_one_line(self, container: Any) -> str:
        """The text of a cell or a note."""
        return clean_cell(" ".join(block.text for block in self.blocks(container, in_a_line=True)))


def _columns(element: Any, path: str, otherwise: int) -> int:
    """Over how many columns of a table something reaches."""
    return min(whole(element, path, otherwise), MOST_COLUMNS)


def _boxes(element: Any) -> Iterator[Any]:
    """The text boxes that hang on a paragraph, those in boxes aside."""
    if next(element.iter(_BOX), None) is None:
        return
    for child in element:
        if child.tag == _BOX:
            yield child
        elif child.tag not in _UNREAD:
            yield from _boxes(child)


def _clean(text: str, between: str) -> str:
    return between.join(line for part in text.split("\n") if (line := clean_typed(part)))
