"""What the paragraphs of a DOCX file are by their styles: headings, and paragraphs of lists."""

import re
from collections.abc import Iterator
from typing import Any

from loaders.docx_numbering import Numbering, W, value, whole

_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])$", re.IGNORECASE)
_BODY_LEVEL = 9  # counting from 0 as Word does: not a heading
_LIST = f"{W}numPr"


class Styles:
    """The paragraph styles of a file; each goes on with the one it is based on."""

    def __init__(self, element: Any) -> None:
        """`element` is the root of styles.xml."""
        self._styles = {style.get(f"{W}styleId"): style for style in element.iterfind(f"{W}style")}
        self._levels: dict[str, int] = {}

    def heading_level(self, paragraph: Any) -> int:
        """The level of a heading, from 1; 0 for other paragraphs."""
        level = whole(paragraph, f"{W}pPr/{W}outlineLvl", -1)
        if level < 0:
            style = value(paragraph, f"{W}pPr/{W}pStyle")
            level = self._levels.setdefault(style, self._level(style))
        return level + 1 if level < _BODY_LEVEL else 0

    def label(self, paragraph: Any, numbering: Numbering) -> str:
        """The automatic number of a paragraph."""
        style = value(paragraph, f"{W}pPr/{W}pStyle")
        number = value(paragraph, f"{W}pPr/{_LIST}/{W}numId")
        if number:
            return numbering.label(number, whole(paragraph, f"{W}pPr/{_LIST}/{W}ilvl", 0))
        for key, node in self._chain(style):
            if number := value(node, f"{W}pPr/{_LIST}/{W}numId"):
                level = whole(node, f"{W}pPr/{_LIST}/{W}ilvl", numbering.level_of_style(number, key))
                return numbering.label(number, level)
        return ""

    def _level(self, style: str) -> int:
        for _, node in self._chain(style):
            if (level := whole(node, f"{W}pPr/{W}outlineLvl", -1)) >= 0:
                return level
            if match := _HEADING.match(value(node, f"{W}name")):
                return int(match[1]) - 1
        return _BODY_LEVEL

    def _chain(self, style: str) -> Iterator[tuple[str, Any]]:
        """A style and those it is based on, with their ids."""
        seen: set[str] = set()
        while style in self._styles and style not in seen:
            seen.add(style)
            yield style, self._styles[style]
            style = value(self._styles[style], f"{W}basedOn")
