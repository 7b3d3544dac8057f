"""By which of its words a text calls a document."""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from rag.language.folding import CHINESE
from rag.language.lexicon import lexicon

# Part of what many documents are called: no name of one.
_OF_MANY = re.compile(
    r"(?:股份|责任)?有限(?:责任)?公司|公司|集团|年度?|半?季度|第|月|日|报告|全文|正文|摘要|简称|代码|证券|股票"
)
# Not 年报告, 明年报价, 每年报送.
_REPORT = re.compile(r"([年季])\s*(?:度\s*报\s*告|报(?!\s*告|[名考销价表酬废送道到警刊纸社关案]))")
# A shorter piece of a title may be any word, unless the dictionary has it as a name.
_LEAST = 4
# Of titles with this much the same so much may differ; a report on one period tells of others, too.
_LEAST_ALIKE, _MOST_APART = 2, 4
_OF_A_PERIOD = re.compile(r"[年月日季]|(?:19|20)\d\d")
# Where a document begins to tell it is no longer called anything.
_TELLS = re.compile(r"[,，;；。!！?？]")


def reports_in_full(text: str) -> str:
    """A text with reports as they are called in full: 年度报告 for 年报."""
    return _REPORT.sub(r"\1度报告", text)


def title_lines(opening: str) -> list[str]:
    """The lines with which a document says what it is called: its file's name, and those up to one that tells."""
    lines = opening.splitlines()
    return lines[: next((place for place, line in enumerate(lines) if place and _TELLS.search(line)), len(lines))]


def names_in(text: str, title: str) -> Iterator[str]:
    """The longest pieces of a text that are names in a document's title, both folded alike."""
    for run in CHINESE.finditer(_OF_MANY.sub(lambda match: " " * len(match[0]), text)):
        start = run.start()
        while start < run.end():
            end = start
            while end < run.end() and text[start : end + 1] in title:
                end += 1
            if end - start >= _LEAST or text[start:end] in lexicon().names:
                yield text[start:end]
            start = max(end, start + 1)


def common_start(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def common_ends(one: str, other: str) -> tuple[int, int]:
    """How many characters two texts begin with alike, and behind these end with."""
    begin = common_start(one, other)
    return begin, common_start(one[begin:][::-1], other[begin:][::-1])


def mark_of(title: str, others: Iterable[str]) -> str:
    """What tells a title from another one that is like it, A款 of 医疗险A款; "" where none is, or periods differ.

    All are folded alike.
    """
    marks = (_whole(title, *_apart(title, other)) for other in others)
    return next((mark for mark in marks if len(mark) > 1 and not _OF_A_PERIOD.search(mark)), "")


def _apart(title: str, other: str) -> tuple[int, int]:
    """From where to where a title differs from another one; nowhere if they are not alike."""
    begin, behind = common_ends(title, other)
    apart = max(len(title), len(other)) - begin - behind
    return (begin, len(title) - behind) if begin + behind >= _LEAST_ALIKE and apart <= _MOST_APART else (0, 0)


def _whole(title: str, begin: int, end: int) -> str:
    """A part of a title, a number or Latin word as a whole, with the character behind that: 12期, A款."""
    while end > begin > 0 and title[begin - 1].isascii() and title[begin - 1].isalnum():
        begin -= 1
    return title[begin : end + (begin < end and title[end - 1].isascii())]
