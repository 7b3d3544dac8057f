"""Numbers as texts write them, 1,200, 一千二百, 0.12万, 9:30, 百分之三; and as another text does: 39 for 三十九."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal

from rag.language.clock import TIME_OF_DAY, WHOLE_HOUR, half_of_day, hours, of_the_day
from rag.language.han_numerals import HAN_NUMERALS, HAN_RUN, SCALES, han_value, whole_number

_LATIN_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
# The letters alone of GDP17.36万元 are one.
_CODE_OR_DATE = r"""
    (?P<code>[A-Z]{2,6}(?=\d[\d,]*(?:\.\d+)?\s?(?:[百千万亿]*元|[万亿]|[%‰]|个百分点))
      | [A-Za-z_][A-Za-z_\d]*(?:[-.][A-Za-z\d_]+)*)
    | (?<!\d)(?P<year>\d{4})(?P<dash>[-/.])(?P<month>\d{1,2})(?P=dash)(?P<day>\d{1,2})(?!\d)
"""
# 2018.07—2021.03 and 2021.04至今, as resumes tell from when to when.
_SINCE = r"""
    (?<![\d.]) (?P<since>(?:19|20)\d\d)\.(?P<since_month>0[1-9]|1[0-2])(?![\d.])
    (?: (?=\s?[-\u2013\u2014~至到]{1,2}\s?(?:(?:19|20)\d\d\.(?:0[1-9]|1[0-2])(?![\d.])|至?[今现]))
      | (?<=(?:19|20)\d\d\.\d\d[-\u2013\u2014~至到].{7}) | (?<=(?:19|20)\d\d\.\d\d[-\u2013\u2014]{2}.{7})
      | (?<=(?:19|20)\d\d\.\d\d\s[-\u2013\u2014~至到]\s.{7}) )
"""
# 千克 and its like are units, and no thousands of smaller ones.
_NO_UNIT = "(?!千(?:[克米瓦卡帕伏赫焦兆]|安培|牛顿|字节|比特))"
_PLAIN = rf"""
    (?P<share>[百千万]分之)?
    (?: (?P<digits>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)
        \s?(?P<scale>(?:{_NO_UNIT}[百千万亿])+|(?i:(?:thousand|[mb]illion|trillion)\b))?
      | (?P<han>{HAN_RUN}(?:点[零〇一二三四五六七八九]+)?) )
"""
_FEW = r"(?:[一二两三四五六七八九十]{1,3}|[1-9]\d?)"
_FRACTION = rf"""
    (?<![\d.{HAN_NUMERALS}]) (?P<parts>{_FEW})分之(?P<of_parts>{_FEW})
    | (?<![\d/.第]) (?P<of_so_many>1(?=/[2-9])|2(?=/[35])|3(?=/[458])|4(?=/5)|[1379](?=/10)) / (?P<so_many>10|[2-9])
      (?![\d/.月日A-Za-z])
