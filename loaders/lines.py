"""Lines with their place on a page, and the rows and the notes that their pieces make."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median, mode

from loaders.cleaning import CHINESE, CJK, close_gaps
from loaders.numerals import ANSWER, ARTICLE, BRACKETED, BULLETS, COUNT, LISTED, NUMBERED, QUESTION
from loaders.symbols import IN_PDF

CELL_GAP = 0.9  # em: the gap between two cells is wider than any blank between words
_WORD_GAP = 0.3  # em
_NOTE_SIZE = 0.93  # of the text's size: notes in the margin are set smaller
_STRAY_LINES = 2  # long lines of the text's size that reach into the margin; more are text, as of a second column
SHORTEST_COLUMN = 6.0  # em

STARTS_BLOCK = re.compile(
    rf"{NUMBERED}|{BRACKETED}|{LISTED}|{ARTICLE}|第{COUNT}(?:[章节節篇部]|分?[编編])|{QUESTION}|{ANSWER}"
    rf"|[{BULLETS}【#|>{''.join(IN_PDF)}]"
    r"|[-–*+] |(?:注|说明|正例|反例|例如?)[:：]"
    r"|[A-D][.、．)）](?= ?[\u3400-\u9fff\d])"
)
# `开户行：…`, `毛利率=…`: each line of a list of such, or of a form, begins with what it is about.
LABELLED = re.compile(r"[^\W\d_][\w/（）()]{1,7}[：:](?!//)|[^\W\d_][\w/（）()]{1,15}=")
# `他道：“…”`: who speaks, in a line of prose.
SPOKEN = re.compile(r"\w{2,8}[：:] ?[“‘「『]")
_PAUSE = re.compile("[，。；]")
_BESIDE_LATIN = re.compile(rf"(?<=[{CJK}])\t(?=[A-Za-z\d])|(?<=[A-Za-z\d])\t(?=[{CJK}])")
_LONG_SENTENCE = 25  # characters
# Two marks that follow each other, 为：“报请, are set into each other's em, and pdfium parts the line between them.
_MARKS_SET_CLOSE, _SET_CLOSE = re.compile("[，。；：、！？）》”’][（《“‘]"), 1.0  # em
# No cell begins with a closing mark, nor with a percent sign and more: room to fill in is before, `给予 / %的扣除`.
_FILLED_IN = re.compile(r"(?:\t[^\t]{1,8})?\t(?=[，。；：、！？）》】]|[%％][^\s\d])")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of a page and its box, y growing upwards; `size` is its height, the measure of an em.

    A tab in `text` is a gap wider than a blank: the border of a table cell. `verbatim` lines are never joined.
    A `note` stands in the margin, beside the text. `listed` is what is set in a typewriter's letters among other text,
    as the lines of a program are.
    """

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    verbatim: bool = False
    note: bool = False
    listed: bool = False

    @property
    def middle(self) -> float:
        """The height that it stands at."""
        return (self.bottom + self.top) / 2


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
    beside = _beside(pieces, mode(round(piece.right) for piece in pieces), size)
    if not beside:
        return list(pieces)
    margin = min(beside) - _WORD_GAP * size
    # Not all lines of the text are of one height: digits may be higher than Chinese characters.
    others = (piece for piece in pieces if piece.left < margin or not _is_small(piece, size))
    if sum(piece.right > margin and _is_long(piece) for piece in others) > _STRAY_LINES:
        return list(pieces)
    return [replace(piece, note=piece.left >= margin and _is_small(piece, size)) for piece in pieces]


def _beside(pieces: Sequence[TextLine], edge: float, size: float) -> list[float]:
    """Where what is set smaller begins beside a line, behind where lines end; in rows of three or more it is cells."""
    parted = [same_row(before, piece) and is_wide(before, piece) for before, piece in pairwise(pieces)]
    return [
        piece.left
        for index, piece in enumerate(pieces[1:])
        if parted[index] and edge <= piece.left and _is_small(piece, size)
        if not any(parted[max(0, index - 1) : index] + parted[index + 1 : index + 2])
    ]


def _is_small(piece: TextLine, size: float) -> bool:
    return piece.size < _NOTE_SIZE * size


def _is_long(piece: TextLine) -> bool:
    return piece.right - piece.left >= SHORTEST_COLUMN * piece.size


def same_row(first: TextLine, second: TextLine) -> bool:
    """Whether a piece goes on with the row of another one."""
    if first.verbatim or second.verbatim:
        return False
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    within = _SET_CLOSE if _MARKS_SET_CLOSE.fullmatch(first.text[-1:] + second.text[:1]) else _WORD_GAP
    return overlap >= 0.5 * min(first.size, second.size) and second.left >= first.right - within * first.size


def is_wide(first: TextLine, second: TextLine) -> bool:
    """Whether the gap between two pieces of a row separates cells."""
    return second.left - first.right > CELL_GAP * max(first.size, second.size)


def extended(first: TextLine, second: TextLine) -> TextLine:
    """A piece of a row and the one that follows as one."""
    blank = " " if second.left - first.right > _WORD_GAP * first.size else ""
    marker = STARTS_BLOCK.fullmatch(first.text) is not None
    between = "\t" if is_wide(first, second) and not marker else blank
    larger = max(first, second, key=lambda line: line.size)
    listed = first.listed and second.listed
    text = first.text + between + second.text
    return replace(larger, text=text, left=first.left, right=second.right, listed=listed)


def has_cells(line: TextLine) -> bool:
    """Whether wide gaps in a line are borders of cells, not room in a word or a sentence, or to fill it in."""
    if "\t" not in line.text:
        return False
    return "\t" in _FILLED_IN.sub("", close_gaps(line.text)) and not _is_justified(line.text)


def _is_justified(text: str) -> bool:
    """Whether all gaps are beside Latin words of a sentence, where some programs leave the room of a full line."""
    gaps = text.count("\t")
    within = gaps == len(_BESIDE_LATIN.findall(text)) and CHINESE.search(text.partition("\t")[0]) is not None
    return within and len(_PAUSE.findall(text)) >= gaps / 2 and len(text) >= _LONG_SENTENCE
