"""What the cells of a table say, and what only stands below each other says instead. Pure functions."""

import re
from collections.abc import Sequence
from statistics import median

from loaders.cleaning import CJK
from loaders.headings import is_contents_entry
from loaders.numerals import COUNT
from loaders.paragraphs import is_code

# Shares of cells.
_MOSTLY = 0.75
_MOST_OF_A_TEXT = 0.3  # formulas, and cells that end with a comma
# Characters: columns of prose are wider, two columns of a table at least are not.
LONG_CELL, _LONGEST_CELL = 14, 30

_WORD = re.compile(rf"[{CJK}]{{2}}|[A-Za-z]{{3}}")
_NUMBER = re.compile(r"[-+−(（¥$]*\d[\d,.]*[)）]?\s*[%％‰元次个万亿年]?|[-—–/]+|N/?A", re.IGNORECASE)
_FORMULA = re.compile(r"[=<>∑∏∫∂√∞≈≠≤≥⩽⩾∈∉∀∃∇∝×÷⊤∥‖λμσθαβγδεω^]|· ?· ?·|\. ?\. ?\.")
# What the items of a list begin with: `[3]`, `(a)`, `二、`, `例 7`, `第三章`, or a bullet.
_MARKER = re.compile(
    rf"第{COUNT}[编編篇部卷章节節回]"
    r"|\D{0,3}\d{1,3}(?:\.\d{1,3})*\W{0,2}|\W?(?:[a-zA-Z]|[ivx]{2,4}|[一二三四五六七八九十]{1,3})\W?|[^\w\s]{1,2}"
)
_GOES_ON = re.compile(r"[,，、;；]$")
_PAGE_NUMBER = re.compile(r"[.…·\s]*(\d{1,4})")  # what a recogniser sees of leaders belongs to either cell


def reads_like_cells(columns: Sequence[Sequence[str]]) -> bool:
    """Whether columns hold words and numbers: no formulas, no code, no prose."""
    cells = [text for column in columns for text in column]
    if any(is_contents_entry(text) for text in cells) or sum(is_code(text) for text in cells) > 1:
        return False
    if any(_share(pattern, cells) > _MOST_OF_A_TEXT for pattern in (_FORMULA, _GOES_ON)):
        return False
    lengths = [median(len(text) for text in column) for column in columns]
    # Two columns with a long one may as well be terms and their definitions, run in.
    if max(lengths) > _LONGEST_CELL or sum(length > LONG_CELL for length in lengths) > len(lengths) - 2:
        return False
    worded = any(_share(_WORD, column) >= _MOSTLY for column in columns)
    titled = all(_WORD.search(column[0]) for column in columns)
    numbers = sum(_NUMBER.fullmatch(text) is not None for text in cells)
    return worded or (titled and numbers >= len(cells) / 2)


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    return sum(pattern.search(text) is not None for text in texts) / len(texts)


def is_a_list(columns: Sequence[Sequence[str]]) -> bool:
    """Whether rows are the items of a list, or titles with the pages that they stand on."""
    first, last = columns[0], columns[-1]
    if len(columns) == 2 and all(_MARKER.fullmatch(text) for text in first):
        return True
    numbers = [int(match[1]) for text in last if (match := _PAGE_NUMBER.fullmatch(text))]
    return len(numbers) == len(last) and numbers == sorted(numbers)
