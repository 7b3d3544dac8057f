"""Typed text: its lines as a terminal would set them, and which of them are entries of a list. Pure functions."""

import re
from collections.abc import Sequence
from itertools import pairwise

from loaders.cleaning import clean_typed, has_columns, normalise
from loaders.lines import LABELLED, TextLine
from loaders.rows import is_row

_DATE = r"(?:\d{4} ?[-/.年] ?\d{1,2}(?: ?[-/.月] ?\d{1,2} ?日?|月)|\d{1,2} ?月 ?\d{1,2} ?日)"
_DATED = re.compile(rf"{_DATE}(?![\d-])")
_MONTH = r"\d{4} ?[-/.年] ?\d{1,2} ?月?"
_MONTHS = rf"{_MONTH} ?[-–—~～至到]{{0,2}} ?(?:{_MONTH}|至?今|现在)"
# Behind a date that is within a sentence, there is no blank and no colon.
_OPENS_ENTRY = re.compile(rf"(?:{_DATE}|{_MONTHS})[\s：:]")
# A post of a career: what was done there stands below.
_POST = re.compile(rf"{_MONTHS}[\s：:][^，。；]*")
_ENDS_IN_NUMBER = re.compile(r"\d\d[万亿]?[元%％]?$")
# Of a number that the end of a line cut: `19` and `80年`, `2009` and `年`.
_NUMBER_GOES_ON = re.compile(r"[\d年月日]")
_TOKEN = re.compile(r"(?P<number>\d[\d.,]*)|(?P<words>[^\W\d_]+(?: [^\W\d_]+)*)|\S")
_NUMBER = "0"
# Of the lines of a paragraph more than of entries.
_STOPS = frozenset("；。")
# Lines of a text are of one shape by chance, those with fewer marks and without numbers more often.
_FEWEST_TOKENS, _FEWEST_NUMBERS = 6, 2


def typed_line(row: str, index: int) -> TextLine | None:
    """A row of a text as a line; None for an empty one."""
    clean = clean_typed(row)
    verbatim = is_row(clean) or has_columns(row)
    return placed(clean if verbatim else row.rstrip(), index, verbatim) if clean else None


def placed(row: str, index: int, verbatim: bool) -> TextLine:
    """A line as a terminal would set it: a Chinese character is one em wide, a Latin one half."""
    text = row.lstrip()
    left = _width(row[: len(row) - len(text)])
    right = left + _width(text)
    return TextLine(normalise(row) if verbatim else text, left, right, -2.0 * index - 1, -2.0 * index, 1.0, verbatim)


def _width(text: str) -> float:
    return len(text) - 0.5 * sum(map(str.isascii, text))


def entry_breaks(lines: Sequence[str]) -> set[int]:
    """The lines before which an entry begins or the last one ends: that of the line above them, whatever its width."""
    breaks = {index for index, line in enumerate(lines) if _OPENS_ENTRY.match(line)}
    breaks |= {index + 1 for index, line in enumerate(lines) if _POST.fullmatch(line)}
    for index, (line, following) in enumerate(pairwise(lines)):
        if _end_alike(line, following):
            breaks |= {index, index + 1, index + 2}
        elif any(pattern.match(line) and pattern.match(following) for pattern in (_DATED, LABELLED)):
            breaks |= {index, index + 1}
    return breaks


def _end_alike(line: str, following: str) -> bool:
    """Whether two lines are whole entries: both end in a number, or are built of the same."""
    if _ENDS_IN_NUMBER.search(line) and _ENDS_IN_NUMBER.search(following):
        return _NUMBER_GOES_ON.match(following) is None
    shape = _shape(line)
    is_telling = len(shape) >= _FEWEST_TOKENS and shape.count(_NUMBER) >= _FEWEST_NUMBERS
    return is_telling and shape == _shape(following) and _STOPS.isdisjoint(shape[:-1])


def _shape(line: str) -> list[str]:
    """What a line is built of, blanks aside: words and numbers, whatever they are, and marks."""
    return [_NUMBER if token["number"] else "文" if token["words"] else token[0] for token in _TOKEN.finditer(line)]
