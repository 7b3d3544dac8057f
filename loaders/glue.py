"""Two lines made one: what stands between them, and the hyphens that ended the first. Pure functions."""

import re
from collections.abc import Sequence

from loaders.cleaning import CJK

# `HT-2024-` and `001`, `HT-` and `2024`: what follows the hyphen of a number is of it.
_CUT_NUMBER = re.compile(r"(?:\d[A-Za-z\d]{0,20}-[A-Za-z\d]|[A-Za-z]-\d)$")
_LONGEST_CUT = 24
# An address or a path goes on behind its slash, unless words follow.
_CUT_PATH = re.compile(r"[\w.~%:/-]/$", re.ASCII)
_REST_OF_PATH = re.compile(r"(?![A-Za-z]+ [A-Za-z])[\w.~%-]", re.ASCII)
_TEXT_ENDS_IN_CJK = re.compile(rf"[{CJK}“”‘’…—]$")
_TEXT_STARTS_IN_CJK = re.compile(rf"[{CJK}“”‘’…—]")
# How pdfium tells a hyphen at the end of a line: a word is whole without it, most numbers and names are not.
HYPHENS = (0x02, 0xFFFE)
_HYPHEN_AT_END = re.compile(f"[{''.join(map(chr, HYPHENS))}]")
_BROKEN_WORD = re.compile(rf"([A-Za-z\d]+){_HYPHEN_AT_END.pattern}(?=([A-Za-z\d]+))")
_NAMED = re.compile(r"[A-Z\d]|[a-z]+\d")
_ADDRESS = re.compile(r"://[!-~\x02\ufffe]+")


def glued(text: str, following: str) -> str:
    """Two lines as one; where one is empty, the other."""
    return text + glue(text, following) + following if text and following else text or following


def glue(text: str, following: str) -> str:
    """What stands between two lines that become one: a blank, unless one is Chinese there, or a name is cut."""
    end = text[-_LONGEST_CUT:]
    cuts_path = _CUT_PATH.search(end) is not None and _REST_OF_PATH.match(following) is not None
    if cuts_path or _CUT_NUMBER.search(end + following[:1]):
        return ""
    return "" if _TEXT_ENDS_IN_CJK.search(text) or _TEXT_STARTS_IN_CJK.match(following) else " "


def with_hyphens(text: str, codes: Sequence[int]) -> str:
    """Text with the hyphens of addresses, and those of numbers and names, unless the page has them without: `MFA-2000`,
    but `TensorFlow`; and those of words that the page has with one."""
    if not _HYPHEN_AT_END.search(text):
        return text
    page = "".join(map(chr, codes))

    def mended(broken: re.Match[str]) -> str:
        before, after = broken.groups()
        kept = f"{before}-{after}" in page or (_NAMED.match(after) and before + after not in page)
        return f"{before}-" if kept else before

    text = _ADDRESS.sub(lambda address: _HYPHEN_AT_END.sub("-", address[0]), text)
    return _HYPHEN_AT_END.sub("", _BROKEN_WORD.sub(mended, text))
