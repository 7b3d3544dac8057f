"""Numbers and dates in the cells of a workbook as their format shows them, as far as that is simple. Pure functions."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

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
_FIRST_DAY, _FIRST_DAY_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
# Excel has a 29th of February in 1900, which was none.
_MISCOUNTED_BEFORE = 60
_DAY_SECONDS = 86_400
_CHINESE = "年月日时分秒"
_WEEKDAYS = "一二三四五六日"
_SHORTEST_WEEKDAY = 3
_NOON = 12
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
        return _date_text(sections[0], value, from_1904) or _general(raw, value)
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


def _date_text(section: Sequence[Piece], days: float, from_1904: bool) -> str | None:
    """A moment as `2025年3月1日` where its format is Chinese, else as `2025-03-01 14:30`; None for what is none.

    A month's name, the order of its parts and a year of two digits are not kept: they can be misread.
    """
    seconds = round(days * _DAY_SECONDS)
    first = _FIRST_DAY_1904 if from_1904 else _FIRST_DAY
    if not from_1904 and 0 <= days < _MISCOUNTED_BEFORE:
        first += timedelta(days=1)
    try:
        moment = first + timedelta(seconds=seconds)
    except OverflowError:
        return None
    if seconds < 0:
        return None
    units = _units(section)
    if any(kind in ("literal", "plain") and text in _CHINESE for kind, text in section):
        return _in_chinese(section, units, moment, seconds)
    return _by_numbers(set(units), moment, seconds)


def _units(section: Sequence[Piece]) -> list[str]:
    """What each piece stands for: `y`, `m` a month, `d`, `h`, `n` a minute, `s`, `w` a weekday, `t` a total of hours.

    An `m` is a minute behind hours and before seconds.
    """
    letters = [_letter(kind, text.lower()) for kind, text in section]
    told = [index for index, letter in enumerate(letters) if letter]
    for place, index in enumerate(told):
        if letters[index] == "m":
            before = letters[told[place - 1]] if place else ""
            after = letters[told[place + 1]] if place + 1 < len(told) else ""
            letters[index] = "n" if before in ("h", "t") or after == "s" else "m"
    return letters


def _letter(kind: str, text: str) -> str:
    if kind == "elapsed":
        return {"h": "t", "m": "n", "s": "s"}[text[0]]
    if kind != "unit":
        return ""
    if text[0] == "a" or (text[0] == "d" and len(text) >= _SHORTEST_WEEKDAY):
        return "w"
    return "y" if text[0] == "e" else text[0]


def _in_chinese(section: Sequence[Piece], units: Sequence[str], moment: datetime, seconds: int) -> str:
    halved = any(kind == "noon" for kind, _ in section)
    hour = (moment.hour - 1) % _NOON + 1 if halved else moment.hour
    values = {"y": moment.year, "m": moment.month, "d": moment.day, "h": hour, "n": moment.minute, "s": moment.second}
    values["t"] = seconds // 3600
    parts: list[str] = []
    for (kind, text), unit in zip(section, units, strict=True):
        if kind == "noon":
            parts.append("下午" if moment.hour >= _NOON else "上午")
        elif unit == "w":
            parts.append(f"星期{_WEEKDAYS[moment.weekday()]}")
        elif unit:
            parts.append(f"{values[unit]:02}" if len(text) == 2 and unit != "y" else str(values[unit]))
        elif kind in ("literal", "plain"):
            parts.append(text)
    return "".join(parts).strip(" @;")


def _by_numbers(units: set[str], moment: datetime, seconds: int) -> str:
    parts: list[str] = []
    if not units.isdisjoint("ymdw"):
        parts.append(f"{moment:%Y-%m}" if "d" not in units and "w" not in units else f"{moment:%Y-%m-%d}")
    has_time = not units.isdisjoint("thns") and bool(seconds % _DAY_SECONDS or not parts)
    if has_time:
        hours = f"{seconds // 3600 if 't' in units else moment.hour:02}:" if units & {"t", "h"} else ""
        parts.append(f"{hours}{moment:%M}{f'{moment:%S}'.rjust(3, ':') if 's' in units else ''}")
    return " ".join(parts)
