"""Texts made comparable: one form of every character, Traditional or Simplified, no Markdown, no blanks within Chinese,
every number one `#`.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import pairwise

from rag.language.denials import denials
from rag.language.english import with_chinese_dates
from rag.language.folding import CHINESE, HAN, simplified
from rag.language.numbers import SENTENCE_END, Number, replace_numbers

_MARKDOWN = re.compile(r"[*`#]+|\\(?=\])|^[^\S\n]*>+", re.MULTILINE)
_WIDE = rf"\u3000-\u303f{HAN}\uff00-\uffef"
_NEEDLESS_BLANK = re.compile(rf"(?<=[{_WIDE}#%,;:()])\s+|(?<!\s)\s+(?=[{_WIDE}#%,;:()])")
# What stands in the next row of a table goes on with nothing.
_ROW_END = re.compile(r"(?<=\|)([^|\n]+)(?<!\s)\n")
# Nor does a line that is told by a label go on in another such line: 过敏史：无.
_LABEL = rf"[{HAN}][^\n|,:;。!?]{{0,11}}:"
_LABELLED_LINE = re.compile(rf"^({_LABEL}[^\n]*)\n(?={_LABEL})", re.MULTILINE)
HAN_PAIR = re.compile(rf"(?=([{HAN}]{{2}}))")
_WEEK = re.compile("星期|礼拜")
_LATIN = re.compile(r"[a-z_][a-z\d_]*")
# Function characters that say nothing by themselves.
_FILLER = str.maketrans(dict.fromkeys("的了是在和与及并且而其该等也都就将被把为以于对由从到中这那之", " "))
# Where something said ends, within the brackets of a pattern; what is listed ends at 、 as well.
PAUSES = r",:;。!?\n|()"
PAUSES_OF_A_LIST = f"、{PAUSES}"
PAUSE = re.compile(f"[{PAUSES}]")
# What links a clause with the one before it and is no part of what it tells of.
LEAD = re.compile("^(?:其中|而|但|且|另外?|对于?)")
_CLAUSE_ENDS = r",:;。!?\n|"
_SHORTEST_CLAUSE = 8
# Nobody says more without a pause, and what comparing it takes grows with the square of its length.
_LONGEST_CLAUSE = 400
_CLAUSE = re.compile(
    rf"[^{_CLAUSE_ENDS}]{{0,{_LONGEST_CLAUSE}}}+[{_CLAUSE_ENDS}]|[^{_CLAUSE_ENDS}]{{{_LONGEST_CLAUSE}}}"
)
# Of what stands by itself: a sentence, a part of one behind a semicolon, a cell.
PART_END = re.compile(r"[。;!?\n|]")
# The same, all of a sentence together.
WHOLE_END = re.compile(r"[。!?\n|]")
# A number that stands further from where its clause begins is told of more than one thing.
_LONGEST_BEFORE = 24
# Chinese prose has some Latin words, and English prose a Chinese name.
_MOSTLY = 0.75


@dataclass(frozen=True)
class Plain:
    """A comparable text in its own case, and its numbers by their place in it."""

    text: str
    numbers: tuple[Number, ...]

    @cached_property
    def folded(self) -> str:
        """The text in lower case, of the same length."""
        lower = self.text.lower()
        return lower if len(lower) == len(self.text) else self.text

    @cached_property
    def valued(self) -> str:
        """The text in lower case, its numbers by their values and weeks by one word: 第3季度, 周一 for 星期一."""
        pieces, end = [], 0
        for number in self.numbers:
            pieces += [self.folded[end : number.place], number.digits]
            end = number.place + 1
        return _WEEK.sub("周", "".join((*pieces, self.folded[end:])))

    @property
    def as_written(self) -> str:
        """The text with its numbers."""
        return reduce(lambda told, number: told.replace("#", number.written.rstrip("%％"), 1), self.numbers, self.text)

    @cached_property
    def terms(self) -> tuple[tuple[int, str], ...]:
        """What the text speaks of, with places: pairs of Chinese characters between fillers, and Latin words."""
        folded = self.folded
        pairs = [
            (run.start() + i, run[0][i : i + 2])
            for run in CHINESE.finditer(folded.translate(_FILLER))
            for i in range(len(run[0]) - 1)
        ]
        return (*pairs, *((word.start(), word[0]) for word in _LATIN.finditer(folded) if len(word[0]) > 1))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Its terms, each once."""
        return frozenset(term for _, term in self.terms)

    @cached_property
    def occurrences(self) -> Mapping[str, int]:
        """How often it has each of them."""
        return Counter(term for _, term in self.terms)

    @cached_property
    def pairs(self) -> frozenset[str]:
        """All pairs of neighbouring characters."""
        return frozenset(self.folded[i : i + 2] for i in range(len(self.folded) - 1))

    @cached_property
    def denials(self) -> tuple[tuple[int, int], ...]:
        """Where it denies, as start and end."""
        return tuple(denials(self.folded))

    @cached_property
    def denials_and_bounds(self) -> tuple[tuple[int, int], ...]:
        """The same, with the bounds that are told by a denial: 不超过."""
        return tuple(denials(self.folded, range(len(self.folded))))

    @cached_property
    def told_in_clauses(self) -> Mapping[int, frozenset[str]]:
        """What each of its numbers is told of, by its place: the terms before it in its clause."""
        return self._told_behind(PAUSE)

    @cached_property
    def told_in_parts(self) -> Mapping[int, frozenset[str]]:
        """The same, with the clauses before it in its sentence or cell."""
        return self._told_behind(PART_END)

    def _told_behind(self, pause: re.Pattern[str]) -> dict[int, frozenset[str]]:
        """The terms between such a pause and each number; none where it is far away, for that is told of several."""
        found: dict[int, frozenset[str]] = {}
        for number in self.numbers:
            start = max(0, number.place - _LONGEST_BEFORE)
            ends = [match.end() for match in pause.finditer(self.text, start, number.place)] or [0] * (start == 0)
            before = self.text[ends[-1] : number.place] if ends else ""
            found[number.place] = Plain(before, ()).vocabulary
        return found

    @cached_property
    def script(self) -> str:
        """What it is written in, "han" or "latin"; empty where it is in both or has no letters."""
        letters = sum(map(str.isalpha, self.text))
        share = sum(len(run[0]) for run in CHINESE.finditer(self.text)) / max(1, letters)
        return "han" if share > _MOSTLY else "latin" if letters and share < 1 - _MOSTLY else ""

    def is_foreign_to(self, other: "Plain") -> bool:
        """Whether one of two texts is in Chinese and one in a language without; one that mixes them is neither."""
        return {self.script, other.script} == {"han", "latin"}

    def has(self, number: Number) -> bool:
        """Whether any of its numbers is the one that a claim tells."""
        return any(number.agrees(other) for other in self.numbers)

    def part(self, start: int, end: int) -> "Plain":
        """The text from `start` to `end`, with its numbers."""
        inside = (number for number in self.numbers if start <= number.place < end)
        moved = (replace(number, place=number.place - start) for number in inside)
        return Plain(self.text[start:end], tuple(moved))

    @cached_property
    def _pauses(self) -> tuple[int, ...]:
        return tuple(match.start() for match in PAUSE.finditer(self.text))

    @cached_property
    def _sentence_ends(self) -> tuple[int, ...]:
        return tuple(match.start() for match in SENTENCE_END.finditer(self.text))

    def begin_of_clause(self, place: int) -> int:
        """Where the clause begins that a place is in: behind the last pause before it."""
        before = bisect_left(self._pauses, place)
        return self._pauses[before - 1] + 1 if before else 0

    def end_of_clause(self, place: int) -> int:
        """Where the clause ends that a place is in: at the next pause, which may be there."""
        before = bisect_left(self._pauses, place)
        return self._pauses[before] if before < len(self._pauses) else len(self.text)

    def ends_between(self, place: int, other: int) -> tuple[int, int]:
        """How many pauses, and how many ends of sentences, stand between two places."""
        start, end = sorted((place, other))
        pauses, ends = (
            bisect_left(places, end) - bisect_left(places, start) for places in (self._pauses, self._sentence_ends)
        )
        return pauses, ends

    def is_in_a_row(self, place: int) -> bool:
        """Whether a place is in a line of cells."""
        line = self.text[self.text.rfind("\n", 0, place) + 1 :].partition("\n")[0]
        return "|" in line

    def counter_of(self, number: Number) -> str:
        """The character right behind one of its numbers, which mostly tells what it counts: 节 of 第4节."""
        return self.folded[number.place + 1 : number.place + 2]

    def around(self, number: Number) -> str:
        """What stands before and behind one of its numbers, as far as the next ones."""
        before, behind = self.text[: number.place], self.text[number.place + 1 :]
        return f"{before.rpartition('#')[2]}#{behind.partition('#')[0]}"

    def unsigned(self) -> "Plain":
        """The text, any of whose numbers may be below zero."""
        return replace(self, numbers=tuple(replace(number, is_below_zero=None) for number in self.numbers))

    @cached_property
    def sentences(self) -> tuple["Plain", ...]:
        """The text in sentences, lines apart."""
        return self.cut(SENTENCE_END)

    @cached_property
    def between_pauses(self) -> tuple["Plain", ...]:
        """The text in what stands between its pauses."""
        return self.cut(PAUSE)

    def cut(self, end: re.Pattern[str]) -> tuple["Plain", ...]:
        """The text in parts, each up to such an end."""
        bounds = [0, *(match.end() for match in end.finditer(self.text)), len(self.text)]
        return tuple(self.part(start, stop) for start, stop in pairwise(bounds) if start < stop)

    @cached_property
    def prose(self) -> tuple["Plain", ...]:
        """The text in sentences, each apart from the rows of a table that come before it."""
        begins = [one.text.rfind("|") + 1 if one.text.endswith("。") else 0 for one in self.sentences]
        parts = [
            (one.part(0, begin), one.part(begin, len(one.text)))
            for one, begin in zip(self.sentences, begins, strict=True)
        ]
        return tuple(part for pair in parts for part in pair if part.text)

    @cached_property
    def clauses(self) -> tuple["Plain", ...]:
        """The text in clauses; short ones stay with what follows."""
        bounds = [0]
        for match in _CLAUSE.finditer(self.text):
            if match.end() - bounds[-1] >= _SHORTEST_CLAUSE:
                bounds.append(match.end())
        if len(self.text) - bounds[-1] < _SHORTEST_CLAUSE and len(bounds) > 1:
            bounds.pop()
        return tuple(self.part(start, end) for start, end in pairwise([*bounds, len(self.text)]))


def plain(text: str) -> Plain:
    """A text of an answer, a question or a document, comparable with others."""
    normal = _MARKDOWN.sub("", simplified(unicodedata.normalize("NFKC", text)))
    lines = _LABELLED_LINE.sub(r"\1|", _ROW_END.sub(r"\1|", normal))
    numbered, numbers = replace_numbers(with_chinese_dates(_NEEDLESS_BLANK.sub("", lines)))
    return Plain(numbered, numbers)
