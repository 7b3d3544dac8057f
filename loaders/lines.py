"""Lines with their place on a page, and their joining into paragraphs."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median, mode

from loaders.cleaning import CJK, clean_line, close_gaps, ends_sentence
from loaders.headings import bare, is_contents_entry, is_numbered_heading
from loaders.rows import is_row

CELL_GAP = 0.9  # em: the gap between two cells is wider than any blank between words
_WORD_GAP = 0.3  # em
_NOTE_SIZE = 0.93  # of the text's size: notes in the margin are set smaller
_STRAY_LINES = 2  # long lines of the text's size that reach into the margin; more are text, as of a second column
_NEIGHBOURS = 4
_INDENT = 4.5  # em: a first line is indented by two characters, an item of a list by up to four
_RAGGED = 1.6  # em: punctuation may not begin a line, so a full line may end this much early
_SHORTEST_COLUMN = 6.0  # em
_EVEN = 0.5  # em: lines that reach the edge of a column end this near to each other
_LONG_LINE, _LONG_CENTRED = 18.0, 14.0  # em: items of a list are shorter, and lines of a title page
_WORDS_OF_PROSE = 5  # a shorter line without a Chinese character may be code
_WIDEST_PITCH = 2.8  # line heights

_STARTS_BLOCK = re.compile(
    r"\d{1,3}(?:[.、](?!\d)|[)）])|[(（](?:\d{1,3}|[一二三四五六七八九十]+)[)）]|[一二三四五六七八九十]{1,3}、"
    r"|第[\d一二三四五六七八九十百零〇]+[章节条编篇部]|[①-⑳•●■◆▪◦□√【#|>]|[-*+] |(?:注|说明|正例|反例|例如?)[:：]"
    r"|[A-D][.、](?= ?[\u3400-\u9fff\d])"
)
_DATE = re.compile(r"\d{4} ?年 ?\d{1,2} ?月 ?\d{1,2} ?日")
_CODE = re.compile(
    r"[{};\\]$|^[})]|^(?://|/\*|@|#include|import |public |private |protected |return\b|[$%] |>>> |--?[a-z])"
    r"|^[a-z_][\w.]*\(.*[(),]$|^(?:def|class|for|if|elif|else|while|with|try|except)\b.*:$|^[ -~]*(?:&&|\|\|)[ -~]*$"
)
_TEXT_ENDS_IN_CJK = re.compile(rf"[{CJK}“”‘’…—]$")
_TEXT_STARTS_IN_CJK = re.compile(rf"[{CJK}“”‘’…—]")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a page and its box, y growing upwards; `size` is its height, the measure of an em.

    A tab in `text` is a gap wider than a blank: the border of a table cell. `verbatim` lines are never joined.
    A `note` stands in the margin, beside the text.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    verbatim: bool = False
    note: bool = False

    @property
    def middle(self) -> float:
        """The height that it stands at."""
        return (self.bottom + self.top) / 2


def join_lines(rows: Sequence[TextLine], apart: Collection[str] = (), clean: Callable[[str], str] = clean_line) -> str:
    """Rows as clean paragraphs, one a line. Headings (among them `apart`, as `bare` text), items and code stay apart.

    Notes come last: where they stand, they would cut up the text.
    """
    return join_with_places(rows, apart, clean)[0]


def join_with_places(
    rows: Sequence[TextLine], apart: Collection[str] = (), clean: Callable[[str], str] = clean_line
) -> tuple[str, list[tuple[TextLine, int, int]]]:
    """What `join_lines` makes of the rows, and where each stands in it, as [start, end); empty ones are left out."""
    ordered = sorted(rows, key=lambda row: row.note)
    filled = [(row, text) for row in ordered if (text := _cleaned(row, clean))]
    kept, texts = [row for row, _ in filled], [text for _, text in filled]
    whole, places = "", []
    for index, (row, text) in enumerate(filled):
        if index and _reads_on(texts[index - 1], text, apart) and _wraps(kept, index - 1):
            whole += glue(texts[index - 1], text)
        elif index:
            whole += "\n"
        places.append((row, len(whole), len(whole) + len(text)))
        whole += text
    return whole, places


def _cleaned(row: TextLine, clean: Callable[[str], str]) -> str:
    return row.text if row.verbatim and not is_row(row.text) else clean(row.text)


def to_rows(pieces: Sequence[TextLine]) -> list[TextLine]:
    """Pieces that stand in one row, such as cells or an index and what follows it, joined."""
    rows: list[TextLine] = []
    for piece in pieces:
        if rows and piece.note == rows[-1].note and same_row(rows[-1], piece):
            rows[-1] = extended(rows[-1], piece)
        else:
            rows.append(piece)
    return rows


def with_notes(pieces: Sequence[TextLine]) -> list[TextLine]:
    """The pieces, those in the margin marked as notes: set smaller, and right of where the text's lines end."""
    if not pieces:
        return []
    size = median(piece.size for piece in pieces)
    edge = mode(round(piece.right) for piece in pieces)
    beside = [
        piece.left
        for before, piece in pairwise(pieces)
        if edge <= piece.left and _is_small(piece, size) and same_row(before, piece) and is_wide(before, piece)
    ]
    if not beside:
        return list(pieces)
    margin = min(beside) - _WORD_GAP * size
    if sum(piece.right > margin and not _is_small(piece, size) and _is_long(piece) for piece in pieces) > _STRAY_LINES:
        return list(pieces)
    return [replace(piece, note=piece.left >= margin and _is_small(piece, size)) for piece in pieces]


