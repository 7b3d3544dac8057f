"""Hyphens at the ends of a PDF's lines. Pure functions."""

import re
from collections.abc import Sequence

# How pdfium tells a hyphen at the end of a line: a word is whole without it, most numbers and names are not.
HYPHENS = (0x02, 0xFFFE)
_HYPHEN_AT_END = re.compile(f"[{''.join(map(chr, HYPHENS))}]")
_BROKEN_WORD = re.compile(rf"([A-Za-z\d]+){_HYPHEN_AT_END.pattern}(?=([A-Za-z\d]+))")
_NAMED = re.compile(r"[A-Z\d]|[a-z]+\d")
_ADDRESS = re.compile(r"://[!-~\x02\ufffe]+")


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
