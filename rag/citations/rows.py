"""Figures taken from a table's wrong row: one that the sentence does not name, or names only a part of."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rag.citations.columns import FIGURE, is_header, numbers_of
from rag.citations.plain import Plain, plain
from rag.language.folding import HAN
from rag.language.numbers import DATED, Number

_HAN_PAIR = re.compile(rf"(?=([{HAN}]{{2}}))")
# What stands before a label and is none of it: 其中：, 减：, 一、, (二), 1.
_LEAD = re.compile(r"^(?:(?:其中|[减加]):|\(?[一二三四五六七八九十\d]{1,3}[)、.])+")
_ASIDE = re.compile(r"\(([^()]*)\)")
_UNIT_OR_NOTE = re.compile(r"[%元/号注]")
_PAUSE = re.compile(r"[,;。!?\n()]")
# Which period is meant can be told in other words: 上期末 by its year.
_PERIOD = re.compile(r"[年期月季初末]")
# With fewer characters in common at their ends, two labels need not speak of the same.
_COMMON = 3
# A shorter label stands in many a sentence: 年, 人.
_SHORTEST_LABEL = 2
# Whom a report is of; it tells no row from another.
_SUBJECT = re.compile("(?<![母子])公司")


@dataclass(frozen=True, slots=True)
class Row:
    """A row's label, its figures by their columns, and whether the label is numbered or led otherwise."""

    label: str
    numbers: Mapping[int, Number]
    is_led: bool = False


Table = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Rival:
    """Another row of a figure's table: its label, its figure in the same column, and what it lacks of the label."""

    label: str
    number: Number
    lacks: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in a table, and the rows whose label is a part of its own row's."""

    number: Number
    rivals: tuple[Rival, ...]


def tables(text: str) -> tuple[Table, ...]:
    """The rows of a passage's tables that are no headers."""
    found: list[list[Row]] = [[]]
    for line in text.splitlines():
        row = [cell.strip() for cell in line.split("|")]
        if len(row) == 1 or is_header(row):
            found.append([])
        else:
            found[-1].append(_read(row))
    return tuple(tuple(rows) for rows in found if rows)


def figures(tables: Sequence[Table]) -> tuple[Figure, ...]:
    """The figures of a passage's tables in rows whose label says more than another row's."""
    return tuple(figure for rows in tables for row in rows for figure in _figures(row, rows))


def labelled(tables: Sequence[Table]) -> Iterator[tuple[str, Number]]:
    """The figures of a passage's tables, each behind its row's label."""
    rows = (row for rows in tables for row in rows if len(row.label) >= _SHORTEST_LABEL)
    return ((row.label, number) for row in rows for number in row.numbers.values())


def unnamed_rows(
    text: Plain, asked: Plain, before: str, tables: Sequence[Table], passages: Sequence[Plain]
) -> Iterator[str]:
    """Numbers of a sentence that its passages have only in rows that neither it nor the answer `before` speaks of.

    Right before the number another row is named, by a bare number in what was `asked`, and the sentence does not have
    that row's figure of the same column.
    """
    told = f"{before}\n{asked.valued}\n{text.valued}"
    is_bare = not {term for _, term in text.terms} - {term for _, term in asked.terms}
    for number in text.numbers:
        own = [
            (rows, row, at) for rows in tables for row in rows for at in row.numbers if number.agrees(row.numbers[at])
        ]
        places = sum(number.agrees(other) for passage in passages for other in passage.numbers)
        if number.kind in DATED or not own or len(own) != places or any(map(number.agrees, asked.numbers)):
            continue
        named = _PAUSE.split(text.folded[: number.place])[-1] + asked.folded * is_bare
        if all(_is_of_another(row, at, rows, named, told, text.numbers) for rows, row, at in own):
            yield number.written


def _is_of_another(row: Row, at: int, rows: Table, named: str, told: str, numbers: Sequence[Number]) -> bool:
    """Whether of all rows with a figure in a column another one is named, and its figure is none of the numbers."""
    rivals = [
        other for other in rows if at in other.numbers and len(other.label) >= _SHORTEST_LABEL and other.label in named
    ]
    return (
        len(row.label) >= _SHORTEST_LABEL
        and bool(rivals)
        and not any(
            other.label in row.label
            or row.label in other.label
            or speaks_of(told, row.label, other.label)
            or any(number.agrees(other.numbers[at]) for number in numbers)
            for other in rivals
        )
    )


