"""Tables in text, whatever file they come from: rows are lines with cells separated by bars."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

CELL_BORDER = " | "
_BAR = "|"
_NUMBER = re.compile(r"[-+(（]?\d[\d,.]*[)）]?\s*[%％元次个万亿]?")
_YEAR = re.compile(r"(?:19|20)\d\d")
# What separates header and rows in Markdown. A lone dash in each cell may as well say that there is nothing in them,
# unless the sides are drawn.
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*(?:\||$))+|\s*(?::?--+|:-|-:):?\s*(?:\|\s*(?::?--+|:-|-:):?\s*)+\|?")
_FEWEST_ROWS = 3
# A caption in a table is a row of one cell. Two titles below it may be the first pair of what it names.
_FEWEST_BELOW_CAPTION = 3
# Characters of a cell that names a column.
_LONGEST_TITLE = 24
# A table of two columns is mostly names and what they stand for: `合同类型 | 固定单价合同` names no column. The first
# row does above numbers, or where it is very short and says what a column holds: of 116 such rows above no number, in
# real documents, 80 say that, and all are headers; of the others ten are.
_LONGEST_OF_TWO, _LOOKED_AT = 6, 8
_HOLDS = re.compile(
    "(?:名称|名字|姓名|题目|内容|事项|情形|规定|安排|要求|标准|规则|条件|说明|描述|解释|释义|定义|含义|意义|详情|情况|结果|"
    "原因|措施|类型|类别|分类|级别|等级|方式|方法|用途|作用|功能|编码|代码|编号|符号|单位|机构|数量|金额|比例|分值|评分|得分|时间|日期|"
    "期限|进度|事件|地点|地址|部门|人员|负责人|职责|索引|备注|示例|取值|数值|值|name|title|values?|description|meaning|type|"
    "units?|url|file|path|length|notes?|remarks?|content|example|default)$",
    re.IGNORECASE,
)
LONGEST_HEADER = 160
# A cell that reaches over several rows belongs to each of them; a long text is said once.
LONGEST_REPEATED = 40
MOST_COLUMNS = 63  # that a cell reaches over, as in Word


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table at `[start, end)`, and the header that names its columns: empty where nothing does."""

    start: int
    end: int
    header: str


def row_text(cells: Sequence[str]) -> str:
    """The line of a row. Empty cells at its end are left out, not those that keep others in their column."""
    line = CELL_BORDER.join(cell.replace(_BAR, "/") for cell in cells).rstrip(CELL_BORDER)
    return line if CELL_BORDER in line or line.startswith(_BAR) else f"{line} {_BAR}"


def joined(blocks: Sequence[str]) -> str:
    """The text of blocks, one a line. An empty line is kept where it parts two tables."""
    lines: list[str] = []
    for before, block in pairwise(["", *blocks]):
        if block and lines and not before and is_row(lines[-1]) and is_row(block):
            lines.append("")
        if block:
            lines.append(block)
    return "\n".join(lines)


def is_row(line: str) -> bool:
    """Whether a line is a row of a table."""
    return CELL_BORDER in line or line.startswith(_BAR) or line.endswith(f" {_BAR}")


def is_rule(line: str) -> bool:
    """Whether a row of a table is what Markdown draws between its header and the others."""
    return _RULE.fullmatch(line) is not None


def find_rows(text: str) -> list[Row]:
    """The rows of all tables of a text. A page break does not end a table."""
    rows: list[Row] = []
    for table in _tables(text):
        headers = _headers([text[start:end] for start, end in table])
        rows += [Row(start, end, header) for (start, end), header in zip(table, headers, strict=True)]
    return rows


def without_repeated_headers(pages: Sequence[str]) -> list[str]:
    """The texts of pages, without the header that they begin with where a table goes on from the page before."""
    headers = {row.end + 1: row.header for row in find_rows("\n".join(pages))}
    kept, start = [], 0
    for text in pages:
        header = headers.get(start, "")
        rest = text.removeprefix(f"{header}\n") if header else text
        kept.append(rest if is_row(rest.split("\n", 1)[0]) else text)
        start += len(text) + 1
    return kept


def cells_of(line: str) -> list[tuple[int, int]]:
    """The places `[start, end)` of a row's cells in its line."""
    start, cells = 0, []
    for part in line.split(_BAR):
        begins = start + len(part) - len(part.lstrip())
        cells.append((begins, begins + len(part.strip())))
        start += len(part) + 1
    # Markdown draws the sides of its tables, too.
    closed = len(cells) > 2 and all(begins == ends for begins, ends in (cells[0], cells[-1]))
    return cells[1:-1] if closed else cells


def first_cell(line: str) -> str:
    """The cell that a row begins with: mostly what it is about."""
    return _cells(line)[0]


def _tables(text: str) -> Iterator[list[tuple[int, int]]]:
    """Rows that follow each other. An empty line between them is a page without text, or parts two tables."""
    table: list[tuple[int, int]] = []
    columns = start = 0
    before = ""
    for line in text.split("\n"):
        end, cells = start + len(line), _cells(line) if is_row(line) else ()
        parted = cells and not before.strip() and (len(cells) != columns or are_titles(cells))
        if parted or (line.strip() and not cells):
            yield table
            table, columns = [], 0
        if cells:
            table.append((start, end))
            columns = max(columns, len(cells))
        start, before = end + 1, line
    yield table


