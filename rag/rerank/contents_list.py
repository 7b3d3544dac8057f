"""Lists of contents name what a document is about, on every search's terms, and say nothing of it."""

import re
from collections.abc import Iterable
from itertools import accumulate, takewhile

# The dots before a page number; cleaning leaves one: 命名风格.3
_LEADER = re.compile(r"[^\d\s.．·…]\s*[.．·…]+\s*\d{1,4}\s*$")
_FEWEST_LINES = 3
_PARTED = " / "
_LONGEST_LINE = 240
_ASKS_WHERE = re.compile(r"目录|章节|[哪几]一?[页章节]|\b(?:contents|page|chapter)\b", re.IGNORECASE)


def lists_contents(text: str) -> bool:
    """Whether most of a passage's lines lead to a page number."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) >= _FEWEST_LINES and 2 * sum(bool(_LEADER.search(line)) for line in lines) > len(lines)


def line_of_parts(titles: Iterable[str]) -> str:
    """The first titles of a document's parts in one line, to stand above the passage that it is introduced by."""
    lines = accumulate(titles, lambda line, title: f"{line}{_PARTED}{title}")
    return max(takewhile(lambda line: len(line) <= _LONGEST_LINE, lines), key=len, default="")


def below_parts(text: str) -> str:
    """What a passage says itself, without a line of its document's parts above it: 结论 there tells no conclusion."""
    first, _, rest = text.partition("\n")
    return rest if first.count(_PARTED) >= _FEWEST_LINES - 1 else text


def asks_where(question: str) -> bool:
    """Whether a list of contents may answer a question: it asks for a page or a chapter."""
    return bool(_ASKS_WHERE.search(question))
