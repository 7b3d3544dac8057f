"""What the paragraphs of a DOCX file are by their styles: headings, paragraphs of lists, and how large they are."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from loaders.docx_numbering import Numbering, W, is_on, value, whole
from loaders.docx_text import inside

_HEADING = re.compile(r"(?:heading|标题)\s*([1-9])$", re.IGNORECASE)
_BODY_LEVEL = 9  # counting from 0 as Word does: not a heading
_LIST = f"{W}numPr"
_HIDDEN = f"{W}rPr/{W}vanish"
_USUAL_HALF_POINTS = 20
_BOLD = 1.125  # times the size: so a bold line is told from the text, but not from the next larger size


class Styles:
    """The paragraph styles of a file; each goes on with the one it is based on."""

    def __init__(self, element: Any) -> None:
        """`element` is the root of styles.xml."""
        self._styles = {style.get(f"{W}styleId"): style for style in element.iterfind(f"{W}style")}
        self._levels: dict[str, int] = {}
        self._default = next((key for key, style in self._styles.items() if _is_default(style)), "")
        self._defaults = element.findall(f"{W}docDefaults/{W}rPrDefault")
        self._above: dict[str, list[Any]] = {}
        self._hides = {style: self._switch(style) for style in self._styles}

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

    def size(self, paragraph: Any) -> float:
        """How large a paragraph is set in points, the smallest part of its text; 0 without text. Bold is larger."""
        style = value(paragraph, f"{W}pPr/{W}pStyle") or self._default
        if style not in self._above:
            self._above[style] = [*(node for _, node in self._chain(style)), *self._defaults]
        above = self._above[style]
        texts = [text for text in inside(paragraph, (f"{W}t",)) if (text.text or "").strip()]
        runs = [text.getparent() for text in texts]
        return min((_size([run, *above]) for run in runs if not self.is_hidden(paragraph, run)), default=0.0)

    def is_hidden(self, paragraph: Any, run: Any) -> bool:
        """Whether Word shows nothing of a run of a paragraph, by itself or else by the style of either."""
        styles = value(run, f"{W}rPr/{W}rStyle"), value(paragraph, f"{W}pPr/{W}pStyle") or self._default
        switches = (is_on(run, _HIDDEN), *map(self._hides.get, styles))
        return next((switch for switch in switches if switch is not None), False)

    def _switch(self, style: str) -> bool | None:
        """Whether a style hides text; None where it does not tell."""
        switches = (is_on(node, _HIDDEN) for _, node in self._chain(style))
        return next((switch for switch in switches if switch is not None), None)

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


def _is_default(style: Any) -> bool:
    return style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in ("1", "true", "on")


def _size(nodes: Sequence[Any]) -> float:
    """The size that the first of nodes with one has, and bold as larger by a fixed part."""
    half_points = next(filter(None, (whole(node, f"{W}rPr/{W}sz", 0) for node in nodes)), _USUAL_HALF_POINTS)
    switches = (is_on(node, f"{W}rPr/{W}b") for node in nodes)
    bold = next((switch for switch in switches if switch is not None), False)
    return half_points / 2 * (_BOLD if bold else 1.0)
