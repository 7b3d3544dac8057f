"""Figures of tables written with the unit that their row, their column or the whole table is told in: 单位：万元."""

import re
from collections.abc import Iterator, Sequence

from rag.citations.columns import FIGURE, UNIT_OF_A_FIGURE, is_header
from rag.language.folding import HAN

_OF_A_TABLE = re.compile(rf"单位\s*(?:[:：]|均?[为是])\s*(?:人民币)?\s*(?P<unit>{UNIT_OF_A_FIGURE})")
_OF_A_CELL = re.compile(rf"(?:[(（]|人民币|[:：]|^)\s*(?P<unit>{UNIT_OF_A_FIGURE})(?:[/／][^()（）]*)?\s*[)）]?$")
# What is not told in the unit of its table: shares, and what each of something costs.
_OTHERWISE = re.compile(r"[%％‰/／每率]|单价|均价|比[例重]|占比|倍")
_SCALED = re.compile("[百千万亿]")
_LABEL = re.compile(rf"[{HAN}]{{2}}")
_LAST_DIGIT = re.compile(r"(?<=\d)(?=[)）]?$)")


def with_units(text: str) -> str:
    """A passage whose tables' figures have their units behind them, where these are thousands or more."""
    return "\n".join(_lines(text)) if _SCALED.search(text) else text


def _lines(text: str) -> Iterator[str]:
    header: tuple[str, ...] = ()
    above, has_ended = "", False
    for line in text.split("\n"):
        row = tuple(cell.strip() for cell in line.split("|"))
        if named := _OF_A_TABLE.search(line):
            above, header, has_ended = named["unit"], row if is_header(row) else (), False
        elif len(row) == 1:
            has_ended = bool(header)
        elif is_header(row):
            # The next table has its own unit or none.
            above, header, has_ended = "" if has_ended else above, row, False
        is_of_figures = len(row) > 1 and row != header
        yield " | ".join(_figures(row, header if len(header) == len(row) else (), above)) if is_of_figures else line


def _figures(row: Sequence[str], header: Sequence[str], above: str) -> Iterator[str]:
    place = next((at for at, cell in enumerate(row) if _LABEL.search(cell)), 0)
    for at, cell in enumerate(row):
        unit = _unit(row[place], header[at] if header else "", above)
        is_scaled = at > place and _SCALED.search(unit) and FIGURE.fullmatch(cell)
        yield _LAST_DIGIT.sub(unit, cell) if is_scaled else cell


def _unit(label: str, column: str, above: str) -> str:
    """What a figure is told in: as its row says, or its column, or the line above the table."""
    for cell in (label, column):
        if named := _OF_A_CELL.search(cell):
            return named["unit"]
    return "" if _OTHERWISE.search(label + column) else above
