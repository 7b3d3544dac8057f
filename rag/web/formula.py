"""LaTeX as MathML, which browsers draw by themselves: no script, no font, nothing fetched."""

from functools import lru_cache
from html import escape, unescape
from xml.etree.ElementTree import Element, tostring

from latex2mathml.converter import convert_to_element

_LONGEST = 2000
_DEEPEST = 100  # what reads it further goes into itself at each level


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What latex2mathml makes of LaTeX is hostile too: \href, \style and \class become attributes, \text may say "<script>".
_TAGS = _words(
    "math mrow mi mn mo mtext ms mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mmultiscripts "
    "mprescripts none mtable mtr mtd mlabeledtr menclose mpadded mphantom mstyle merror"
)
_ATTRIBUTES = _words(
    "display displaystyle stretchy fence separator lspace rspace minsize maxsize movablelimits accent accentunder "
    "linethickness columnalign rowspacing columnspacing columnlines rowlines mathvariant notation width height depth "
    "form symmetric largeop scriptlevel linebreak"
)


@lru_cache(maxsize=512)
def mathml(latex: str, display: bool) -> str:
    """A formula as MathML; its source as it is written where it cannot be read."""
    try:
        if len(latex) > _LONGEST:
            raise ValueError("too long for a formula")
        root = convert_to_element(latex.replace("{aligned}", "{align*}"), display="block" if display else "inline")
        _clean(root)
        return tostring(root, encoding="unicode")
    # The converter's errors have no common ancestor of their own, and a model's LaTeX can be anything.
    except Exception:  # noqa: BLE001
        return f"<code>{escape(latex)}</code>"


def _clean(element: Element, depth: int = 0) -> None:
    """Leave only what draws. Raises ValueError where anything else is in a formula, or it is too deep."""
    if element.tag not in _TAGS or depth > _DEEPEST:
        raise ValueError(f"<{element.tag}> in a formula, at depth {depth}")
    element.attrib = {name: value for name, value in element.attrib.items() if name in _ATTRIBUTES}
    # The converter writes characters as entities, which its own serialisation would take back without escaping them.
    element.text = unescape(element.text or "")
    element.tail = unescape(element.tail or "")
    for child in element:
        _clean(child, depth + 1)
