"""Words of a table, and days of the week, told of another row or column than they stand in: 体育课在周五 for 周三."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import permutations

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.plain import plain
from rag.citations.tables import PIECE, Table, without
from rag.language.denials import denials
from rag.language.folding import CHINESE
from rag.language.weekdays import days_named, weekdays

# What moves or leaves out something tells of two places at once.
_MOVES = re.compile("除|以外|之外|[调改换移]|轮流|前后|顺延")
_JOINED = "(?:[、和与及/或]|以及|还有)"
# Behind a subject these make a person or place of it: 体育老师.
_ANOTHER_THING = re.compile("老师|教师|教员|代表|组|馆|室|部|办")
# So much beside a head is no subject of its own: 在周五.
_LITTLE = 2


@dataclass(frozen=True)
class _Told:
    """What a piece of a sentence, or what it leaves to its question, puts together: words of a table and heads."""

    words: frozenset[str]
    heads: frozenset[str]
    is_whole: bool

    def misplaced(self, table: Table, piece: str) -> str:
        """A word that stands in none of the places named, or the one of several heads that has none; "" for neither."""
        wrong = sorted(word for word in self.words if not any(table.places_of_word(word, self.heads)))
        if wrong and (self.is_whole or len(wrong) == len(self.words)):
            return wrong[0]
        # What is denied of several is so of none of them.
        together = set[str]() if denials(piece) else _joined(self.heads, piece)
        places = [place for word in self.words for place in table.places_of_word(word, self.heads)]
        filled = {head for row, at in places for head in (table.rows[row], *table.columns[at : at + 1])}
        return min(together - filled, default="")


def misplaced_words(claim: Claim, cited: Cited) -> Iterator[str]:
    """Words that a table has in none of the rows and columns that are named with them.

    Left out is what another table has so, or a clause of the passages, and what denies or moves something.
    """
    return (word for rest, word in _misplaced(claim, cited) if word and not denials(rest))


def denies_what_is_elsewhere(claim: Claim, cited: Cited) -> bool:
    """Whether all that a sentence denies of some rows and columns stands in others: 周一没有体育课."""
    denied = [word for rest, word in _misplaced(claim, cited) if denials(rest)]
    return bool(denied) and all(denied)


def _misplaced(claim: Claim, cited: Cited) -> Iterator[tuple[str, str]]:
    """A word of each piece of a sentence that stands in other rows and columns, "" for none, behind the rest of it."""
    if not cited.named_tables:
        return
    passages = [passage.valued for passage in cited.passages]
    # A row says itself what it is about.
    asked = "" if "|" in claim.text.text else claim.asked.valued
    for piece in PIECE.findall(claim.text.valued):
        told = [(table, one) for table in cited.named_tables if (one := _told(table, piece, asked, claim, passages))]
        found = [] if _MOVES.search(piece) else [one.misplaced(table, piece) for table, one in told]
        heads = {head for _, one in told for head in one.heads}
        word = found[0] if found and all(found) else ""
        if word and any(word in clause for clause in _clauses_on(heads - {word}, cited)):
            word = ""
        # 非流动资产 heads a row and denies nothing.
        yield without({*heads, word} - {""}, piece), word


def _joined(heads: Set[str], text: str) -> set[str]:
    """The heads that a text joins with another: 周一和周五."""
    pairs = permutations(heads, 2)
    return {head for pair in pairs if re.search(_JOINED.join(map(re.escape, pair)), text) for head in pair}


def _told(table: Table, piece: str, asked: str, claim: Claim, passages: Sequence[str]) -> _Told | None:
    """What a piece tells of a table's words and heads; what it leaves out is the question's."""
    words, heads = _words(table, piece, passages), table.heads(piece)
    if words and heads:
        return _Told(words, heads, is_whole=True)
    if denials(asked) or _MOVES.search(asked):
        return None
    if words and (heads := table.heads(asked)):
        # An answer that has named another since may go on with that.
        goes_on = table.heads(plain(claim.before).valued) or table.heads(claim.text.valued)
        return None if goes_on else _Told(words, heads, is_whole=False)
    rest = without(heads, piece)
    words = _words(table, asked, passages) if heads and len(rest) <= _LITTLE else words
    return _Told(words, heads, is_whole=False) if words and heads else None


def _words(table: Table, text: str, passages: Sequence[str]) -> frozenset[str]:
    """Words of a table that a text has, and not as a part of a longer one that passages have, too: 自习 of 晚自习."""
    return frozenset(
        word
        for word in (one for one in table.words if one in text)
        if any(_is_apart(text, *match.span(), passages) for match in re.finditer(re.escape(word), text))
    )


def _is_apart(text: str, start: int, end: int, passages: Sequence[str]) -> bool:
    longer = [
        text[begin:stop] for begin, stop in ((start - 1, end), (start, end + 1)) if begin >= 0 and stop <= len(text)
    ]
    return not _ANOTHER_THING.match(text, end) and not any(
        len(one) > end - start and CHINESE.fullmatch(one) and one in passage for one in longer for passage in passages
    )


def _clauses_on(heads: Set[str], cited: Cited) -> Iterator[str]:
    """The clauses of the passages that name one of some heads."""
    clauses = (clause for passage in cited.passages for clause in PIECE.findall(passage.valued))
    return (clause for clause in clauses if any(head in clause for head in heads))


def days_of_another_row(claim: Claim, cited: Cited) -> Iterator[str]:
    """Days of the week on which all rows that are named with them have none of theirs: 周三 of 苏晓棠 | 周二全天."""
    return (day for piece, day in _days_of_none(claim, cited) if not denials(piece))


def denies_days_of_none(claim: Claim, cited: Cited) -> bool:
    """Whether a sentence denies of rows the days that they do not have: 苏晓棠周三不在."""
    return any(denials(piece) for piece, _ in _days_of_none(claim, cited))


def _days_of_none(claim: Claim, cited: Cited) -> Iterator[tuple[str, str]]:
    """Each piece of a sentence that tells rows of a day that none of them has, with that day."""
    for piece in PIECE.findall(claim.text.valued) if cited.named_tables else ():
        if not (said := next(weekdays(piece), None)) or _MOVES.search(piece):
            continue
        days = days_named(piece)
        told = [own for table in cited.named_tables if (own := _days_of_rows(table, piece))]
        if told and days.isdisjoint(frozenset[int]().union(*told)):
            heads = frozenset[str]().union(*(table.heads(piece) for table in cited.named_tables))
            if days.isdisjoint(days_named(*_clauses_on(heads, cited))):
                yield piece, piece[said.start : said.end]


def _days_of_rows(table: Table, piece: str) -> frozenset[int]:
    """The days that the cells of the named rows tell; none of a table with a column for each day."""
    if days_named(*table.columns):
        return frozenset()
    named = table.heads(piece)
    lines = (line for head, line in zip(table.rows, table.cells, strict=True) if head in named)
    return days_named(*(cell for line in lines for cell in line))
