"""Dates in English, written as Chinese texts write them: March 15, 2020 is 2020年3月15日."""

import re

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# In capitals as well, but not in small letters: "march" and "may" are words.
_MONTH = (
    "(?P<month>January|February|March|April|May|June|July|August|September|October|November|December|"
    "JANUARY|FEBRUARY|MARCH|APRIL|MAY|JUNE|JULY|AUGUST|SEPTEMBER|OCTOBER|NOVEMBER|DECEMBER|"
    r"(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?(?![A-Za-z]))"
)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\d.:%]|,\d{3}\b)"
_YEAR = r"(?P<year>(?:1[89]|20)\d\d)(?![\d.,%]\d|%)"
_DATES = tuple(
    re.compile(rf"(?<![A-Za-z\d]){form}(?![A-Za-z\d])")
    for form in (
        rf"{_MONTH} ?{_DAY}(?:,? ?{_YEAR})?",
        rf"(?<![\d.,$]){_DAY} (?:of )?{_MONTH}(?:,? ?{_YEAR})?",
        rf"{_MONTH},? ?{_YEAR}",
    )
)


def with_chinese_dates(text: str) -> str:
    """A text whose days and months with an English name are written in Chinese, blanks around them as they are."""
    for date in _DATES:
        text = date.sub(_written, text)
    return text


def _written(date: re.Match[str]) -> str:
    parts = date.groupdict()
    month = _MONTHS.index(parts["month"][:3].title()) + 1
    year, day = (
        f"{int(parts[part])}{unit}" if parts.get(part) else "" for part, unit in (("year", "年"), ("day", "日"))
    )
    return f"{year}{month}月{day}"
