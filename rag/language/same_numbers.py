"""Numbers that are written in two ways, 3次 and 三次, 第39条 and 第三十九条: the same to whoever asks."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal

from rag.language.numerals import told_alone

# By value, and whether it is a share or a time of day.
Forms = Mapping[tuple[Decimal, str], str]
_APART = ("percent", "clock")
_TOO_GREAT = 10**9
_DATE = re.compile(r"(?<![\d.])((?:19|20)\d\d)([-/.])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?![\d.])")


def forms(question: str) -> Forms:
    """How a question writes its numbers."""
    return {_key(value, kind): question[start:end] for start, end, value, kind in told_alone(question)}


def as_written(text: str, written: Forms) -> str:
    """A text with the numbers of a question in the question's form; the others as they are."""
    if not written:
        return text
    pieces, position = [], 0
    for start, end, value, kind in told_alone(text):
        pieces += [text[position:start], written.get(_key(value, kind), text[start:end])]
        position = end
    return "".join([*pieces, text[position:]])


def _key(value: Decimal, kind: str) -> tuple[Decimal, str]:
    return value, kind if kind in _APART else ""


def counted(text: str) -> Iterator[str]:
    """The whole numbers of a text with the character behind them, in digits: 39条 of 第三十九条, as of 第39条.

    Those of 2025-02-10 are those of 2025年2月10日.
    """
    text = _DATE.sub(r"\1年\3月\4日", text)
    for _, end, value, kind in told_alone(text):
        unit = text[end : end + 1]
        is_counted = kind != "percent" and unit.isalpha() and not unit.isascii()
        # Compared before it is written: Python writes no number of thousands of digits, and 1亿亿… may be one.
        if is_counted and value < _TOO_GREAT and value == value.to_integral_value():
            yield f"{int(value)}{unit}"
