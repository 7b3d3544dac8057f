"""Two versions of one text laid side by side: cleaned and reordered on the one hand, as the file has it on the other.

Greedy string tiling (M. J. Wise, 1993) over letters, digits and Chinese characters only, so that blanks, punctuation,
table borders and compatibility forms do not matter, and blocks may have changed places.
"""

import unicodedata
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

UNMATCHED = -1
# Long tiles first: they are certain, and tell short ones, such as the cells of a table, where to look.
_TILES = (12, 6, 3)
_SHORTEST = 2  # what is left of a page, such as a title of two characters
# Of a tile that occurs often, only the places nearest to the expected one are compared.
_CANDIDATES = 16
_WIDEST_GAP = 300
# A tile that runs over a line break of the file by less may have met the same characters there by chance: rows of a
# table begin alike, and so do the lines of two columns.
_SURE_TAIL = 6


def align(clean: str, raw: str) -> list[int]:
    """For each character of `clean` the index of the one in `raw` that it came from, or UNMATCHED.

    Line breaks in `raw` say where the file begins a new line, column or cell.
    """
    ours, theirs = _Letters(clean), _Letters(raw)
    tiling = _Tiling(ours.text, theirs.text, theirs.line_starts)
    for length in _TILES:
        tiling.tile(length)
    tiling.tile(_TILES[-1], again=True)
    tiling.go_on()
    tiling.tile(_SHORTEST)
    places = [UNMATCHED] * len(clean)
    for index, found in enumerate(tiling.found):
        if found != UNMATCHED:
            places[ours.origin[index]] = theirs.origin[found]
    _add_punctuation(clean, raw, places)
    return places


class _Letters:
    """A text's letters, digits and Chinese characters in one form, and which character each came from."""

    def __init__(self, text: str) -> None:
        pairs = [
            (letter, index) for index, character in enumerate(text) for letter in _forms(character) if letter.isalnum()
        ]
        self.text = "".join(letter for letter, _ in pairs)
        self.origin = [index for _, index in pairs]
        breaks = [index for index, character in enumerate(text) if character == "\n"]
        self.line_starts = [bisect_left(self.origin, index) for index in breaks]


class _Tiling:
    """The places of one text's characters in another, `found` so far."""

    def __init__(self, ours: str, theirs: str, line_starts: Sequence[int]) -> None:
        self._ours = ours
        self._theirs = theirs
        self._line_starts = line_starts
        self._taken = bytearray(len(theirs))
        self.found = [UNMATCHED] * len(ours)

    def tile(self, length: int, again: bool = False) -> None:
        """Place what is left in pieces of at least `length` characters, from left to right.

        Each place is taken once, unless `again`: the cleaned text of a table repeats a cell in each row it spans.
        """
        taken = bytearray(len(self._theirs)) if again else self._taken
        places = defaultdict(list)
        for index in range(len(self._theirs) - length + 1):
            if not any(taken[index : index + length]):
                places[self._theirs[index : index + length]].append(index)
        index = 0
        while index + length <= len(self._ours):
            place = self._best(index, places.get(self._ours[index : index + length], []), taken)
            size = self._sure(place, self._common(index, place, taken)) if place != UNMATCHED else 0
            if size >= length:
                self._take(index, place, size)
                index += size
            else:
                index += 1

    def go_on(self) -> None:
        """Place what is too short for a tile where it goes on from what stands before it."""
        for index in range(1, len(self.found)):
            place = self.found[index - 1] + 1
            if self.found[index] == UNMATCHED and place and self._theirs.startswith(self._ours[index], place):
                self._take(index, place, 1)

    def _best(self, index: int, places: list[int], taken: bytearray) -> int:
        """Of the places where a piece begins, that with the longest common text; on a tie, the nearest."""
        if not places or self.found[index] != UNMATCHED:
            return UNMATCHED
        expected = self._expected(index)
        return max(
            _near(places, expected), key=lambda place: (self._common(index, place, taken), -abs(place - expected))
        )

    def _sure(self, place: int, size: int) -> int:
        """How much of a tile is sure: a short end behind a line break is left to be placed later."""
        last = bisect_right(self._line_starts, place + size - 1) - 1
        sure = self._line_starts[last] - place if last >= 0 else 0
        return sure if sure >= _TILES[-1] and size - sure < _SURE_TAIL else size

    def _expected(self, index: int) -> int:
        """Where the character would be if the text went on as it was before."""
        before = next(
            (back for back in range(index - 1, max(-1, index - _WIDEST_GAP), -1) if self.found[back] >= 0), None
        )
        return self.found[before] + index - before if before is not None else index

    def _common(self, index: int, place: int, taken: bytearray) -> int:
        """How many characters the texts have in common from there on that have no place and are not taken."""
        size = 0
        for ours, theirs in zip(range(index, len(self._ours)), range(place, len(self._theirs)), strict=False):
            if self._ours[ours] != self._theirs[theirs] or self.found[ours] != UNMATCHED or taken[theirs]:
                break
            size += 1
        return size

    def _take(self, index: int, place: int, size: int) -> None:
        self.found[index : index + size] = range(place, place + size)
        self._taken[place : place + size] = b"\x01" * size


def _near(places: Sequence[int], expected: int) -> Sequence[int]:
    middle = bisect_left(places, expected)
    return places[max(0, middle - _CANDIDATES // 2) : middle + _CANDIDATES // 2]


def _add_punctuation(clean: str, raw: str, places: list[int]) -> None:
    """Give what stands beside a placed character, in both texts, its place too: closing marks, then opening ones."""
    taken = set(places)
    for indices, step in ((range(1, len(clean)), 1), (range(len(clean) - 2, -1, -1), -1)):
        for index in indices:
            beside = places[index - step]
            place = beside + step
            if places[index] != UNMATCHED or beside == UNMATCHED or not 0 <= place < len(raw) or place in taken:
                continue
            if _forms(clean[index]) == _forms(raw[place]):
                places[index] = place
                taken.add(place)


def _forms(character: str) -> str:
    return unicodedata.normalize("NFKC", character).casefold()
