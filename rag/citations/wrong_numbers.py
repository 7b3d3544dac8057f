"""Numbers in a sentence that its passages do not have, or have in another's place."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.ordinals import are_as_many, tell_apart
from rag.citations.plain import Plain
from rag.language.han_numerals import CLASSIFIERS
from rag.language.numbers import DATED, Number
from rag.language.titles import common_start

# How much of the same text before and after shows that two numbers tell the same thing.
_CONTEXT = 8
_STRONG = 4
_STRONGER_BY = 3
_COUNTED_UP_TO = 10
# Behind 个, what makes a number a measure and no count.
_MEASURE = re.compile("个(?:小时|钟头|工作日|自然日|交易日|星期|礼拜)")
# A passage may tell three months without a number.
_QUARTER = Decimal(3), "months", "季"
_ON_THE_SAME = 2
_POINTS = "百分点"


def wrong_numbers(clauses: Sequence[Plain], passages: Sequence[Plain], known: Sequence[Plain]) -> Iterator[str]:
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
        if (number.kind == other.kind or number.agrees(other)) and not tell_apart(clause, number, passage, other)
    ]
    right = max((context for agrees, *context in contexts if agrees), default=None)
    rival = max((context for agrees, *context in contexts if not agrees), default=[0, 0])
    if right is None:
        return not (
            is_known
            or _may_be_counted(clause, number, passages)
            or are_as_many(clause, number, passages)
            or _is_told_otherwise(clause, number, passages)
        )
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
    if number.value > _COUNTED_UP_TO or number.kind or counter not in CLASSIFIERS:
        return False
    is_measured = _MEASURE.match(text.text, number.place + 1) is not None
    fewest = min(_ON_THE_SAME, len(text.vocabulary))
    is_spoken_of = any(len(text.vocabulary & passage.vocabulary) >= fewest for passage in passages)
    return is_spoken_of and not is_measured and not any(f"#{counter}" in passage.text for passage in passages)


def _is_told_otherwise(text: Plain, number: Number, passages: Sequence[Plain]) -> bool:
    """Whether a passage tells it without a number, in a clause on the same."""
    value, kind, word = _QUARTER
    if (number.value, number.kind) != (value, kind):
        return False
    told = (clause for passage in passages for clause in passage.clauses() if word in clause.text)
    return any(len(clause.pairs & text.pairs) >= _ON_THE_SAME for clause in told)
