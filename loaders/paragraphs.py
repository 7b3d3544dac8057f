"""Lines joined into paragraphs: a line that was broken only because it reached the edge of its column goes on."""

import re
from collections.abc import Collection, Sequence

from loaders.cleaning import CHINESE, CJK, clean_line, clean_typed, ends_sentence
from loaders.glue import glue
from loaders.headings import DECIMAL, bare, is_contents_entry, is_numbered_heading
from loaders.lines import LABELLED, SHORTEST_COLUMN, SPOKEN, STARTS_BLOCK, TextLine, has_cells
from loaders.rows import is_row
from loaders.typed import entry_breaks

_NEIGHBOURS = 4
_INDENT = 4.5  # em: a first line is indented by two characters, an item of a list by up to four
RAGGED = 1.6  # em: punctuation may not begin a line, so a full line may end this much early
_RAGGED_BEFORE_A_MARK = 2.0  # em: for certain where the next line begins with a character and a mark: 的，
_NEAR_EDGE = 3.0  # em: the same for a line that alone shows where its column ends
_LATIN_WIDTH = 0.5  # em: a word that did not fit began the next line
_EVEN = 0.5  # em: lines that reach the edge of a column end this near to each other
_FLUSH = 0.1  # em: the same for a program that justifies them
_LINES_OF_A_PARAGRAPH = 3  # that end at one place
LONG_LINE, _LONG_CENTRED = 18.0, 14.0  # em: items of a list are shorter, and lines of a title page
_NARROWEST_WRAP = 28.0  # em: programs wrap text at 60 columns or more
_WORDS_OF_PROSE = 5  # a shorter line without a Chinese character may be code
_WIDEST_PITCH = 2.8  # line heights
_SHORTEST_MEANING = 10  # characters: what a table has beside a name is shorter

# What sentences have and entries of a list, such as addresses, do not: their marks, or small words in a row.
_OF_SENTENCES = re.compile(r"[，。；！？、]|[,;](?= |$)|[a-z],? [a-z]+ [a-z]+ [a-z]+")
_BEGINS_BEFORE_A_MARK = re.compile(rf"\s*[{CJK}][，。；：！？、）》”]")
_LATIN_WORD = re.compile(r"[!-~]+")
_CODE = re.compile(
    r"[{};\\]$|^[})]|^(?://|/\*|@|#include|import |public |private |protected |return\b|[$%] |>>> |--?[a-z])"
    r"|^[a-z_][\w.]*\(.*[(),]$|^(?:def|class|for|if|elif|else|while|with|try|except)\b.*:$|^[ -~]*(?:&&|\|\|)[ -~]*$"
)
# As a listing numbers its lines.
_LINE_NUMBER = re.compile(r"(\d{1,4})\s")
# What parts a text, drawn with marks.
_DRAWN = re.compile(r"[-=*_~#+—─━═]{4,}")


def join_lines(rows: Sequence[TextLine], apart: Collection[str] = (), typed: bool = False) -> str:
    """Rows as clean paragraphs, one a line. Headings (among them `apart`, as `bare` text), items and code stay apart.

    Notes come last: where they stand, they would cut up the text. In `typed` rows blanks are meant, and a list whose
    entries are of one length looks like a paragraph: only what reads as sentences is joined.
    """
    return join_with_places(rows, apart, typed)[0]


def join_with_places(
    rows: Sequence[TextLine], apart: Collection[str], typed: bool = False
) -> tuple[str, list[tuple[TextLine, int, int]]]:
    """What `join_lines` makes of the rows, and where each stands in it, as [start, end); empty ones are left out."""
    ordered = sorted(rows, key=lambda row: row.note)
    filled = [(row, text) for row in ordered if (text := _cleaned(row, typed))]
    kept, texts = [row for row, _ in filled], [text for _, text in filled]
    breaks = entry_breaks(texts) if typed else set()
    whole, places = "", []
    for index, (row, text) in enumerate(filled):
        if index and index not in breaks and _goes_on(kept, texts, index - 1, apart, typed):
            whole += glue(texts[index - 1], text)
        elif index:
            whole += "\n"
        places.append((row, len(whole), len(whole) + len(text)))
        whole += text
    return whole, places


