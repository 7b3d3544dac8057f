"""Two columns of text: found by the gutter between them, and read one after the other. Pure functions."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile
from statistics import median

from loaders.lines import TextLine

# Where the right column can begin, as a share of the width that the text takes.
_EARLIEST, _LATEST = 0.3, 0.7
_CANDIDATES = 3
_FULL = 0.75  # of its column's width: prose fills this much, cells of a table do not
_FEWEST_FULL_LINES = 5
_NARROWEST_GUTTER = 0.4  # em
_NARROWEST_COLUMN = 9.0  # em
_MOST_CHANGES = 0.2  # of full lines: what is written row by row changes its side with nearly each
_TITLE = 1.2  # times the usual size
_SAME_ROW = 0.5  # of the lower one's height
_APART = 2.2  # em, from line to line


def in_reading_order(lines: Sequence[TextLine]) -> list[TextLine]:
    """The lines of a page, its title first, two columns one after the other; what reaches over both stays between them.

    Within a column the file's own order stays, and everywhere on pages of one column and where it has them in turn:
    of a table over both columns, it knows the rows.
    """
    lines = _with_title_first(lines)
    gutter = _gutter(lines)
    if gutter is None or _is_ordered(lines, gutter):
        return list(lines)
    apart = _head_and_foot(lines)
    across = [line.left < gutter < line.right or line in apart for line in lines]
    heights = [line.middle for line, is_across in zip(lines, across, strict=True) if is_across]

    def place(index: int) -> tuple[int, int]:
        line = lines[index]
        above = sum(height > line.top for height in heights)
        return above, 2 if across[index] else int(line.left >= gutter)

    return [lines[index] for index in sorted(range(len(lines)), key=place)]


def _with_title_first(lines: Sequence[TextLine]) -> Sequence[TextLine]:
    """The lines, those of a title above all others before them: a slide may be drawn from its foot upwards."""
    if not lines:
        return lines
    begun = max(range(len(lines)), key=lambda index: lines[index].top)
    usual = median(line.size for line in lines)
    title = list(takewhile(lambda line: line.size >= _TITLE * usual and not line.verbatim, lines[begun:]))
    while title:
        end = begun + len(title)
        below = [*lines[:begun], *lines[end:]]
        if all(min(line.bottom for line in title) > other.middle for other in below):
            return [*title, *below]
        title.pop()
    return lines


def _is_ordered(lines: Sequence[TextLine], gutter: float) -> bool:
    """Whether the file has the columns one after the other: few of their full lines follow one of the other side."""
    prose = [line for line in lines if not line.verbatim]
    size = median(line.size for line in prose)
    left = set(_full_lines([line for line in prose if line.right <= gutter], size))
    right = set(_full_lines([line for line in prose if line.left >= gutter], size))
    sides = [line in right for line in prose if line in left or line in right]
    changes = sum(before != after for before, after in pairwise(sides))
    return not any(sides[:1]) and changes <= _MOST_CHANGES * len(sides)


def row_order(lines: Sequence[TextLine]) -> list[int]:
    """The indices of lines row by row from the top, each row from left to right."""
    rows: list[list[int]] = []
    for index in sorted(range(len(lines)), key=lambda index: -lines[index].middle):
        if rows and _in_one_row(lines[rows[-1][0]], lines[index]):
            rows[-1].append(index)
        else:
            rows.append([index])
    return [index for row in rows for index in sorted(row, key=lambda index: lines[index].left)]


def _in_one_row(first: TextLine, second: TextLine) -> bool:
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    return overlap >= _SAME_ROW * min(first.top - first.bottom, second.top - second.bottom)


def _head_and_foot(lines: Sequence[TextLine]) -> list[TextLine]:
    """What stands apart at the top and at the foot of the page: it belongs to neither column."""
    ordered = sorted(lines, key=lambda line: line.middle)
    apart: list[TextLine] = []
    for edge in (ordered, ordered[::-1]):
        row = [line for line in edge if abs(line.middle - edge[0].middle) <= edge[0].size / 2]
        gap = min((abs(line.middle - edge[0].middle) for line in edge[len(row) :]), default=0.0)
        if gap >= _APART * edge[0].size:
            apart.extend(row)
    return apart


def _gutter(lines: Sequence[TextLine]) -> float | None:
    """Where two columns of prose are parted: just before the right one's lines begin."""
    prose = [line for line in lines if not line.verbatim]
    if len(prose) < 2 * _FEWEST_FULL_LINES:
        return None
    size = median(line.size for line in prose)
    left, right = min(line.left for line in prose), max(line.right for line in prose)
    starts = Counter(
        round(line.left) for line in prose if _EARLIEST <= (line.left - left) / max(right - left, 1.0) <= _LATEST
    )
    for start, _ in starts.most_common(_CANDIDATES):
        gutter = start - _NARROWEST_GUTTER * size / 2
        if _parts_prose(prose, gutter, size):
            return gutter
    return None


def _parts_prose(lines: Sequence[TextLine], gutter: float, size: float) -> bool:
    """Whether there are enough full lines on both sides, at the same height."""
    sides = [line for line in lines if line.right <= gutter], [line for line in lines if line.left >= gutter]
    full = [_full_lines(side, size) for side in sides]
    if min(map(len, full)) < _FEWEST_FULL_LINES:
        return False
    top = min(max(line.top for line in side) for side in full)
    bottom = max(min(line.bottom for line in side) for side in full)
    return all(sum(bottom <= line.middle <= top for line in side) >= _FEWEST_FULL_LINES - 1 for side in full)


def _full_lines(side: Sequence[TextLine], size: float) -> list[TextLine]:
    if not side:
        return []
    width = max(line.right for line in side) - min(line.left for line in side)
    if width < _NARROWEST_COLUMN * size:
        return []
    return [line for line in side if line.right - line.left >= _FULL * width]