def _is_small(piece: TextLine, size: float) -> bool:
    return piece.size < _NOTE_SIZE * size


def _is_long(piece: TextLine) -> bool:
    return piece.right - piece.left >= _SHORTEST_COLUMN * piece.size


def same_row(first: TextLine, second: TextLine) -> bool:
    """Whether a piece goes on with the row of another one."""
    if first.verbatim or second.verbatim:
        return False
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    return overlap >= 0.5 * min(first.size, second.size) and second.left >= first.right - _WORD_GAP * first.size


def is_wide(first: TextLine, second: TextLine) -> bool:
    """Whether the gap between two pieces of a row separates cells."""
    return second.left - first.right > CELL_GAP * max(first.size, second.size)


def extended(first: TextLine, second: TextLine) -> TextLine:
    """A piece of a row and the one that follows as one."""
    blank = " " if second.left - first.right > _WORD_GAP * first.size else ""
    marker = _STARTS_BLOCK.fullmatch(first.text) is not None
    between = "\t" if is_wide(first, second) and not marker else blank
    larger = max(first, second, key=lambda line: line.size)
    return replace(larger, text=first.text + between + second.text, left=first.left, right=second.right)


def _wraps(rows: Sequence[TextLine], index: int) -> bool:
    """Whether a line was broken only because it reached the edge of its column."""
    line, following = rows[index], rows[index + 1]
    if line.verbatim or following.verbatim or line.note != following.note or _has_cells(line) or _has_cells(following):
        return False
    if not (_follows_below(line, following) or _opens_next_column(line, following)):
        return False
    near = rows[max(0, index - _NEIGHBOURS) : index + 1 + _NEIGHBOURS]
    ends = [row.right for row in near if not _has_cells(row) and _in_one_column(line, row)]
    edge, sure = _edge(ends, line.size)
    # One item of a list does not end as a sentence where the one before does not.
    if sure or line.note or following.text.rstrip().endswith("。"):
        shortest = _SHORTEST_COLUMN
    else:
        shortest = _LONG_CENTRED if _centred(line, following) else _LONG_LINE
    return line.right >= edge - _RAGGED * line.size and edge - line.left >= shortest * line.size


def _edge(ends: Sequence[float], size: float) -> tuple[float, bool]:
    """Where a column ends by the ends of its lines, and whether that is sure: in a list, no two need to end there.

    Lines above a column may run further than it does.
    """
    furthest = max(ends)
    if (
        sum(end >= furthest - _EVEN * size for end in ends) > 1
        or sum(end >= furthest - _RAGGED * size for end in ends) > 2
    ):
        return furthest, True
    for edge in sorted(ends, reverse=True):
        reaching = sum(edge - _EVEN * size <= end <= edge for end in ends)
        if reaching > 1 + sum(end > edge for end in ends) and 2 * reaching >= len(ends):
            return edge, False
    return furthest, False


def _centred(line: TextLine, following: TextLine) -> bool:
    """Whether a line stands below the middle of a longer one, as a title's second line does."""
    left, right = following.left - line.left, line.right - following.right
    return min(left, right) > _EVEN * line.size and abs(left - right) <= 2 * _EVEN * line.size


def _has_cells(line: TextLine) -> bool:
    return "\t" in line.text and "\t" in close_gaps(line.text)


def _follows_below(line: TextLine, following: TextLine) -> bool:
    return 0 < line.bottom - following.bottom <= _WIDEST_PITCH * line.size and _in_one_column(line, following)


def _opens_next_column(line: TextLine, following: TextLine) -> bool:
    return following.bottom > line.top and following.left >= line.right and _of_one_size(line, following)


def _of_one_size(line: TextLine, other: TextLine) -> bool:
    return abs(line.size - other.size) <= 0.25 * line.size


def _in_one_column(line: TextLine, other: TextLine) -> bool:
    return _of_one_size(line, other) and abs(line.left - other.left) <= _INDENT * line.size


def _reads_on(text: str, following: str, apart: Collection[str]) -> bool:
    """Whether `following` can be the rest of the sentence that `text` begins."""
    if ends_sentence(text) or is_contents_entry(text):
        return False
    if _STARTS_BLOCK.match(following) or _DATE.fullmatch(following):
        return False
    if is_code(text) or is_code(following):
        return False
    if any(bare(part) in apart or is_numbered_heading(part) for part in (text, following)):
        return False
    if re.search(rf"[{CJK}]", text + following):
        return True
    return text.count(" ") >= _WORDS_OF_PROSE


def is_code(text: str) -> bool:
    """Whether a line is of a program."""
    return _CODE.search(text) is not None


def glue(text: str, following: str) -> str:
    """What stands between two lines that become one: a blank, unless one of them is Chinese there."""
    return "" if _TEXT_ENDS_IN_CJK.search(text) or _TEXT_STARTS_IN_CJK.match(following) else " "
