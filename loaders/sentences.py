"""Sentences as spans of a text, and their packing into pieces of limited length. Pure functions."""

import re
from collections.abc import Iterator, Sequence

from loaders.cleaning import CLOSERS

Span = tuple[int, int]

_CLOSERS = re.escape(CLOSERS)
# Chinese marks end a sentence wherever they stand, but for a question that is quoted in one: 先问“几天？”，再问. ASCII
# ones only before a blank, or they are `a != b` and `3.5`, and not behind the number that begins a line, `3. 验证`, or
# a letter alone, as of a choice or a name: `A. 细胞核 B. 叶绿体`.
# Bounded: every end of an endless row would be tried.
SENTENCE_END = re.compile(
    rf"(?:[。！？；…]{{1,9}}+[{_CLOSERS}]{{0,9}}+){{1,9}}+(?![，、])"
    rf"|(?:(?<!^\d)(?<!^\d\d)(?<!^[A-Z]\d)(?<!^[A-Z]\d\d)(?<!\b[A-Z])\.|[!?;])[{_CLOSERS}]*(?=\s)|\n",
    re.MULTILINE,
)
ASKS = ("？", "?")
_CLAUSE_END = re.compile(r"[，、：,:]|\s")


def sentence_spans(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    """The sentences of `text[start:end]`, without blanks around them, none longer than `limit`.

    A line ends a sentence. One that is too long is cut at its last comma or blank that fits, else by length.
    """
    first = start
    for last in (*(match.end() for match in SENTENCE_END.finditer(text, start, end)), end):
        while last - first > limit:
            cut = _last_clause_end(text, first, first + limit)
            yield from _stripped(text, first, cut)
            first = cut
        yield from _stripped(text, first, last)
        first = last


def _last_clause_end(text: str, start: int, end: int) -> int:
    """Where to cut: behind the last comma, unless that leaves less than half of what fits."""
    ends = [match.end() for match in _CLAUSE_END.finditer(text, start + (end - start) // 2, end)]
    return ends[-1] if ends else end


def _stripped(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def is_answered(text: str, sentence: Span, following: Span) -> bool:
    """Whether a sentence asks, and its line asks on, or ends and the next begins with a sentence that asks nothing."""
    asks, asks_again = (text.endswith(ASKS, start, end) for start, end in (sentence, following))
    return asks and asks_again != ("\n" in text[sentence[1] : following[0]])


def pack(spans: Sequence[Span], limit: int, overlap: int) -> Iterator[Sequence[Span]]:
    """Consecutive spans in groups that reach over at most `limit` characters.

    A group repeats the last spans of the one before, as far as they are whole, fit and reach over at most `overlap`.
    """
    first = 0
    for index, span in enumerate(spans):
        if span[1] - spans[first][0] <= limit:
            continue
        yield spans[first:index]
        first = _repeat_from(spans, first, index, limit, overlap)
    if first < len(spans):
        yield spans[first:]


def _repeat_from(spans: Sequence[Span], first: int, index: int, limit: int, overlap: int) -> int:
    """The first span of the group that adds span `index`: as far back as the overlap allows, but not the same again."""
    earliest = index
    for candidate in range(index - 1, first, -1):
        reach = spans[index - 1][1] - spans[candidate][0]
        if reach > overlap or spans[index][1] - spans[candidate][0] > limit:
            break
        earliest = candidate
    return earliest
