"""Headers, footers and page numbers: lines in the margins that most pages repeat at one height.

The highest and the lowest lines of each page are looked at. When in doubt, they stay: what is removed here can never be
found.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from statistics import median

from loaders.cleaning import in_one_line
from loaders.lines import TextLine
from loaders.numerals import BRACKETED, BULLETS, NUMBERED, ROMAN, roman_number

_FEWEST_PAGES = 3
# Left and right pages may have headers of their own, and chapters too: less than half of the pages is enough.
_SHARE = 0.3
_DRIFT = 2.0  # points: programs set them at one height
_LARGER = 1.2  # times the usual size: a title, which a program may print on every page
_EDGE_LINES = 3
_MARGIN = 0.12  # of the page's height: an official document has its page number 10% above the edge
_CLOSE = 1.2  # em: a header stands farther from the text than one line or one row of a table from the next
_MOST_DIGITS = 6
_PAGE_NUMBER = re.compile(r"[-—–·.第页共/／of\[\]()]*#(?:[-—–/／页共第of]+#)?[-—–·.页\[\]()]*", re.IGNORECASE)
_BLANK = re.compile(r"(?<!\d) | (?!\d)")
_ITEM = re.compile(rf"(?:{NUMBERED}|{BRACKETED}|[{BULLETS}])\w")


@dataclass(frozen=True)
class _EdgeLine:
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
        words = _words_of(self.line)
        return str(roman_number(words)) if ROMAN.fullmatch(words) else words

    @cached_property
    def text(self) -> str:
        return self.words.replace(" ", "")

    @cached_property
    def cells(self) -> tuple["_EdgeLine", ...]:
        """Each of its cells as a line of its own, where it has several."""
        texts = self.line.text.split("\t")
        return tuple(replace(self, line=replace(self.line, text=text)) for text in texts) if len(texts) > 1 else ()

    @cached_property
    def pattern(self) -> str:
        """The text with its numbers left open."""
        return re.sub(r"\d+", "#", self.text)

    @cached_property
    def is_page_number(self) -> bool:
        return _PAGE_NUMBER.fullmatch(self.pattern) is not None

    @property
    def can_go(self) -> bool:
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

    def forms(self, *, can_move: bool) -> Iterator[str]:
        """The text as it is, and with each of its numbers as what it is more than the page's."""
        yield self.words
        parts = re.split(r"(\d+)", self.words)
        for index in range(1, len(parts) if can_move else 0, 2):
            if len(parts[index]) <= _MOST_DIGITS:
                moved = f"#{int(parts[index]) - self.number}#"
                yield "".join([*parts[:index], moved, *parts[index + 1 :]])


def without_headers_footers(
    pages: Sequence[Sequence[TextLine]],
    sheets: Sequence[tuple[float, float]],
    numbers: Sequence[int] = (),
    drift: float = _DRIFT,
) -> list[list[TextLine]]:
    """The pages, with these numbers, without what they repeat in their margins, up to `drift` points higher or lower.

    `sheets`: the lower and the upper edge of each page. A page of nothing else keeps its lines, and a title that they
    repeat stays where it stands first. One or two pages show nothing.
    """
    if len(pages) < _FEWEST_PAGES:
        return list(map(list, pages))
    edges = list(map(_edges_of, pages, sheets, numbers or range(1, len(pages) + 1)))
    repeated = _Repeated(pages, [edge for page in edges for edge in page], drift)
    titles: set[str] = set()
    kept = []
    for lines, page in zip(pages, edges, strict=True):
        removed = set()
        for edge in [*repeated.from_edge(page, is_top=True), *repeated.from_edge(page, is_top=False)]:
            if edge.is_page_number or edge.line.size < repeated.title_size or edge.text in titles:
                removed.add(edge.index)
            titles.add(edge.text)
        kept.append([line for index, line in enumerate(lines) if index not in removed] or list(lines))
    return kept


