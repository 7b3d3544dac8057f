"""Numbers in a sentence that its passages do not have, or have in another's place."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import takewhile

from rag.citations.plain import Plain
from rag.language.numerals import CLASSIFIERS, Number

# How much of the same text before and after shows that two numbers tell the same thing.
_CONTEXT = 8
_STRONG = 4
_STRONGER_BY = 3
_COUNTED_UP_TO = 10
# Behind 个 or 点, what makes a number a measure and no count; 3点分别是 and 3点整改意见 are counts.
_MEASURE = re.compile("个(?:小时|钟头|工作日|自然日|交易日|星期|礼拜)")
_TIME_OF_DAY = re.compile("点(?:半|钟|分(?!别)|整(?!改)|前(?![提述])|后(?!续)|[之以][前后]|[至到~-]#)")
_AT = re.compile("(?:[上中下]午|早上|早晨|清晨|凌晨|晚上?|傍晚|夜里|[点时][至到~-])$")
_AFTER_NOON = re.compile("(?:下午|傍晚|晚上?|夜里)(?:[^,。;!?|\n午早晨]{0,6})$")
_NOON = 12
_IN_WORDS = {
    ("month", 6): ("半年",),
    ("month", 3): ("季",),
    ("day", 15): ("半个月", "半月"),
    ("minute", 30): ("半小时", "半个小时"),
}


def wrong_numbers(clauses: Sequence[Plain], passages: Sequence[Plain], known: Sequence[Plain]) -> Iterator[str]:
    """Numbers that neither passages nor other `known` texts have, and those that tell what another number tells."""
    elsewhere = [number for text in known for number in text.numbers]
    for clause in clauses:
        for number in clause.numbers:
            if not any(number.agrees(other) for other in elsewhere) and _is_wrong(clause, number, passages):
                yield number.written


def _is_wrong(clause: Plain, number: Number, passages: Sequence[Plain]) -> bool:
    contexts = [
        (number.agrees(other), _context(clause, number, passage, other))
        for passage in passages
        for other in passage.numbers
        if number.kind == other.kind or number.agrees(other)
    ]
    right = max((context for agrees, context in contexts if agrees), default=None)
    rival = max((context for agrees, context in contexts if not agrees), default=0)
    if right is None:
        return not (_may_be_counted(clause, number, passages) or _is_told_otherwise(clause, number, passages))
    return rival >= _STRONG and rival >= right + _STRONGER_BY


def _context(text: Plain, number: Number, other_text: Plain, other: Number) -> int:
    """How many characters before and after two numbers are the same."""
    ours, theirs = text.folded, other_text.folded
    before = _common(ours[: number.place][::-1], theirs[: other.place][::-1])
    return before + _common(ours[number.place + 1 :], theirs[other.place + 1 :])


def _common(one: str, other: str) -> int:
    pairs = zip(one[:_CONTEXT], other[:_CONTEXT], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _may_be_counted(text: Plain, number: Number, passages: Sequence[Plain]) -> bool:
    """Whether a small number may be the count of what a passage lists without counting: 分为三种."""
    before, behind = text.text[: number.place], text.text[number.place + 1 :]
    if number.value > _COUNTED_UP_TO or number.kind or not behind.startswith(tuple(CLASSIFIERS)):
        return False
    is_measure = _MEASURE.match(behind) or _TIME_OF_DAY.match(behind) or (behind[0] == "点" and _AT.search(before))
    return not is_measure and not any(f"#{behind[0]}" in passage.text for passage in passages)


def _is_told_otherwise(text: Plain, number: Number, passages: Sequence[Plain]) -> bool:
    """Whether a passage tells it without a number, 半年 for 6个月, or by the other clock: 15:00 for 下午3点."""
    words = _IN_WORDS.get((number.kind, int(number.value)))
    if words and any(word in passage.text for word in words for passage in passages):
        return True
    hour = _hour(text, number)
    return hour is not None and any(hour == _hour(passage, other) for passage in passages for other in passage.numbers)


def _hour(text: Plain, number: Number) -> Decimal | None:
    """The hour that a number tells, by the clock of 24 hours where it says that it is after noon; None for others."""
    if text.text[number.place + 1 : number.place + 2] not in ("点", "时"):
        return None
    is_after_noon = number.value < _NOON and _AFTER_NOON.search(text.text, 0, number.place)
    return number.value + _NOON if is_after_noon else number.value
