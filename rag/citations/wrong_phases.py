"""Figures of another of several that are numbered alike: 二期2025年7月投产 where 一期 did."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import WHOLE_END, Plain
from rag.language.numbers import Number

# What is numbered, and seldom counted; behind 期 and 轮 it may be another word.
_KINDS = "期(?![限间末初望货中内])|批(?![准复发])|轮(?![流岗胎换])|阶段|标段|等奖|号楼|号线|季度"
_ONE = "[#一首]"
_NUMBERED = re.compile(rf"{_ONE}(?P<kind>{_KINDS})")
# 一期、二期均于同年投产 is told of both, and so is 第一轮、第二轮.
_TOGETHER = re.compile("(?:[、和与及或至到~-]|以及)第?")
# What is compared with is not told of: 比上年四季度增长.
_COMPARED_WITH = re.compile("[比较与同跟]\\D{0,4}(?:#年)?第?$")
_FIRST = "1"
_LONGEST_BEFORE = 8


@dataclass(frozen=True, slots=True)
class _Phase:
    """One of several that are numbered alike, as a text names it."""

    start: int
    end: int
    kind: str
    value: str


def figures_of_another_phase(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers of a sentence on one of several, which its passages tell of others of these and nowhere else."""
    said = _phases(claim.text)
    named = said or _phases(claim.asked)
    if len({(phase.kind, phase.value) for phase in named}) != 1:
        return
    own = named[0]
    # Of a table the columns tell: 期, or one beside the other.
    columns = re.compile(rf"\|{own.kind}|{_ONE}{own.kind}[^|\n]*\|[^|\n]*{_ONE}{own.kind}")
    passages = [passage for passage in cited.passages if not columns.search(passage.folded)]
    told = [one for passage in passages for one in _told(passage, own.kind)]
    places = {phase.start for phase in said}
    for number in claim.text.numbers:
        if number.place in places or cited.is_known(number):
            continue
        found = [values for values, other in told if number.agrees(other)]
        if cited.has_only(number, len(found)) and all(values and own.value not in values for values in found):
            yield number.written


def _told(passage: Plain, kind: str) -> list[tuple[frozenset[str], Number]]:
    """Of which of several a passage tells each number: the last, or last together, that its sentence names before."""
    phases = [phase for phase in _phases(passage) if phase.kind == kind]
    together = list[frozenset[str]]()
    for before, phase in zip([None, *phases], phases, strict=False):
        joins = before and _TOGETHER.fullmatch(passage.folded, before.end, phase.start)
        together.append(frozenset({phase.value}) | (together[-1] if joins else frozenset()))
    last = passage.last_before([phase.end for phase in phases], WHOLE_END)
    return [(together[last[one.place]] if one.place in last else frozenset(), one) for one in passage.numbers]


def _phases(text: Plain) -> list[_Phase]:
    values = {number.place: number.digits for number in text.numbers}
    return [
        _Phase(one.start(), one.end(), one["kind"], values.get(one.start(), _FIRST))
        for one in _NUMBERED.finditer(text.folded)
        if not _COMPARED_WITH.search(text.folded, max(0, one.start() - _LONGEST_BEFORE), one.start())
    ]