"""
_HALF = (
    r"(?<![上下前后一大多小个]) 半 (?P<half_of>年(?![年度报])|个?月(?![板形牙亮])|个?小时|天(?!然)|日(?!制)|个?钟头)"
)
# What none begins with is passed over at once.
_BEGINS = rf"(?=[A-Za-z_\d{HAN_NUMERALS}拾陆半])"
_NUMBER = re.compile(
    rf"{_BEGINS} (?: {_CODE_OR_DATE} | {_SINCE} | {TIME_OF_DAY} | {WHOLE_HOUR} | {_FRACTION} | {_HALF} | {_PLAIN} )",
    re.VERBOSE,
)
# What half of a unit is of the next smaller one.
_HALVES = {
    "年": (6, "months", "个月"),
    "月": (15, "day", "天"),
    "天": (12, "hour", "小时"),
    "日": (12, "hour", "小时"),
    "小时": (30, "minute", "分钟"),
    "钟头": (30, "minute", "分钟"),
}
# 一年半, 两个半小时.
_AND_A_HALF = re.compile(r"(?P<unit>(?<!\d{4})年|天|小时)半(?![年天夜导成程价径])|个半(?=月|小时|钟头|星期)")
# 10-20万元: the first is told in what the second is.
_RANGE = re.compile(rf"\s?[-~\u2013\u2014至到]\s?(?P<end>\d+(?:\.\d+)?)\s?(?P<scale>(?:{_NO_UNIT}[百千万亿])+)")
# What a share is told in, in percent.
_SHARES = {"百分之": Decimal(1), "千分之": Decimal("0.1"), "万分之": Decimal("0.01"), "‰": Decimal("0.1")}
_SIGNS = {"百分之": "%", "千分之": "‰", "万分之": "‱"}
_KIND = re.compile(
    r"\s?(?:(?P<percent>[%‰]|个?百分点)|(?P<year>年(?!级))|(?P<month>个?月)|(?P<day>[日天号])|(?P<hour>小时)|(?P<clock>时(?!候|期|代|间))"
    r"|(?P<minute>分钟)|(?P<second>秒)|(?P<times>倍))"
)
_YEARS_BEFORE = re.compile(rf"(?<![\d{HAN_NUMERALS}])(?:\d{{1,2}}|[{HAN_NUMERALS}]{{1,2}})年$")
# 3. and (3) at the beginning of a line or behind a sentence.
_LINE_BEGINS, _ITEM_ENDS = re.compile(r"(?:\A|[\n。;:!?|])[^\S\n]*\(?$"), re.compile(r"[.、)](?!\d)")
_LONGEST_BEFORE = 8
_ONE = Decimal(1)
# How a text writes its numbers: by value, and whether it is a share or a time of day.
Forms = Mapping[tuple[Decimal, str], str]
_APART = ("percent", "clock")
_TOO_GREAT = 10**9
_DATE = re.compile(r"(?<![\d.])((?:19|20)\d\d)([-/.])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?![\d.])")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number of a text: where it begins and ends, its value, and the size of its last digit.

    Its `kind` is what it measures where that is clear; `written` has its sign of a share with it, `unit` is to be put
    behind it where it says so otherwise. A time of day is told to be of a `half` of the day, or of noon or night.
    """

    start: int
    end: int
    value: Decimal
    step: Decimal
    kind: str
    written: str
    unit: str = ""
    scale: str = ""
    half: str = ""


def numerals(text: str) -> Iterator[Numeral]:
    """The numbers of a text; of 2023-05-01 its three, which begin and end where it does. The text is in NFKC form."""
    for match in _NUMBER.finditer(text):
        if not match["code"]:
            is_date = match["year"] or match["since"]
            yield from _dated(match) if is_date else _undated(match, text)


def forms(question: str) -> Forms:
    """How a question writes its numbers."""
    return {_key(value, kind): question[start:end] for start, end, value, kind in _told_alone(question)}


def as_written(text: str, written: Forms) -> str:
    """A text with the numbers of a question in the question's form; the others as they are."""
    if not written:
        return text
    pieces, position = [], 0
    for start, end, value, kind in _told_alone(text):
        pieces += [text[position:start], written.get(_key(value, kind), text[start:end])]
        position = end
    return "".join([*pieces, text[position:]])


def counted(text: str) -> Iterator[str]:
    """The whole numbers of a text with the character behind them, in digits: 39条 of 第三十九条, as of 第39条.

    Those of 2025-02-10 are those of 2025年2月10日.
    """
    text = _DATE.sub(r"\1年\3月\4日", text)
    for _, end, value, kind in _told_alone(text):
        unit = text[end : end + 1]
        is_counted = kind != "percent" and unit.isalpha() and not unit.isascii()
        # Compared before it is written: Python writes no number of thousands of digits, and 1亿亿… may be one.
        if is_counted and value < _TOO_GREAT and value == value.to_integral_value():
            yield f"{int(value)}{unit}"


def _key(value: Decimal, kind: str) -> tuple[Decimal, str]:
    return value, kind if kind in _APART else ""


def _told_alone(text: str) -> Iterator[tuple[int, int, Decimal, str]]:
    """Where each number of a text that is no part of a date begins and ends, its sign of a share with it, its value and
    kind; not those that are told by a word: 三分之二, 半年."""
    for match in _NUMBER.finditer(text):
        if match["hour"]:
            yield *match.span(), of_the_day(hours(match), half_of_day(text, *match.span())), "clock"
        elif match["whole"]:
            yield *match.span("whole"), Decimal(whole_number(match["whole"])), ""
        elif match["digits"] or match["han"]:
            for one in _plain(match, text):
                yield one.start, max(one.end, one.start + len(one.written)), one.value, one.kind


