"""A document's text as HTML: its lines as they are, its tables as tables, and some of it marked."""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from loaders.rows import Row, cells_of, find_rows, is_rule
from rag.web.markup import cell_kind


class Mark(NamedTuple):
    """What stands at `[start, end)` of a text, between two tags."""

    start: int
    end: int
    opens: str = "<mark>"
    closes: str = "</mark>"


def passage(text: str, marks: Sequence[Mark] = ()) -> str:
    """A text for an element that keeps line breaks; each of the `marks` stands within those before it."""
    written, start = "", 0
    for rows in _tables(find_rows(text)):
        # A table is a block: the line breaks beside it would be empty lines.
        first, last = max(rows[0].start - 1, start), rows[-1].end
        written += f"{_marked(text, start, first, marks)}{_table(text, rows, marks)}"
        start = min(last + 1, len(text))
    return written + _marked(text, start, len(text), marks)


def in_context(context: str, text: str) -> str:
    """A passage below what says what it is about, such as the header of its table."""
    if not (above := context.strip()):
        return passage(text.strip())
    return passage(f"{above}\n{text.strip()}", [Mark(0, len(above), '<span class="context">', "</span>")])


def _tables(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows that stand right below each other: `cat log | sort`, alone, may be none."""
    begins = [place for place, row in enumerate(rows) if not place or row.start != rows[place - 1].end + 1]
    return (rows[first:last] for first, last in pairwise([*begins, len(rows)]) if last - first > 1)


def _table(text: str, rows: Sequence[Row], marks: Sequence[Mark]) -> str:
    """Rows below each other; the lines that name columns are heads, wherever they stand."""
    headers = {line for row in rows for line in row.header.split("\n")}
    lines = [(row.start, line) for row in rows if not is_rule(line := text[row.start : row.end])]
    drawn = [(start, cells_of(line), "th" if line in headers else "td") for start, line in lines]
    width = max((len(cells) for _, cells, _ in drawn), default=0)
    body = "".join(f"<tr>{_row(text, start, cells, width, tag, marks)}</tr>" for start, cells, tag in drawn)
    return f"<table>{body}</table>"


def _row(text: str, start: int, cells: Sequence[tuple[int, int]], width: int, tag: str, marks: Sequence[Mark]) -> str:
    """The cells of a row, as many as the table has; what stands alone in front reaches over all, as a caption."""
    filled = [place for place, (begins, ends) in enumerate(cells) if begins < ends]
    if filled == [0]:
        return f'<{tag} colspan="{width}">{_marked(text, start + cells[0][0], start + cells[0][1], marks)}</{tag}>'
    return "".join(
        f'<{tag} class="{cell_kind(ends - begins)}">{_marked(text, start + begins, start + ends, marks)}</{tag}>'
        for begins, ends in [*cells, *[(0, 0)] * (width - len(cells))]
    )


def _marked(text: str, start: int, end: int, marks: Sequence[Mark]) -> str:
    """A part of a text with what of it is marked between the tags for that."""
    if not marks:
        return escape(text[start:end])
    mark, *within = marks
    first, last = max(start, mark.start), min(end, mark.end)
    if first >= last:
        return escape(text[start:end])
    inner = _marked(text, first, last, within)
    return f"{escape(text[start:first])}{mark.opens}{inner}{mark.closes}{escape(text[last:end])}"