def _cleaned(row: TextLine, typed: bool) -> str:
    if row.verbatim and not is_row(row.text):
        return row.text
    return clean_typed(row.text) if typed else clean_line(row.text)


def _goes_on(rows: Sequence[TextLine], texts: Sequence[str], index: int, apart: Collection[str], typed: bool) -> bool:
    """Whether the next line is the rest of a broken one. A numbered line whose rest stands elsewhere is no title."""
    line, following = rows[index : index + 2]
    text, rest = texts[index : index + 2]
    is_indented = following.left <= line.left - line.size and not _centred(following, line)
    is_item = is_indented or _hangs_by_number(rows[index : index + 3], texts[index + 2 : index + 3])
    if is_numbered_heading(rest) or (is_numbered_heading(text) and not is_item):
        return False
    return reads_on(text, rest, apart) and _wraps(rows, index, typed)


def _hangs_by_number(rows: Sequence[TextLine], third: Sequence[str]) -> bool:
    """Whether a line goes on indented, as an item does: the third line stands there too, or is the next item."""
    if not third or not reads_as_sentence(rows[1]):
        return False
    line, following, below = rows
    left = line.left if STARTS_BLOCK.match(third[0]) or DECIMAL.match(third[0]) else following.left
    return following.left >= line.left + line.size and abs(below.left - left) <= _EVEN * line.size


def _wraps(rows: Sequence[TextLine], index: int, typed: bool) -> bool:
    """Whether a line was broken only because it reached the edge of its column."""
    line, following = rows[index], rows[index + 1]
    if line.verbatim or following.verbatim or line.note != following.note or has_cells(following):
        return False
    if line.listed and following.listed:
        return False
    if has_cells(line) and not _hangs(line, following):
        return False
    if not (_follows_below(line, following) or _opens_next_column(line, following)):
        return False
    near = rows[max(0, index - _NEIGHBOURS) : index + 1 + _NEIGHBOURS]
    column = [row for row in near if not has_cells(row) and in_one_column(line, row)]
    edge, sure = edge_of(ends_of(column, line.size), line.size)
    # A page may have thousands of lines, of which most reach the edge; typed ones are a whole file's.
    if not typed and edge - line.right > RAGGED * line.size and _ends_a_block(line, rows):
        edge, sure = line.right, True
    if typed and edge - line.left < _NARROWEST_WRAP and 2 * sum(map(reads_as_sentence, column)) < len(column):
        return False
    is_rest = line.note or following.text.rstrip().endswith("。")
    # One item of a list does not end as a sentence where the one before does not; some end at one place by chance.
    of_sentences = sure and (reads_as_sentence(line) or reads_as_sentence(following))
    unless_prose = _LONG_CENTRED if _centred(line, following) else LONG_LINE
    shortest = SHORTEST_COLUMN if of_sentences or is_rest else unless_prose
    width, room = (edge - line.left) / line.size, edge - line.right
    has_no_room = width >= LONG_LINE and room < width_of_word(following.text) * following.size
    ragged = _RAGGED_BEFORE_A_MARK if _BEGINS_BEFORE_A_MARK.match(following.text) else RAGGED
    if not has_no_room and (width < shortest or room > ragged * line.size):
        return False
    is_shown = any(row.right >= edge - RAGGED * line.size for row in column if row is not line)
    return is_shown or is_rest or typed or _reaches_edge_of_page(line, following, rows)


def _ends_a_block(line: TextLine, rows: Sequence[TextLine]) -> bool:
    """Whether a long line of prose ends where others that begin with it do, and fewer run further.

    Of a note in a box or a quotation, the text around it runs further; of a text with long words, some of its lines do.
    """
    if CHINESE.search(line.text) is None or line.right - line.left < LONG_LINE * line.size:
        return False
    reach = _FLUSH * line.size
    ends = [row.right for row in rows if not has_cells(row) and abs(row.left - line.left) <= reach]
    beyond = sum(end > line.right + line.size for end in ends)  # a full stop may hang over the edge
    return sum(abs(end - line.right) <= reach for end in ends) > 1 + beyond


def _reaches_edge_of_page(line: TextLine, following: TextLine, rows: Sequence[TextLine]) -> bool:
    """Whether a line comes near to where the lines of its column end on the whole page."""
    ends = [row.right for row in rows if not has_cells(row) and in_one_column(line, row)]
    room = max(_NEAR_EDGE * line.size, (width_of_word(following.text) + 1) * following.size)
    return edge_of(ends, line.size)[0] - line.right <= room


