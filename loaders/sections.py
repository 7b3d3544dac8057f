"""A document as sections: parent passages for reading, and in each the child passages that are searched."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from loaders.cleaning import as_title, ends_sentence
from loaders.headings import bare, is_numbered_heading
from loaders.numerals import ARTICLE, BRACKETED, LISTED, NUMBERED, QUESTION
from loaders.outline import common_path, path_at, place_headings
from loaders.rows import Row, find_rows, first_cell, is_rule
from loaders.sentences import Span, is_answered, pack, sentence_spans
from rag.types import LoadedDocument, Passage, Section

# Less than a sentence or two: such a piece joins what follows, over the page break or heading that ended it.
_TINY = 40
# A line shorter than this ends at a page break because it ends, not because the page did.
_SHORTEST_FULL_LINE = 15
# A passage of several sections stands under the one that has this part of its text.
_MOST = 2 / 3
# A line before a table that is not longer is its caption or its unit.
_LONGEST_CAPTION = 40
_LEADS_ON = ("：", ":")
# How an item of a list begins: `1. `, `2）`, `3、【强制】`, `（四）`, `五、`, `第六条`, `问：`.
_ITEM = re.compile(rf"{NUMBERED}\s*(?=[^\W\d_]|[【《“(（])|{BRACKETED}|{LISTED}|{ARTICLE}|{QUESTION}")
# It begins a passage where what stands before it has at least this part of the limit.
_BEFORE_ITEM = 0.5
Path = tuple[str, ...]


def split_document(document: LoadedDocument, max_len: int, overlap: int, parent_max_len: int) -> tuple[Section, ...]:
    """The document's sections in order. Every character but blanks is in a child; none is longer than `max_len`.

    A child neither mixes headings nor crosses a page break, unless it would be tiny or cut a sentence.
    """
    layout = _Layout(document)
    stretches = (layout.sentences(start, end, max_len) for start, end in layout.stretches())
    parts = (part for stretch in stretches for part in layout.by_items(stretch, max_len))
    groups = (group for part in parts for group in pack(part, max_len, overlap))
    children = [layout.passage(group[0][0], group[-1][1]) for group in groups]
    sections = _merged(_by_heading(children, parent_max_len), parent_max_len)
    return tuple(Section(layout.parent(section), tuple(section)) for section in sections)


class _Layout:
    """Where pages and headings lie in a document's text."""

    def __init__(self, document: LoadedDocument) -> None:
        self._text = document.text
        self._pages = document.pages
        self._headings = place_headings(document)
        self._heading_starts = [heading.start for heading in self._headings]
        self._starts = document.starts
        pairs = zip(document.pages, self._starts[1:], strict=False)
        self._joined = {start for page, start in pairs if page.separator != "\n"}
        self._rows = find_rows(self._text)
        self._row_labels = self._labels()

    def stretches(self) -> Iterator[Span]:
        """The pieces between headings and page breaks that no sentence runs over, tiny ones with what follows.

        A heading stands with the text below it; what a heading of a higher level ends is not put below that one.
        """
        breaks = {start for start in self._starts[1:] if not (self._runs_over(start) or self._is_rest(start))}
        borders = sorted({0, len(self._text), *breaks, *self._heading_starts})
        first, is_told = 0, False
        for start, end in pairwise(borders):
            if is_told and len(path_at(self._headings, start)) < len(path_at(self._headings, start - 1)):
                yield first, start
                first, is_told = start, False
            has_text = self._has_text(start, end)
            is_told = is_told or has_text
            if has_text and len(self._text[first:end].strip()) >= _TINY:
                yield first, end
                first, is_told = end, False
        yield first, len(self._text)

    def _is_rest(self, page_start: int) -> bool:
        """Whether a page begins with the short rest of a section, and no title, before the next heading."""
        index = bisect_left(self._heading_starts, page_start)
        end = min(page_start + 2 * _TINY, *self._heading_starts[index : index + 1] or [page_start])
        rest = self._text[page_start:end].strip()
        is_text = self._row_at(page_start) or _ITEM.match(rest) or ends_sentence(rest.rstrip("".join(_LEADS_ON)))
        return 0 < len(rest) < _TINY and bool(is_text)

    def _has_text(self, start: int, end: int) -> bool:
        """Whether there is more than a heading alone."""
        text = self._text[start:end].strip()
        index = bisect_left(self._heading_starts, start)
        if self._heading_starts[index : index + 1] != [start] or "\n" in text:
            return bool(text)
        return not bare(text).endswith(bare(self._headings[index].path[-1]).rstrip("…"))

    def sentences(self, start: int, end: int, limit: int) -> list[Span]:
        """The sentences of a stretch, and the rows of its tables.

        What runs over a page break, or leads to what follows, is one with it if both fit.
        """
        spans: list[Span] = []
        for span in self._pieces(start, end, limit):
            if spans and span[1] - spans[-1][0] <= limit and self._belong_together(spans[-1], span):
                spans[-1] = (spans[-1][0], span[1])
            else:
                spans.append(span)
        return spans

    def by_items(self, spans: Sequence[Span], limit: int) -> Iterator[Sequence[Span]]:
        """A stretch's sentences, parted before items of a list: a passage that begins with a rule is found by it."""
        first = 0
        for index, (start, end) in enumerate(spans):
            is_long = start - spans[first][0] >= _BEFORE_ITEM * limit and spans[-1][1] - start >= _TINY
            if is_long and self._begins_line(start) and _ITEM.match(self._text, start, end):
                yield spans[first:index]
                first = index
        yield spans[first:]

    def _begins_line(self, position: int) -> bool:
        """Whether a line begins there that is no row of a table."""
        return self._row_at(position) is None and (position == 0 or self._text[position - 1] == "\n")

    def _pieces(self, start: int, end: int, limit: int) -> Iterator[Span]:
        """Sentences and rows."""
        first = bisect_left(self._rows, start, key=lambda row: row.start)
        for row in self._rows[first : bisect_left(self._rows, end, key=lambda row: row.start)]:
            yield from sentence_spans(self._text, start, row.start, limit)
            if row.end - row.start <= limit:
                yield row.start, row.end
            else:
                yield from sentence_spans(self._text, row.start, row.end, limit)
            start = row.end
        yield from sentence_spans(self._text, start, end, limit)

    def _belong_together(self, before: Span, span: Span) -> bool:
        """Whether a sentence runs over a page break, leads to a list or a table, is asked, or is the header of rows."""
        if self._page(span[0]) != self._page(before[1] - 1):
            return self._runs_over(span[0])
        if self._text.endswith(_LEADS_ON, before[0], before[1]) or is_answered(self._text, before, span):
            return True
        row = self._row_at(span[0])
        if row is None or span[0] != row.start:
            return False
        above = self._row_at(before[1] - 1)
        if above is None:
            return before[1] - before[0] <= _LONGEST_CAPTION
        return is_rule(self._text[row.start : row.end]) or (bool(row.header) and row.header != above.header)

    def _row_at(self, position: int) -> Row | None:
        index = bisect_right(self._rows, position, key=lambda row: row.start) - 1
        return self._rows[index] if index >= 0 and position < self._rows[index].end else None

    def _context(self, start: int) -> str:
        """The header of the table that a passage begins in, and the row or the first cell that it is the rest of."""
        row = self._row_at(start)
        if row is None:
            return ""
        begun, cell = self._row_labels[row.start]
        is_rest = start > row.start or self._page(begun) < self._page(row.start)
        rest = as_title(cell) if is_rest else ""
        return "\n".join(filter(None, (row.header, rest)))

    def _labels(self) -> dict[int, tuple[int, str]]:
        """For the start of each row, the last first cell of its table so far, and where the row begins that has it."""
        labels: dict[int, tuple[int, str]] = {}
        label, end = (0, ""), 0
        for row in self._rows:
            cell = first_cell(self._text[row.start : row.end])
            if cell or self._text[end : row.start].strip():
                label = row.start, cell
            labels[row.start], end = label, row.end
        return labels

    def passage(self, start: int, end: int) -> Passage:
        """The passage of a span, under the page and the heading that most of it belongs to."""
        first, last = self._page(start), self._page(end - 1)
        borders = [start, *self._starts[first + 1 : last + 1], end]
        page = max(range(first, last + 1), key=lambda index: borders[index - first + 1] - borders[index - first])
        return Passage(
            text=self._text[start:end],
            start=start,
            end=end,
            page=self._pages[page].number,
            last_page=self._pages[last].number,
            page_label=self._pages[page].label,
            heading_path=self._path(start, end),
            context=self._context(start),
        )

    def parent(self, children: Sequence[Passage]) -> Passage:
        """The passage that holds all the children, under the headings they share."""
        whole = self.passage(children[0].start, children[-1].end)
        return replace(whole, heading_path=common_path({child.heading_path for child in children}))

    def _path(self, start: int, end: int) -> Path:
        """The heading of most of a passage's text, or else those that its sections share: their own stand in it."""
        first, last = bisect_right(self._heading_starts, start), bisect_left(self._heading_starts, end)
        starts = [start, *self._heading_starts[first:last]]
        paths = [path_at(self._headings, begun) for begun in starts]
        told = {
            path: stop - begun
            for path, (begun, stop) in zip(paths, pairwise([*starts, end]), strict=True)
            if self._has_text(begun, stop)
        }
        longest = max(told, key=told.__getitem__, default=())
        if told and told[longest] >= _MOST * sum(told.values()):
            return longest
        return common_path({path for path in told or paths if path})

    def _runs_over(self, page_start: int) -> bool:
        """Whether the sentence before a page break goes on behind it, as far as the text tells."""
        if page_start in self._joined:
            return True
        before = self._text[max(0, page_start - 200) : max(0, page_start - 1)].rsplit("\n", 1)[-1]
        after = self._text[page_start : page_start + 60].split("\n", 1)[0]
        if len(before) < _SHORTEST_FULL_LINE or not after:
            return False
        return not (ends_sentence(before) or is_numbered_heading(before) or is_numbered_heading(after))

    def _page(self, position: int) -> int:
        return bisect_right(self._starts, position) - 1


def _by_heading(children: Sequence[Passage], limit: int) -> Iterator[list[Passage]]:
    """Consecutive children under one heading, in groups that reach over at most `limit` characters."""
    for _, same in groupby(children, key=lambda child: child.heading_path):
        group: list[Passage] = []
        for child in same:
            if group and child.end - group[0].start > limit:
                yield group
                group = []
            group.append(child)
        yield group


def _merged(groups: Iterable[list[Passage]], limit: int) -> list[list[Passage]]:
    """The groups, joined with the one before where both are under the same upper heading and fit together."""
    merged: list[list[Passage]] = []
    for group in groups:
        if merged and group[-1].end - merged[-1][0].start <= limit and _are_neighbours(merged[-1] + group):
            merged[-1].extend(group)
        else:
            merged.append(group)
    return merged


def _are_neighbours(passages: Sequence[Passage]) -> bool:
    """Whether the headings of all passages are at most one level below one that they share."""
    paths = {passage.heading_path for passage in passages}
    return len(common_path(paths)) >= max(map(len, paths)) - 1
