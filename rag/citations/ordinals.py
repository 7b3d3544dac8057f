"""Numbers that tell which of several something is, 第4节, and not how many, 4节; and of what a question names so."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rag.citations.plain import Plain
from rag.language.numbers import Number

# What is counted and numbered alike. Of others a bare number tells which as well: 三季度, 5楼.
_COUNTERS = frozenset("节条页章项款个次名位种类点步门篇")
_WHICH = re.compile(f"第(?:#[{''.join(_COUNTERS)}]?(?:[、和与及至到~-]|以及))*$")
# So far is looked back, through a chain: 第5、6、7节.
_LONGEST = 16
# 前3名 are told by 第3名; and of 《劳动法》39条 and 39条 everybody knows that it is one.
_EITHER = re.compile(r"[前后头末]$")
_NUMBERED_WITHOUT = frozenset("条页章项款")
_OF_A_TEXT = re.compile(r"(?:^|[法》例据照按见则定,:;。!?\n|(])$")
# What numbers a place of a document; behind 第 its counter does.
_PLACE = re.compile("(?:第|权利要求|附[件录表图]|[表图]|步骤|问题)$")


def beside_places(clause: Plain, asked: Plain, passages: Sequence[Plain]) -> Plain:
    """A clause without the numbers of places that its question names so, and no passage: 权利要求2 may be called 2."""
    named = {_place(asked, number) for number in asked.numbers} - {""}
    if named:
        named -= {_place(passage, number) for passage in passages for number in passage.numbers}
    return replace(clause, numbers=tuple(one for one in clause.numbers if _place(clause, one) not in named))


def _place(text: Plain, number: Number) -> str:
    """What a number is the number of, where that is a place, with its value."""
    named = _PLACE.search(_before(text, number))
    if not named:
        return ""
    counter = text.counter_of(number) if named[0] == "第" else ""
    return f"{named[0]}{number.digits}{counter}"


def tell_apart(text: Plain, number: Number, passage: Plain, other: Number) -> bool:
    """Whether one of two numbers tells which of something it is, and the other how many of the same."""
    counter = text.counter_of(number)
    if counter not in _COUNTERS or counter != passage.counter_of(other):
        return False
    before, there = _before(text, number), _before(passage, other)
    may_be_either = _EITHER.search(before) or (counter in _NUMBERED_WITHOUT and _OF_A_TEXT.search(before))
    return not may_be_either and _tells_which(before) != _tells_which(there)


def are_as_many(text: Plain, number: Number, passages: Sequence[Plain]) -> bool:
    """Whether passages number as many of something as a number counts: 第一条, 第二条 and 第三条 are 3条."""
    counter = text.counter_of(number)
    if counter not in _COUNTERS:
        return False
    which = {
        other.value
        for passage in passages
        for other in passage.numbers
        if passage.counter_of(other) == counter and _tells_which(_before(passage, other))
    }
    return bool(which) and len(which) == max(which) == number.value


def _tells_which(before: str) -> bool:
    return _WHICH.search(before) is not None


def _before(text: Plain, number: Number) -> str:
    return text.folded[max(0, number.place - _LONGEST) : number.place]
