"""Days of the week that the rows named with them do not have: 周三 of who is there 周二."""

from collections.abc import Iterator

from rag.citations.cited import Cited
from rag.citations.claim import Claim
from rag.citations.tables import PIECE, Table
from rag.citations.wrong_cells import MOVES
from rag.language.denials import denials
from rag.language.weekdays import days_named, weekdays


def days_of_another_row(claim: Claim, cited: Cited) -> Iterator[str]:
    """Days of the week on which all rows that are named with them have none of theirs: 周三 of 苏晓棠 | 周二全天."""
    return (day for piece, day in _days_of_none(claim, cited) if not denials(piece))


def denies_days_of_none(claim: Claim, cited: Cited) -> bool:
    """Whether a sentence denies of rows the days that they do not have: 苏晓棠周三不在."""
    return any(denials(piece) for piece, _ in _days_of_none(claim, cited))


def _days_of_none(claim: Claim, cited: Cited) -> Iterator[tuple[str, str]]:
    """Each piece of a sentence that tells rows of a day that none of them has, with that day."""
    for piece in PIECE.findall(claim.text.valued) if cited.named_tables else ():
        if not (said := next(weekdays(piece), None)) or MOVES.search(piece):
            continue
        days = days_named(piece)
        told = [own for table in cited.named_tables if (own := _days_of_rows(table, piece))]
        if told and all(days.isdisjoint(own) for own in told) and not _is_told_beside(piece, days, cited):
            yield piece, piece[said.start : said.end]


def _days_of_rows(table: Table, piece: str) -> frozenset[int]:
    """The days that the cells of the named rows tell; none of a table with a column for each day."""
    if days_named(*table.columns):
        return frozenset()
    named = table.heads(piece)
    lines = (line for head, line in zip(table.rows, table.cells, strict=True) if head in named)
    return days_named(*(cell for line in lines for cell in line))


def _is_told_beside(piece: str, days: frozenset[int], cited: Cited) -> bool:
    """Whether a clause beside the tables tells one of these days of something that a piece names as a row."""
    heads = {head for table in cited.named_tables for head in table.heads(piece)}
    clauses = (clause for passage in cited.passages for clause in PIECE.findall(passage.valued))
    return any(any(head in clause for head in heads) and not days.isdisjoint(days_named(clause)) for clause in clauses)
