"""Formulas of Office Open XML as text."""

import re
from typing import Any

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
# How parts of a formula are written in a line.
_SIGNS = {f"{M}num": "", f"{M}den": "/", f"{M}sup": "^", f"{M}sub": "_"}
_DEFAULT_SIGN = "∫"  # of what has limits, as Office Open XML has it
_BRACKETS = ("begChr", "("), ("endChr", ")")
_BRACKETED = re.compile(r"\([^()]*\)|\d+\.\d+")


def formula_text(element: Any) -> str:
    """A formula's text in one line, such as `E=mc^2` or `(a+b)/2`."""
    if element.tag == f"{M}t":
        return str(element.text or "")
    if element.tag == f"{M}chr":
        return _sign(element, "")
    inner = "".join(map(formula_text, element))
    if element.tag == f"{M}nary" and element.find(f"{M}naryPr/{M}chr") is None:
        return f"{_DEFAULT_SIGN}{inner}"
    if element.tag == f"{M}d":
        begins, ends = (_sign(element.find(f"{M}dPr/{M}{name}"), bracket) for name, bracket in _BRACKETS)
        return f"{begins}{inner}{ends}"
    if element.tag == f"{M}rad":
        degree, inner = ("".join(map(formula_text, element.iterfind(f"{M}{name}"))) for name in ("deg", "e"))
        return f"{degree}√{_as_one(inner)}"
    if element.tag in _SIGNS:
        return _SIGNS[element.tag] + _as_one(inner) if inner else ""
    return inner


def _sign(element: Any | None, otherwise: str) -> str:
    return otherwise if element is None else str(element.get(f"{M}val", ""))


def _as_one(text: str) -> str:
    """Text that is divided, raised or lowered as a whole: in brackets where it has several parts."""
    return text if len(text) == 1 or text.isalnum() or _BRACKETED.fullmatch(text) else f"({text})"
