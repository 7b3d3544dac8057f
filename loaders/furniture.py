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
    counts = Counter(key for lines in pages for key in {_key(lines, index) for index in _edge(lines)} if key)
    needed = max(_FEWEST_PAGES, _SHARE * len(pages))
    repeated = {key for key, count in counts.items() if count >= needed}
    return [_without(lines, repeated) for lines in pages]


def _without(lines: Sequence[TextLine], repeated: set[tuple[bool, str]]) -> list[TextLine]:
    removed = {index for index in _edge(lines) if _key(lines, index) in repeated}
    kept = [line for index, line in enumerate(lines) if index not in removed]
    return kept or list(lines)


def _edge(lines: Sequence[TextLine]) -> list[int]:
    """Indices of the first and last lines."""
    return sorted({*range(min(_EDGE_LINES, len(lines))), *range(max(0, len(lines) - _EDGE_LINES), len(lines))})


def _key(lines: Sequence[TextLine], index: int) -> tuple[bool, str] | None:
    """What two pages have in common there: the edge, and the text with its numbers left open."""
    text = re.sub(r"\d+", "#", "".join(normalise(lines[index].text).split()))
    words = re.sub(r"[\W#_]", "", text)
    if not words and not _PAGE_NUMBER.fullmatch(text):
        return None
    return index < len(lines) / 2, text
