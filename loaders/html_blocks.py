"""The blocks of an HTML page in order: paragraphs, headings, items of lists, rows of tables, lines of code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lxml.etree import iterwalk

from loaders.cleaning import CHINESE, clean_typed, ends_sentence, normalise
from loaders.html_tables import table_rows

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_BLOCK = re.compile(
    "address|article|aside|blockquote|body|caption|center|d[dlt]|details|dialog|dir|div|fieldset|figcaption|figure|footer"
    "|form|h[1-6]|header|hgroup|hr|legend|li|main|menu|nav|ol|option|p|pre|section|summary|table|t[dhr]|tbody|tfoot"
    "|thead|ul"
)
_LAYOUT_ROLES = ("presentation", "none")
# What no cell of a table of data holds, and what only those below titles do.
_OF_LAYOUT, _LISTS = ("table", "pre", *_HEADINGS), ("ul", "ol", "dl")
_LONGEST_CELL = 800
_BREAK = "\v"
_POWER = re.compile(r"[-−–+]?\d{1,3}")


@dataclass(frozen=True, slots=True)
class Block:
    """A line of a page, and its level as a heading (0: none). An empty one parts tables."""

    text: str
    level: int = 0


def blocks_of(root: Any) -> list[Block]:
    """The blocks of an element."""
    reader = _Reader()
    reader.read(root)
    return reader.blocks


class _Reader:
    """Gathers text until a block begins or ends. It walks without recursion: pages nest as deep as they like."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._gathered: list[str] = []
        self._label = ""  # of the item that begins
        self._counts: list[int] = []  # of the lists around, below zero for those without numbers

    def read(self, root: Any) -> None:
        """Reads an element whole."""
        walk = iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                self._end(element)
                if element is not root:
                    self._gather(element.tail)
            elif self._begin(element):
                walk.skip_subtree()

    def _begin(self, element: Any) -> bool:
        """Whether an element was read with all that it holds."""
        tag = element.tag
        if _BLOCK.fullmatch(tag):
            self._flush()
        if tag == "pre":
            self._code(element)
            return True
        if tag == "table" and not _lays_out(element):
            self.blocks += [*map(Block, table_rows(element)), Block("")]
            return True
        if tag in ("ol", "ul", "menu", "dir"):
            self._counts.append(_whole(element.get("start", ""), 1) - 1 if tag == "ol" else -1)
        elif tag == "li" and self._counts and self._counts[-1] >= 0:
            self._counts[-1] = _whole(element.get("value", ""), self._counts[-1] + 1)
            self._label = f"{self._counts[-1]}. "
        elif tag == "br":
            self._gathered.append(_BREAK)
        elif tag == "sup" and self._is_power(element):
            self._gathered.append("^")
        self._gather(element.text)
        return False

    def _gather(self, text: str | None) -> None:
        if text:
            self._gathered.append(text)

    def _end(self, element: Any) -> None:
        tag = element.tag
        if tag in ("ol", "ul", "menu", "dir") and self._counts:
            self._counts.pop()
        if tag in _HEADINGS:
            self._flush(_HEADINGS[tag])
        elif tag == "dt":
            self._flush(leads_on=_is_defined(element))
        elif _BLOCK.fullmatch(tag):
            self._flush()

    def _is_power(self, element: Any) -> bool:
        """Whether a raised number stands behind a digit: 10^5. What a note is marked by is in brackets or a link."""
        before = self._gathered[-1][-1:] if self._gathered else ""
        return before.isdecimal() and len(element) == 0 and _POWER.fullmatch((element.text or "").strip()) is not None

    def _flush(self, level: int = 0, leads_on: bool = False) -> None:
        """Makes a block of what was gathered, of each of its lines."""
        parts = "".join(self._gathered).split(_BREAK)
        self._gathered.clear()
        lines = list(filter(None, map(_in_one_line, parts)))
        if not lines:
            return
        lines = [" ".join(lines)] if level else lines
        if leads_on and not ends_sentence(lines[-1]):
            lines[-1] += "：" if CHINESE.search(lines[-1]) else ":"
        lines[0], self._label = self._label + lines[0], ""
        self.blocks += [Block(line, level) for line in lines]

    def _code(self, element: Any) -> None:
        for line in element.iter("br"):
            line.text = "\n"
        lines = (normalise(line).rstrip() for line in "".join(element.itertext()).expandtabs(4).split("\n"))
        self.blocks += [Block(line) for line in lines if line]


def _is_defined(term: Any) -> bool:
    """Whether its definition follows; in a list of contents those of the chapter below do."""
    below = term.getnext()
    if below is None or below.tag != "dd":
        return False
    return bool((below.text or "").strip()) or (len(below) > 0 and below[0].tag != "dl")


def _lays_out(table: Any) -> bool:
    """Whether a table only places what stands on a page: it holds what no cell does, or no row of several texts."""
    never = _OF_LAYOUT if next(table.iterdescendants("th"), None) is not None else (*_OF_LAYOUT, *_LISTS)
    if table.get("role", "").lower() in _LAYOUT_ROLES or next(table.iterdescendants(*never), None) is not None:
        return True
    texts = [(cell.getparent(), "".join(cell.itertext())) for cell in table.iterdescendants("td", "th")]
    rows = [row for row, text in texts if text.strip()]
    return len(set(rows)) == len(rows) or any(len(text) > _LONGEST_CELL for _, text in texts)


def _in_one_line(text: str) -> str:
    """Text as a browser sets it; a line break within Chinese, for which it leaves a blank, is none."""
    line = ""
    for part in _parts(text):
        is_chinese = CHINESE.match(line[-1:]) is not None and CHINESE.match(part) is not None
        line += part if is_chinese or not line else f" {part}"
    return clean_typed(line)


def _parts(text: str) -> Iterator[str]:
    return (stripped for part in text.splitlines() if (stripped := part.strip()))


def _whole(text: str, otherwise: int) -> int:
    return int(text) if text.isdecimal() and len(text) <= 6 else otherwise