def _dated(match: re.Match[str]) -> Iterator[Numeral]:
    told = (match["year"] or match["since"], match["month"] or match["since_month"], match["day"])
    for value, (kind, unit) in zip(told, (("year", "年"), ("month", "月"), ("day", "日")), strict=True):
        if value:
            yield Numeral(*match.span(), Decimal(value), _ONE, kind, match[0], unit)


def _undated(match: re.Match[str], text: str) -> Iterator[Numeral]:
    start, end = match.span()
    if match["hour"] or match["whole"]:
        half = half_of_day(text, start, end)
        told = hours(match) if match["hour"] else Decimal(whole_number(match["whole"]))
        yield Numeral(start, end, of_the_day(told, half), _ONE.scaleb(-2), "clock", match[0], "时", half=half)
    elif parts := match["parts"] or match["so_many"]:
        share = 100 * Decimal(whole_number(match["of_parts"] or match["of_so_many"])) / whole_number(parts)
        yield Numeral(start, end, share.quantize(_ONE.scaleb(-4)), _ONE.scaleb(-4), "percent", match[0], "%")
    elif match["half_of"]:
        value, kind, unit = _HALVES[match["half_of"].removeprefix("个")]
        yield Numeral(start, end, Decimal(value), _ONE, kind, match[0], unit)
    else:
        yield from _plain(match, text)


def _kind_told(kind: str, told_in: str, text: str, start: int, end: int) -> str:
    """3月 is March and 3个月 are three months, 1年6月 may be either; what numbers an item counts nothing."""
    begun = max(0, start - _LONGEST_BEFORE)
    if kind == "month":
        return "months" if told_in.startswith("个") else "" if _YEARS_BEFORE.search(text, begun, start) else "month"
    is_first = _LINE_BEGINS.search(text, begun, start) and _ITEM_ENDS.match(text, end)
    return "item" if not kind and (is_first or text[begun:start].endswith("第")) else kind


def _plain(match: re.Match[str], text: str) -> Iterator[Numeral]:
    start, end = match.span()
    more = _AND_A_HALF.match(text, end)
    after = _KIND.match(text, more.end() if more and not more["unit"] else end)
    kind = "percent" if match["share"] else (after.lastgroup or "") if after else ""
    told_in = match["share"] or (after[0].strip() if after else "")
    kind = _kind_told(kind, told_in, text, start, end)
    value, step = _value(match, text, _SHARES.get(told_in, _ONE))
    if value is None:
        return
    half = half_of_day(text, start, end) if kind == "clock" else ""
    value = of_the_day(value, half) if half else value
    written, unit = match[0] + (after[0] if after and kind == "percent" else ""), _SIGNS.get(match["share"], "")
    if more:
        value, end, unit = value + Decimal("0.5"), more.end(), more["unit"] or ""
    yield Numeral(start, end, value, step, kind, written, unit, match["scale"] or "", half)


def _value(match: re.Match[str], text: str, share: Decimal) -> tuple[Decimal | None, Decimal]:
    """The value of a plain number, None where it is part of a word, and the size of its last digit; a share in percent.

    `share` is what one of it is in percent.
    """
    start, end = match.span()
    if match["digits"]:
        digits = match["digits"].replace(",", "")
        scale = scale_of(match["scale"] or _scale_of_range(digits, text, end)) * share
        return Decimal(digits) * scale, scale.scaleb(-len(digits.partition(".")[2]))
    value = han_value(match["han"], text[:start], text[end:], bool(match["share"]))
    return value if value is None else value * share, share


def _scale_of_range(digits: str, text: str, end: int) -> str:
    """The scale of the greater number that a range goes up to."""
    upper = _RANGE.match(text, end)
    return upper["scale"] if upper and Decimal(digits) < Decimal(upper["end"]) else ""


def scale_of(scale: str) -> int:
    """What 万 and its like make of a number."""
    product = _LATIN_SCALES.get(scale.lower(), 1)
    for char in scale if product == 1 else "":
        product *= SCALES[char]
    return product
