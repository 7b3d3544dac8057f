"""Numbers that can be compared, whatever form they are written in: 90分钟 and 1.5小时, 约3000人 and 2,987人."""

import re
from dataclasses import dataclass
from decimal import Decimal

from rag.language.bounds import ROUNDED, TO_ONE_SIDE, is_limit, looseness
from rag.language.clock import is_same_time
from rag.language.folding import HAN
from rag.language.measures import MEASURE, is_measure, times
from rag.language.numerals import Numeral, numerals, scale_of

# Of what is told as a date, nothing is rounded.
DATED = ("year", "month", "day")
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
SENTENCE_END = re.compile(r"[。;!?\n]")
_CLAUSE_END = re.compile(r"[,。;!?\n|]")
_TOLD_BEFORE, _TOLD_BEHIND = 40, 12
# 平方米, also of 300多平方米, or what else stands behind a number.
_UNIT = re.compile(rf"\s?(?:[余多]?(?P<measure>{MEASURE})|(?P<word>\w{{0,2}}))")
_CELL_BEGINS, _CELL_ENDS = re.compile(r"\|\s?[-+\u2212(]?$"), re.compile(r"\)?\s*(?:\||$)")
# Digits behind the point to which one unit is made another.
_EXACT = 9
_MOST_ROUNDED = Decimal(10) ** 15


@dataclass(frozen=True, slots=True)
class Number:
    """A number, where it stands, what it measures where that is clear, the size of its last written digit, its text.

    By at most `loose` of itself it may be rounded; `side` is 1 where it is told to be more, -1 where less. Whether it
    is below zero is None where that may be so; the value is without its sign. The `unit` is what it is told in, or the
    first character of the word behind it; `scale` is what a unit as 万元 makes of a table's figure. A limit is one of
    a rule: 35分钟以上. A time of day, in hours, has the `half` of the day that it is told to be of.
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

    @property
    def digits(self) -> str:
        """Its value: 1500 of 1.5千."""
        return f"{self.value.normalize():f}"

    def agrees(self, other: "Number") -> bool:
        """Whether `other`, from the evidence, is this number: of the same kind, or rounded to how this one is told."""
        if "clock" in (self.kind, other.kind):
            return self._is_same_time(other)
        if {self.kind, other.kind} == {"month", "months"}:
            return False
        if None not in (self.is_below_zero, other.is_below_zero) and self.is_below_zero != other.is_below_zero:
            return False
        # A figure may be told as its table has it, and not all are of the table's unit: 员工人数.
        if other.scale > 1 and self.unit != other.unit and self._is_near(other, other.scale):
            return True
        worth = times(self.unit, other.unit)
        if worth is None:
            return not (self.kind and other.kind and self.kind != other.kind) and self._is_near(other, 1)
        return worth != 0 and self._is_near(other, worth)

    def _is_same_time(self, other: "Number") -> bool:
        """Whether two are one time; 3点 may be a time of day."""
        is_time = all(one.kind == "clock" or one.unit == "点" for one in (self, other))
        return is_time and is_same_time((self.value, self.half), (other.value, other.half))

    def _is_near(self, other: "Number", scale: int | Decimal) -> bool:
        apart = other.value / scale - self.value
        if not apart:
            return True
        # The number of an invoice has more digits than can be rounded so.
        apart = round(apart, _EXACT) if abs(apart) < _MOST_ROUNDED else apart
        # Two that are told loosely have to be told alike: 超过500元 is not 超过520元.
        told_loosely = self.loose > ROUNDED and other.loose == ROUNDED
        if told_loosely and self.loose == TO_ONE_SIDE:
            return apart == 0 if self.is_limit or other.is_limit else 0 <= self.side * apart < self._told_step
        if told_loosely:
            # 约0.1% is 0.14% to its last digit.
            within = self._told_step / 2
            return abs(apart) <= (within if self.step < 1 else min(within, self.loose * abs(self.value)))
        rounded = self.step > other.step / scale and self.value != self.value.to_integral_value()
        tolerance = min(self.step / 2, self.loose * abs(self.value)) if rounded or self.step > 1 else Decimal(0)
        return abs(apart) <= tolerance

    @property
    def _told_step(self) -> Decimal:
        """The size of its last digit that is not zero, if that is more than of its last written one."""
        return max(self.step, _last_digit(self.value))


def replace_numbers(text: str) -> tuple[str, tuple[Number, ...]]:
    """The text with every number as one `#`, and the numbers in order. The text is in NFKC form."""
    pieces: list[str] = []
    numbers: list[Number] = []
    length = position = 0
    for numeral in numerals(text):
        before = text[position : numeral.start]
        number, position = _number(numeral, text, length + len(before))
        numbers.append(number)
        pieces.append(f"{before}#{numeral.unit}")
        length += len(pieces[-1])
    return "".join((*pieces, text[position:])), tuple(numbers)


def _number(numeral: Numeral, text: str, place: int) -> tuple[Number, int]:
    """What a number of a text is, put at a place; and where the text goes on behind it."""
    span = numeral.start, numeral.end
    unit, scale, end = _measure(numeral, text)
    is_dated = numeral.kind in DATED
    loose, side = (ROUNDED, 0) if is_dated else looseness(text, *span)
    below = False if is_dated else _is_below_zero(text, *span)
    written = "-" * (below is True) + numeral.written
    limit = not is_dated and is_limit(text, *span)
    value, step, kind = numeral.value, numeral.step, numeral.kind
    return Number(place, value, kind, step, written, loose, side, below, unit, scale, limit, numeral.half), end


def _measure(numeral: Numeral, text: str) -> tuple[str, int, int]:
    """The unit behind a number, or what begins there; in a cell of a table the number's scale; where it ends.

    The unit in a cell is part of its number: 5 | 6 is of the same form as 5万元 | 6万元.
    """
    start, end = numeral.start, numeral.end
    if numeral.kind == "percent":
        return "%", 1, end
    found = _UNIT.match(text, end)
    # Of 周年 the first character alone would be a measure.
    unit = (found["measure"] or found["word"][: 1 + is_measure(found["word"][:1])]) if found else ""
    is_in_a_cell = found and _CELL_ENDS.match(text, found.end()) and _CELL_BEGINS.search(text, max(0, start - 3), start)
    if found and is_in_a_cell and numeral.scale:
        return unit, scale_of(numeral.scale), found.end()
    return numeral.unit or unit, 1, end


def _last_digit(value: Decimal) -> Decimal:
    """The size of the last digit that is not zero."""
    return Decimal(1).scaleb(int(value.normalize().as_tuple().exponent))


def _is_below_zero(text: str, start: int, end: int) -> bool | None:
    """Whether a number of a text is below zero; None where words or a dash say that it may be."""
    before, behind = text[max(0, start - _TOLD_BEFORE) : start], text[end : end + _TOLD_BEHIND]
    if _MINUS.search(before) and not behind.startswith("-"):
        return True
    begun = start - len(SENTENCE_END.split(before)[-1])
    falls = FALLS.search(text, begun, end + len(_CLAUSE_END.split(behind)[0]))
    is_bracketed = before.endswith("(") and _BRACKET_ENDS.match(behind)
    return None if falls or is_bracketed or _DASH.search(before) else False
