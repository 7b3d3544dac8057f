"""Lines that somebody typed, placed as a terminal would set them."""

from loaders.cleaning import clean_typed, has_columns, normalise
from loaders.lines import TextLine
from loaders.rows import is_row


def typed_line(row: str, index: int) -> TextLine | None:
    """A row of a text as a line; None for an empty one."""
    clean = clean_typed(row)
    verbatim = is_row(clean) or has_columns(row)
    return placed(clean if verbatim else row.rstrip(), index, verbatim) if clean else None


def placed(row: str, index: int, verbatim: bool) -> TextLine:
    """A line as a terminal would set it: a Chinese character is one em wide, a Latin one half."""
    text = row.lstrip()
    left = _width(row[: len(row) - len(text)])
    right = left + _width(text)
    return TextLine(normalise(row) if verbatim else text, left, right, -2.0 * index - 1, -2.0 * index, 1.0, verbatim)


def _width(text: str) -> float:
    return len(text) - 0.5 * sum(map(str.isascii, text))
