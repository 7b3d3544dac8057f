"""Two lines made one: what stands between them. Pure functions."""

import re

from loaders.cleaning import CJK

# `HT-2024-` and `001`, `HT-` and `2024`: what follows the hyphen of a number is of it.
_CUT_NUMBER = re.compile(r"(?:\d[A-Za-z\d]{0,20}-[A-Za-z\d]|[A-Za-z]-\d)$")
_LONGEST_CUT = 24
# An address or a path goes on behind its slash, unless words follow, and behind its scheme: `https:` and `//a.org`.
_CUT_PATH = re.compile(r"[\w.~%:/-]/$", re.ASCII)
_REST_OF_PATH = re.compile(r"(?![A-Za-z]+ [A-Za-z])[\w.~%-]", re.ASCII)
_CUT_SCHEME = re.compile(r"\b(?:https?|ftp):$")
_TEXT_ENDS_IN_CJK = re.compile(rf"[{CJK}“”‘’…—]$")
_TEXT_STARTS_IN_CJK = re.compile(rf"[{CJK}“”‘’…—]")


def glued(text: str, following: str) -> str:
    """Two lines as one; where one is empty, the other."""
    return text + glue(text, following) + following if text and following else text or following


def glue(text: str, following: str) -> str:
    """What stands between two lines that become one: a blank, unless one is Chinese there, or a name is cut."""
    if _CUT_NUMBER.search(text[-_LONGEST_CUT:] + following[:1]) or cuts_address(text, following):
        return ""
    return "" if _TEXT_ENDS_IN_CJK.search(text) or _TEXT_STARTS_IN_CJK.match(following) else " "


def cuts_address(text: str, following: str) -> bool:
    """Whether what two lines have of an address or a path is one."""
    end = text[-_LONGEST_CUT:]
    if following.startswith("//"):
        return _CUT_SCHEME.search(end) is not None
    return _CUT_PATH.search(end) is not None and _REST_OF_PATH.match(following) is not None
