"""A passage of the evidence, and where in it the words of a clause stand together."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from rag.citations.plain import Plain, plain
from rag.citations.sentences import MARKER
from rag.citations.table_lines import lines_of, with_units
from rag.citations.tables import Table, tables_of
from rag.language.titles import title_lines
from rag.types import Evidence

# A window is twice as long as what is looked for, and this much more.
_ROOM = 24
# A number stands so near the terms around it.
_NEAR = 4


@dataclass(frozen=True, eq=False)
class Source:
    """A passage's text, the titles it stands under, its tables, and what its document is `called` as it begins.

    Its `whole_tables` have the lines that stand in other passages as well.
    """

    text: Plain
    titles: Plain
    tables: tuple[Table, ...] = ()
    whole_tables: tuple[Table, ...] = ()
    called: Plain = plain("")

    @classmethod
    def of(cls, item: Evidence) -> "Source":
        """The passage of an evidence."""
        return _read(item.text, "\n".join((item.document_name, *item.heading_path)), item.opening)

    @classmethod
    def of_each(cls, evidence: Iterable[Evidence]) -> dict[int, "Source"]:
        """The passages of an evidence by their numbers; a table goes on under the same titles and header."""
        sources = {item.number: cls.of(item) for item in evidence}
        lines: dict[tuple[str, tuple[str, ...]], dict[tuple[str, ...], None]] = defaultdict(dict)
        for source in sources.values():
            for table in source.tables:
                lines[source.titles.text, table.header].update(dict.fromkeys(table.lines))

        def whole(source: Source) -> Iterator[Table]:
            for table in source.tables:
                known = lines[source.titles.text, table.header]
                yield replace(table, lines=tuple(known)) if table.header and len(known) > len(table.lines) else table

        return {number: replace(source, whole_tables=tuple(whole(source))) for number, source in sources.items()}

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """Where each term stands, in rising order."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, term in self.text.terms:
            found[term].append(place)
        return dict(found)

    def best_window(self, clause: Plain) -> "Window":
        """The stretch of the passage with most of the clause's terms; of equal ones most numbers, then the shortest."""
        hits = sorted((place, term) for term in clause.vocabulary for place in self.places.get(term, ()))
        numbers = self._places_of_numbers(clause) if hits else []
        width = 2 * len(clause.text) + _ROOM
        held: dict[str, int] = defaultdict(int)
        best, bounds, left = (0, 0, 0), (0, 0), 0
        for place, term in hits:
            held[term] += 1
            while hits[left][0] < place - width or held[hits[left][1]] > 1:
                held[hits[left][1]] -= 1
                if not held[hits[left][1]]:
                    del held[hits[left][1]]
                left += 1
            if len(held) >= max(1, best[0]):
                begin = hits[left][0]
                near = bisect_right(numbers, place + _NEAR) - bisect_left(numbers, begin - _NEAR)
                if (len(held), near, begin - place) > best:
                    best, bounds = (len(held), near, begin - place), (begin, place)
        spare = max(0, width - (bounds[1] - bounds[0])) // 2
        start, end = max(0, bounds[0] - spare), min(len(self.text.text), bounds[1] + spare + 2)
        return Window(self.text, start, end, best[0])

    def _places_of_numbers(self, clause: Plain) -> list[int]:
        """Where the passage has a number of the clause, in rising order."""
        return [number.place for number in self.text.numbers if any(one.agrees(number) for one in clause.numbers)]


# An answer is checked as it ends and wherever it is shown, and the next one goes on from the same passages.
@lru_cache(maxsize=256)
def _read(text: str, titles: str, opening: str) -> Source:
    """A passage, the titles it stands under, and what its document is called as it begins, its lines kept apart."""
    lines = tuple(with_units(lines_of(text)))
    tables = tables_of(lines)
    read = plain("\n".join(line.text for line in lines))
    return Source(read, plain(titles), tables, tables, plain(" | ".join(title_lines(opening))))


def documents_of(sources: Iterable[Source]) -> tuple[Plain, ...]:
    """What the documents of some passages are called, each once."""
    return tuple({source.called.text: source.called for source in sources if source.called.text}.values())


@dataclass(frozen=True)
class Window:
    """The stretch of a passage from `start` to `end`, and how many of a clause's terms it holds."""

    passage: Plain
    start: int
    end: int
    held: int

    @cached_property
    def text(self) -> Plain:
        """What stands in it; of most windows only what they hold is asked for."""
        return self.passage.part(self.start, self.end)


def best_part(statement: str, parts: Sequence[str]) -> int | None:
    """Which part of a passage says most of a statement: its terms close together, its numbers; on a tie the first.

    None where no part says any of it.
    """
    claim = plain(MARKER.sub("", statement))

    def held(part: str) -> int:
        source = _of_part(part)
        terms = sum(source.best_window(clause).held for clause in claim.clauses)
        return terms + sum(map(source.text.has, claim.numbers))

    shares = list(map(held, parts))
    return shares.index(max(shares)) if any(shares) else None


# The sentences of one answer ask for the same parts.
@lru_cache(maxsize=512)
def _of_part(text: str) -> Source:
    return Source(plain(text), plain(""))


def coverage(clauses: Sequence[Plain], sources: Sequence[Source]) -> float:
    """The share of a sentence's terms that stand together in passages, clause by clause."""
    wanted = sum(len(clause.vocabulary) for clause in clauses)
    return sum(best_window(clause, sources).held for clause in clauses) / max(1, wanted)


def best_window(clause: Plain, sources: Sequence[Source]) -> Window:
    """The best window of several passages."""
    return max((source.best_window(clause) for source in sources), key=lambda window: window.held)
