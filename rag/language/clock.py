"""Times of day: 9:30 = 9时30分 = 九点半, 下午3:30 = 15:30; and what only looks like one: 比例为1:50, 一点十分重要."""

import re
from decimal import Decimal

from rag.language.han_numerals import HAN_NUMERALS, whole_number

# Shares, odds and scores are written with a colon as well: 比例为1:50, 比分3:20.
_RATIO = "[比例尺分率值重释度杆]"
_NO_RATIO = "".join(f"(?<!{_RATIO}{told})" for told in ("", "[:为是约达按]", "[约应]为", "(?:大约|目前)为"))
_RATIO_BEHIND = "的?(?:比[例率值重分]|稀释|勾兑|兑[水换]|混合|配[比制])|[获战大险]?胜|击败|战平|落败|领先|落后"
# 十分 means very, unless the hour stands where a time does or the time ends with it.
_TIME_ENDS = r"[钟整到至起、,。;!?)~-]|开始|前(?![卫沿])|之?后|准时|\s*$"
_COUNTED = "[月元年天号个人名次项条种份百千万亿‰]|小时"
TIME_OF_DAY = (
    rf"(?=[\d{HAN_NUMERALS}])(?<![\d第])(?<!\d:)(?:(?!\d{{1,2}}:)|{_NO_RATIO})(?P<timed>(?<=[午上晚早晨至到从于自]))?"
    rf"(?P<hour>(?:[01]?\d|2[0-4])|[{HAN_NUMERALS}]{{1,3}})(?:(?P<colon>:)|[时点])"
    rf"(?P<minute>[0-5]\d|(?(colon)(?!)|(?:\d(?=分)|半(?!会(?![议场])|[刻晌])|十(?=分(?(timed)|(?:{_TIME_ENDS})))"
    rf"|(?:[二三四五]十[{HAN_NUMERALS}]?|十[{HAN_NUMERALS}])(?=分))))(?!\d|:\d|分钟|\.\d|%)"
    rf"(?:分|(?(colon)(?!{_RATIO_BEHIND})|(?!\s?(?:{_COUNTED}))))"
)
_WHOLE = r"(?:[01]?\d|2[0-4]|[零〇一二两三四五六七八九十]{1,3})"
# 2-3点建议 are no times.
_COUNTED_POINTS = "建议|意见|要求|原因|好处|说明|理由|不足"
# A whole hour is told from a count, 以下3点, by what stands before or behind it.
_BEFORE_HOUR = "(?<=[上下中正]午|[早晚]上|[清凌早]晨|午后|傍晚|[夜晚][里间])|(?<=[早晚])|(?<=[点时半分\\d][至到~-])"
_TO_ANOTHER = rf"[至到~-]{_WHOLE}[点时](?![\d间期代候]|{_COUNTED_POINTS})"
_HOUR_ENDS = rf"钟|整(?!改)|[之以]?前(?![提述])|[之以]?后(?!续)|[至到~-]\s?[\d{HAN_NUMERALS}下]"
WHOLE_HOUR = (
    rf"(?<![\d第.{HAN_NUMERALS}])(?<!\d:)(?:{_BEFORE_HOUR}|(?={_WHOLE}(?:点(?:{_HOUR_ENDS})|{_TO_ANOTHER})))"
    rf"(?P<whole>{_WHOLE})(?:点(?:整(?!改)|钟)?(?!\d|{_COUNTED_POINTS})|(?={_TO_ANOTHER}))"
)
_HALVES = {
    half: re.compile(words)
    for half, words in (
        ("pm", r"(?:下午|午后|傍晚)$|(?:下午|午后)[\d:时点分半]{1,6}[-~\u2013\u2014至到]$"),
        ("night", r"(?:(?<![最较更稍])晚[上间]?|夜[里间]?)$"),
        ("noon", r"[中正]午$"),
        ("am", r"(?:上午|早上?|晨)$"),
    )
}
_BEHIND = re.compile(r"\s?(?P<half>[ap])\.?m\b", re.IGNORECASE)
_LATER = ("pm", "night")
_NEAR = 12
_HALF_A_DAY = 12
# Until then it is night; from then on it may be noon.
_DAWN, _NOON_BEGINS = 5, 10


def half_of_day(text: str, start: int, end: int) -> str:
    """Which part of the day a time in a text is told to be of: "am", "noon", "pm", "night", or empty."""
    before, behind = text[max(0, start - _NEAR) : start], _BEHIND.match(text, end)
    if behind:
        return f"{behind['half'].lower()}m"
    return next((half for half, words in _HALVES.items() if words.search(before)), "")


def hours(match: re.Match[str]) -> Decimal:
    """The hours of a time of day as it is written: 9.5 for 9:30, 9时30分, 九点半."""
    minute = match["minute"]
    minutes = 30 if minute == "半" else whole_number(minute)
    return (whole_number(match["hour"]) + Decimal(minutes) / 60).quantize(Decimal("0.0001"))


def of_the_day(written: Decimal, half: str) -> Decimal:
    """The hours of the day of a time: 15.5 for 3:30 in the afternoon, 13 for 1 at noon, 20 for 8 at night; 0 for 24."""
    if half == "noon" and written < _NOON_BEGINS:
        return written + _HALF_A_DAY
    if half == "am" and written // 1 == _HALF_A_DAY:
        return written - _HALF_A_DAY
    if half == "night" and (written < _DAWN or written // 1 == _HALF_A_DAY):
        return written % _HALF_A_DAY
    if half in _LATER and written < _HALF_A_DAY:
        return written + _HALF_A_DAY
    return written % (2 * _HALF_A_DAY)


def is_same_time(one: tuple[Decimal, str], other: tuple[Decimal, str]) -> bool:
    """Whether two hours of the day, each with its half, are one: 3:30 may be that of the afternoon, and 12 midnight."""
    (early, half), (late, late_half) = sorted((one, other), key=lambda told: told[0])
    apart = late - early
    may_be_later = late_half in (*_LATER, "noon") and not half
    is_midnight = half == "night" and not late_half
    return apart == 0 or (apart == _HALF_A_DAY and (may_be_later or is_midnight))
