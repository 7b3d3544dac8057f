"""Sentences that run over a page break, told by where the lines before and behind it stand."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from loaders.cleaning import clean_line
from loaders.glue import glue
from loaders.headings import bare, is_in_brackets, is_numbered_heading
from loaders.lines import SHORTEST_COLUMN, TextLine, has_cells
from loaders.paragraphs import (
    LONG_LINE,
    RAGGED,
    edge_of,
    ends_of,
    in_one_column,
    of_one_size,
    reads_as_sentence,
    reads_on,
    width_of_word,
)
from rag.types import Page

_SET_IN = 1.5  # em: as the first line of a paragraph, by two characters


def with_separators(
    pages: Sequence[Page], rows: Sequence[Sequence[TextLine]], apart: Collection[str]
) -> tuple[Page, ...]:
    """The pages, each parted from the next as two lines of a paragraph where a sentence runs over both.

    `rows` are the lines of each page in reading order, none where they are not known; `apart` are headings, as `bare`
    text.
    """
    parted = (
        replace(page, separator=glue(page.text, following.text))
        if _runs_over(page, above, following, below, apart)
        else page
        for (page, above), (following, below) in pairwise(zip(pages, rows, strict=True))
    )
    return (*parted, *pages[-1:])


def _runs_over(
    page: Page, above: Sequence[TextLine], following: Page, below: Sequence[TextLine], apart: Collection[str]
) -> bool:
    """Whether the last line of a page goes on in the first of the next."""
    rest = [row for row in below if not row.note]
    if not above or not rest:
        return False
    before, behind = clean_line(above[-1].text), clean_line(rest[0].text)
    # Others may be left out of the text.
    are_at_break = bare(page.text).endswith(bare(before)) and bare(following.text).startswith(bare(behind))
    if not before or not behind or not are_at_break:
        return False
    # An item that fills its line has lost its end to the next page: without a mark there it reads as a heading.
    is_heading = is_numbered_heading(before) and not is_in_brackets(before)
    if is_heading or is_numbered_heading(behind) or not reads_on(before, behind, apart):
        return False
    return _are_alike(above[-1], rest[0]) and not _is_set_in(rest) and _ends_at_edge(above, rest[0])


def _are_alike(line: TextLine, following: TextLine) -> bool:
    """Whether both are lines of text of one size, and none is a row of cells, a note or a program's."""
    apart = any(row.verbatim or row.note or has_cells(row) for row in (line, following))
    return not apart and not (line.listed and following.listed) and of_one_size(line, following)


def _is_set_in(rows: Sequence[TextLine]) -> bool:
    """Whether the first of some lines is set in, as a paragraph's is."""
    column = [row.left for row in rows[1:] if in_one_column(rows[0], row)]
    return bool(column) and rows[0].left - min(column) > _SET_IN * rows[0].size


def _ends_at_edge(rows: Sequence[TextLine], following: TextLine) -> bool:
    """Whether the last of some lines has no room for what follows, by where others of its column end."""
    line = rows[-1]
    column = [row for row in rows if not has_cells(row) and in_one_column(line, row)]
    edge, _ = edge_of(ends_of(column, line.size), line.size)
    shortest = SHORTEST_COLUMN if reads_as_sentence(line) or reads_as_sentence(following) else LONG_LINE
    room = max(RAGGED, width_of_word(following.text)) * line.size
    is_shown = any(row.right >= edge - RAGGED * line.size for row in column[:-1])
    return is_shown and edge - line.left >= shortest * line.size and edge - line.right <= room
