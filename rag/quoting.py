"""What of passages comes nearest to a question, quoted with the numbers of their passages."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Self

from loaders.rows import cells_of
from rag.citations import MARKER
from rag.citations.sentences import without_markers
from rag.language.answer_forms import answer_form
from rag.language.folding import fold
from rag.language.place import named_place
from rag.language.refusals import refuses
from rag.quotable_units import Unit, units_of
from rag.types import Evidence, Similarity

# How near each of some texts is to a question.
Similarities = Callable[[str, Sequence[str]], Sequence[Similarity]]

_BEHIND_AN_ANSWER = 2
# A sentence that is further behind the nearest one is not quoted beside it: of 1,103 questions to six sets the answer
# is among up to three so for .89, as among always three, and 2.5 are quoted in place of three.
_AS_NEAR = 0.06
# How much a sentence gains of what another of its passage is nearer by: nine more of the 1,103 are answered so.
_OF_ITS_PASSAGE = 0.2
# What a sentence gains that has a number, a date or a place where one is asked for: of 1,103 questions to six sets nine
# more are answered by the nearest sentence so, and three more by the nearest three.
_OF_THE_FORM = 0.01
# What one gains that stands in the same document as the first passage, which is mostly the one that is spoken of: of
# 146 everyday questions over ten documents .58 are answered by the nearest sentence so (.43 without), and .45 (.42)
# where nothing was spoken of before.
_OF_FIRST_DOCUMENT = 0.01
_MARK = "> "


@dataclass(frozen=True, slots=True)
class Quoted:
    """What is quoted, the number of the passage that it stands in first, and what leads to it there."""

    text: str
    number: int
    similarity: Similarity = Similarity()
    lead: str = ""
    is_row: bool = False

    @classmethod
    def of(cls, unit: Unit, similarity: Similarity) -> Self:
        """A unit of a passage, which is as near to a question as told."""
        return cls(unit.text, unit.number, similarity, unit.lead, unit.is_row)

    @property
    def lines(self) -> list[str]:
        """A row each, or the one of its sentences."""
        return self.text.split("\n")

    @property
    def header(self) -> str:
        """What names the columns of a row; empty for what is none."""
        return self.lead if self.is_row else ""


def beginnings(evidence: Sequence[Evidence], limit: int) -> list[Quoted]:
    """What passages begin with that says something, the first of each before the second of any, in their order."""
    turns: Counter[int] = Counter()
    in_turn = []
    for unit in _units(evidence, ""):
        turns[unit.number] += 1
        in_turn.append((turns[unit.number], unit))
    chosen = sorted(in_turn, key=lambda one: one[0])[:limit]
    return [Quoted.of(unit, Similarity()) for _, unit in sorted(chosen, key=lambda one: (one[1].number, one[0]))]


def by_each(phrasings: Sequence[str], similarities: Similarities) -> Similarities:
    """How near texts are to a question by the mean of its phrasings: made whole, 地震呢 is mostly the one before it."""

    def near(question: str, texts: Sequence[str]) -> list[Similarity]:
        told = zip(*(similarities(one, texts) for one in dict.fromkeys((question, *phrasings))), strict=True)
        return [Similarity(fmean(one.meaning for one in of), fmean(one.words for one in of)) for of in told]

    return near


def nearest(
    question: str,
    evidence: Sequence[Evidence],
    similarities: Similarities,
    limit: int,
    compared: Sequence[Collection[str]] = (),
) -> list[Quoted]:
    """What of the passages may answer, up to `limit`, in their order: what is nearest, and what is about as near.

    Of documents that are `compared`, the nearest of each comes first.
    """
    units = _units(evidence, question)
    texts = list(dict.fromkeys(text for unit in units for text in unit.compared))
    if not texts:
        return []
    of_text = dict(zip(texts, similarities(question, texts), strict=True))
    found = [max((of_text[text] for text in unit.compared), key=lambda one: one.total) for unit in units]
    near = [
        of.total + gained if of.total > 0 else 0.0
        for of, gained in zip(found, _gains(units, found, question, evidence), strict=True)
    ]
    if compared:
        document = {item.number: item.document_id for item in evidence}
        near = _each_first(near, [document[unit.number] for unit in units], compared)
    if (place := named_place(question)) and place.of_itself:
        # A document begins with what it is called and by whom it is, and seldom with a word for that.
        near[: limit - 1] = [max(near)] * len(near[: limit - 1])
    ranked = sorted(range(len(units)), key=lambda at: -near[at])
    least = max(near[ranked[0]] - _AS_NEAR, 0.0)
    best = sorted(at for at in ranked[: max(limit, len(compared))] if near[at] > least)
    return [Quoted.of(units[at], found[at]) for at in best]


def _units(evidence: Sequence[Evidence], question: str) -> list[Unit]:
    return units_of(((item.number, item.text) for item in evidence), question)


def _gains(
    units: Sequence[Unit], found: Sequence[Similarity], question: str, evidence: Sequence[Evidence]
) -> list[float]:
    """What units gain beside how near each was found to be to a question."""
    form = answer_form(fold(question))
    first = {item.number for item in evidence if item.document_id == evidence[0].document_id}
    nearest_of = defaultdict[int, float](float)
    for unit, of in zip(units, found, strict=True):
        nearest_of[unit.number] = max(nearest_of[unit.number], of.meaning)
    return [
        _OF_THE_FORM * bool(form and form.search(fold(unit.text)))
        + _OF_FIRST_DOCUMENT * (unit.number in first)
        + _OF_ITS_PASSAGE * (nearest_of[unit.number] - of.meaning)
        for unit, of in zip(units, found, strict=True)
    ]


def _each_first(near: list[float], documents: Sequence[str], compared: Sequence[Collection[str]]) -> list[float]:
    """How near units are, the nearest of each document that is compared as near as any, and of others none."""
    of_each = [[at for at, document in enumerate(documents) if document in alike] for alike in compared]
    nearest_of_each = {max(of, key=near.__getitem__) for of in of_each if of}
    kept = {at for of in of_each for at in of}
    return [max(near) if at in nearest_of_each else one if at in kept else 0.0 for at, one in enumerate(near)]


def nearest_quote(question: str, evidence: Sequence[Evidence], similarities: Similarities) -> str:
    """The two parts of the evidence that come nearest to a question, as a quotation with their numbers."""
    best = nearest(question, evidence, similarities, _BEHIND_AN_ANSWER)
    lines = "\n\n".join(quoted_blocks(best)).split("\n") if best else []
    return "\n".join(f"{_MARK}{line}".rstrip() for line in lines)


def quoted_blocks(best: Sequence[Quoted]) -> list[str]:
    """What is quoted as Markdown, with the numbers of its passages: lines, each once, and rows below their header."""
    blocks: dict[str, None] = {}
    for header, together in groupby(best, key=lambda one: one.header):
        if header:
            blocks[_table(header.split("\n"), [(row, one.number) for one in together for row in one.lines])] = None
        else:
            lines = [(line, one.number) for one in together for line in (*one.lead.splitlines(), *one.lines)]
            # Of a row, bars at its ends keep empty cells.
            blocks |= dict.fromkeys(f"{without_markers(line).strip(' |')}[{number}]" for line, number in lines)
    return list(blocks)


def _table(header: Sequence[str], rows: Sequence[tuple[str, int]]) -> str:
    """Rows of a table with the numbers of their passages; a caption, which is a cell alone, stands above it."""
    lines = [[line[start:end] for start, end in cells_of(line)] for line in (*header, *(row for row, _ in rows))]
    width = max(map(len, lines))
    cells = [[*map(without_markers, line), *[""] * (width - len(line))] for line in lines]
    captions = [row[0] for row in cells[: len(header) - 1] if sum(map(bool, row)) == 1]
    for row, (_, number) in zip(cells[len(header) :], rows, strict=True):
        # Behind what the row is about: of a wide table, the last column may be out of sight.
        row[next((place for place, cell in enumerate(row) if cell), 0)] += f"[{number}]"
    drawn = [_in_one_line(cells[len(captions) : len(header)]), ["---"] * width, *cells[len(header) :]]
    return "\n".join([*captions, *(f"| {' | '.join(row)} |" for row in drawn)])


def _in_one_line(header: Sequence[Sequence[str]]) -> list[str]:
    """What each column is called: Markdown has one line for that. A title reaches over gaps that have one below."""
    *above, last = header
    columns: list[list[str]] = [[] for _ in last]
    for line in above:
        title = ""
        for column, cell, below in zip(columns, line, last, strict=True):
            title = cell or title
            column.append(title if cell or below else "")
    return [" ".join(dict.fromkeys(filter(None, [*told, own]))) for told, own in zip(columns, last, strict=True)]


def quoted_behind(answer: str) -> str:
    """The sentences that were quoted behind an answer, with their numbers."""
    _, _, behind = answer.partition("\n\n")
    return "\n".join(line.removeprefix(_MARK) for line in behind.splitlines() if line.startswith(_MARK))


def knew_nothing(answer: str) -> bool:
    """Whether an answer only says that it does not know one, whatever was quoted behind it."""
    said, _, _ = answer.partition("\n\n")
    return refuses(MARKER.sub("", said)) and (said == answer or bool(quoted_behind(answer)))
