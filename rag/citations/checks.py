"""What can be wrong with a sentence that cites passages: its numbers, names, comparisons, denials, or all of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from rag.citations.alignment import Alignment
from rag.citations.amounts import wrong_numbers
from rag.citations.columns import exchanged_columns
from rag.citations.denials import wrong_denials
from rag.citations.documents import exchanged_documents, other_documents, other_years
from rag.citations.labels import mislabelled, misnamed
from rag.citations.names import exchanged_names, unknown_names
from rag.citations.plain import Plain, plain
from rag.citations.rows import exchanged_rows, unnamed_rows
from rag.citations.source import Source, Window, best_window
from rag.citations.words import opposites
from rag.language.bounds import bound
from rag.language.numbers import FALLS, Number
from rag.types import Message

# With less than this share of its terms in the passage, a sentence says something else.
_LEAST_COVERAGE = 0.3
# With fewer terms of its own a sentence is too short to tell which passage it is from.
FEWEST_TO_BE_FOUND = 5
# Too few terms of its own to judge a sentence by: "15 天".
_FEWEST_TERMS = 4


@dataclass(frozen=True)
class Claim:
    """A sentence of an answer, the questions whose words it may use, and what the answer says `before` it.

    `documents` are what those of its evidence are called.
    """

    text: Plain
    asked: Plain
    before: str = ""
    documents: tuple[Plain, ...] = ()

    @classmethod
    def of(cls, text: Plain, asked: Plain, before: str, documents: tuple[Plain, ...]) -> "Claim":
        """The claim of a sentence's text. Where question or answer speak of a fall, its numbers need no minus."""
        falls = FALLS.search(f"{asked.text}\n{before}")
        return cls(text.unsigned() if falls else text, asked, before, documents)

    @cached_property
    def clauses(self) -> tuple[Plain, ...]:
        """Its clauses."""
        return self.text.clauses()

    @cached_property
    def told_before(self) -> str:
        """What the answer says before it, folded."""
        return plain(self.before).folded

    @cached_property
    def said(self) -> str:
        """It and its questions, numbers by their values."""
        return f"{self.asked.valued}\n{self.text.valued}"

    @cached_property
    def asked_terms(self) -> frozenset[str]:
        """What the questions speak of."""
        return frozenset(term for _, term in self.asked.terms)

    @cached_property
    def own_terms(self) -> frozenset[str]:
        """What it speaks of that the questions do not."""
        return frozenset(term for _, term in self.text.terms) - self.asked_terms

    @cached_property
    def own_numbers(self) -> tuple[Number, ...]:
        """Its numbers that the questions do not say."""
        return tuple(one for one in self.text.numbers if not any(one.agrees(other) for other in self.asked.numbers))


def bearing_out(
    claim: Claim, sources: Mapping[int, Source], least: float, located: Claim | None = None
) -> Iterator[int]:
    """The passages that have at least such a share of a sentence together and nothing against it, the most first.

    What is too short to be found by itself is `located` by another claim.
    """
    shares = {number: coverage(located or claim, [source]) for number, source in sources.items()}
    for number in sorted(shares, key=lambda number: -shares[number]):
        if shares[number] < least:
            return
        if contradiction(claim, [sources[number]]) is None:
            yield number


def contradiction(claim: Claim, sources: Sequence[Source]) -> Message | None:
    """Why the passages do not support the sentence; None where they do."""
    windows = [(clause, best_window(clause, sources)) for clause in claim.clauses]
    alignments = [Alignment(clause, window.text) for clause, window in windows]
    changed = [alignment for alignment in alignments if not alignment.is_verbatim]
    passages = [source.text for source in sources]
    if is_foreign(claim, sources):
        wrong = next(wrong_numbers(claim.clauses, passages, [claim.asked]), None)
        return Message("citation.number", {"text": wrong}) if wrong else None
    titles, called = [source.titles for source in sources], [source.called for source in sources]
    figures = [figure for one in sources for figure in one.figures]
    tables = [table for one in sources for table in one.tables]
    # What is quoted says nothing of what was asked.
    said = (claim.text, claim.asked) if changed else (claim.text,)
    known = [*titles, *called, claim.asked]
    checks = {
        "number": chain(
            wrong_numbers([alignment.clause for alignment in changed], passages, known),
            mislabelled(claim.text, passages, known, claim.told_before),
        ),
        "column": exchanged_columns(claim.own_numbers, claim.said, [c for one in sources for c in one.cells], passages),
        "row": chain(
            exchanged_rows(claim.own_numbers, claim.said, claim.told_before, figures, passages),
            unnamed_rows(claim.text, claim.asked, claim.told_before, tables, passages),
        ),
        "document": other_documents(said, claim.documents, [*called, *titles, *passages]),
        "exchanged_document": exchanged_documents(claim.clauses, list(zip(called, passages, strict=True))),
        "year": other_years(said, called, [*passages, *titles]),
        "name": unknown_names(claim.text, [*passages, *known]),
        "comparison": _wrong_comparisons(changed),
        "denial": wrong_denials(changed),
        "exchanged": chain(exchanged_names(changed), misnamed(claim.text, claim.asked, passages)),
    }
    for key, found in checks.items():
        if (text := next(found, None)) is not None:
            return Message(f"citation.{key}", {"text": text})
    return Message("citation.overlap") if _share(claim, windows) < _LEAST_COVERAGE else None


def is_foreign(claim: Claim, sources: Sequence[Source]) -> bool:
    """Whether a sentence is in another language than its passages: of these only the numbers can be compared."""
    # First what most sentences differ in from such ones: their coverage takes longer.
    if any({claim.text.script, source.text.script} != {"han", "latin"} for source in sources):
        return False
    return len(claim.text.terms) >= _FEWEST_TERMS and coverage(claim, sources) < _LEAST_COVERAGE


def coverage(claim: Claim, sources: Sequence[Source]) -> float:
    """The share of a sentence's terms that stand together in the passages, clause by clause."""
    wanted = sum(len({term for _, term in clause.terms}) for clause in claim.clauses)
    return sum(best_window(clause, sources).held for clause in claim.clauses) / max(1, wanted)


def _share(claim: Claim, windows: Sequence[tuple[Plain, Window]]) -> float:
    """Like `coverage`, for terms that the question lacks; 1 where these are too few to judge."""
    wanted = held = 0
    for clause, window in windows:
        own = {term for _, term in clause.terms} - claim.asked_terms
        wanted += len(own)
        held += len(own & {term for _, term in window.text.terms})
    return held / wanted if wanted >= _FEWEST_TERMS else 1.0


def _wrong_comparisons(alignments: Sequence[Alignment]) -> Iterator[str]:
    """Words whose opposite stands in the passage instead, and bounds turned round."""
    for alignment in alignments:
        clause, passage = alignment.clause.text, alignment.passage.text
        yield from (one.word for one in opposites(clause, passage) if not one.agrees)
        yield from _turned_round(alignment)


def _turned_round(alignment: Alignment) -> Iterator[str]:
    """Numbers of a clause that its passage bounds from the other side only."""
    passage = alignment.passage
    for number in alignment.clause.numbers:
        side, words = bound(alignment.clause.around(number))
        if side:
            there = {bound(passage.around(other))[0] for other in passage.numbers if number.agrees(other)}
            if there == {-side}:
                yield words.replace("#", number.written)
