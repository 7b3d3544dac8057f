"""On which days of the week something is told to be so: 周一至周五, 周末, 工作日, 每天."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_DAY = "一二三四五六日"
_WEEK = "(?:周|星期|礼拜)"
_NAMED = re.compile(
    rf"{_WEEK}(?P<first>[{_DAY}天])(?:(?:[至到~-]|[—–]+){_WEEK}?(?P<last>[{_DAY}天]))?(?![年期本书])|"
    r"(?P<weekend>周末|双休日)|(?P<work>工作日(?!内)|平日|平时)|(?P<holiday>法定节假日|节假日|假日)|(?P<every>每[天日]|天天|全年)"
)
_AND = re.compile(r"\s*(?:[、,/和与及跟或]|以及)?\s*")
_HOLIDAY = 8
_GROUPS = {
    "weekend": frozenset({6, 7}),
    "work": frozenset(range(1, 6)),
    "holiday": frozenset({_HOLIDAY}),
    "every": frozenset(range(1, _HOLIDAY + 1)),
}


@dataclass(frozen=True, slots=True)
class Weekdays:
    """Days named in one go, 1 for Monday to 7, 8 for holidays; and from where to where they stand."""

    start: int
    end: int
    days: frozenset[int]


def weekdays(text: str) -> Iterator[Weekdays]:
    """The days that a text names, those joined as one: 周六、周日."""
    last: Weekdays | None = None
    for match in _NAMED.finditer(text):
        own = Weekdays(*match.span(), _days(match))
        if last and _AND.fullmatch(text, last.end, own.start):
            last = Weekdays(last.start, own.end, last.days | own.days)
            continue
        if last:
            yield last
        last = own
    if last:
        yield last


def days_named(*texts: str) -> frozenset[int]:
    """All days that some texts name."""
    return frozenset(day for text in texts for named in weekdays(text) for day in named.days)


def _days(match: re.Match[str]) -> frozenset[int]:
    group = next((name for name in _GROUPS if match[name]), None)
    if group:
        return _GROUPS[group]
    first, last = (_DAY.find(day.replace("天", "日")) + 1 for day in (match["first"], match["last"] or match["first"]))
    return frozenset(range(first, last + 1)) or frozenset({*range(first, 8), *range(1, last + 1)})
