"""A claim beside the passages that it cites: what these tell of it, and where its clauses differ from them."""

import re
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import cached_property
from itertools import pairwise

from rag.citations.claim import Claim
from rag.citations.plain import Plain
from rag.citations.source import Source, Window, best_window
from rag.citations.tables import Table
from rag.language.numbers import Number

# The shortest run that counts as common: a single character is chance.
_SHORTEST = 2
# A row as Markdown draws it.
_ROW = re.compile(r"\|(.+)\|\s*")


@dataclass(frozen=True)
class Gap:
    """Where a clause and its passage differ: at `[start, end)` of the clause, which has `said` there, and at
    `[passage_start, passage_end)` of the passage, which has `told`.

    It is `followed` by a run that they have in common, unless it is the last one.
    """

    start: int
    end: int
    passage_start: int
    passage_end: int
    said: str
    told: str
    followed: bool = True

    @property
    def is_between(self) -> bool:
        """Whether both have the same text before it, and behind it."""
        return self.start > 0 and self.followed


@dataclass(frozen=True)
class Alignment:
    """A clause beside the stretch of a passage that has most of its terms."""

    clause: Plain
    window: Window

    @property
    def passage(self) -> Plain:
        """What stands there."""
        return self.window.text

    @cached_property
    def blocks(self) -> tuple[Match, ...]:
        """The runs of equal characters, in order."""
        matcher = SequenceMatcher(None, self.clause.folded, self.passage.folded, autojunk=False)
        return tuple(block for block in matcher.get_matching_blocks() if block.size >= _SHORTEST)

    @property
    def common(self) -> tuple[frozenset[int], frozenset[int]]:
        """Where clause and passage have the same pair of characters in a run: the places in each."""
        places = [(block.a + place, block.b + place) for block in self.blocks for place in range(block.size - 1)]
        return frozenset(ours for ours, _ in places), frozenset(theirs for _, theirs in places)

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """What stands between the equal runs, and beside the first and the last as far as the passage's clause goes."""
        if not self.blocks:
            return ()
        first, last = self.blocks[0], self.blocks[-1]
        begin, end = self.passage.begin_of_clause(first.b), last.b + last.size
        between = (
            self._gap(left.a + left.size, right.a, left.b + left.size, right.b) for left, right in pairwise(self.blocks)
        )
        behind = last.a + last.size, len(self.clause.folded), end, self.passage.end_of_clause(end)
        return self._gap(0, first.a, begin, first.b), *between, self._gap(*behind, followed=False)

    def _gap(self, start: int, end: int, passage_start: int, passage_end: int, followed: bool = True) -> Gap:
        said, told = self.clause.folded[start:end], self.passage.folded[passage_start:passage_end]
        return Gap(start, end, passage_start, passage_end, said, told, followed)

    def between_pauses(self, gap: Gap) -> str:
        """The clause of the passage that a gap lies in."""
        begin, end = self.passage.begin_of_clause(gap.passage_start), self.passage.end_of_clause(gap.passage_end)
        return self.passage.folded[begin:end]


def is_verbatim(clause: Plain, passage: Plain) -> bool:
    """Whether a passage has a clause word for word and number for number, and does not deny it."""
    wanted, text = clause.folded.strip(",:;。!?、 "), passage.folded
    place = text.find(wanted)
    if place < 0:
        return False
    shift = clause.folded.find(wanted)
    values = {number.place: number for number in passage.numbers}
    while place >= 0:
        there = ((number, values.get(number.place - shift + place)) for number in clause.numbers)
        agrees = all(other is not None and number.agrees(other) for number, other in there)
        if agrees and not any(start < place <= end for start, end in passage.denials_and_bounds):
            return True
        place = text.find(wanted, place + 1)
    return False


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
        """What else a claim may repeat: titles and names of the documents, and what its questions grant."""
        return *self.titles, *self.called, self.claim.granted

    def is_known(self, number: Number) -> bool:
        """Whether a claim may tell a number that no passage has."""
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
    def named_tables(self) -> tuple[Table, ...]:
        """The same; where their rows begin with codes, none of which is said, by what these number."""
        return tuple(table.by_names(self.claim.said) or table for table in self.whole_tables)

    @cached_property
    def windows(self) -> tuple[tuple[Plain, Window], ...]:
        """The clauses of the claim, each with the best window in them."""
        return tuple((clause, best_window(clause, self.sources)) for clause in self.claim.text.clauses)

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """What the claim and its questions speak of."""
        return self.claim.text.vocabulary | self.claim.asked.vocabulary

    @cached_property
    def changed(self) -> tuple[Alignment, ...]:
        """The clauses of the claim that no passage has word for word, each beside its window."""
        row = _ROW.fullmatch(self.claim.text.text)
        if row and any(is_verbatim(self.claim.text.part(*row.span(1)), passage) for passage in self.passages):
            return ()
        return tuple(
            Alignment(clause, window)
            for clause, window in self.windows
            if not any(is_verbatim(clause, passage) for passage in self.passages)
        )

    @cached_property
    def gaps(self) -> tuple[tuple[Alignment, Gap], ...]:
        """Where any of these differs from its window."""
        return tuple((alignment, gap) for alignment in self.changed for gap in alignment.gaps)

    def has_only(self, number: Number, places: int) -> bool:
        """Whether the passages have a number of the claim only in so many places, which were found already.

        Sentences on another matter do not count: 事假累计不超过15天, where 年假 was asked for.
        """
        return places > 0 and places >= sum(map(number.agrees, self._told))

    @cached_property
    def _told(self) -> tuple[Number, ...]:
        """The numbers of their tables, and of the sentences that speak of what the claim or its questions speak of."""
        return tuple(
            number
            for passage in self.passages
            for part in passage.prose
            if "|" in part.text or not self.spoken_of.isdisjoint(part.vocabulary)
            for number in part.numbers
        )
