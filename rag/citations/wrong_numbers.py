"""Numbers in a sentence that its passages do not have, or have in another's place.

One that tells which of several something is, 第4节, is none that tells how many, 4节.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.language.han_numerals import CLASSIFIERS
from rag.language.measures import worth
from rag.language.numbers import DATED, Number
from rag.language.titles import common_start

# How much of the same text before and after shows that two numbers tell the same thing.
_CONTEXT = 8
_STRONG = 4
_STRONGER_BY = 3
_COUNTED_UP_TO = 10
# Behind 个, what makes a number a measure and no count.
_MEASURE = re.compile("个(?:小时|钟头|工作日|自然日|交易日|星期|礼拜)")
_ON_THE_SAME = 2
_POINTS = "百分点"
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
# What a number is told to be beside two that it is reckoned from; in the clause that it stands in.
_DIFFERS = re.compile("[涨增加减降跌升少多差缩延省剩余短早晚提高低]|节约")
_ADDS_UP = re.compile("[共总]|合计|累计|相加|加起来|之和")
# 甲比乙多3项: who has more.
_COMPARED = re.compile(
    r"(?P<one>[^,;。:]{1,30})比(?P<other>[^,;。:]{1,30}?)(?:(?P<more>[多高长增涨升贵大晚]|提高)|[少低短减跌降小早]|便宜)"
)
_TOGETHER = re.compile(r"#\w{1,3}(?:合计|共计|总计|相加|加起来|之和|相差)")
# Behind a number these count nothing: 1,200和800.
_JOINS = frozenset("和与及至到而")
_OF_THOSE = "者"
_FORMER, _LATTER = "前者", "后者"
_A_POINT_IN_TIME = ("year", "month", "clock", "item")
_FEWEST = 3
# Nobody reckons with more of them, and each is paired with each.
_MOST = 12


def wrong_numbers(claim: Claim, cited: Cited) -> Iterator[str]:
    """Wrong numbers of what is not quoted word for word."""
    clauses = [_beside_places(alignment.clause, claim.asked, cited.passages) for alignment in cited.changed]
    return numbers_of_none(clauses, cited.passages, (*cited.known, _reckoned(claim, cited)))


def numbers_of_none(clauses: Sequence[Plain], passages: Sequence[Plain], known: Sequence[Plain]) -> Iterator[str]:
    """Numbers that neither passages nor other `known` texts have, and those that tell what another number tells."""
    for clause in clauses:
        for number in clause.numbers:
            is_known = any(text.has(number) for text in known)
            if _is_wrong(clause, number, passages, is_known):
                yield number.written


def percent_for_points(claim: Claim, cited: Cited) -> Iterator[str]:
    """Shares told in percentage points of which its passages tell only in percent, or the other way round."""
    shares = [number for number in claim.own_numbers if number.kind == "percent"]
    near = [part for part in cited.sentences if shares and len(part.vocabulary & claim.text.vocabulary) >= _ON_THE_SAME]
    for number in shares:
        told = [other for part in near for other in part.numbers if other.kind == "percent" and number.agrees(other)]
        if {_POINTS in other.written for other in told} == {_POINTS not in number.written}:
            yield number.written


def _is_wrong(clause: Plain, number: Number, passages: Sequence[Plain], is_known: bool) -> bool:
    about = clause.told_in_clauses[number.place]
    contexts = [
        (
            number.agrees(other),
            _context(clause, number, passage, other),
            len(about & passage.told_in_clauses[other.place]),
        )
        for passage in passages
        for other in passage.numbers
        if (number.kind == other.kind or number.agrees(other)) and not _tell_apart(clause, number, passage, other)
    ]
    right = max((context for agrees, *context in contexts if agrees), default=None)
    rival = max((context for agrees, *context in contexts if not agrees), default=[0, 0])
    if right is None:
        return not (is_known or _may_be_counted(clause, number, passages))
    # 普通证能借8册 is told by 普通证可同时借阅图书8册, though 家庭证可借20册 has more of it beside the number.
    return rival[0] >= _STRONG and rival[0] >= right[0] + _STRONGER_BY and rival[1] + _ON_THE_SAME > right[1]


def _context(text: Plain, number: Number, other_text: Plain, other: Number) -> int:
    """How many characters before and after two numbers are the same."""
    ours, theirs = text.folded, other_text.folded
    (before_ours, ours_behind), (before_theirs, theirs_behind) = _beside(ours, number), _beside(theirs, other)
    before, behind = common_start(before_ours[::-1], before_theirs[::-1]), common_start(ours_behind, theirs_behind)
    # What another clause goes on with is no sign that two amounts tell the same: 亿元，同比增长.
    begins = text.begin_of_clause(number.place) == number.place
    if before or begins or number.kind in DATED:
        return before + behind
    # The pause itself counts.
    return min(behind, text.end_of_clause(number.place + 1) - number.place)


def _beside(text: str, number: Number) -> tuple[str, str]:
    place = number.place
    return text[max(0, place - _CONTEXT) : place], text[place + 1 : place + 1 + _CONTEXT]


def _may_be_counted(text: Plain, number: Number, passages: Sequence[Plain]) -> bool:
    """Whether a small number may be the count of what a passage lists without counting: 分为三种."""
    counter = text.counter_of(number)
    if number.value > _COUNTED_UP_TO or number.kind or counter not in (*CLASSIFIERS, _OF_THOSE):
        return False
    # 两者, or 两项合计, are those that the sentence tells of itself.
    if counter == _OF_THOSE or _TOGETHER.match(text.text, number.place):
        return True
    is_measured = _MEASURE.match(text.text, number.place + 1) is not None
    fewest = min(_ON_THE_SAME, len(text.vocabulary))
    is_spoken_of = any(len(text.vocabulary & passage.vocabulary) >= fewest for passage in passages)
    return is_spoken_of and not is_measured and not any(f"#{counter}" in passage.text for passage in passages)


def _beside_places(clause: Plain, asked: Plain, passages: Sequence[Plain]) -> Plain:
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


def _tell_apart(text: Plain, number: Number, passage: Plain, other: Number) -> bool:
    """Whether one of two numbers tells which of something it is, and the other how many of the same."""
    counter = text.counter_of(number)
    if counter not in _COUNTERS or counter != passage.counter_of(other):
        return False
    before, there = _before(text, number), _before(passage, other)
    may_be_either = _EITHER.search(before) or (counter in _NUMBERED_WITHOUT and _OF_A_TEXT.search(before))
    return not may_be_either and _tells_which(before) != _tells_which(there)


def _tells_which(before: str) -> bool:
    return _WHICH.search(before) is not None


def _before(text: Plain, number: Number) -> str:
    return text.folded[max(0, number.place - _LONGEST) : number.place]


def _reckoned(claim: Claim, cited: Cited) -> Plain:
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
        said = _clause_told_of(text, number)
        values = [(other.value * each, other) for other in told[:_MOST] if (each := _worth(other, number))]
        pairs = [*combinations(values, 2)]
        is_difference = _DIFFERS.search(said) and any(
            abs(one - other) == number.value and not _is_turned_round(said, text, (first, second))
            for (one, first), (other, second) in pairs
        )
        sums = {sum(value for value, _ in values), *(one + other for (one, _), (other, _) in pairs)}
        if is_difference or (_ADDS_UP.search(said) and number.value in sums):
            yield number


def _is_turned_round(said: str, text: Plain, told: tuple[Number, Number]) -> bool:
    """Whether the one of two that a clause says to be more is told to be less."""
    found = _COMPARED.search(said)
    if not found:
        return False
    one, other = (_told_of(found[name].strip(), text, told) for name in ("one", "other"))
    first = one if one is not None else None if other is None else 1 - other
    if first is None or first == other:
        return False
    return (told[first].value > told[1 - first].value) != bool(found["more"])


def _told_of(label: str, text: Plain, told: tuple[Number, Number]) -> int | None:
    """Which of two numbers is told of what a label calls; None where that is not clear."""
    if label in (_FORMER, _LATTER):
        return int(label == _LATTER)
    befores = [text.folded[text.begin_of_clause(one.place) : one.place] for one in told]
    named = [at for at, before in enumerate(befores) if label in before]
    return named[0] if len(named) == 1 else None


def _clause_told_of(text: Plain, number: Number) -> str:
    """The clause of a number, and what is told right before it: 两项合计：300元."""
    begin = text.begin_of_clause(number.place)
    begin = begin if begin < number.place else text.begin_of_clause(begin - 1)
    return text.folded[begin : text.end_of_clause(number.place)]


def _worth(number: Number, other: Number) -> Decimal | None:
    """How many of another number's unit one of a number's is; none or 0 where they do not measure the same.

    Figures of a table are told without their unit.
    """
    if number.kind in _A_POINT_IN_TIME or other.kind in _A_POINT_IN_TIME:
        return None
    return worth(*("" if unit in _JOINS else unit for unit in (number.unit, other.unit)))


def _counted(claim: Claim, cited: Cited) -> Iterator[Number]:
    counts = {count for table in cited.tables for word, count in table.repeated.items() if word in claim.said}
    return (number for number in claim.text.numbers if not number.kind and number.value in counts)
