"""Figures taken from a row of a table of whose name a sentence says only a part."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.citations.cited import Cited
from rag.citations.claim import Claim, says
from rag.citations.tables import LEAD, Table
from rag.language.numbers import DATED, Number

# Which period is meant can be told in other words: 上期末 by its year.
_PERIOD = re.compile(r"[年期月季初末]")
# With fewer characters in common at their ends, two labels need not speak of the same.
_COMMON_END = 3
# Whom a report is of; it tells no row from another.
_SUBJECT = re.compile("(?<![母子])公司")
_ASIDE = re.compile(r"\(([^()]*)\)")
_UNIT_OR_NOTE = re.compile(r"[%元/号注]")


@dataclass(frozen=True, slots=True)
class _Row:
    """A row's label, its figures by their columns, and whether the label is numbered or led otherwise."""

    label: str
    numbers: Mapping[int, Number]
    is_led: bool


def half_named_rows(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only in rows of which sentence and question say but a part.

    That part is another row's label, and the sentence does not have that row's figure: else it compares. What the
    answer says before counts for the rest of the label.
    """
    for number in claim.own_numbers:
        places = [
            (rows, row, at)
            for rows in map(_rows, cited.tables)
            for row in rows
            for at, figure in row.numbers.items()
            if number.kind not in DATED and number.agrees(figure)
        ]
        if cited.has_only(number, len(places)) and all(_is_half_named(*place, claim) for place in places):
            yield number.written


def _is_half_named(rows: Sequence[_Row], row: _Row, at: int, claim: Claim) -> bool:
    """Whether another row is named and nothing that it lacks of this one's label, and its figure is none of the own."""
    named = [
        (other, lacks)
        for other, lacks in _named_by_part(rows, row)
        if at in other.numbers and other.label[-_COMMON_END:] in claim.said
    ]
    told = _SUBJECT.sub(" ", claim.told) if named else ""
    meant = [other.numbers[at] for other, lacks in named if not says(told, lacks)]
    return bool(meant) and not any(number.agrees(other) for number in claim.own_numbers for other in meant)


def _rows(table: Table) -> tuple[_Row, ...]:
    """The rows of a table, the figures of each behind its label."""
    return tuple(
        _Row(
            _label(label.valued),
            {at: told[0] for at, told in figures.items() if at > table.label_column and told},
            LEAD.match(label.valued) is not None,
        )
        for label, figures in zip(table.labels, table.figures, strict=True)
    )


def _label(told: str) -> str:
    """A label without what leads it and without its unit; what qualifies it behind it, (调整前), comes first."""
    told = LEAD.sub("", told)
    asides = [aside for aside in _ASIDE.findall(told) if not _UNIT_OR_NOTE.search(aside)]
    return "".join((*asides, _ASIDE.sub("", told)))


def _named_by_part(rows: Sequence[_Row], row: _Row) -> Iterator[tuple[_Row, str]]:
    """The other rows whose label is a part of a row's, each with what it lacks of that."""
    # What follows a row without figures may be the end of a label that was broken in two.
    others = (other for before, other in pairwise([row, *rows]) if before.numbers or other.is_led)
    return ((other, lacks) for other in others if (lacks := _lacks(row.label, other.label)))


def _lacks(label: str, other: str) -> str:
    """What a label says before or within all that another one says; empty where it is not so, or tells a period."""
    ending = next((at for at in range(len(other)) if label.endswith(other[at:])), len(other))
    more = len(label) - len(other)
    if more <= 0 or len(other) - ending < _COMMON_END or not label.startswith(other[:ending]):
        return ""
    return "" if _PERIOD.search(label, ending, ending + more + 1) else label[ending : ending + more]
