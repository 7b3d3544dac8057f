"""An outline and its text: which headings a file has, where each stands, and under which a passage is."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest

from loaders.cleaning import as_title
from loaders.heading_detection import detect_headings
from loaders.headings import DEEPEST, bare, stands_before_text
from rag.types import Heading, LoadedDocument, Page

_LONGEST_NUMBER = 12
_LINE = re.compile("^.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PlacedHeading:
    """A heading at its place in `LoadedDocument.text`, with the titles above it and its own, outermost first."""

    start: int
    path: tuple[str, ...]


def fits(outline: Sequence[Heading], pages: Sequence[Page]) -> bool:
    """Whether an outline tells of the text: half of its titles stand on their pages. Some are a program's own marks."""
    texts = {page.number: bare(page.text) for page in pages}
    found = sum(bare(heading.title) in texts.get(heading.page, "") for heading in outline)
    return found > 0 and 2 * found >= len(outline)


def complete_outline(
    own: Sequence[Heading], pages: Sequence[Page], sizes: Mapping[str, float] | None = None
) -> tuple[Heading, ...]:
    """The file's own headings, or those that are detected (see `detect_headings`) where it has none.

    A single one may be all that its author marked, as the title: it does not hide several, which stand below it.
    """
    if len(own) > 1:
        return tuple(own)
    detected = detect_headings(pages, sizes)
    if not own or len(detected) < 2:
        return tuple(own) or detected
    (title,) = own
    if any(_is_same(title, heading) for heading in detected):
        return detected
    return title, *(replace(heading, level=min(title.level + heading.level, DEEPEST)) for heading in detected)


def _is_same(own: Heading, detected: Heading) -> bool:
    """Whether both are one heading, which the file may mark without its number or before a page break."""
    return detected.page - own.page in (0, 1) and bare(detected.title).endswith(bare(own.title))


def place_headings(document: LoadedDocument) -> tuple[PlacedHeading, ...]:
    """The outline's headings at the lines they stand on, in order; one whose line is not found opens its page.

    A page's last one may stand on the next page: a bookmark is often set before the page break that follows it.
    """
    pages = _pages_with_headings(document)
    placed: list[PlacedHeading] = []
    above: list[Heading] = []
    cursor = 0
    for heading, following in zip_longest(document.outline, document.outline[1:]):
        above = [*(upper for upper in above if upper.level < heading.level), heading]
        page = pages.get(heading.page)
        start = page.find(bare(heading.title), cursor) if page else None
        if start is None and (following is None or following.page > heading.page) and heading.page + 1 in pages:
            start = pages[heading.page + 1].find(bare(heading.title), cursor)
        if start is None:
            start = cursor = max(cursor, page.start) if page else cursor
        else:
            cursor = start + 1
        path = tuple(as_title(upper.title) for upper in above)
        if placed and placed[-1].start == start:
            placed.pop()
        placed.append(PlacedHeading(start, path))
    return tuple(placed)


def common_path(paths: Collection[tuple[str, ...]]) -> tuple[str, ...]:
    """The headings that all paths begin with: a passage over several chapters stands under none of them."""
    levels = takewhile(lambda titles: len(set(titles)) == 1, zip(*paths, strict=False))
    return tuple(titles[0] for titles in levels)


def path_at(placed: Sequence[PlacedHeading], position: int) -> tuple[str, ...]:
    """The heading path that holds at a position of the text."""
    index = bisect_right(placed, position, key=lambda heading: heading.start)
    return placed[index - 1].path if index else ()


class _Page:
    """The lines of a page, without blanks, sorted: so a title is looked for in few of them."""

    def __init__(self, text: str, start: int) -> None:
        self.start = start
        lines = [(bare(found[0]), start + found.start()) for found in _LINE.finditer(text)]
        self._by_start = sorted(lines)
        self._by_end = sorted((line[::-1], start) for line, start in lines)
        self._places: dict[str, tuple[list[int], ...]] = {}

    def find(self, title: str, cursor: int) -> int | None:
        """The first line from `cursor` on that is a title, else ends with it (a number aside), else begins with it."""
        if title and title not in self._places:
            self._places[title] = self._places_of(title)
        for places in self._places.get(title, ()):
            if (index := bisect_left(places, cursor)) < len(places):
                return places[index]
        return None

    def _places_of(self, title: str) -> tuple[list[int], ...]:
        begins = _beginning(self._by_start, title)
        begun = sorted(start for _, start in begins)
        if stands_before_text(title):
            return (begun,)
        ends = _beginning(self._by_end, title[::-1])
        numbered = sorted(start for line, start in ends if len(line) <= len(title) + _LONGEST_NUMBER)
        return sorted(start for line, start in begins if line == title), numbered, begun


def _beginning(lines: Sequence[tuple[str, int]], text: str) -> Sequence[tuple[str, int]]:
    """Those of sorted lines that begin with a text."""
    first = bisect_left(lines, text, key=lambda line: line[0])
    return lines[first : bisect_right(lines, text, lo=first, key=lambda line: line[0][: len(text)])]


def _pages_with_headings(document: LoadedDocument) -> dict[int, _Page]:
    """The pages by their numbers, and those that follow them."""
    wanted = {heading.page + ahead for heading in document.outline for ahead in (0, 1)}
    starts = zip(document.pages, document.starts, strict=False)
    return {page.number: _Page(page.text, start) for page, start in starts if page.number in wanted}
