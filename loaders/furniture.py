"""Headers, footers and page numbers: lines at the edge of a page that most pages repeat."""

import re
from collections import Counter
from collections.abc import Sequence

from loaders.cleaning import normalise
from loaders.lines import TextLine

_EDGE_LINES = 3
_FEWEST_PAGES = 3
# Left and right pages may have headers of their own, and chapters too: less than half of the pages is enough.
_SHARE = 0.3
_PAGE_NUMBER = re.compile(r"[-—–·.第页共/／of\[\]()]*#(?:[-—–/／页共第of]+#)?[-—–·.页\[\]()]*", re.IGNORECASE)


def without_furniture(pages: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
    """The pages without what they repeat at their edges. A page of nothing else keeps its lines."""
    counts = Counter(
        key
        for lines in pages
        for key in {_key(lines[index], is_top) for index, is_top in _edge(lines).items()}
        if key is not None
    )
    needed = max(_FEWEST_PAGES, _SHARE * len(pages))
    repeated = {key for key, count in counts.items() if count >= needed}
    return [_without(lines, repeated) for lines in pages]


def _without(lines: Sequence[TextLine], repeated: set[tuple[bool, str]]) -> list[TextLine]:
    removed = {index for index, is_top in _edge(lines).items() if _key(lines[index], is_top) in repeated}
    kept = [line for index, line in enumerate(lines) if index not in removed]
    return kept or list(lines)


def _edge(lines: Sequence[TextLine]) -> dict[int, bool]:
    """Indices of the highest and lowest lines, and whether each is one of the highest. Files draw them anywhere."""
    ordered = sorted(range(len(lines)), key=lambda index: -lines[index].top)
    lowest = dict.fromkeys(ordered[-_EDGE_LINES:], False)
    return lowest | dict.fromkeys(ordered[: min(_EDGE_LINES, (len(lines) + 1) // 2)], True)


def _key(line: TextLine, is_top: bool) -> tuple[bool, str] | None:
    """What two pages have in common there: the edge, and the text with its numbers left open."""
    text = re.sub(r"\d+", "#", "".join(normalise(line.text).split()))
    words = re.sub(r"[\W#_]", "", text)
    if not words and not _PAGE_NUMBER.fullmatch(text):
        return None
    return is_top, text
