"""An answer's harmless HTML as a list of blocks, for what prints paragraphs and knows no HTML."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from xml.etree.ElementTree import Element, fromstring

# What XML does not allow in a text.
_CONTROL = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
_HEADINGS = {f"h{level}" for level in range(1, 7)}
ACCENT, _DOUBT = "#0f766e", "#b45309"
_SUPERSCRIPTS = {"msup": "^", "msub": "_", "mover": "^", "munder": "_"}


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, heading, quote, code (`markup` with <b>, <super>, <a>, <br/>), or a table's `rows` of such markup.

    `depth` counts the lists and quotes that it is in.
    """

    kind: str
    markup: str = ""
    depth: int = 0
    bullet: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def blocks(html: str) -> list[Block]:
    """The blocks in their order. `html` is what `rag.web.markdown` or `rag.web.passage` makes, which is well-formed."""
    # No entity can be declared in it: what is foreign in it has been escaped.
    root = fromstring(f"<div>{_CONTROL.sub('', html)}</div>")  # noqa: S314
    return list(_blocks(root, 0))


def _blocks(parent: Element, depth: int) -> Iterator[Block]:
    yield from _between(parent.text, depth)
    for element in parent:
        tag = element.tag
        if tag in ("ul", "ol"):
            yield from _items(element, depth + 1)
        elif tag == "blockquote":
            for block in _blocks(element, depth + 1):
                yield replace(block, kind="quote") if block.markup else block
        elif tag == "table":
            yield Block("table", rows=tuple(tuple(map(_inside, row)) for row in element.iter("tr")))
        elif tag == "pre":
            # What prints it takes blanks in a row for one.
            code = escape("".join(element.itertext()).rstrip()).expandtabs(4)
            yield Block("code", re.sub("^ +| {2,}", _kept, code, flags=re.MULTILINE).replace("\n", "<br/>"), depth)
        elif tag in _HEADINGS:
            yield Block("heading", _inside(element), depth)
        elif tag != "hr":
            yield Block("text", _inside(element), depth)
        yield from _between(element.tail, depth)


def _between(text: str | None, depth: int) -> Iterator[Block]:
    """The lines that stand between elements."""
    if lines := [escape(" ".join(line.split())) for line in (text or "").splitlines() if line.strip()]:
        yield Block("text", "<br/>".join(lines), depth)


def _items(items: Element, depth: int) -> Iterator[Block]:
    """The blocks of a list, the first one of each item with its bullet."""
    number = int(items.get("start", "1")) - 1
    for item in items:
        number = int(item.get("value", number + 1))
        bullet = f"{number}." if items.tag == "ol" else "•"
        loose = [child for child in item if child.tag in ("p", "ul", "ol", "blockquote", "pre", "table", "div")]
        head = Element("p")
        head.text = item.text
        head.extend(child for child in item if child not in loose)
        if said := _inside(head).strip():
            yield Block("text", said, depth, bullet)
            bullet = ""
        holder = Element("div")
        holder.extend(loose)
        for block in _blocks(holder, depth):
            yield replace(block, bullet=block.bullet or bullet)
            bullet = ""


def _kept(blanks: re.Match[str]) -> str:
    return "\N{NO-BREAK SPACE}" * len(blanks[0])


def _inside(element: Element) -> str:
    """What is inside an element, as markup."""
    parts = [escape(element.text or "")]
    for child in element:
        tail = child.tail or ""
        # The line break in the source, behind the one in the text, would be a blank at the beginning of its line.
        parts += [_inline(child), escape(tail.lstrip("\n") if child.tag == "br" else tail)]
    return "".join(parts)


def _inline(element: Element) -> str:
    inside = _inside(element)
    match element.tag:
        case "strong":
            # The one font has no bold face.
            return f'<font color="{ACCENT}">{inside}</font>'
        case "s":
            return f"<strike>{inside}</strike>"
        case "sup":
            if element.get("class") == "doubt":
                inside = f'<font color="{_DOUBT}">{inside.replace(ACCENT, _DOUBT)}</font>'
            return f"<super>{inside}</super>"
        case "a":
            return f'<a href="{escape(element.get("href", ""))}" color="{ACCENT}">{inside}</a>'
        case "br":
            return "<br/>"
        case "math":
            return escape(_formula(element))
        case _:
            return inside


def _formula(element: Element) -> str:
    """A formula in one line, as one would type it."""
    inside = [_formula(child) for child in element]
    # Of a formula that is not whole, as \frac{a}, some parts are missing.
    first, second, third, *_ = (*inside, "", "", "")
    match element.tag:
        case "mfrac":
            return f"{_whole(first)}/{_whole(second)}"
        case "msqrt":
            return f"√{_whole(''.join(inside))}"
        case "mroot":
            return f"{_whole(first)}^(1/{second})"
        case "msubsup" | "munderover":
            return f"{first}_{_whole(second)}^{_whole(third)}"
        case "msup" | "msub" | "mover" | "munder":
            return f"{first}{_SUPERSCRIPTS[element.tag]}{_whole(second)}"
        case "mtr":
            return f"{', '.join(inside)}; "
        case _:
            return (element.text or "").strip() + "".join(inside)


def _whole(part: str) -> str:
    """A part of a formula that is not read as the end of what stands before it, or the beginning of what follows."""
    return part if len(part) == 1 or part.isdecimal() else f"({part})"
