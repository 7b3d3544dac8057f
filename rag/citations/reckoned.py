"""Numbers that an answer reckons from what its passages have: a difference, a sum, how many cells of a table are so."""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.language.measures import worth
from rag.language.numbers import Number

# What a number is told to be beside two that it is reckoned from; in the clause that it stands in.
_DIFFERS = re.compile("[涨增加减降跌升少多差缩延省剩余短早晚提高低]|节约")
_ADDS_UP = re.compile("[共总]|合计|累计|相加|加起来")
_A_POINT_IN_TIME = ("year", "month", "clock", "item")
_FEWEST = 3
# Nobody reckons with more of them, and each is paired with each.
_MOST = 12


def reckoned(claim: Claim, cited: Cited) -> Plain:
    """The numbers of a sentence that it reckons from others of its own that the passages have, or counts in tables."""
    return Plain("", (*_worked_out(claim.text, cited), *_counted(claim, cited)))


def _worked_out(text: Plain, cited: Cited) -> Iterator[Number]:
    if len(text.numbers) < _FEWEST:
        return
    told = [number for number in text.numbers if any(number.agrees(other) for _, other in cited.numbers)]
    places = {number.place for number in told}
    for number in text.numbers:
        if number.place in places or number.kind in _A_POINT_IN_TIME:
            continue
        said = _clause_of(text, number)
        values = [other.value * each for other in told[:_MOST] if (each := _worth(other, number))]
        pairs = [*combinations(values, 2)]
        is_difference = _DIFFERS.search(said) and any(abs(one - other) == number.value for one, other in pairs)
        if is_difference or (_ADDS_UP.search(said) and number.value in {sum(values), *map(sum, pairs)}):
            yield number


def _clause_of(text: Plain, number: Number) -> str:
    """The clause of a number, and what is told right before it: 两项合计：300元."""
    begin = text.begin_of_clause(number.place)
    begin = begin if begin < number.place else text.begin_of_clause(begin - 1)
    return text.folded[begin : text.end_of_clause(number.place)]


def _worth(number: Number, other: Number) -> Decimal | None:
    """How many of another number's unit one of a number's is; none or 0 where they do not measure the same."""
    if number.kind in _A_POINT_IN_TIME or not other.unit:
        return None
    return worth(number.unit, other.unit)


def _counted(claim: Claim, cited: Cited) -> Iterator[Number]:
    counts = {count for table in cited.tables for word, count in table.repeated.items() if word in claim.said}
    return (number for number in claim.text.numbers if not number.kind and number.value in counts)
