"""What heads the rows and columns of a table, and which of these a text names."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations

from rag.citations.plain import HAN_PAIR, plain
from rag.citations.tables import SHORTEST_LABEL, Table
from rag.language.folding import HAN

# Each of these may name a row and a column of its own.
PIECE = re.compile(r"[^,;。!?\n|]+")
_RANGE = "[至到~—–-]"
_PART_OF_A_CELL = re.compile(r"[^、,;/()\s]+")
_PART_OF_A_SIZE = re.compile(r"[^×*、,;/()\s]+")
_A_WORD = re.compile(r".[^\W\d_]|[^\W\d_].")
_ASIDE = re.compile(r"\([^()]*\)$")
# A label in Chinese, or a code: E5, 40903.
_TELLS = re.compile(rf"[{HAN}]|^(?:[a-z]+\d+|[a-z\d_.-]{{3,}})$")
# By its code alone a model is named as well: XR-300 of 型号XR-300.
_CODE = re.compile(rf"(?<=[{HAN}])[a-z]+-?\d+[a-z\d-]*$")


@dataclass(frozen=True)
class Grid:
    """A table's cells by their rows, and what heads its rows and columns."""

    lines: tuple[tuple[str, ...], ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @cached_property
    def words(self) -> frozenset[str]:
        """What its cells say, part by part, that heads no row or column."""
        parts = {part for line in self.lines for cell in line for part in _PART_OF_A_CELL.findall(cell)}
        return frozenset(part for part in parts - {*self.rows, *self.columns} if HAN_PAIR.match(part))

    def heads(self, text: str) -> frozenset[str]:
        """Its rows and columns that a text names; where a range ends is none."""
        named = {head for head in {*self.rows, *self.columns} if _stands_in(head, text)}
        longest = {head for head in named if not any(head in other for other in named - {head})}
        ends = {head for pair in joined(longest, _RANGE, text) for head in pair}
        return frozenset(longest - ends)

    def parts_told(self, row: int, text: str) -> frozenset[str]:
        """What a row's cells say, part by part, that a text has as well: M10 of M10×100."""
        parts = (part for cell in self.lines[row] for part in _PART_OF_A_SIZE.findall(cell))
        return frozenset(part for part in parts if _A_WORD.search(part) and is_apart(part, text))

    def places(self, word: str, heads: frozenset[str]) -> Iterator[tuple[int, int]]:
        """Where a word stands in the rows and columns that are named; in any where none is, or no column of a kind."""
        has_rows = not heads.isdisjoint(self.rows)
        for row, line in enumerate(self.lines):
            for at, cell in enumerate(line) if not has_rows or self.rows[row] in heads else ():
                head = self.columns[at] if len(line) == len(self.columns) else ""
                if word in cell and (head in heads or not any(_are_alike(head, named) for named in heads)):
                    yield row, at


# The sentences of one answer ask for the same tables.
@lru_cache(maxsize=64)
def grid_of(table: Table) -> Grid:
    """The grid of a table. A unit in brackets is no part of what heads a row or column."""
    lines = tuple(tuple(plain(cell).valued for cell in line) for line in table.lines)
    rows = tuple(_head(label.valued) for label in table.labels)
    return Grid(lines, rows, tuple(_head(plain(cell).valued) for cell in table.header))


def joined(heads: Set[str], link: str, text: str) -> Iterator[tuple[str, str]]:
    """Of some heads those that a text joins so."""
    for one, other in permutations(heads, 2):
        if re.search(f"{re.escape(one)}{link}{re.escape(other)}", text):
            yield one, other


def _head(valued: str) -> str:
    return _ASIDE.sub("", valued).strip()


def _stands_in(head: str, text: str) -> bool:
    """Whether a text has what heads a row or column, and no other number or Latin word that it is a part of."""
    names: Sequence[str] = (head, *(code[0] for code in [_CODE.search(head)] if code))
    return any(len(name) >= SHORTEST_LABEL and _TELLS.search(name) and is_apart(name, text) for name in names)


def is_apart(name: str, text: str) -> bool:
    """Whether a text has a name, and no other number or Latin word that it is a part of."""
    if name not in text:
        return False
    return re.search(rf"(?<![a-z\d](?=[a-z\d])){re.escape(name)}(?!(?<=[a-z\d])[a-z\d])", text) is not None


def _are_alike(head: str, other: str) -> bool:
    """Whether two heads are of one kind: 周一 and 周五, 早班 and 晚班, 9月 and 10月."""
    ours, theirs = re.sub(r"\d+", "#", head), re.sub(r"\d+", "#", other)
    apart = sum(a != b for a, b in zip(ours, theirs, strict=False))
    return head != other and len(head) >= SHORTEST_LABEL and len(ours) == len(theirs) and apart <= 1
