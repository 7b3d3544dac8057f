"""Numbers in the cells of a workbook as their number format shows them, as far as that is simple. Pure functions."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from loaders.xlsx_dates import date_text

GENERAL = "General"
# Formats that a file only refers to; those of dates as Excel shows them in China.
BUILT_IN = {1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "yyyy-mm-dd"}
BUILT_IN |= {16: "mm-dd", 17: "yyyy-mm", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy-mm-dd h:mm"}
BUILT_IN |= {27: "yyyy年m月", 28: "m月d日", 29: "m月d日", 30: "yyyy-mm-dd", 31: "yyyy年m月d日", 32: "h时mm分"}
BUILT_IN |= {
    33: "h时mm分ss秒",
    34: "上午/下午h时mm分",
    35: "上午/下午h时mm分ss秒",
    36: "yyyy年m月",
    37: "#,##0;(#,##0)",
}
BUILT_IN |= {38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: "¥#,##0"}
BUILT_IN |= {43: "#,##0.00", 44: "¥#,##0.00", 45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss"}
BUILT_IN |= {50: "yyyy年m月", 51: "m月d日", 52: "yyyy年m月", 53: "m月d日", 54: "m月d日", 55: "上午/下午h时mm分"}
BUILT_IN |= {56: "上午/下午h时mm分ss秒", 57: "yyyy年m月", 58: "m月d日"}

_PIECE = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<elapsed>h+|m+|s+)\]'
    r"|(?P<condition>\[[<>=][^\]]*\])|\[[^\]]*\]|_.|\*.|(?P<general>General|G/通用格式)|(?P<noon>AM/PM|A/P|上午/下午)"
    r"|g+(?=e)|(?P<unit>y+|m+|d+|h+|s+|a+|e+)|(?P<plain>.)",
    re.IGNORECASE | re.DOTALL,
)
_LITERAL = ("quoted", "escaped", "currency")
_DIGITS = "#0?,."
_WHOLE = re.compile(r"-?\d{1,30}")
_SHOWN = 10  # digits that Excel shows of a number with a fraction
_LARGEST = 1e21  # that is written out
_CONTEXT = Context(prec=400, rounding=ROUND_HALF_UP)
Piece = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Pattern:
    """How a section of a format writes a number: without digits it only writes what stands around them."""

    before: str
    digits: str
    after: str
    percent: int


@lru_cache(maxsize=50_000)
def shown(raw: str, code: str, from_1904: bool = False) -> str:
    """A stored number as a cell with this format shows it; as General does where the format is not a simple one."""
    try:
        value = float(raw)
    except ValueError:
        return raw
    if not math.isfinite(value):
        return raw
    sections = _sections(code)
    if _is_date(sections[0]):
        return date_text(sections[0], value, from_1904) or _general(raw, value)
    text = None if _has_condition(sections) else _in_section(sections, raw, value)
    return _general(raw, value) if text is None else text


@lru_cache(maxsize=5_000)
def _sections(code: str) -> tuple[tuple[Piece, ...], ...]:
    """The pieces of a format's sections: for numbers above zero, below it, zero, and text."""
    sections: list[list[Piece]] = [[]]
    for found in _PIECE.finditer(code):
        if found["plain"] == ";":
            sections.append([])
        elif found.lastgroup and found[found.lastgroup]:
            kind = "literal" if found.lastgroup in _LITERAL else found.lastgroup
            sections[-1].append((kind, found[found.lastgroup]))
    return tuple(map(tuple, sections))


def _is_date(section: Sequence[Piece]) -> bool:
    kinds = {kind for kind, _ in section}
    has_digits = any(kind == "plain" and text in "#0?" for kind, text in section)
    return "general" not in kinds and not kinds.isdisjoint(("unit", "elapsed")) and not has_digits


def _has_condition(sections: Sequence[Sequence[Piece]]) -> bool:
    return any(kind == "condition" for section in sections for kind, _ in section)


def _in_section(sections: Sequence[Sequence[Piece]], raw: str, value: float) -> str | None:
    """A number by the section that is for its sign; None where that is beyond us."""
    index = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
    pattern = _pattern(tuple(sections[index]))
    if pattern is None:
        return None
    if not pattern.digits.strip("?"):  # room is left for digits, and none is written
        return pattern.before or None
    sign = "-" if value < 0 and index == 0 else ""
    number = _general(raw.lstrip("-"), abs(value)) if pattern.digits == GENERAL else _digits(pattern, abs(value))
    return f"{sign}{pattern.before}{number}{pattern.after}".strip()


@lru_cache(maxsize=5_000)
def _pattern(section: tuple[Piece, ...]) -> _Pattern | None:
    around, digits, percent = ["", ""], "", 0
    for kind, text in section:
        if kind == "plain" and text in _DIGITS and digits != GENERAL:
            if around[1]:
                return None
            digits += text
        elif kind == "general" and not digits:
            digits = GENERAL
        elif kind == "literal" or (kind == "plain" and text not in "/@#0?,."):
            percent += text == "%" and kind == "plain"
            around[bool(digits)] += text
        else:
            return None
    # A comma at the end counts in thousands.
    return None if digits.endswith(",") or ",." in digits else _Pattern(around[0], digits, around[1], percent)


def _digits(pattern: _Pattern, value: float) -> str:
    whole, _, fraction = pattern.digits.partition(".")
    places, least = len(fraction), fraction.count("0")
    number = Decimal(repr(value)).scaleb(2 * pattern.percent)
    rounded = _CONTEXT.quantize(number, Decimal(1).scaleb(-places))
    text = f"{rounded:,f}" if "," in whole else f"{rounded:f}"
    before, point, after = text.partition(".")
    while len(after) > least and after.endswith("0"):
        after = after[:-1]
    return before.rjust(whole.count("0"), "0") + (point + after if after else "")


def _general(raw: str, value: float) -> str:
    """A number without a format. A long whole one, such as that of a contract, is written out."""
    if _WHOLE.fullmatch(raw):
        return raw
    if value.is_integer() and abs(value) < _LARGEST:
        return str(int(value))
    text = f"{value:.{_SHOWN}g}" if abs(value) < 10**_SHOWN else f"{value:.2f}"
    return f"{Decimal(text):f}" if abs(value) > 1 / _LARGEST else text