def width_of_word(text: str) -> float:
    """The width of the word that a line begins with and a blank before it, in em; 0 where it is no Latin one."""
    word = _LATIN_WORD.match(text.lstrip())
    return _LATIN_WIDTH * (len(word[0]) + 1) if word else 0.0


def reads_as_sentence(line: TextLine) -> bool:
    return _OF_SENTENCES.search(line.text) is not None


def ends_of(column: Sequence[TextLine], size: float) -> list[float]:
    """Where the lines of a column end. Those of a paragraph show it, whatever a table beside them takes."""
    plain = [row.right for row in column if not row.verbatim]
    is_even = sum(end >= max(plain) - _EVEN * size for end in plain) >= _LINES_OF_A_PARAGRAPH
    return plain if is_even else [row.right for row in column]


def edge_of(ends: Sequence[float], size: float) -> tuple[float, bool]:
    """Where a column ends by the ends of its lines, and whether that is sure: in a list, no two need to end there.

    Lines above a column may run further than it does.
    """
    furthest = max(ends)
    if (
        sum(end >= furthest - _EVEN * size for end in ends) > 1
        or sum(end >= furthest - RAGGED * size for end in ends) > 2
    ):
        return furthest, True
    for edge in sorted(ends, reverse=True):
        reaching = sum(edge - _EVEN * size <= end <= edge for end in ends)
        beyond = sum(end > edge for end in ends)
        flush = sum(edge - _FLUSH * size <= end <= edge for end in ends)
        if reaching > 1 + beyond and (2 * reaching >= len(ends) or flush > _LINES_OF_A_PARAGRAPH * beyond):
            return edge, False
    return furthest, False


def _centred(line: TextLine, following: TextLine) -> bool:
    """Whether a line stands below the middle of a longer one, as a title's second line does."""
    left, right = following.left - line.left, line.right - following.right
    return min(left, right) > _EVEN * line.size and abs(left - right) <= 2 * _EVEN * line.size


def _hangs(line: TextLine, following: TextLine) -> bool:
    """Whether a line is indented below a term and what it means, as in a list of definitions."""
    _, *meanings = line.text.split("\t")
    is_prose = len(meanings) == 1 and len(meanings[0]) >= _SHORTEST_MEANING and CHINESE.search(meanings[0]) is not None
    return is_prose and line.size <= following.left - line.left and _follows_below(line, following)


def _follows_below(line: TextLine, following: TextLine) -> bool:
    return 0 < line.bottom - following.bottom <= _WIDEST_PITCH * line.size and in_one_column(line, following)


def _opens_next_column(line: TextLine, following: TextLine) -> bool:
    return following.bottom > line.top and following.left >= line.right and of_one_size(line, following)


def of_one_size(line: TextLine, other: TextLine) -> bool:
    return abs(line.size - other.size) <= 0.25 * line.size


def in_one_column(line: TextLine, other: TextLine) -> bool:
    return of_one_size(line, other) and abs(line.left - other.left) <= _INDENT * line.size


def reads_on(text: str, following: str, apart: Collection[str]) -> bool:
    """Whether `following` can be the rest of the sentence that `text` begins."""
    if ends_sentence(text) or is_contents_entry(text) or _are_listed(text, following):
        return False
    if STARTS_BLOCK.match(following):
        return False
    if is_code(text) or is_code(following) or _DRAWN.fullmatch(text) or _DRAWN.fullmatch(following):
        return False
    if any(bare(part) in apart for part in (text, following)):
        return False
    if CHINESE.search(text + following):
        return True
    return text.count(" ") >= _WORDS_OF_PROSE


def _are_listed(text: str, following: str) -> bool:
    """Whether both have a label, or are numbered one after the other."""
    if LABELLED.match(text) and LABELLED.match(following) and not SPOKEN.match(following):
        return True
    number, next_number = _LINE_NUMBER.match(text), _LINE_NUMBER.match(following)
    return number is not None and next_number is not None and int(number[1]) + 1 == int(next_number[1])


def is_code(text: str) -> bool:
    """Whether a line is of a program."""
    return _CODE.search(text) is not None
