"""The tables of a passage: what heads their rows and columns, which of these a text names, and what stands where."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache, reduce
from itertools import groupby, pairwise, takewhile

from rag.citations.plain import HAN_PAIR, Plain, plain
from rag.citations.table_lines import FIGURE, Line
from rag.language.folding import HAN
from rag.language.numbers import Number

# A shorter label stands in many a sentence: 年, 人.
SHORTEST_LABEL = 2
# What a row or column of what the others come to is called.
SUM = re.compile(r"[合总小共]\s?计|平均|总[数额]|全[年部体]")
# The first cell of the first, second, third line; below such a header it tells which: 期数 | 还款日.
_NUMBERING = re.compile(r"[(（]?\d{0,3}[)）.、]?")
_COUNTED_BY = re.compile("(期)[数次别号]?|([周批轮届课节])[次别号]")
# 货号, 工号 and 学号 number what stands beside them; what 错误码 or 代码 have says which it is.
_NUMBERS = re.compile("(?:编|货|工|学|序|单|证|批|型)号$|^ID$", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z]{0,5}[-_]?\d[\d-]*")
# Each of these may name a row and a column of its own.
PIECE = re.compile(r"[^,;。!?\n|]+")
_PART_OF_A_CELL = re.compile(r"[^、,;/()\s]+")
_PART_OF_A_SIZE = re.compile(r"[^×*、,;/()\s]+")
_A_WORD = re.compile(r".[^\W\d_]|[^\W\d_].")
# What stands before a label and is none of it: 其中：, 减：, 一、, (二), 1.
LEAD = re.compile(r"^(?:(?:其中|[减加]):|\(?[一二三四五六七八九十\d]{1,3}[)、.](?!\d))+")
_ASIDE = re.compile(r"\([^()]*\)$")
# A label in Chinese, or a code: E5, 40903.
_TELLS = re.compile(rf"[{HAN}]|^(?:[a-z]+\d+|[a-z\d_.-]{{3,}})$")
# By its code alone a model is named as well, XR-300 of 型号XR-300, and a grade: P9 of P9及以上, each of P5-P8.
_CODE_IN_A_HEAD = re.compile(rf"(?<=[{HAN}])[a-z]+-?\d+[a-z\d-]*$|^[a-z]+\d+(?=及?以[上下]$)")
_GRADES = re.compile(r"(?P<of>[a-z]+)(?P<first>\d{1,2})[-~\u2013\u2014至到](?P=of)?(?P<last>\d{1,2})")


@dataclass(frozen=True)
class Table:
    """Lines of cells below a header, or without any. What they tell is read when it is first asked for."""

    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What its header calls its columns, without what stands in brackets."""
        return tuple(_head(plain(cell)) for cell in self.header)

    def head_of(self, at: int) -> str:
        """What heads a column; "" beyond its header."""
        return self.columns[at] if at < len(self.columns) else ""

    def places(self, number: Number) -> Iterator[tuple[int, int]]:
        """Where a number stands in it, by line and column."""
        for row, line in enumerate(self.numbers):
            yield from ((row, at) for at, told in enumerate(line) for other in told if number.agrees(other))

    @cached_property
    def label_column(self) -> int:
        """Where its lines are told what they are of: behind what only numbers them, all but their sum."""
        if self.counter:
            return 0
        numbered = [line for line in self.lines if not SUM.match(line[0])] or self.lines
        numbering = takewhile(lambda cells: all(map(_NUMBERING.fullmatch, cells)), zip(*numbered, strict=False))
        column = sum(1 for _ in numbering)
        return column if column < min(map(len, self.lines)) else 0

    @cached_property
    def labels(self) -> tuple[Plain, ...]:
        """What each of its lines is of."""
        labels = (line[self.label_column] or line[0] for line in self.lines)
        counter = self.counter
        return tuple(plain(f"第{label}{counter}" if counter and label.isdecimal() else label) for label in labels)

    @property
    def told(self) -> Iterator[tuple[str, ...]]:
        """What each of its lines tells of that: its cells behind the label."""
        return (line[self.label_column + 1 :] for line in self.lines)

    @cached_property
    def counter(self) -> str:
        """What its first column counts, 期 or 周, so that its lines are the first, the second; "" for anything else."""
        match = _COUNTED_BY.fullmatch(self.columns[0]) if self.columns else None
        return match[match.lastindex or 0] if match else ""

    def by_names(self, said: str) -> "Table | None":
        """The table without a first column of codes, none of which is said, that number what the second names."""
        numbers = bool(self.header) and _NUMBERS.search(self.header[0]) is not None
        if not numbers or not all(len(line) > 1 and HAN_PAIR.match(line[1]) for line in self.lines):
            return None
        codes = [line[0] for line in self.lines]
        if not all(map(_CODE.fullmatch, codes)) or any(code.lower() in said for code in codes):
            return None
        return Table(self.header[1:], tuple(line[1:] for line in self.lines))

    @cached_property
    def repeated(self) -> Mapping[str, Decimal]:
        """How many of its cells have a word, where several do."""
        cells = Counter(cell for line in self.lines for cell in line if HAN_PAIR.match(cell))
        return {plain(cell).valued: Decimal(count) for cell, count in cells.items() if count > 1}

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """What heads its lines: their labels as they are compared, without what numbers them or stands in brackets."""
        return tuple(LEAD.sub("", _head(label)) for label in self.labels)

    @cached_property
    def cells(self) -> tuple[tuple[str, ...], ...]:
        """Its lines as they are compared."""
        return tuple(tuple(plain(cell).valued for cell in line) for line in self.lines)

    @cached_property
    def numbers(self) -> tuple[tuple[tuple[Number, ...], ...], ...]:
        """The numbers of its cells, read as within the table: of a lone -5 nobody knows if its dash is a minus."""
        return tuple(tuple(plain(f"|{cell}|").numbers for cell in line) for line in self.lines)

    @cached_property
    def figures(self) -> tuple[Mapping[int, tuple[Number, ...]], ...]:
        """Of each line the numbers of the cells that have no more than a figure, by their columns."""
        return tuple(
            {at: told for at, (cell, told) in enumerate(zip(line, numbers, strict=True)) if FIGURE.fullmatch(cell)}
            for line, numbers in zip(self.lines, self.numbers, strict=True)
        )

    @cached_property
    def words(self) -> frozenset[str]:
        """What its cells say, part by part, that heads no row or column."""
        told = (cell for line in self.cells for cell in line if not FIGURE.fullmatch(cell))
        parts = {part for cell in told for part in _PART_OF_A_CELL.findall(cell)}
        return frozenset(part for part in parts - {*self.rows, *self.columns} if HAN_PAIR.match(part))

    def heads(self, text: str) -> frozenset[str]:
        """Its rows and columns that a text names; of those within each other the longest."""
        named = {head for head in {*self.rows, *self.columns} if _stands_in(head, text)}
        return frozenset(head for head in named if not any(head in other for other in named - {head}))

    def parts_told(self, row: int, text: str) -> frozenset[str]:
        """What a row's cells say, part by part, that a text has as well: M10 of M10×100."""
        parts = (part for cell in self.cells[row] for part in _PART_OF_A_SIZE.findall(cell))
        return frozenset(part for part in parts if _A_WORD.search(part) and is_apart(part, text))

    def places_of_word(self, word: str, heads: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Where a word stands in the rows and columns that are named; in any where none is, or no column of a kind."""
        has_rows = not heads.isdisjoint(self.rows)
        for row, line in enumerate(self.cells):
            for at, cell in enumerate(line) if not has_rows or self.rows[row] in heads else ():
                head = self.columns[at] if len(line) == len(self.columns) else ""
                if word in cell and (head in heads or not any(are_alike(head, named) for named in heads)):
                    yield row, at


def tables_of(lines: Sequence[Line]) -> tuple[Table, ...]:
    """The tables of a passage: one ends where a line has no cells, or is a header.

    Where all lines of one look like headers, 7-14天 | 团费的20%, the first is.
    """
    found = list[Table]()
    for has_cells, block in groupby(lines, key=lambda line: bool(line.cells)):
        rows = [*block] if has_cells else []
        if len(rows) > 1 and all(line.is_header for line in rows):
            found.append(Table(rows[0].cells, tuple(line.cells for line in rows[1:])))
        else:
            found += _tables_between_headers(rows)
    return tuple(found)


def _tables_between_headers(lines: Sequence[Line]) -> Iterator[Table]:
    starts = sorted({0, *(at for at, line in enumerate(lines) if line.is_header), len(lines)})
    for start, end in pairwise(starts):
        header = lines[start].cells if lines[start].is_header else ()
        rows = tuple(line.cells for line in lines[start + bool(header) : end])
        if rows:
            yield Table(header, rows)


def _head(cell: Plain) -> str:
    """What a cell says that heads a row or column; a unit in brackets is no part of it."""
    return _ASIDE.sub("", cell.valued).strip()


def without(heads: Iterable[str], text: str) -> str:
    """What a text says beside some heads that it names."""
    return reduce(lambda rest, head: rest.replace(head, ""), sorted(heads, key=len, reverse=True), text)


def _stands_in(head: str, text: str) -> bool:
    """Whether a text has what heads a row or column, and no other number or Latin word that it is a part of."""
    return any(is_apart(name, text) for name in _names_of(head))


# Each piece of a sentence asks for those of all rows and columns.
@lru_cache(maxsize=2048)
def _names_of(head: str) -> tuple[str, ...]:
    """By what a text names a row or column."""
    names = [head, *(code[0] for code in [_CODE_IN_A_HEAD.search(head)] if code)]
    if grades := _GRADES.fullmatch(head):
        names += [f"{grades['of']}{grade}" for grade in range(int(grades["first"]), int(grades["last"]) + 1)]
    return tuple(name for name in names if len(name) >= SHORTEST_LABEL and _TELLS.search(name))


def is_apart(name: str, text: str) -> bool:
    """Whether a text has a name, and no other number or Latin word that it is a part of."""
    if name not in text:
        return False
    return re.search(rf"(?<![a-z\d](?=[a-z\d])){re.escape(name)}(?!(?<=[a-z\d])[a-z\d])", text) is not None


def are_alike(head: str, other: str) -> bool:
    """Whether two heads are of one kind: 周一 and 周五, 早班 and 晚班, 9月 and 10月."""
    ours, theirs = re.sub(r"\d+", "#", head), re.sub(r"\d+", "#", other)
    apart = sum(a != b for a, b in zip(ours, theirs, strict=False))
    return head != other and len(head) >= SHORTEST_LABEL and len(ours) == len(theirs) and apart <= 1
