"""Figures taken from a table's wrong row: one that the sentence does not name, or names only a part of."""

import re
from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.tables import COMMON_END, HAN_PAIR, SHORTEST_LABEL, Row, Table
from rag.language.folding import HAN
from rag.language.numbers import DATED, Number

_IS = re.compile(rf"(?<![{HAN}])(?P<one>[{HAN}]{{2,12}}?)[是为](?P<other>[{HAN}]{{2,12}})(?![{HAN}])")
_PAUSE = re.compile(r"[,;。!?\n()]")
# Whom a report is of; it tells no row from another.
_SUBJECT = re.compile("(?<![母子])公司")
# A figure's table, its row and its column.
_Place = tuple[Table, Row, int]


def half_named_rows(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only in rows of which sentence and question say but a part.

    That part is another row's label, and the sentence does not have that row's figure: else it compares. What the
    answer says before counts for the rest of the label.
    """
    for number in claim.own_numbers:
        places = _places(number, cited)
        if places and all(_is_half_named(*place, claim) for place in places):
            yield number.written


def _is_half_named(table: Table, row: Row, at: int, claim: Claim) -> bool:
    """Whether another row is named and nothing that it lacks of this one's label, and its figure is none of the own."""
    named = [
        (other, lacks)
        for other, lacks in table.said_by_part(row)
        if at in other.numbers and other.label[-COMMON_END:] in claim.said
    ]
    told = _SUBJECT.sub(" ", claim.told) if named else ""
    meant = [other.numbers[at] for other, lacks in named if not _says(told, lacks)]
    return bool(meant) and not any(number.agrees(other) for number in claim.own_numbers for other in meant)


def equated_rows(claim: Claim, cited: Cited) -> Iterator[str]:
    """What a sentence says that something is, where these are two rows of one table: 他汀是阿司匹林肠溶片."""
    for match in _IS.finditer(claim.text.folded):
        for table in cited.tables:
            labels = {row.label for row in table.rows}
            one = {label for label in labels if match["one"] in label}
            if match["other"] in labels and one and match["other"] not in one:
                yield match["other"]


def unnamed_rows(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the passages have only in rows of which neither sentence, question nor answer before speaks.

    Right before the number another row is named, by a bare number in what was asked, and the sentence does not have
    that row's figure of the same column.
    """
    is_bare = not claim.own_terms
    for number in claim.text.numbers:
        places = _places(number, cited)
        if not places or claim.asked.has(number):
            continue
        named = _PAUSE.split(claim.text.folded[: number.place])[-1] + claim.asked.folded * is_bare
        if all(_is_of_another(*place, named, claim) for place in places):
            yield number.written


def _places(number: Number, cited: Cited) -> list[_Place]:
    """Where a number stands in the rows of tables; empty where it stands elsewhere, too, or tells a date."""
    if number.kind in DATED:
        return []
    found = [
        (table, row, at)
        for table in cited.tables
        for row in table.rows
        for at in row.numbers
        if number.agrees(row.numbers[at])
    ]
    return found if cited.has_only(number, len(found)) else []


def _is_of_another(table: Table, row: Row, at: int, named: str, claim: Claim) -> bool:
    """Whether of all rows with a figure in a column another one is named, and its figure is none of the numbers."""
    rivals = [
        other
        for other in table.rows
        if at in other.numbers and len(other.label) >= SHORTEST_LABEL and other.label in named
    ]
    if len(row.label) < SHORTEST_LABEL or not rivals:
        return False
    return not any(
        other.label in row.label
        or row.label in other.label
        or speaks_of(claim.told, row.label, other.label)
        or any(number.agrees(other.numbers[at]) for number in claim.text.numbers)
        for other in rivals
    )


def speaks_of(told: str, label: str, other: str) -> bool:
    """Whether a text speaks of what a label has and another one lacks; of labels of the same characters it may.

    Digits alone stand in any number.
    """
    more = "".join(char for char in label if char not in other)
    return not more or (label in told if more.isdecimal() else _says(told, more))


def _says(told: str, words: str) -> bool:
    """Whether a text has any of some words, or is short for them: 扣非 for 扣除非经常性损益."""
    if len(words) == 1:
        return words in told
    return any(0 <= words.find(pair[0]) < words.rfind(pair[1]) for pair in HAN_PAIR.findall(told))