def _edges_of(lines: Sequence[TextLine], sheet: tuple[float, float], number: int) -> list[_EdgeLine]:
    """The highest and the lowest lines, from the outermost inwards. Files draw them anywhere."""
    ordered = sorted(range(len(lines)), key=lambda index: -lines[index].top)
    tops = min(_EDGE_LINES, (len(lines) + 1) // 2)
    sides = (ordered, tops, True), (ordered[::-1], min(_EDGE_LINES, len(lines) - tops), False)
    return [
        _EdgeLine(lines[index], _inner(lines, side[place:]), index, number, is_top, sheet)
        for side, count, is_top in sides
        for place, index in enumerate(side[:count])
    ]


def _inner(lines: Sequence[TextLine], indices: Sequence[int]) -> TextLine | None:
    """The line that comes next after the first one, in another row."""
    outer = lines[indices[0]]
    return next((lines[index] for index in indices if not outer.bottom < lines[index].middle < outer.top), None)


def _words_of(line: TextLine) -> str:
    """The text of a line, with blanks between digits only: others, a program sets on one page and not on the next."""
    return _BLANK.sub("", in_one_line(line.text))


def _letters_of(lines: Iterable[TextLine]) -> str:
    """What a header has of a title, which it may write in capitals and with a mark: `§2.1 DATA` for `2.1 Data`."""
    return re.sub(r"[\W_]", "", "".join(map(_words_of, lines))).casefold()


def _is_outside(edge: _EdgeLine, end: TextLine) -> bool:
    """Whether a line stands between that end of what goes and the edge of the page, or in its row."""
    return edge.line.middle > end.bottom if edge.is_top else edge.line.middle < end.top


class _Repeated:
    """What stands at one height at the edges of enough pages: the same text, or with a number that follows the page."""

    def __init__(self, pages: Sequence[Sequence[TextLine]], edges: Sequence[_EdgeLine], drift: float) -> None:
        lines = [line for page in pages for line in page]
        self.title_size = _LARGER * median([line.size for line in lines] or [0.0])
        self._needed = max(_FEWEST_PAGES, _SHARE * len(pages))
        parts = (part for edge in edges for part in (edge, *edge.cells))
        self._pages = Counter(key[:2] for key in {(part.is_top, part.pattern, part.number) for part in parts})
        self._known = self._at_one_height(edges, drift)
        repeated = {edge.line for edge in edges if self._repeats(edge)}
        self._told = frozenset(_letters_of([line]) for line in lines if line not in repeated)

    def _at_one_height(self, edges: Sequence[_EdgeLine], drift: float) -> set[tuple[bool, str]]:
        """The forms that stand at one height on enough pages."""
        places: dict[tuple[bool, str], set[tuple[float, int]]] = defaultdict(set)
        for edge in edges:
            if edge.can_go and not edge.may_be_row:
                for form in chain.from_iterable(map(self._forms, (edge, *edge.cells))):
                    places[form].add((edge.line.bottom, edge.number))
        times = {form: _times([height for height, _ in found], drift) for form, found in places.items()}
        return {form for form, count in times.items() if count >= _FEWEST_PAGES}

    def from_edge(self, page: Sequence[_EdgeLine], *, is_top: bool) -> list[_EdgeLine]:
        """What goes from a page at one of its edges: nothing of the text stands farther out."""
        side = [edge for edge in page if edge.is_top == is_top]
        end = next((edge.line for edge in side if not self._goes(edge)), None)
        return [edge for edge in side if self._goes(edge) and (end is None or _is_outside(edge, end))]

    def _goes(self, edge: _EdgeLine) -> bool:
        """Also where it stands at another height, as on a cover."""
        return self._repeats(edge) or (edge.can_go and self._changes_with_the_text(edge))

    def _repeats(self, edge: _EdgeLine) -> bool:
        often = self._pages[edge.is_top, edge.pattern] >= self._needed
        return edge.can_go and often and any(form in self._known for form in self._forms(edge))

    def _changes_with_the_text(self, edge: _EdgeLine) -> bool:
        """Whether some of its cells repeat, and the text or other pages have the others: a chapter's title."""
        cells = edge.cells
        changing = [cell for cell in cells if not self._repeats(cell)]
        if len(changing) == len(cells) or edge.may_be_row:
            return False
        # The number of a chapter repeats too, and its title has it.
        rests = (rest for cell, rest in ((cells[0], cells[1:]), (cells[-1], cells[:-1])) if cell not in changing)
        is_told = any(_letters_of(cell.line for cell in rest) in self._told for rest in (changing, *rests))
        return is_told or all(any(form in self._known for form in self._forms(cell)) for cell in changing)

    def _forms(self, edge: _EdgeLine) -> Iterator[tuple[bool, str]]:
        """A number that follows the page is of the text in a title, or close to the text: `附件 1`, `第 1 题`."""
        is_header = edge.line.size < self.title_size and not edge.is_close
        return ((edge.is_top, form) for form in edge.forms(can_move=edge.is_page_number or is_header))


def _times(heights: Iterable[float], drift: float) -> int:
    """How many stand at one height, at most."""
    ordered = sorted(heights)
    counts = (bisect_right(ordered, height + drift) - index for index, height in enumerate(ordered))
    return max(counts, default=0)
