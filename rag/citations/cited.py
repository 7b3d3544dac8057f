"""A claim beside the passages that it cites: what these tell of it, and where in them its clauses stand."""

from dataclasses import dataclass
from functools import cached_property

from rag.citations.alignment import Alignment, is_verbatim
from rag.citations.claim import Claim
from rag.citations.grids import Grid, grid_of
from rag.citations.plain import Plain
from rag.citations.source import Source, Window, best_window
from rag.citations.tables import Table
from rag.language.numbers import Number


@dataclass(frozen=True, eq=False)
class Cited:
    """The passages that a claim cites."""

    claim: Claim
    sources: tuple[Source, ...]

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
        return *self.titles, *self.called, self.claim.granted

    def is_known(self, number: Number) -> bool:
        """Whether a claim may tell a number without them."""
        return any(text.has(number) for text in self.known)

    @cached_property
    def folded(self) -> str:
        """All that their texts say, in lower case."""
        return "\n".join(passage.folded for passage in self.passages)

    @cached_property
    def valued(self) -> str:
        """The same, numbers by their values."""
        return "\n".join(passage.valued for passage in self.passages)

    @cached_property
    def sentences(self) -> tuple[Plain, ...]:
        """Their sentences, lines apart."""
        return tuple(part for passage in self.passages for part in passage.sentences)

    @cached_property
    def numbers(self) -> tuple[tuple[Plain, Number], ...]:
        """Their numbers, each with the passage that it stands in."""
        return tuple((passage, number) for passage in self.passages for number in passage.numbers)

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
        return tuple(grid_of(table.by_names(self.claim.said) or table) for table in tables)

    @cached_property
    def windows(self) -> tuple[tuple[Plain, Window], ...]:
        """The clauses of the claim, each with the best window in them."""
        return tuple((clause, best_window(clause, self.sources)) for clause in self.claim.clauses)

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """What the claim and its questions speak of."""
        return self.claim.text.vocabulary | self.claim.asked.vocabulary

    @cached_property
    def changed(self) -> tuple[Alignment, ...]:
        """The clauses that none of them has word for word, be it elsewhere, each beside its window."""
        return tuple(
            Alignment(clause, window)
            for clause, window in self.windows
            if not any(is_verbatim(clause, passage) for passage in self.passages)
        )

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
