"""Lists of contents name what a document is about, on every search's terms, and say nothing of it."""

import re

# The dots before a page number; cleaning leaves one: 命名风格.3
_LEADER = re.compile(r"[^\d\s.．·…]\s*[.．·…]+\s*\d{1,4}\s*$")
_FEWEST_LINES = 3
_ASKS_WHERE = re.compile(r"目录|章节|[哪几]一?[页章节]|\b(?:contents|page|chapter)\b", re.IGNORECASE)


def lists_contents(text: str) -> bool:
    """Whether most of a passage's lines lead to a page number."""
    lines = [line for line in text.splitlines() if line.strip()]
    return len(lines) >= _FEWEST_LINES and 2 * sum(bool(_LEADER.search(line)) for line in lines) > len(lines)


def asks_where(question: str) -> bool:
    """Whether a list of contents may answer a question: it asks for a page or a chapter."""
    return bool(_ASKS_WHERE.search(question))
