"""What is known of the passages that a sentence cites, and where in them its clauses stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rag.citations.alignment import Alignment
from rag.citations.claim import Claim
from rag.citations.grids import Grid, grid_of
from rag.citations.plain import Plain
from rag.citations.source import Source, Window, best_window
from rag.citations.tables import Table
from rag.language.numbers import Number


@dataclass(frozen=True)
class Cited:
    """The passages that a claim cites, and the best window in them for each of its clauses.

    `granted` is what of the question it may repeat, `said` sentence and question, `spoken_of` what these speak of.
    """

    sources: tuple[Source, ...]
    windows: tuple[tuple[Plain, Window], ...]
    granted: Plain
    said: str
    spoken_of: frozenset[str]

    @classmethod
    def by(cls, claim: Claim, sources: Sequence[Source]) -> "Cited":
        """What a claim that cites some passages is checked against."""
        windows = tuple((clause, best_window(clause, sources)) for clause in claim.clauses)
        return cls(tuple(sources), windows, claim.granted, claim.said, claim.text.vocabulary | claim.asked.vocabulary)

    @cached_property
    def passages(self) -> tuple[Plain, ...]:
        """Their texts."""
        return tuple(source.text for source in self.sources)

    @cached_property
    def titles(self) -> tuple[Plain, ...]:
        """What each stands under."""
        return tuple(source.titles for source in self.sources)

    @cached_property
    def called(self) -> tuple[Plain, ...]:
        """What the document of each is called."""
        return tuple(source.called for source in self.sources)

    @cached_property
    def known(self) -> tuple[Plain, ...]:
        """What a claim may say without them: what they stand under, what documents are called, what it was granted."""
        return *self.titles, *self.called, self.granted

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Their tables."""
        return tuple(table for source in self.sources for table in source.tables)

    @cached_property
    def whole_tables(self) -> tuple[Table, ...]:
        """Their tables as they go on in other passages."""
        return tuple(table for source in self.sources for table in source.whole_tables)

    @cached_property
    def grids(self) -> tuple[Grid, ...]:
        """The grids of these; of rows that begin with codes, none of which is said, by what those number."""
        tables = [table for table in self.whole_tables if len(table.lines) > 1]
        return tuple(grid_of(table.by_names(self.said) or table) for table in tables)

    @cached_property
    def changed(self) -> tuple[Alignment, ...]:
        """The clauses that they do not have word for word, each beside its window."""
        alignments = (Alignment(clause, window.text) for clause, window in self.windows)
        return tuple(alignment for alignment in alignments if not self._has_word_for_word(alignment.clause))

    def _has_word_for_word(self, clause: Plain) -> bool:
        """Whether any of them has a clause so, be it elsewhere than in its window: #元以上#元以下 may stand twice."""
        return any(Alignment(clause, passage).is_verbatim for passage in self.passages)

    def has_only(self, number: Number, places: int) -> bool:
        """Whether a number of a claim stands in the passages nowhere but at some places that were found.

        What a sentence of another matter tells does not count: 事假累计不超过15天, where 年假 was asked for.
        """
        return places > 0 and places >= sum(map(number.agrees, self._told))

    @cached_property
    def _told(self) -> tuple[Number, ...]:
        """The numbers that the passages may tell of what is spoken of, those of tables among them."""
        return tuple(
            number
            for passage in self.passages
            for part in passage.prose
            if "|" in part.text or not self.spoken_of.isdisjoint(part.vocabulary)
            for number in part.numbers
        )
