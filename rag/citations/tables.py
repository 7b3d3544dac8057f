"""The tables of a passage: each figure with what its column and its row are called, and those it may be taken for."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import groupby, pairwise, takewhile

from rag.citations.plain import HAN_PAIR, Plain, plain
from rag.language.folding import HAN
from rag.language.numbers import Number

# 万元, 千股, or 元 alone.
UNIT_OF_A_FIGURE = "[百千万亿]*(?:[美港欧日]?元|[股吨人户台辆件套头亩])"
FIGURE = re.compile(rf"[-+\u2212(（]?\d[\d,，]*(?:\.\d+)?(?:[%％]|{UNIT_OF_A_FIGURE}(?:/[{HAN}]{{1,2}})?)?[)）]?")
# 146 mmHg, 78次/分, <5.2 and 3.9-6.1: a header has no measured value.
_MEASURED = re.compile(
    r"[<>≤≥≦≧]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[A-Za-zμµ℃°][^\s|]{0,7}|[^\s\d|]{1,3}/[^\s|]{1,4})|\d+\.\d+\s?[—–~-]+\s?\d+\.\d+"
)
# 9.5折, 2.80元/平方米·月 or IP55 stands in a row below a header. What a second header is told apart by is none: 2020年.
_TELLS_AN_AMOUNT = re.compile(rf"\d\s?(?![年月季期号日级届批班组楼栋])[{HAN}%℃]|^[A-Za-z]{{1,6}}-?\d+$")
# A shorter label stands in many a sentence: 年, 人.
SHORTEST_LABEL = 2
# What stands below the header of a Markdown table.
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
YEAR = re.compile(r"(?:19|20)\d\d")
# What a row or column of what the others come to is called.
SUM = re.compile(r"[合总小共]\s?计|平均|总[数额]|全[年部体]")
# The first cell of the first, second, third line; below such a header it tells which: 期数 | 还款日.
_NUMBERING = re.compile(r"[(（]?\d{0,3}[)）.、]?")
_COUNTED_BY = re.compile("(期)[数次别号]?|([周批轮届课节])[次别号]")
# What tells columns of one kind apart: 2019年 and 2020年, 一季度 and 2季度, 期初 and 期末, 本期 and 上期.
_APART = re.compile(r"\d+|一(?=[季期等楼])|(?<=[期年月])[初末]|[本上去](?=[期年月季])")
# 货号, 工号 and 学号 number what stands beside them; what 错误码 or 代码 have says which it is.
_NUMBERS = re.compile("(?:编|货|工|学|序|单|证|批|型)号$|^ID$", re.IGNORECASE)
_CODE = re.compile(r"[A-Za-z]{0,5}[-_]?\d[\d-]*")
# What stands before a label and is none of it: 其中：, 减：, 一、, (二), 1.
_LEAD = re.compile(r"^(?:(?:其中|[减加]):|\(?[一二三四五六七八九十\d]{1,3}[)、.])+")
_ASIDE = re.compile(r"\(([^()]*)\)")
_UNIT_OR_NOTE = re.compile(r"[%元/号注]")
_Numbers = Mapping[int, tuple[Number, ...]]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a passage, its cells where it is of a table, and whether it tells what the columns below it are."""

    text: str
    cells: tuple[str, ...]
    is_header: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A row's label, its figures by their columns, and whether the label is numbered or led otherwise."""

    label: str
    numbers: Mapping[int, Number]
    is_led: bool = False


@dataclass(frozen=True)
class Table:
    """Lines of cells below a header, or without any. What they tell is read when it is first asked for."""

    header: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """What its header calls its columns, without what stands in brackets."""
        return tuple(_ASIDE.sub("", plain(cell).valued) for cell in self.header)

    @cached_property
    def rivals(self) -> tuple[tuple[str, ...], ...]:
        """For each column the others of its kind."""
        kinds = [_APART.sub("#", column) for column in self.columns]
        return tuple(
            tuple(other for other, its in zip(self.columns, kinds, strict=True) if its == kind and other != column)
            for column, kind in zip(self.columns, kinds, strict=True)
        )

    def places(self, number: Number) -> Iterator[tuple[int, int]]:
        """Where a number stands in it, by line and column."""
        for row, figures in enumerate(self.figures):
            yield from ((row, at) for at, told in figures.items() for other in told if number.agrees(other))

    @cached_property
    def label_column(self) -> int:
        """Where its lines are told what they are of: behind what only numbers them, all but their sum."""
        if self._counter:
            return 0
        numbered = [line for line in self.lines if not SUM.match(line[0])] or self.lines
        numbering = takewhile(lambda cells: all(map(_NUMBERING.fullmatch, cells)), zip(*numbered, strict=False))
        column = sum(1 for _ in numbering)
        return column if column < min(map(len, self.lines)) else 0

    @cached_property
    def labels(self) -> tuple[Plain, ...]:
        """What each of its lines is of."""
        labels = (line[self.label_column] for line in self.lines)
        counter = self._counter
        return tuple(plain(f"第{label}{counter}" if counter and label.isdecimal() else label) for label in labels)

    @property
    def told(self) -> Iterator[tuple[str, ...]]:
        """What each of its lines tells of that: its cells behind the label."""
        return (line[self.label_column + 1 :] for line in self.lines)

    @cached_property
    def _counter(self) -> str:
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
    def rows(self) -> tuple[Row, ...]:
        """Its rows by their labels."""
        return tuple(_row(line, numbers) for line, numbers in zip(self.lines, self.figures, strict=True))

    @cached_property
    def figures(self) -> tuple[_Numbers, ...]:
        """Of each line the numbers of its figures, by their columns.

        Read as within the table: of a lone -5 nobody knows whether its dash is a minus.
        """
        return tuple(
            {at: plain(f"|{cell}|").numbers for at, cell in enumerate(line) if FIGURE.fullmatch(cell)}
            for line in self.lines
        )


def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of a passage."""
    lines, has_above = list[Line](), False
    for line in text.splitlines():
        lines.append(_line(line, has_above))
        has_above = bool(lines[-1].cells)
    return tuple(lines)


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


def _line(text: str, has_above: bool) -> Line:
    """A line, below another one of its table or not."""
    cells = tuple(cell.strip() for cell in text.split("|")) if "|" in text else ()
    # A header has no figures but years.
    has_none = all(YEAR.fullmatch(cell) for cell in cells if FIGURE.fullmatch(cell) or _MEASURED.fullmatch(cell))
    goes_on = has_above and any(map(_TELLS_AN_AMOUNT.search, cells[1:]))
    return Line(text, cells, sum(map(bool, cells)) > 1 and has_none and not goes_on and not _RULE.fullmatch(text))


def _row(line: Sequence[str], numbers: _Numbers) -> Row:
    """A row's label, and the figures between it and what is told in words."""
    texts = [at for at, cell in enumerate(line) if HAN_PAIR.search(cell) and at not in numbers]
    if not texts:
        return Row("", {})
    start, end = [*texts, len(line)][:2]
    found = {at: figure[0] for at, figure in numbers.items() if start < at < end and figure}
    told = plain(line[start]).valued
    return Row(_label(told), found, bool(_LEAD.match(told)))


def _label(told: str) -> str:
    """A label without what leads it and without its unit; what qualifies it behind it, (调整前), comes first."""
    told = _LEAD.sub("", told)
    asides = [aside for aside in _ASIDE.findall(told) if not _UNIT_OR_NOTE.search(aside)]
    return "".join((*asides, _ASIDE.sub("", told)))
