"""Figures of another of several that are numbered alike: 二期2025年7月投产 where 一期 did."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.language.numbers import Number

# What is numbered, and seldom counted; behind 期 and 轮 it may be another word.
_KINDS = "期(?![限间末初望货中内])|批(?![准复发])|轮(?![流岗胎换])|阶段|标段|等奖|号楼|号线|季度"
_ONE = "[#一首]"
_NUMBERED = re.compile(rf"{_ONE}(?P<kind>{_KINDS})")
# 一期、二期均于同年投产 is told of both.
_TOGETHER = re.compile("[、和与及或至到~-]|以及")
# What is compared with is not told of: 比上年四季度增长.
_COMPARED_WITH = re.compile("[比较与同跟]\\D{0,4}(?:#年)?第?$")
_SENTENCE_ENDS = "。!?\n"
_FIRST = "1"
_LONGEST_BEFORE = 8


@dataclass(frozen=True, slots=True)
class _Phase:
    """One of several that are numbered alike, as a text names it."""

    start: int
    end: int
    kind: str
    value: str


def figures_of_another(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers of a sentence on one of several, which its passages tell of others of these and nowhere else."""
    said = _phases(claim.text)
    named = said or _phases(claim.asked)
    if len({(phase.kind, phase.value) for phase in named}) != 1:
        return
    own = named[0]
    # Of a table the columns tell: 期, or one beside the other.
    columns = re.compile(rf"\|{own.kind}|{_ONE}{own.kind}[^|\n]*\|[^|\n]*{_ONE}{own.kind}")
    told = [(passage, _phases(passage)) for passage in cited.passages if not columns.search(passage.folded)]
    places = {phase.start for phase in said}
    for number in claim.text.numbers:
        if number.place in places or any(text.has(number) for text in cited.known):
            continue
        found = [
            _told_of(passage, phases, other, own.kind)
            for passage, phases in told
            for other in passage.numbers
            if number.agrees(other)
        ]
        if cited.has_only(number, len(found)) and all(values and own.value not in values for values in found):
            yield number.written


def _told_of(passage: Plain, phases: Sequence[_Phase], number: Number, kind: str) -> frozenset[str]:
    """Of which of several a passage tells a number: the last, or the last together, that its sentence names before."""
    begun = 1 + max(passage.folded.rfind(end, 0, number.place) for end in _SENTENCE_ENDS)
    before = [phase for phase in phases if phase.kind == kind and begun <= phase.start and phase.end <= number.place]
    values: set[str] = set()
    for phase, after in zip(reversed(before), [None, *reversed(before)], strict=False):
        if after is not None and not _TOGETHER.fullmatch(passage.folded, phase.end, after.start):
            break
        values.add(phase.value)
    return frozenset(values)


def _phases(text: Plain) -> list[_Phase]:
    values = {number.place: f"{number.value.normalize():f}" for number in text.numbers}
    return [
        _Phase(one.start(), one.end(), one["kind"], values.get(one.start(), _FIRST))
        for one in _NUMBERED.finditer(text.folded)
        if not _COMPARED_WITH.search(text.folded, max(0, one.start() - _LONGEST_BEFORE), one.start())
    ]
