"""Which parts of a clause stand word for word in a passage, and what the passage has where the clause differs."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from functools import cached_property, lru_cache
from itertools import pairwise

from rag.citations.plain import Plain
from rag.citations.source import Window
from rag.language.denials import denials

# A single character in common is chance.
_SHORTEST = 2


@dataclass(frozen=True)
class Gap:
    """Where a clause and its passage differ: `[start, end)` of each; `followed` by what they have in common.

    `said` is what the clause has there, `told` what the passage has.
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
        """Whether the same text stands before and behind it."""
        return self.start > 0 and self.followed


@dataclass(frozen=True)
class Alignment:
    """A clause beside the stretch of a passage that it resembles most."""

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
        """The places, in clause and passage, of the pairs of characters in the runs."""
        places = [(block.a + place, block.b + place) for block in self.blocks for place in range(block.size - 1)]
        return frozenset(ours for ours, _ in places), frozenset(theirs for _, theirs in places)

    def gaps(self) -> Iterator[Gap]:
        """What stands between the equal runs; before the first and after the last as far as the next pause."""
        if not self.blocks:
            return
        first, last = self.blocks[0], self.blocks[-1]
        yield self._gap(0, first.a, self.passage.begin_of_clause(first.b), first.b)
        for left, right in pairwise(self.blocks):
            yield self._gap(left.a + left.size, right.a, left.b + left.size, right.b)
        end = last.b + last.size
        yield self._gap(
            last.a + last.size, len(self.clause.folded), end, self.passage.end_of_clause(end), followed=False
        )

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
        if agrees and not any(start < place <= end for start, end in _denials(text)):
            return True
        place = text.find(wanted, place + 1)
    return False


# Each clause of an answer asks for those of the same passages.
@lru_cache(maxsize=64)
def _denials(passage: str) -> tuple[tuple[int, int], ...]:
    return tuple(denials(passage, range(len(passage))))
