"""Numbers and names that a passage has behind another label than the sentence: 年假：10天 where 病假10天 stands."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.citations.cited import Cited
from rag.citations.claim import Claim, speaks_of
from rag.citations.plain import LEAD, PAUSES_OF_A_LIST, Plain
from rag.language.folding import HAN
from rag.language.numbers import Number

_PAUSE = re.compile(f"[{PAUSES_OF_A_LIST}]")
_LINK = re.compile(r"[为是共约有计达的:|]+$")
# A period may be told in other words, and a label that holds a number is not all of one.
_PERIOD = re.compile("#|[本上去今明当次同][期年月季]|[期年月]?[初末]")
_SHORTEST, _LONGEST = 2, 30
# A pair of characters may be shared by chance; a sentence with more numbers lists them.
_LEAST_SHARED, _MOST_NUMBERS = 2, 6
# 红灯亮表示故障, 三天以内由主管批准, 项目负责人：张三 and 项目负责人是张三.
_STATEMENT = re.compile(
    rf"(?<![^{PAUSES_OF_A_LIST}])(?P<of>[{HAN}\d]{{2,16}}?)(?:(?P<link>表示|代表|属于|由|归)|是|为|:)"
    rf"(?P<value>[^{PAUSES_OF_A_LIST}]{{2,40}})(?![^{PAUSES_OF_A_LIST}])"
)


@dataclass(frozen=True, slots=True)
class _Labelled:
    """A number, what stands between it and the pause before, and whether that goes on what tells no number."""

    number: Number
    label: str
    goes_on: bool


def mislabelled_numbers(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers of a sentence told by a label by which its passages tell another number of the same kind.

    Left out are those of another known text, and those whose right label is perhaps only another word for the
    sentence's, or is what these or the answer before speak of: 工龄较长者：年假10天.
    """
    ours = list(_labelled(claim.text))
    theirs = [one for passage in cited.passages for one in _labelled(passage)] if ours else []
    own = {one.label for one in ours}
    for one in ours:
        rivals = (other.number for other in theirs if other.label == one.label)
        if one.goes_on or not _tells(one.label) or not any(_counts_the_same(one.number, rival) for rival in rivals):
            continue
        if cited.is_known(one.number):
            continue
        right = {other.label for other in theirs if one.number.agrees(other.number)}
        if not right or not all(map(_tells, right)) or any(_may_be(label, one.label) for label in right):
            continue
        told = _what_tells_labels(claim, cited)
        if not any(label not in own and speaks_of(told, label, one.label) for label in right):
            yield one.number.written


def numbers_of_the_like(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that are told of something like what the sentence speaks of, where that has another: 家庭读者证可借20册.

    All that is said before it in the passage as well as in the sentence is said before the other number, and more.
    """
    for number in claim.own_numbers if len(claim.own_numbers) <= _MOST_NUMBERS else ():
        in_clause, in_part = claim.text.told_in_clauses[number.place], claim.text.told_in_parts[number.place]
        if len(in_part) < 2 * _LEAST_SHARED:
            continue
        counted = [
            (agrees, passage, other.place)
            for passage, other in cited.numbers
            if (agrees := number.agrees(other)) or _counts_the_same(number, other)
        ]
        of_clause = [(agrees, in_clause & passage.told_in_clauses[at]) for agrees, passage, at in counted]
        of_part = [(agrees, in_part & passage.told_in_parts[at]) for agrees, passage, at in counted]
        if _is_told_of_the_like(of_clause) or _is_told_of_the_like(of_part):
            yield number.written


def _is_told_of_the_like(shared: Sequence[tuple[bool, frozenset[str]]]) -> bool:
    """Whether a number that does not agree shares all that those share which do, and more."""
    own, rivals = ([terms for agrees, terms in shared if agrees is is_own] for is_own in (True, False))
    return bool(own) and any(
        all(_LEAST_SHARED <= len(terms) <= len(rival) - _LEAST_SHARED and rival > terms for terms in own)
        for rival in rivals
    )


def _what_tells_labels(claim: Claim, cited: Cited) -> str:
    """What a label may be told by: what else is known, and the answer before as far as it tells no numbers."""
    led = (part for part in _PAUSE.split(claim.told_before) if "#" not in part)
    return "\n".join((*(one.folded for one in cited.known), *led))


def _labelled(text: Plain) -> Iterator[_Labelled]:
    for number in text.numbers:
        before = _LINK.sub("", text.folded[max(0, number.place - _LONGEST) : number.place])
        *earlier, label = _PAUSE.split(before)
        goes_on = bool(earlier) and earlier[-1] != "" and "#" not in earlier[-1] and before[-len(label) - 1] in ",:、"
        yield _Labelled(number, LEAD.sub("", label), goes_on)


def _tells(label: str) -> bool:
    """Whether a label says by itself what its number is of."""
    return len(label) >= _SHORTEST and not _PERIOD.search(label)


def _counts_the_same(one: Number, other: Number) -> bool:
    return one.kind == other.kind and (one.kind != "" or one.unit == other.unit) and not one.agrees(other)


def _may_be(label: str, other: str) -> bool:
    """Whether one of two labels is a part of the other."""
    return label in other or other in label


def crossed_statements(claim: Claim, cited: Cited) -> Iterator[str]:
    """What the passages tell of something else, and another thing of what the sentence tells it of.

    红灯亮表示正常运行, where 红灯亮表示故障 and 绿灯亮表示正常运行 stand. They tell it but once, and of that something
    neither sentence, question nor answer before speaks: 逾期的，运费由甲方承担.
    """
    said = [*_STATEMENT.finditer(claim.text.valued)]
    told = [one for passage in cited.passages for one in _STATEMENT.finditer(passage.valued)] if said else []
    own = {one["of"] for one in said}
    for of, link, value in (one.group("of", "link", "value") for one in said):
        values = [one["value"] for one in told if one["link"] == link and of.endswith(one["of"])]
        labels = [one["of"] for one in told if one["link"] == link and one["value"].startswith(value)]
        is_told_once = cited.valued.count(value) == 1
        if not labels or not is_told_once or not values or any(_may_be(value, other) for other in values):
            continue
        if not any(_may_be(label, of) or (label not in own and speaks_of(claim.told, label, of)) for label in labels):
            yield value