def speaks_of(told: str, label: str, other: str) -> bool:
    """Whether a text speaks of what a label has and another one lacks; of labels of the same characters it may."""
    more = "".join(char for char in label if char not in other)
    return not more or _says(told, more)


def exchanged_rows(
    numbers: Sequence[Number], said: str, before: str, figures: Sequence[Figure], passages: Sequence[Plain]
) -> Iterator[str]:
    """Those `numbers` of a sentence that its passages have only in rows of which it says but a part.

    `figures` are those of the passages, `said` are sentence and questions; what the answer says `before` counts for the
    rest. That part is another row's label, and the sentence does not have that row's figure: else it compares.
    """
    if not figures or not numbers:
        return
    told = _SUBJECT.sub(" ", f"{before}\n{said}")
    for number in numbers:
        own = [figure for figure in figures if number.agrees(figure.number)]
        places = sum(number.agrees(other) for passage in passages for other in passage.numbers)
        if number.kind in DATED or not own or len(own) != places:
            continue
        meant = ([rival for rival in figure.rivals if _names(said, told, rival)] for figure in own)
        if all(rivals and not any(_has(numbers, rival) for rival in rivals) for rivals in meant):
            yield number.written


def _has(numbers: Sequence[Number], rival: Rival) -> bool:
    """Whether one of a sentence's numbers is that of the other row."""
    return any(number.agrees(rival.number) for number in numbers)


def _names(said: str, told: str, rival: Rival) -> bool:
    """Whether a sentence speaks of a row as another one does, and of nothing that this one lacks."""
    return rival.label[-_COMMON:] in said and not _says(told, rival.lacks)


def _says(told: str, words: str) -> bool:
    """Whether a text has any of some words, or is short for them: 扣非 for 扣除非经常性损益."""
    if len(words) == 1:
        return words in told
    return any(0 <= words.find(pair[0]) < words.rfind(pair[1]) for pair in _HAN_PAIR.findall(told))


def _read(row: Sequence[str]) -> Row:
    """A row's label, and the figures between it and what is told in words."""
    texts = [at for at, cell in enumerate(row) if _HAN_PAIR.search(cell) and not FIGURE.fullmatch(cell)]
    if not texts:
        return Row("", {})
    start, end = [*texts, len(row)][:2]
    found = {at: numbers_of(row[at]) for at in range(start + 1, end) if FIGURE.fullmatch(row[at])}
    told = plain(row[start]).valued
    return Row(_label(told), {at: numbers[0] for at, numbers in found.items() if numbers}, bool(_LEAD.match(told)))


def _label(told: str) -> str:
    """A label without what leads it and without its unit; what qualifies it behind it, (调整前), comes first."""
    told = _LEAD.sub("", told)
    asides = [aside for aside in _ASIDE.findall(told) if not _UNIT_OR_NOTE.search(aside)]
    return "".join((*asides, _ASIDE.sub("", told)))


def _figures(row: Row, rows: Sequence[Row]) -> Iterator[Figure]:
    # What follows a row without figures may be the end of a label that was broken in two.
    others = [other for before, other in pairwise([row, *rows]) if before.numbers or other.is_led]
    near = [(other, lacks) for other in others if (lacks := _lacks(row.label, other.label))]
    for at, number in row.numbers.items():
        rivals = tuple(Rival(other.label, other.numbers[at], lacks) for other, lacks in near if at in other.numbers)
        if rivals:
            yield Figure(number, rivals)


def _lacks(label: str, other: str) -> str:
    """What a label says before or within all that another one says; empty where it is not so, or tells a period."""
    ending = next((at for at in range(len(other)) if label.endswith(other[at:])), len(other))
    more = len(label) - len(other)
    if more <= 0 or len(other) - ending < _COMMON or not label.startswith(other[:ending]):
        return ""
    return "" if _PERIOD.search(label, ending, ending + more + 1) else label[ending : ending + more]