def _headers(lines: Sequence[str]) -> list[str]:
    """The header that each row stands under, its caption included; each of its own lines stands under those before.

    A header that stands again, as on top of a page, is the one in force. One that is too long names nothing.
    """
    if len(lines) < _FEWEST_ROWS:
        return [""] * len(lines)
    if any(map(is_rule, lines)):
        return _headers_above_rules(lines)
    cells = [_cells(line) for line in lines]
    headers: list[str] = []
    last = -2  # where the last line of a header stands
    own: list[str] = []  # its lines
    current = ""  # and these as one text: it may be long, and stand above a million rows
    for index, (line, below) in enumerate(zip(lines, _filled_below(cells), strict=True)):
        if last == index - 1 and _is_next_line(cells[last], cells[index], below[0]):
            headers.append(current)
            own.append(line)
            current, last = "\n".join(own), index
        elif line in own and not _is_below_caption(cells, index):
            headers.append("\n".join(own[: own.index(line)]))
        elif _opens(cells, index, below, cells[last][0] if own else ""):
            last, own, current, captioned = index, [line], line, _is_below_caption(cells, index)
            headers.append(lines[index - 1] if captioned else "")
            if captioned:
                own, headers[-2] = [lines[index - 1], line], ""
                current = "\n".join(own)
        else:
            headers.append(current)
    return [header if len(header) <= LONGEST_HEADER else "" for header in headers]


def _headers_above_rules(lines: Sequence[str]) -> list[str]:
    """The header of each row in Markdown's tables, two of which may follow each other: the last row above a rule."""
    headers: list[str] = []
    current = ""
    for line, below in pairwise([*lines, ""]):
        if is_rule(below):
            current = line if _filled(_cells(line)) and len(line) <= LONGEST_HEADER else ""
        headers.append("" if is_rule(line) or is_rule(below) else current)
    return headers


def _filled_below(cells: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """For each row: how many cells of the next one are numbers, and how many are filled.

    A page break may have cut a header itself: what is left of it begins with an empty cell, and is passed over.
    """
    below: list[tuple[int, int]] = []
    following = (0, 0)
    for row in reversed(cells):
        below.append(following)
        if row[0]:
            following = numbers(row), len(_filled(row))
    return below[::-1]


def _opens(cells: Sequence[Sequence[str]], index: int, below: tuple[int, int], name: str) -> bool:
    """Whether a row is a header: titles at the top of a table or below a caption in it, or within it above numbers.

    Of two titles within a table the first has to be the `name` that its first column had until then.
    """
    if not are_titles(cells[index]):
        return False
    titles, (figures, filled) = len(_filled(cells[index])), below
    if _is_below_caption(cells, index) and titles >= _FEWEST_BELOW_CAPTION:
        following = cells[index + 1] if index + 1 < len(cells) else ()
        # The first row of a list of what is short for what has its 指 again below it; a column's title has not.
        at_top = index == 1 and not _share_a_cell(cells[index], following)
        return at_top or figures > 0 or _is_next_line(cells[index], following, 0)
    if len(cells[index]) == titles == 2:
        return _names_two(cells) if index == 0 else figures > 0 and cells[index][0] == name
    return index == 0 or (figures > 0 and figures >= filled - 1)


def _names_two(cells: Sequence[Sequence[str]]) -> bool:
    """Whether the titles at the top of a table name its two columns."""
    values = [row[1] for row in cells[1:_LOOKED_AT] if len(row) == 2 and row[1]]
    if numbers(values) > len(values) / 2:
        return True
    name, held = cells[0]
    return name == "序号" or (max(len(name), len(held)) <= _LONGEST_OF_TWO and _HOLDS.search(held) is not None)


def _is_below_caption(cells: Sequence[Sequence[str]], index: int) -> bool:
    return index > 0 and bool(cells[index - 1][0]) and len(_filled(cells[index - 1])) == 1


def _is_next_line(line: Sequence[str], row: Sequence[str], figures: int) -> bool:
    """Whether a header goes on, in more titles: with one that stands in both lines, or right above figures."""
    is_fuller = are_titles(row) and len(_filled(row)) > len(_filled(line))
    return is_fuller and (figures > 0 or _share_a_cell(line, row))


def _share_a_cell(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two rows have the same in a column."""
    return any(cell and cell == other for cell, other in zip(first, second, strict=False))


def _cells(line: str) -> list[str]:
    return [line[start:end] for start, end in cells_of(line)]


def _filled(cells: Sequence[str]) -> list[str]:
    return [cell for cell in cells if cell]


def are_titles(cells: Sequence[str]) -> bool:
    """Whether cells may name columns: several short ones without a number."""
    titles = _filled(cells)
    return len(titles) >= 2 and not numbers(titles) and all(len(cell) <= _LONGEST_TITLE for cell in titles)


def numbers(cells: Sequence[str]) -> int:
    """How many cells are numbers and no years."""
    return sum(_NUMBER.fullmatch(cell) is not None and not _YEAR.fullmatch(cell) for cell in cells)
