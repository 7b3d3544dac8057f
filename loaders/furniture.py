"""Headers, footers and page numbers: lines in the margins that most pages repeat at one height.

When in doubt, lines stay: what is removed here can never be found.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from statistics import median

from loaders.edge_lines import EDGE_LINES, EdgeLine, edges_of, letters_of
from loaders.lines import TextLine

_FEWEST_PAGES = 3
# Left and right pages may have headers of their own, and chapters too: less than half of the pages is enough.
_SHARE = 0.3
_DRIFT = 2.0  # points: programs set them at one height
_LARGER = 1.2  # times the usual size: a title, which a program may print on every page


def without_furniture(
    pages: Sequence[Sequence[TextLine]],
    sheets: Sequence[tuple[float, float]],
    numbers: Sequence[int] = (),
    drift: float = _DRIFT,
) -> list[list[TextLine]]:
    """The pages, with these numbers, without what they repeat in their margins, up to `drift` points higher or lower.

    `sheets`: the lower and the upper edge of each page. A page of nothing else keeps its lines, and a title that they
    repeat stays where it stands first.
    """
    edges = list(map(edges_of, pages, sheets, numbers or range(1, len(pages) + 1)))
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


def _is_outside(edge: EdgeLine, end: TextLine) -> bool:
    """Whether a line stands between that end of the furniture and the edge of the page, or in its row."""
    return edge.line.middle > end.bottom if edge.is_top else edge.line.middle < end.top


class _Repeated:
    """What stands at one height at the edges of enough pages: the same text, or with a number that follows the page."""

    def __init__(self, pages: Sequence[Sequence[TextLine]], edges: Sequence[EdgeLine], drift: float) -> None:
        lines = [line for page in pages for line in page]
        usual = median([line.size for line in lines] or [0.0])
        self.title_size = _LARGER * usual
        self._is_short = len(pages) < _FEWEST_PAGES
        self._needed = max(_FEWEST_PAGES, _SHARE * len(pages))
        parts = (part for edge in edges for part in self._parts(edge))
        self._pages = Counter(key[:2] for key in {(part.is_top, part.pattern, part.number) for part in parts})
        self._known = self._at_one_height(edges, drift)
        repeated = {edge.line for edge in edges if self._repeats(edge)}
        self._told = frozenset(letters_of([line]) for line in lines if line not in repeated)

    def _at_one_height(self, edges: Sequence[EdgeLine], drift: float) -> set[tuple[bool, str]]:
        """The forms that stand at one height on enough pages."""
        places: dict[tuple[bool, str], set[tuple[float, int]]] = defaultdict(set)
        for edge in edges:
            if edge.can_be_furniture and not edge.may_be_row:
                for form in chain.from_iterable(map(self._forms, self._parts(edge))):
                    places[form].add((edge.line.bottom, edge.number))
        times = {form: _times([height for height, _ in found], drift) for form, found in places.items()}
        return {form for form, count in times.items() if count >= (2 if self._is_short else _FEWEST_PAGES)}

    def from_edge(self, page: Sequence[EdgeLine], *, is_top: bool) -> list[EdgeLine]:
        """The furniture of a page at one of its edges: nothing of the text stands farther out."""
        side = [edge for edge in page if edge.is_top == is_top]
        end = next((edge.line for edge in side if not self._is_furniture(edge)), None)
        found = [edge for edge in side if self._is_furniture(edge) and (end is None or _is_outside(edge, end))]
        # Two copies of one text repeat more than a header.
        return [] if self._is_short and len(found) == EDGE_LINES else found

    def _is_furniture(self, edge: EdgeLine) -> bool:
        """Also where it stands at another height, as on a cover."""
        if self._is_short and edge.tells_its_page:
            return edge.can_be_furniture
        return self._repeats(edge) or (edge.can_be_furniture and self._changes_with_the_text(edge))

    def _repeats(self, edge: EdgeLine) -> bool:
        often = self._is_short or self._pages[edge.is_top, edge.pattern] >= self._needed
        return edge.can_be_furniture and often and any(form in self._known for form in self._forms(edge))

    def _changes_with_the_text(self, edge: EdgeLine) -> bool:
        """Whether some of its cells repeat, and the text or other pages have the others: a chapter's title."""
        _, *cells = self._parts(edge)
        changing = [cell for cell in cells if not self._repeats(cell)]
        if len(changing) == len(cells) or edge.may_be_row:
            return False
        # The number of a chapter repeats too, and its title has it.
        rests = (rest for cell, rest in ((cells[0], cells[1:]), (cells[-1], cells[:-1])) if cell not in changing)
        is_told = any(letters_of(cell.line for cell in rest) in self._told for rest in (changing, *rests))
        return is_told or all(any(form in self._known for form in self._forms(cell)) for cell in changing)

    def _parts(self, edge: EdgeLine) -> tuple[EdgeLine, ...]:
        """A line and its cells, which say nothing in a file of one or two pages."""
        return (edge,) if self._is_short else (edge, *edge.cells)

    def _forms(self, edge: EdgeLine) -> Iterator[tuple[bool, str]]:
        """A number that follows the page is of the text in a title, or close to the text: `附件 1`, `第 1 题`."""
        is_header = edge.line.size < self.title_size and not edge.is_close and not self._is_short
        can_move = edge.is_page_number or is_header
        size = f" {edge.line.size:.0f}" if self._is_short else ""
        return ((edge.is_top, form + size) for form in edge.forms(can_move=can_move))


def _times(heights: Iterable[float], drift: float) -> int:
    """How many stand at one height, at most."""
    ordered = sorted(heights)
    counts = (bisect_right(ordered, height + drift) - index for index, height in enumerate(ordered))
    return max(counts, default=0)
