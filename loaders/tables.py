"""Tables: what stands in the cells of a grid becomes one line of text for each row."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate, combinations, pairwise
from statistics import median
from typing import NamedTuple

from loaders.cleaning import clean_line
from loaders.glue import glue
from loaders.lines import LABELLED, STARTS_BLOCK, TextLine, to_rows
from loaders.rows import LONGEST_REPEATED, row_text
from loaders.ruling import Grid

# With this many characters, and this share of the grid's, a cell is rather a framed page.
_FRAMED_TEXT = 400
_FRAMED_SHARE = 0.8
_FEWEST_CELLS = 3
# Headers and footers come anywhere in a file; more lines than this show that a table was drawn out of order.
_STRAY_LINES = 3
# Without rules between rows: columns with this many lines beside each other, none of them broken for want of room.
_FEWEST_LINES = 3
_LEVEL = 0.3  # em: lines of one row are set at one height
_FULL = 3.0  # em: a line that was broken leaves less of its cell, its padding and an unfinished word included
_LONGEST_BROKEN = 6  # characters of a title that is set in lines
_NUMBER_GOES_ON = re.compile(r"[\d,]*[.,]\d+|[\d,]+[.,]")
_DIGITS = re.compile(r"[\d.,%]+")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


class Cell(NamedTuple):
    """A cell: the number of its grid, and the first row and column that it takes there."""

    grid: int
    row: int
    column: int


def tables_among(grids: Sequence[Grid], cells: Iterable[Cell | None]) -> set[int]:
    """Which grids are tables, from the cell of each character: those with text in several cells that are no frames."""
    characters: dict[int, dict[Cell, int]] = defaultdict(lambda: defaultdict(int))
    for cell in cells:
        if cell is not None:
            characters[cell.grid][cell] += 1
    return {number for number, counts in characters.items() if _is_table(counts, grids[number])}


def _is_table(counts: Mapping[Cell, int], grid: Grid) -> bool:
    columns = {cell.column for cell in counts}
    framed = sum(count for count in counts.values() if count > _FRAMED_TEXT)
    enough = len(counts) >= min(_FEWEST_CELLS, grid.row_count * grid.column_count)
    return enough and len(columns) >= 2 and framed < _FRAMED_SHARE * sum(counts.values())


def with_table_rows(pieces: Sequence[tuple[Cell | None, TextLine]], grids: Sequence[Grid]) -> list[TextLine]:
    """The pieces in order, those of each table as its rows, between what stands above and what stands below."""
    texts: dict[Cell, list[TextLine]] = defaultdict(list)
    lines: list[TextLine] = []
    places: dict[int, int] = {}
    for cell, piece in pieces:
        if cell is None:
            lines.append(piece)
        else:
            texts[cell].append(piece)
            places.setdefault(cell.grid, len(lines))
    found = [(_place(lines, place, grids[number]), number) for number, place in places.items()]
    for place, number in sorted(found, key=lambda table: (table[0], -grids[table[1]].rows[-1]), reverse=True):
        lines[place:place] = _rows(number, grids[number], texts)
    return lines


def _place(lines: Sequence[TextLine], place: int, grid: Grid) -> int:
    """Where a table stands among lines: where the file has it, unless many lines there belong on its other side."""
    bottom, top = grid.rows[0], grid.rows[-1]
    below = [line.bottom < bottom and _beside(line, grid) for line in lines]
    above = [line.top > top and _beside(line, grid) for line in lines]
    if sum(below[:place]) + sum(above[place:]) <= _STRAY_LINES:
        return place
    steps = (is_below - is_above for is_below, is_above in zip(below, above, strict=True))
    misplaced = list(accumulate(steps, initial=sum(above)))
    return misplaced.index(min(misplaced))


def _beside(line: TextLine, grid: Grid) -> bool:
    return line.left < grid.columns[-1] and line.right > grid.columns[0]


def _rows(number: int, grid: Grid, texts: Mapping[Cell, list[TextLine]]) -> Iterable[TextLine]:
    size = median(piece.size for cell, pieces in texts.items() if cell.grid == number for piece in pieces)
    left, right = grid.columns[0], grid.columns[-1]
    for row in range(grid.row_count):
        cells = [Cell(number, *cell) for cell in grid.cells[row]]
        if not any(cell.row == row and cell in texts for cell in cells):
            continue
        top, bottom = grid.rows[grid.row_count - row], grid.rows[grid.row_count - row - 1]
        heights = _heights(row, cells, texts, grid)
        edges = [top, *(height + size / 2 for height in heights[1:]), bottom]
        for part, (upper, lower) in zip(_parted(heights, cells, texts), pairwise(edges), strict=True):
            text = row_text(list(_row_texts(row, cells, part, grid)))
            yield TextLine(text, left, right, lower, upper, size, verbatim=True)


def _parted(
    heights: Sequence[float], cells: Iterable[Cell], texts: Mapping[Cell, list[TextLine]]
) -> list[Mapping[Cell, list[TextLine]]]:
    """The pieces in a row of the grid, parted to the rows at these heights; what a cell wraps to stands below."""
    if not heights:
        return [texts]
    parts: list[Mapping[Cell, list[TextLine]]] = [defaultdict(list) for _ in heights]
    for cell in dict.fromkeys(cells):
        for piece in texts.get(cell, ()):
            begun = sum(height >= piece.middle - _LEVEL * piece.size for height in heights)
            parts[max(0, begun - 1)][cell].append(piece)
    return parts


def _heights(row: int, cells: Sequence[Cell], texts: Mapping[Cell, list[TextLine]], grid: Grid) -> list[float]:
    """The heights of the rows that two columns show by as many lines beside each other; none where they do not.

    Each row has a label: beside a first cell of fewer lines they are lists, or a header that is broken to lines.
    """
    below = {Cell(cell.grid, *other) for cell in cells[:1] for other in (grid.cells[row + 1 :] or [[]])[0]}
    own = {cell: to_rows(texts[cell]) for cell in cells if cell.row == row and cell not in below and cell in texts}
    labels = len(next(iter(own.values()), ()))
    columns = [
        lines
        for cell, lines in own.items()
        if _FEWEST_LINES <= len(lines) <= labels and cells.count(cell) == 1
        if not _is_wrapped(lines, grid.columns[cell.column + 1] - grid.columns[cell.column])
    ]
    pairs = [(first, second) for first, second in combinations(columns, 2) if _are_level(first, second)]
    return [line.middle for line in max(pairs, key=lambda pair: len(pair[0]))[0]] if pairs else []


def _is_wrapped(lines: Sequence[TextLine], width: float) -> bool:
    return 2 * sum(width - (line.right - line.left) < _FULL * line.size for line in lines) > len(lines)


def _are_level(first: Sequence[TextLine], second: Sequence[TextLine]) -> bool:
    return len(first) == len(second) and all(
        abs(one.middle - other.middle) <= _LEVEL * one.size for one, other in zip(first, second, strict=True)
    )


def _row_texts(row: int, cells: Sequence[Cell], texts: Mapping[Cell, list[TextLine]], grid: Grid) -> Iterable[str]:
    """The text of each column; a cell over several columns stands in its first."""
    for column, cell in enumerate(cells):
        edge = grid.columns[column + cells[column:].count(cell)]
        text = _cell_text(texts.get(cell, ()), edge) if cell.column == column else ""
        yield text if cell.row == row or len(text) <= LONGEST_REPEATED else ""


def _cell_text(pieces: Sequence[TextLine], edge: float) -> str:
    """The lines of a cell as one; `edge` is where it ends on the right."""
    text = ""
    before: TextLine | None = None
    for line in to_rows(pieces):
        following = clean_line(line.text)
        if before is not None and text and following:
            room = (edge - before.right) / line.size
            apart = _is_apart(before, line, room) or (room >= 1 and _begins_entry(text, following))
            text += "" if _cuts_number(text, following, room) else " " if apart else glue(text, following)
        text += following
        before = line
    return text


def _cuts_number(text: str, following: str, room: float) -> bool:
    """Whether two lines of a cell have one number: the first is full, or ends where no number does."""
    begun = text.rsplit(" ", 1)[-1]
    if not _NUMBER_GOES_ON.fullmatch(begun) or not _DIGITS.fullmatch(following):
        return False
    groups = _GROUPED.fullmatch(begun + following) and not _GROUPED.fullmatch(begun)
    return room < 1 or begun.endswith((",", ".")) or bool(groups)


def _is_apart(before: TextLine, line: TextLine, room: float) -> bool:
    """Whether there was room for a word, in em, behind the line before: it ends there. Titles are broken anywhere."""
    return room >= _FULL and max(len(before.text), len(line.text)) > _LONGEST_BROKEN


def _begins_entry(text: str, following: str) -> bool:
    """Whether a line of a cell is an item of a list, or has a label as the one above has."""
    return bool(STARTS_BLOCK.match(following) or (LABELLED.match(text) and LABELLED.match(following)))
