"""Tables of HTML, also those that a Markdown file has, as converters of PDF write them: one line for each row."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from loaders.rows import CELL_BORDER, row_text
from loaders.table_lines import SpannedCell, placed_cells

# Within code a tag is only spoken of.
_TAG = re.compile(r"`[^`\n]*`|<(/?)table\b[^<>]*>", re.IGNORECASE)
_APART = ("br", "p", "div", "li", "tr", "td", "th", "caption")
_SPAN = re.compile(r"[1-9]\d?")
_RULE = "---"


def with_rows_of_html(text: str) -> str:
    """A text with a line for each row of its HTML tables; one that is not closed or has no rows stays as it is."""
    pieces: list[str] = []
    position = 0
    for start, end in _tables(text):
        if lines := list(_lines(text[start:end])):
            pieces += text[position:start], *lines
            position = end
    return "\n".join([*pieces, text[position:]])


def _tables(text: str) -> Sequence[tuple[int, int]]:
    """Where tables that are closed begin and end, without those within another."""
    tables: list[tuple[int, int]] = []
    opened: list[int] = []
    for tag in _TAG.finditer(text):
        if tag[1] == "":
            opened.append(tag.start())
        elif tag[1] and opened:
            start = opened.pop()
            while tables and tables[-1][0] > start:
                tables.pop()
            tables.append((start, tag.end()))
    return tables


def _lines(html: str) -> Iterator[str]:
    from lxml.etree import HTML

    return table_rows(HTML(html).find(".//table"), with_rule=True)


def table_rows(table: Any, with_rule: bool = False) -> Iterator[str]:
    """A table's caption and rows. A lone cell has no borders; a rule may stand below a first row of titles."""
    rows = table.xpath("./tr | ./*/tr")
    if rows and (caption := " ".join(map(_text, table.iterfind("caption")))):
        yield caption
    titled = [row.find("th") is not None and row.find("td") is None for row in rows]
    cells = ([_cell(cell) for cell in row.iterchildren("td", "th")] for row in rows)
    for number, texts in enumerate(placed_cells(cells)):
        if any(texts):
            yield row_text(texts) if len(texts) > 1 else texts[0]
        if with_rule and number == 0 and len(texts) > 1 and titled[:2] in ([True], [True, False]):
            yield CELL_BORDER.join([_RULE] * len(texts))


def _cell(cell: Any) -> SpannedCell:
    return SpannedCell(_text(cell), _span(cell, "colspan"), _span(cell, "rowspan"))


def _span(cell: Any, over: str) -> int:
    match = _SPAN.fullmatch(cell.get(over, "").strip())
    return int(match[0]) if match else 1


def _text(cell: Any) -> str:
    from lxml.etree import tostring

    for element in cell.iter(*_APART):
        element.text, element.tail = f" {element.text or ''}", f" {element.tail or ''}"
    return " ".join(tostring(cell, method="text", encoding="unicode", with_tail=False).split())
