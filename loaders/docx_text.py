"""The characters of a DOCX file's paragraphs: text, tabs, breaks, symbols, formulas and raised numbers."""

import re
from collections.abc import Callable, Collection, Iterator
from typing import Any

from loaders.docx_numbering import W, is_on, value
from loaders.symbols import BY_FONT

PAGE_BREAK = "\f"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
# Mere wrappers of content: content controls, tracked insertions, links, fields, runs.
_AROUND_BLOCKS = ("body", "sdt", "sdtContent", "customXml")
_AROUND_TEXT = ("ins", "moveTo", "smartTag", "hyperlink", "fldSimple", "dir", "bdo", "r", "ruby", "rubyBase")
_WRAPPERS = frozenset([*(f"{W}{name}" for name in _AROUND_BLOCKS + _AROUND_TEXT), f"{_M}oMathPara"])
_TEXT, _BREAK, _FORMULA, _SYMBOL, _FIELD = f"{W}t", f"{W}br", f"{_M}oMath", f"{W}sym", f"{W}fldChar"
_CHARACTERS = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
# How parts of a formula are written in a line.
_SIGNS = {f"{_M}num": "", f"{_M}den": "/", f"{_M}sup": "^", f"{_M}sub": "_"}
_DEFAULT_SIGN = "∫"  # of what has limits, as Office Open XML has it
_BRACKETS = ("begChr", "("), ("endChr", ")")
_BREAKS = {"textWrapping": "\n", "page": PAGE_BREAK}
_PRIVATE = range(0xE000, 0xF900)
_RAISED = f"{W}rPr/{W}vertAlign"
_CODE = re.compile(r"[0-9A-Fa-f]{4}")
_NUMBER = re.compile(r"[-−–+]?\d")
_BRACKETED = re.compile(r"\([^()]*\)|\d+\.\d+")


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
            text += _SIGNS[f"{_M}sup"]
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
    return _formula(element) if element.tag == _FORMULA else _CHARACTERS[element.tag]


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


def _formula(element: Any) -> str:
    """A formula's text in one line, such as `E=mc^2` or `(a+b)/2`."""
    if element.tag == f"{_M}t":
        return str(element.text or "")
    if element.tag == f"{_M}chr":
        return _sign(element, "")
    inner = "".join(map(_formula, element))
    if element.tag == f"{_M}nary" and element.find(f"{_M}naryPr/{_M}chr") is None:
        return f"{_DEFAULT_SIGN}{inner}"
    if element.tag == f"{_M}d":
        begins, ends = (_sign(element.find(f"{_M}dPr/{_M}{name}"), bracket) for name, bracket in _BRACKETS)
        return f"{begins}{inner}{ends}"
    if element.tag == f"{_M}rad":
        degree, inner = ("".join(map(_formula, element.iterfind(f"{_M}{name}"))) for name in ("deg", "e"))
        return f"{degree}√{_as_one(inner)}"
    if element.tag in _SIGNS:
        return _SIGNS[element.tag] + _as_one(inner) if inner else ""
    return inner


def _sign(element: Any | None, otherwise: str) -> str:
    return otherwise if element is None else str(element.get(f"{_M}val", ""))


def _as_one(text: str) -> str:
    """Text that is divided, raised or lowered as a whole: in brackets where it has several parts."""
    return text if len(text) == 1 or text.isalnum() or _BRACKETED.fullmatch(text) else f"({text})"
