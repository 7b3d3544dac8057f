"""Times of day: 9:30 = 9时30分 = 九点半, 下午3:30 = 15:30; and what only looks like one: 比例为1:50, 一点十分重要."""

import re
from decimal import Decimal

from rag.language.han_numerals import HAN_NUMERALS, whole_number

# Shares, odds and scores are written with a colon as well.
_RATIOS = [
    f"{kind}{told}"
    for kind in ("比", "比例", "比例尺", "比分", "比率", "比值", "比重", "稀释", "浓度", "坡度", "赔率", "杠杆")
    for told in ("", ":", "为", "是", "约", "达", "按", "约为", "大约为", "目前为", "应为")
]
_NO_RATIO = "".join(f"(?<!{ratio})" for ratio in _RATIOS)
_RATIO_BEHIND = "的?(?:比[例率值重分]|稀释|勾兑|兑[水换]|混合|配[比制])|[获战大险]?胜|击败|战平|落败|领先|落后"
# 十分 means very, unless the hour stands where a time does or the time ends with it.
_TIME_ENDS = r"[钟整到至起、,。;!?)~-]|开始|前(?![卫沿])|之?后|准时|\s*$"
_COUNTED = "[月元年天号个人名次项条种份百千万亿‰]|小时"
TIME_OF_DAY = (
    rf"(?=[\d{HAN_NUMERALS}])(?<![\d:第])(?:(?!\d{{1,2}}:)|{_NO_RATIO})(?P<timed>(?<=[午上晚早晨至到从于自]))?"
    rf"(?P<hour>(?:[01]?\d|2[0-4])|[{HAN_NUMERALS}]{{1,3}})(?:(?P<colon>:)|[时点])"
    rf"(?P<minute>[0-5]\d|(?(colon)(?!)|(?:\d(?=分)|半(?!会(?![议场])|[刻晌])|十(?=分(?(timed)|(?:{_TIME_ENDS})))"
    rf"|(?:[二三四五]十[{HAN_NUMERALS}]?|十[{HAN_NUMERALS}])(?=分))))(?!\d|:\d|分钟|\.\d|%)"
    rf"(?:分|(?(colon)(?!{_RATIO_BEHIND})|(?!\s?(?:{_COUNTED}))))"
)
_AFTERNOON = re.compile(
    r"(?:下午|午后|傍晚|(?<![最较更稍])晚[上间]?|夜[里间晚]?)$|(?:下午|午后)[\d:时点分半]{1,6}[-~\u2013\u2014至到]$"
)
_MORNING = re.compile(r"(?:上午|早[上晨]?|[凌清]?晨)$")
_BEHIND = re.compile(r"\s?(?P<half>[ap])\.?m\b", re.IGNORECASE)
_NEAR = 12


def half_of_day(text: str, start: int, end: int) -> str:
    """Of which half of the day a time in a text is told to be: "am", "pm", or empty."""
    before, behind = text[max(0, start - _NEAR) : start], _BEHIND.match(text, end)
    if behind:
        return f"{behind['half'].lower()}m"
    return "pm" if _AFTERNOON.search(before) else "am" if _MORNING.search(before) else ""


def hours(match: re.Match[str], half: str) -> Decimal:
    """The hours of a time of day: 9.5 for 9:30, 9时30分, 九点半; 15.5 where 3:30 is told of the afternoon."""
    hour, minute = whole_number(match["hour"]), match["minute"]
    minutes = 30 if minute == "半" else whole_number(minute)
    value = hour + Decimal(minutes) / 60
    return (value + 12 if half == "pm" and hour < 12 else value).quantize(Decimal("0.0001"))
