"""The lines at the upper and lower edges of pages, among which headers, footers and page numbers are."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from loaders.cleaning import in_one_line
from loaders.lines import TextLine
from loaders.numerals import BRACKETED, BULLETS, NUMBERED, ROMAN, roman_number

EDGE_LINES = 3
_MARGIN = 0.12  # of the page's height: an official document has its page number 10% above the edge
_CLOSE = 1.2  # em: a header stands farther from the text than one line or one row of a table from the next
_MOST_DIGITS = 6
_PAGE_NUMBER = re.compile(r"[-—–·.第页共/／of\[\]()]*#(?:[-—–/／页共第of]+#)?[-—–·.页\[\]()]*", re.IGNORECASE)
# In a file of one or two pages only its form tells a page number.
_COUNTED_PAGE = re.compile(r"\D*第(\d{1,6})页\W{0,2}共\d{1,6}页\W?", re.IGNORECASE)
_BLANK = re.compile(r"(?<!\d) | (?!\d)")
_ITEM = re.compile(rf"(?:{NUMBERED}|{BRACKETED}|[{BULLETS}])\w")


@dataclass(frozen=True)
class EdgeLine:
    """A line at the upper or lower edge of the page with that number; `inner` is the next one inwards, if any.

    `sheet`: the lower and the upper edge of the page.
    """

    line: TextLine
    inner: TextLine | None
    index: int
    number: int
    is_top: bool
    sheet: tuple[float, float]

    @cached_property
    def words(self) -> str:
        words = words_of(self.line)
        return str(roman_number(words)) if ROMAN.fullmatch(words) else words

    @cached_property
    def text(self) -> str:
        return self.words.replace(" ", "")

    @cached_property
    def cells(self) -> tuple["EdgeLine", ...]:
        """Each of its cells as a line of its own, where it has several."""
        texts = self.line.text.split("\t")
        return tuple(replace(self, line=replace(self.line, text=text)) for text in texts) if len(texts) > 1 else ()

    @cached_property
    def pattern(self) -> str:
        """The text with its numbers left open."""
        return re.sub(r"\d+", "#", self.text)

    @cached_property
    def is_page_number(self) -> bool:
        return _PAGE_NUMBER.fullmatch(self.pattern) is not None or _COUNTED_PAGE.fullmatch(self.text) is not None

    @property
    def can_be_furniture(self) -> bool:
        """Whether it is a page number, or stands in the margin and is no row of a table, item of a list or amount."""
        if self.line.verbatim or _ITEM.match(self.text):
            return False
        return self.is_page_number or (self.is_outer and bool(re.sub(r"[\W#_]", "", self.pattern)))

    @property
    def is_outer(self) -> bool:
        """Whether it stands in the margin."""
        bottom, top = self.sheet
        margin = _MARGIN * (top - bottom)
        return self.line.bottom >= top - margin if self.is_top else self.line.top <= bottom + margin

    @property
    def is_close(self) -> bool:
        """Whether it stands as close to the next line as those of a text or table do."""
        if self.inner is None:
            return False
        gap = self.line.bottom - self.inner.top if self.is_top else self.inner.bottom - self.line.top
        return gap < _CLOSE * self.line.size

    @property
    def may_be_row(self) -> bool:
        """Whether it has cells, and stands close."""
        return "\t" in self.line.text and self.is_close

    @property
    def tells_its_page(self) -> bool:
        """Whether it says by its form that it is the number of this page."""
        match = _COUNTED_PAGE.fullmatch(self.text)
        return match is not None and int(match[1]) == self.number

    def forms(self, *, can_move: bool) -> Iterator[str]:
        """The text as it is, and with each of its numbers as what it is more than the page's."""
        yield self.words
        parts = re.split(r"(\d+)", self.words)
        for index in range(1, len(parts) if can_move else 0, 2):
            if len(parts[index]) <= _MOST_DIGITS:
                moved = f"#{int(parts[index]) - self.number}#"
                yield "".join([*parts[:index], moved, *parts[index + 1 :]])


def edges_of(lines: Sequence[TextLine], sheet: tuple[float, float], number: int) -> list[EdgeLine]:
    """The highest and the lowest lines, from the outermost inwards. Files draw them anywhere."""
    ordered = sorted(range(len(lines)), key=lambda index: -lines[index].top)
    tops = min(EDGE_LINES, (len(lines) + 1) // 2)
    sides = (ordered, tops, True), (ordered[::-1], min(EDGE_LINES, len(lines) - tops), False)
    return [
        EdgeLine(lines[index], _inner(lines, side[place:]), index, number, is_top, sheet)
        for side, count, is_top in sides
        for place, index in enumerate(side[:count])
    ]


def _inner(lines: Sequence[TextLine], indices: Sequence[int]) -> TextLine | None:
    """The line that comes next after the first one, in another row."""
    outer = lines[indices[0]]
    return next((lines[index] for index in indices if not outer.bottom < lines[index].middle < outer.top), None)


def words_of(line: TextLine) -> str:
    """The text of a line, with blanks between digits only: others, a program sets on one page and not on the next."""
    return _BLANK.sub("", in_one_line(line.text))


def letters_of(lines: Iterable[TextLine]) -> str:
    """What a header has of a title, which it may write in capitals and with a mark: `§2.1 DATA` for `2.1 Data`."""
    return re.sub(r"[\W_]", "", "".join(map(words_of, lines))).casefold()
