"""The lines of a passage: of tables in cells, figures with the unit that row, column or table tell: 单位：万元."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rag.citations.plain import HAN_PAIR
from rag.language.folding import HAN

# 万元, 千股, or 元 alone.
UNIT_OF_A_FIGURE = "[百千万亿]*(?:[美港欧日]?元|[股吨人户台辆件套头亩])"
FIGURE = re.compile(rf"[-+\u2212(（]?\d[\d,，]*(?:\.\d+)?(?:[%％]|{UNIT_OF_A_FIGURE}(?:/[{HAN}]{{1,2}})?)?[)）]?")
# 146 mmHg, 78次/分, <5.2, 3.9-6.1 and 3、6、13: a header has no measured value.
_MEASURED = re.compile(
    r"[<>≤≥≦≧]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[A-Za-zμµ℃°][^\s|]{0,7}|[^\s\d|]{1,3}/[^\s|]{1,4})|\d+\.\d+\s?[—–~-]+\s?\d+\.\d+|"
    r"\d+(?:\.\d+)?(?:、\d+(?:\.\d+)?)+"
)
# 9.5折, 2.80元/平方米·月 or IP55 stands in a row below a header. What a second header is told apart by is none: 2020年.
_TELLS_AN_AMOUNT = re.compile(rf"\d\s?(?![年月季期号日级届批班组楼栋])[{HAN}%℃]|^[A-Za-z]{{1,6}}-?\d+$")
# What stands below the header of a Markdown table.
_RULE = re.compile(r"[\s|:-]*-[\s|:-]*")
YEAR = re.compile(r"(?:19|20)\d\d")
_OF_A_TABLE = re.compile(rf"单位\s*(?:[:：]|均?[为是])\s*(?:人民币)?\s*(?P<unit>{UNIT_OF_A_FIGURE})")
# As the title of a table ends: 分渠道营业额（万元）.
_OF_A_TITLE = re.compile(rf"[(（]\s*(?P<unit>{UNIT_OF_A_FIGURE})\s*[)）]$")
_NOTE = re.compile(r"[(（]?(?:注|备注|说明|以上|上表|表中)")
_OF_A_CELL = re.compile(rf"(?:[(（]|人民币|[:：]|^)\s*(?P<unit>{UNIT_OF_A_FIGURE})(?:[/／][^()（）]*)?\s*[)）]?$")
# What is not told in the unit of its table: shares, and what each of something costs.
_OTHERWISE = re.compile(r"[%％‰/／每率]|单价|均价|比[例重]|占比|倍")
_SCALED = re.compile("[百千万亿]")
_LAST_DIGIT = re.compile(r"(?<=\d)(?=[)）]?$)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a passage, its cells where it is of a table, and whether it tells what the columns below it are."""

    text: str
    cells: tuple[str, ...]
    is_header: bool


def lines_of(text: str) -> tuple[Line, ...]:
    """The lines of a passage."""
    lines, has_above = list[Line](), False
    for line in text.splitlines():
        lines.append(_line(line, has_above))
        has_above = bool(lines[-1].cells)
    return tuple(lines)


def _line(text: str, has_above: bool) -> Line:
    """A line, below another one of its table or not."""
    cells = tuple(cell.strip() for cell in text.split("|")) if "|" in text else ()
    # A header has no figures but years.
    has_none = all(YEAR.fullmatch(cell) for cell in cells if FIGURE.fullmatch(cell) or _MEASURED.fullmatch(cell))
    goes_on = has_above and any(map(_TELLS_AN_AMOUNT.search, cells[1:]))
    return Line(text, cells, sum(map(bool, cells)) > 1 and has_none and not goes_on and not _RULE.fullmatch(text))


def with_units(lines: Iterable[Line]) -> Iterator[Line]:
    """The lines of a passage, their figures with their units behind them where these are thousands or more."""
    header: tuple[str, ...] = ()
    above, has_ended = "", False
    noted = _with_notes([*lines])
    for (line, below), following in zip_longest(noted, noted[1:]):
        is_title = following is not None and not line.cells and bool(following[0].cells)
        if not line.cells and below:
            above, has_ended = "", bool(header)
        elif named := _OF_A_TABLE.search(line.text) or (_OF_A_TITLE.search(line.text) if is_title else None):
            above, header, has_ended = named["unit"], line.cells if line.is_header else (), False
        elif not line.cells:
            has_ended = bool(header)
        elif line.is_header:
            # The next table has its own unit or none.
            above, header, has_ended = "" if has_ended else above, line.cells, False
        if line.cells and not line.is_header:
            cells = tuple(_figures(line.cells, header if len(header) == len(line.cells) else (), above or below))
            yield line if cells == line.cells else Line(" | ".join(cells), cells, is_header=False)
        else:
            yield line


def _with_notes(lines: Sequence[Line]) -> list[tuple[Line, str]]:
    """Each line of a table with the unit that a note right below it tells, as that note has it: 注：金额单位为万元."""
    noted: list[tuple[Line, str]] = []
    told = ""
    for place, line in reversed([*enumerate(lines)]):
        if not line.cells:
            is_below = place > 0 and lines[place - 1].cells and _NOTE.match(line.text)
            named = _OF_A_TABLE.search(line.text) if is_below else None
            told = named["unit"] if named else ""
        noted.append((line, told))
    return noted[::-1]


def _figures(row: Sequence[str], header: Sequence[str], above: str) -> Iterator[str]:
    place = next((at for at, cell in enumerate(row) if HAN_PAIR.search(cell)), 0)
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
