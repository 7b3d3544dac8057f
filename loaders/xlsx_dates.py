"""Dates and times in the cells of a workbook: days since its first day, as their format says. Pure functions."""

from collections.abc import Sequence
from datetime import datetime, timedelta

_FIRST_DAY, _FIRST_DAY_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)
# Excel has a 29th of February in 1900, which was none.
_MISCOUNTED_BEFORE = 60
_DAY_SECONDS = 86_400
_CHINESE = "年月日时分秒"
_WEEKDAYS = "一二三四五六日"
_SHORTEST_WEEKDAY = 3
_NOON = 12
_Piece = tuple[str, str]


def date_text(section: Sequence[_Piece], days: float, from_1904: bool) -> str | None:
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


def _units(section: Sequence[_Piece]) -> list[str]:
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


def _in_chinese(section: Sequence[_Piece], units: Sequence[str], moment: datetime, seconds: int) -> str:
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
