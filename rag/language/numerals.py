"""Numbers in a text, whatever form they are written in: 1,200 = 一千二百 = 0.12万; 2023-05-01 = 二〇二三年五月一日."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from rag.language.approximation import ROUNDED, is_limit, looseness
from rag.language.clock import TIME_OF_DAY, half_of_day, hours
from rag.language.folding import HAN
from rag.language.han_numerals import HAN_RUN, SCALES, han_value

_LATIN_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
# Counters of what a text lists: 三种, 四个方面.
CLASSIFIERS = frozenset("个种点类项条部步方")
_NUMBER = re.compile(
    r"(?P<code>[A-Za-z_][A-Za-z_\d]*(?:[-.][A-Za-z\d_]+)*)"
    r"|(?<!\d)(?P<year>\d{4})(?P<dash>[-/.])(?P<month>\d{1,2})(?P=dash)(?P<day>\d{1,2})(?![\d])"
    rf"|{TIME_OF_DAY}"
    r"|(?P<share>[百千万]分之)?(?:(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)\s?(?P<scale>[百千万亿]+|(?i:(?:thousand|[mb]illion|trillion)\b))?"
    rf"|(?P<han>{HAN_RUN}(?:点[零〇一二三四五六七八九]+)?))"
)
# 10-20万元: the first is told in what the second is.
_RANGE = re.compile(r"\s?[-~\u2013\u2014至到]\s?(?P<end>\d+(?:\.\d+)?)\s?(?P<scale>(?:[百万亿]|千(?![克米瓦卡帕]))+)")
# What a share is told in, in percent.
_SHARES = {"百分之": Decimal(1), "千分之": Decimal("0.1"), "万分之": Decimal("0.01"), "‰": Decimal("0.1")}
_SIGNS = {"百分之": "%", "千分之": "‰", "万分之": "‱"}
_KIND = re.compile(
    r"\s?(?:(?P<percent>[%‰]|个?百分点)|(?P<year>年(?!级))|(?P<month>个?月)|(?P<day>[日天号])|(?P<hour>小时)|(?P<clock>时(?!候|期|代|间))"
    r"|(?P<minute>分钟)|(?P<second>秒)|(?P<times>倍))"
)
# A minus; behind other characters a dash may join two numbers or begin an item.
_MINUS = re.compile(r"(?:(?:[|(:=~、,]\s?|[为是达约至到从由温率润额比值])[-\u2212\u2013]|零下|(?<=[为是达至到温])负)$")
_DASH = re.compile(rf"(?:^|[\s{HAN}])[-\u2212\u2013]$")
# By these words what is below zero is told without a minus: 亏损5万元. In accounts brackets are one.
FALLS = re.compile(
    r"亏|(?<!增)减|损(?!益)|降|跌|负|缩|下滑|回落|流出|转[出回]|支出|逆差|赤字|差额|相差|低于|低了|少(?=[了于])|零下|冲|扣|抵|退|注销|出售|卖|"
    r"decreas|declin|reduc|drop|f[ae]ll|loss|lost|negative|below|minus|less|lower|down",
    re.IGNORECASE,
)
_BRACKET_ENDS = re.compile(r"[%元股]?\)")
_SENTENCE_END = re.compile(r"[。;!?\n]")
_CLAUSE_END = re.compile(r"[,。;!?\n|]")
_TOLD_BEFORE, _TOLD_BEHIND = 40, 12
_UNIT = re.compile(r"\s?(\w{0,2})")
_CELL_BEGINS, _CELL_ENDS = re.compile(r"\|\s?[-+\u2212(]?$"), re.compile(r"\)?\s*(?:\||$)")
_HALF_A_DAY = 12
_DATED = ("year", "month", "day")
# By how a unit begins: kW, kg and 公里 are a thousand of W, 克 and 米. m begins mm and min as well.
_THOUSANDS, _ONES = frozenset("kK公"), frozenset("克瓦米卡伏赫帕焦gVW")


@dataclass(frozen=True, slots=True)
class Number:
    """A number, where it stands, what it measures where that is clear, the size of its last written digit, its text.

    By at most `loose` of itself it may be rounded; `side` is 1 where it is told to be more, -1 where less. Whether it
    is below zero is None where that may be so; the value is without its sign. The `unit` is the first character of
    the word behind it; `scale` is what a unit as 万元 makes of a table's figure. A limit is one of a rule: 35分钟以上.
    A time of day, in hours, has the `half` of the day that it is told to be of, "am" or "pm".
    """

    place: int
    value: Decimal
    kind: str
    step: Decimal
    written: str
    loose: Decimal = ROUNDED
    side: int = 0
    is_below_zero: bool | None = False
    unit: str = ""
    scale: int = 1
    is_limit: bool = False
    half: str = ""

    def agrees(self, other: "Number") -> bool:
        """Whether `other`, from the evidence, is this number: of the same kind, or rounded to how this one is told."""
        if self.kind and other.kind and self.kind != other.kind:
            return False
        if "clock" in (self.kind, other.kind):
            return self._is_same_time(other)
        if None not in (self.is_below_zero, other.is_below_zero) and self.is_below_zero != other.is_below_zero:
            return False
        if self.unit in _THOUSANDS and other.unit in _ONES:
            return self._is_near(other, Decimal(1000))
        if self.unit in _ONES and other.unit in _THOUSANDS:
            return self._is_near(other, Decimal("0.001"))
        # A figure may be told as its table has it, and not all are of the table's unit: 员工人数.
        as_it_stands = other.scale > 1 and self.unit != other.unit and self._is_near(other, other.scale)
        return as_it_stands or self._is_near(other, 1)

    def _is_same_time(self, other: "Number") -> bool:
        """Whether two are one time: 3:30 may be that of the afternoon. An hour of no kind is a whole one: 9-11时."""
        early, late = sorted((self, other), key=lambda one: one.value)
        apart = late.value - early.value
        is_time = all(one.kind or one.value == one.value.to_integral_value() for one in (self, other))
        return is_time and (apart == 0 or (apart == _HALF_A_DAY and late.half == "pm" and not early.half))

    def _is_near(self, other: "Number", scale: int | Decimal) -> bool:
        apart, step = other.value / scale - self.value, max(self.step, _last_digit(self.value))
        # Two that are told loosely have to be told alike: 超过500元 is not 超过520元.
        told_loosely = self.loose > ROUNDED and other.loose == ROUNDED
        if told_loosely and self.side:
            return apart == 0 if self.is_limit or other.is_limit else 0 <= self.side * apart < step
        if told_loosely:
            return abs(apart) <= min(step / 2, self.loose * abs(self.value))
        rounded = self.step > other.step / scale and self.value != self.value.to_integral_value()
        tolerance = min(self.step / 2, self.loose * abs(self.value)) if rounded or self.step > 1 else Decimal(0)
        return abs(apart) <= tolerance


def replace_numbers(text: str) -> tuple[str, tuple[Number, ...]]:
    """The text with every number as one `#`, and the numbers in order. The text is in NFKC form."""
    pieces: list[str] = []
    numbers: list[Number] = []
    length = position = 0

    def put(piece: str) -> None:
        nonlocal length
        pieces.append(piece)
        length += len(piece)

    for match in _NUMBER.finditer(text):
        if match["code"]:
            continue
        found = list(_read(match, text))
        if not found:
            continue
        put(text[position : match.start()])
        measure, scale, end = _measure(match, text)
        for value, step, kind, unit in found:
            dated = kind in _DATED
            loose, side = (ROUNDED, 0) if dated else looseness(text, *match.span())
            below = False if dated else _is_below_zero(text, *match.span())
            written = "-" * (below is True) + _written(match, text, kind)
            limit = not dated and is_limit(text, *match.span())
            half = half_of_day(text, *match.span()) if match["hour"] else ""
            numbers.append(Number(length, value, kind, step, written, loose, side, below, measure, scale, limit, half))
            put(f"#{unit}")
        position = end
    put(text[position:])
    return "".join(pieces), tuple(numbers)


def told_alone(text: str) -> Iterator[tuple[int, int, Decimal, str]]:
    """Where each number of a text begins and ends, its sign of a share with it, its value and kind; no dates in one."""
    for match in _NUMBER.finditer(text):
        found = [] if match["code"] or match["year"] else list(_read(match, text))
        for value, _, kind, _ in found:
            yield match.start(), match.start() + len(_written(match, text, kind)), value, kind


def _read(match: re.Match[str], text: str) -> Iterator[tuple[Decimal, Decimal, str, str]]:
    """Value, step, kind and the unit to be written behind it, of each number in a match."""
    one = Decimal(1)
    if match["year"]:
        for kind, unit in (("year", "年"), ("month", "月"), ("day", "日")):
            yield Decimal(match[kind]), one, kind, unit
        return
    if match["hour"]:
        yield hours(match, half_of_day(text, *match.span())), one.scaleb(-2), "clock", "时"
        return
    after = _KIND.match(text, match.end())
    kind = "percent" if match["share"] else (after.lastgroup or "") if after else ""
    told_in = match["share"] or (after[0].strip() if after else "")
    share, unit = _SHARES.get(told_in, one), _SIGNS.get(match["share"], "")
    if match["digits"]:
        digits = match["digits"].replace(",", "")
        scale = _scale(match["scale"] or _scale_of_range(digits, text, match.end())) * share
        decimals = len(digits.partition(".")[2])
        yield Decimal(digits) * scale, scale.scaleb(-decimals), kind, unit
        return
    value = han_value(match["han"], text[: match.start()], text[match.end() :], bool(match["share"]))
    if value is not None:
        yield value * share, share, kind, unit


def _scale_of_range(digits: str, text: str, end: int) -> str:
    """The scale of the greater number that a range goes up to."""
    upper = _RANGE.match(text, end)
    return upper["scale"] if upper and Decimal(digits) < Decimal(upper["end"]) else ""


def _last_digit(value: Decimal) -> Decimal:
    """The size of the last digit that is not zero."""
    return Decimal(1).scaleb(int(value.normalize().as_tuple().exponent))


def _is_below_zero(text: str, start: int, end: int) -> bool | None:
    """Whether a number of a text is below zero; None where words or a dash say that it may be."""
    before, behind = text[max(0, start - _TOLD_BEFORE) : start], text[end : end + _TOLD_BEHIND]
    if _MINUS.search(before) and not behind.startswith("-"):
        return True
    begun = start - len(_SENTENCE_END.split(before)[-1])
    falls = FALLS.search(text, begun, end + len(_CLAUSE_END.split(behind)[0]))
    is_bracketed = before.endswith("(") and _BRACKET_ENDS.match(behind)
    return None if falls or is_bracketed or _DASH.search(before) else False


def _measure(match: re.Match[str], text: str) -> tuple[str, int, int]:
    """The first character of the word behind a number; in a cell of a table the number's scale; where it ends.

    The unit in a cell is part of its number: 5 | 6 is of the same form as 5万元 | 6万元.
    """
    start, end = match.span()
    unit = _UNIT.match(text, end)
    found = unit[1] if unit else ""
    is_in_a_cell = unit and _CELL_ENDS.match(text, unit.end()) and _CELL_BEGINS.search(text, max(0, start - 3), start)
    if unit and is_in_a_cell and match["scale"]:
        return found[:1], _scale(match["scale"]), unit.end()
    return found[:1], 1, end


def _written(match: re.Match[str], text: str, kind: str) -> str:
    """A number as it stands in the text, with its sign of a share."""
    after = _KIND.match(text, match.end())
    return match[0] + (after[0] if after and kind == "percent" else "")


def _scale(scale: str) -> int:
    product = _LATIN_SCALES.get(scale.lower(), 1)
    for char in scale if product == 1 else "":
        product *= SCALES[char]
    return product
