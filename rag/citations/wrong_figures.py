"""Figures of another row or column of a table than the two that are named: 金卡打9折, which 银卡 has and 金卡 8.5折."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rag.citations.cited import Cited
from rag.citations.claim import Claim, speaks_of
from rag.citations.plain import Plain, plain
from rag.citations.table_lines import YEAR
from rag.citations.tables import PIECE, SHORTEST_LABEL, SUM, Table, are_alike, without
from rag.language.numbers import Number

_PERIOD = re.compile("[年季月期日]")
_PART_OF_A_YEAR = re.compile("季|月|半年")
_AND = re.compile("[、,和与及]")
_NUMBERED = re.compile(r"第\d+(.)")
# What stands between heads and what they tell, or with them before a pause: 期末余额方面，银行存款为.
_LINK = re.compile(r"\([^()]*\)|方面|[的在从是为有共约达计:、+\s-]")
_ASKS = re.compile(f"{_LINK.pattern}|多少|多大|[几何呢吗啊请问?]")


@dataclass(frozen=True, slots=True)
class _Piece:
    """What stands between two pauses of a sentence, and what it goes on from: nothing but heads, before the first."""

    text: Plain
    lead: str

    @property
    def texts(self) -> tuple[str, str]:
        """Both, as they are compared with a table."""
        return self.text.valued, self.lead


def misplaced_figures(claim: Claim, cited: Cited) -> Iterator[str]:
    """Numbers that the row and column that are named do not have in their cell, which has another of the same kind.

    Where only a row is named, all of it lacks them.
    """
    for piece in _pieces(claim.text, cited) if cited.named_tables else ():
        for number in piece.text.numbers:
            verdicts = {_is_misplaced(number, piece, table, claim, cited) for table in cited.named_tables}
            if verdicts - {None} == {True} and not cited.is_known(number):
                yield number.written


def _pieces(text: Plain, cited: Cited) -> Iterator[_Piece]:
    """What stands between the pauses of a text and has numbers, with what leads it; a row has nothing of the kind."""
    pieces = [text.part(*match.span()) for match in PIECE.finditer(text.text)]
    for before, piece in zip(["", *(one.valued for one in pieces)], pieces, strict=False):
        if piece.numbers:
            leads = "|" not in text.text and any(_is_all_heads(before, table) for table in cited.named_tables)
            yield _Piece(piece, before if leads else "")


def _is_all_heads(text: str, table: Table) -> bool:
    """Whether a text names rows or columns of a table, and says nothing else."""
    heads = table.heads(text)
    return bool(heads) and not _LINK.sub("", without(heads, text))


def _is_misplaced(number: Number, piece: _Piece, table: Table, claim: Claim, cited: Cited) -> bool | None:
    """Whether a number of a piece is wrong by a table; None where the table tells nothing of it."""
    said = piece.text.valued
    texts = (*piece.texts, claim.asked.valued) if not claim.own_terms else piece.texts
    row, places = _row(texts, table), [*table.places(number)]
    if row is None:
        is_wrong = _is_of_no_row(texts, table) or _is_in_another_column(piece, places, table, claim, cited)
        return True if places and is_wrong else None
    own, label = table.cells[row], table.rows[row]
    if any(map(number.agrees, table.labels[row].numbers)):
        return None
    # By a part of its label another row may be meant, or by what the answer says before; and some are compared.
    others = {table.rows[at] for at, _ in places} - {label}
    may_be_meant = any(label in other or speaks_of(claim.told, other, label) for other in others)
    if may_be_meant or re.search(f"[比较与跟同]{re.escape(label)}", said):
        return None
    column = _column(piece, row, table, claim, cited) if len(own) == len(table.columns) else None
    if column is not None and not any(map(number.agrees, plain(table.columns[column]).numbers)):
        is_told_of = bool(places) and _is_told_of(number, piece, (label, table.columns[column]), claim)
        if not is_told_of and not any(_is_instead(at, place, row, column, table) for at, place in places):
            return None
        has_another = (is_told_of and table.numbers[row][column]) or _is_another(number, (row, column), table, claim)
        return (row, column) not in places and bool(has_another)
    if not places:
        return None
    here, elsewhere = ([place for at, place in places if (at == row) is is_own] for is_own in (True, False))
    is_of_a_part = column is None and all(_is_part_of_a_year(place, table, claim) for place in here)
    is_another = all(place < len(own) and _is_another(number, (row, place), table, claim) for place in elsewhere)
    return is_another and (is_of_a_part or not here)


def _is_told_of(number: Number, piece: _Piece, heads: tuple[str, str], claim: Claim) -> bool:
    """Whether a number is told of a row and column and nothing more, be they named by what was asked: X的期末余额为."""
    before = piece.text.part(0, number.place).valued
    asks_more = heads[1] not in "".join(piece.texts) and _ASKS.sub("", without(heads, claim.asked.valued))
    # The cells of a row are told by its order.
    return "|" not in claim.text.text and not asks_more and not _LINK.sub("", without(heads, before))


def _is_in_another_column(
    piece: _Piece, places: Sequence[tuple[int, int]], table: Table, claim: Claim, cited: Cited
) -> bool:
    """Whether a number stands only in columns of the same kind as the one that is meant, and none of the own in it."""
    column = _column(piece, None, table, claim, cited)
    told = {place for own in claim.own_numbers for _, place in table.places(own)}
    if column is None or column in told:
        return False
    return all(are_alike(table.columns[column], table.head_of(place)) for _, place in places)


def _column(piece: _Piece, row: int | None, table: Table, claim: Claim, cited: Cited) -> int | None:
    """The column that is named, or else was asked for of the same row, or has what is spoken of counted to it."""
    for said in piece.texts:
        if not table.heads(said).isdisjoint(table.columns):
            return _named((said,), table, table.columns)
    asked = claim.asked.valued
    if row is not None and _row((asked,), table) not in (None, row):
        return None
    if (named := _named((asked,), table, table.columns)) is not None:
        return named
    meant = [at for at, column in enumerate(table.columns) if _is_meant_by_a_part(column, claim, cited)]
    return meant[0] if len(meant) == 1 else None


def _is_meant_by_a_part(column: str, claim: Claim, cited: Cited) -> bool:
    """Whether a passage counts to a column what is spoken of: 上海, where 一类城市指北京、上海、广州、深圳."""
    if len(column) < SHORTEST_LABEL or column in claim.said:
        return False
    defines = re.compile(rf"{re.escape(column)}(?:是?指|包[括含])(?P<parts>[^。;!?\n|]+)")
    found = [match["parts"] for passage in cited.passages for match in defines.finditer(passage.valued)]
    return any(len(part) >= SHORTEST_LABEL and part in claim.said for parts in found for part in _AND.split(parts))


def _is_instead(at: int, place: int, row: int, column: int, table: Table) -> bool:
    """Whether what stands in a cell may be told for that of a row and column: both are periods or sums, or neither."""
    if place == column:
        return True
    head = table.head_of(place)
    return at == row and not (_PERIOD.search(table.columns[column]) and not (_PERIOD.search(head) or SUM.search(head)))


def _is_part_of_a_year(column: int, table: Table, claim: Claim) -> bool:
    """Whether a column is of a quarter or a month, where a year is spoken of and no part of it."""
    speaks_of_a_year = YEAR.search(claim.said) is not None and not _PART_OF_A_YEAR.search(claim.said)
    return speaks_of_a_year and _PART_OF_A_YEAR.search(table.head_of(column)) is not None


def _named(texts: Sequence[str], table: Table, heads: Sequence[str]) -> int | None:
    """The place of the only one of some heads that the first text with any names."""
    for text in texts:
        named = [head for head in table.heads(text) if head in heads]
        if named:
            return heads.index(named[0]) if len(named) == heads.count(named[0]) == 1 else None
    return None


def _is_of_no_row(texts: Sequence[str], table: Table) -> bool:
    """Whether the first text that numbers rows as a table does names one that it has not: 第13期 beside 第20期."""
    counters = {match[1] for row in table.rows if (match := _NUMBERED.fullmatch(row))}
    named = ([match[0] for match in _NUMBERED.finditer(text) if match[1] in counters] for text in texts)
    rows = next(filter(None, named), [])
    return bool(rows) and not any(row in table.rows for row in rows)


def _row(texts: Sequence[str], table: Table) -> int | None:
    """The row that the first text with any names; of several of one name the one whose other cells it names: M10."""
    if (row := _named(texts, table, table.rows)) is not None:
        return row
    for text in texts:
        named = table.heads(text).intersection(table.rows)
        alike = [at for at, label in enumerate(table.rows) if {label} == named]
        told = {at: table.parts_told(at, text) for at in alike}
        of_one = [at for at in alike if told[at] - set().union(*(told[other] for other in alike if other != at))]
        if alike:
            return of_one[0] if len(of_one) == 1 else None
    return None


def _is_another(number: Number, place: tuple[int, int], table: Table, claim: Claim) -> bool:
    """Whether a cell has a number of the same kind that the sentence does not tell, or a word instead of one."""
    row, column = place
    told, cell = table.numbers[row][column], table.cells[row][column]
    if not told:
        return len(cell) > 1 and cell not in claim.text.valued
    alike = [
        other for other in told if other.kind == number.kind and (other.unit in ("", number.unit) or not number.unit)
    ]
    return any(not any(one.agrees(other) for one in claim.text.numbers) for other in alike)
