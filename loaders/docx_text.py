"""The characters of a DOCX file's paragraphs: text, tabs, breaks, symbols, formulas and raised numbers."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from loaders.docx_numbering import W, is_on, value
from loaders.formulas import M, formula_text
from loaders.symbols import BY_FONT

PAGE_BREAK = "\f"
# Mere wrappers of content: content controls, tracked insertions, links, fields, runs.
_AROUND_BLOCKS = ("body", "sdt", "sdtContent", "customXml")
_AROUND_TEXT = ("ins", "moveTo", "smartTag", "hyperlink", "fldSimple", "dir", "bdo", "r", "ruby", "rubyBase")
_WRAPPERS = frozenset([*(f"{W}{name}" for name in _AROUND_BLOCKS + _AROUND_TEXT), f"{M}oMathPara"])
_TEXT, _BREAK, _FORMULA, _SYMBOL, _FIELD = f"{W}t", f"{W}br", f"{M}oMath", f"{W}sym", f"{W}fldChar"
_CHARACTERS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
_BREAKS = {"textWrapping": "\n", "page": PAGE_BREAK}
_PRIVATE = range(0xE000, 0xF900)
_RAISED = f"{W}rPr/{W}vertAlign"
_CODE = re.compile(r"[0-9A-Fa-f]{4}")
_NUMBER = re.compile(r"[-−–+]?\d")


def inside(element: Any, tags: Collection[str]) -> Iterator[Any]:
    """The elements with these tags that an element holds, in order, wrapped or not."""
    for child in element:
        if child.tag in tags:
            yield child
        elif child.tag in _WRAPPERS:
            yield from inside(child, tags)


def text_of(paragraph: Any, is_hidden: Callable[[Any], bool]) -> str:
    """A paragraph's text, hidden runs left out. A number raised behind a digit is a power of it: 10^5."""
    text, was_raised = "", False
    for element in inside(paragraph, (_TEXT, _BREAK, _FORMULA, _SYMBOL, _FIELD, *_CHARACTERS)):
        if is_hidden(element.getparent()):
            continue
        characters = _characters(element)
        raised = value(element.getparent(), _RAISED) == "superscript"
        if raised and not was_raised and text[-1:].isdecimal() and _NUMBER.match(characters):
            text += "^"
        text += characters
        was_raised = raised
    return text


def _characters(element: Any) -> str:
    if element.tag == _TEXT:
        return element.text or ""
    if element.tag == _BREAK:
        return _BREAKS.get(element.get(f"{W}type", "textWrapping"), "")
    if element.tag == _SYMBOL:
        return _symbol(element.get(f"{W}font", ""), element.get(f"{W}char", ""))
    if element.tag == _FIELD:
        return _check_box(element)
    return formula_text(element) if element.tag == _FORMULA else _CHARACTERS[element.tag]


def _check_box(field: Any) -> str:
    """The box of an older form, which has no character of its own; nothing for another field."""
    box = field.find(f"{W}ffData/{W}checkBox")
    if box is None:
        return ""
    checked = is_on(box, f"{W}checked")
    return "☑" if checked or (checked is None and is_on(box, f"{W}default")) else "☐"


def _symbol(font: str, code: str) -> str:
    """A character that is chosen by its font; nothing for one that only this font has, as for an ornament."""
    character = int(code, 16) if _CODE.fullmatch(code) else 0
    if font in BY_FONT:
        return BY_FONT[font].get(character & 0xFF, "")
    return "" if character in _PRIVATE else chr(character)
