"""The sentences of an answer in Markdown: in paragraphs, list items and table rows, with the [n] that they bear."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

# Models also write 【2】, ［2］ and [1,2] or [1、2]; [0, 1] and 取值范围是[1,5] are intervals.
_NUMBER = r"[1-9]\d{0,2}"
_OF_AN_INTERVAL = (
    *("∈", r"∈\s", "区间", "区间[是为在:：]"),
    *(f"{named}{told}" for named in ("取值", "值范围", "值域") for told in ("", "[是为在:：]")),
)
_NO_INTERVAL = "".join(rf"(?<!{before}[\[【［])" for before in _OF_AN_INTERVAL)
MARKER = re.compile(rf"[\[【［]({_NUMBER}|{_NO_INTERVAL}{_NUMBER}(?:\s*[,，、]\s*{_NUMBER})+)[\]】］]")
_FENCE = re.compile(r"\s*(```|~~~)")
_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?|[-*_]{3,}")
_QUOTES = "> \t"
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
# As a model counts what it lists: 第六条第1句：.
_COUNTED = r"(?:第[^\W_]{1,4}[章节条款]的?)?第[\d一二三四五六七八九十]{1,3}[点句][：:]"
_BULLET = re.compile(
    rf"[\s>]*(?:[-*+•·](?=\s)|\d{{1,3}}(?:\.(?!\d)|[)）、])|[（(]\d{{1,3}}[)）])?\s*(?:{_COUNTED})?\s*"
)
_MARKER = rf"\s*{MARKER.pattern}"
# A semicolon ends a sentence only before a marker: otherwise the last marker covers all that precedes it.
# A full stop of Latin script ends a sentence only before a blank, and not in "e.g." or after an initial.
# "![" begins an image, unless a marker follows, and "?" in an address what is asked of it.
_STOP = rf"(?:[。！？]|\?(?![A-Za-z\d])|!(?!\[\D))+|[；;](?={_MARKER})|(?<=[a-z\d)]{{2}})\.(?=[\s\[]|$)"
_END = re.compile(rf"(?:{_STOP})[”’」』）)\"*]*(?:{_MARKER})*")
_WORD = re.compile(r"\w")
# The clauses of a sentence; no comma within a number ends one.
CLAUSE = re.compile(r"(?:[^，；;,]|,(?=\d))*[，；;,]?")


def without_markers(quoted: str) -> str:
    """Markdown of a text that is quoted, in which what looks like a marker is none: arr[1], or the reference [12]."""
    return MARKER.sub(r"[\1\]", quoted)


def cited_numbers(answer: str) -> tuple[int, ...]:
    """The numbers that an answer cites, each once, in the order of their first marker."""
    numbers = (int(number) for match in MARKER.finditer(answer) for number in re.findall(r"\d+", match[1]))
    return tuple(dict.fromkeys(numbers))


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece of an answer, its place there, its text without markers, and the numbers of these.

    It is quoted where its line is marked so.
    """

    start: int
    end: int
    text: str
    numbers: tuple[int, ...]
    is_heading: bool = False
    is_quoted: bool = False


def sentences(answer: str) -> tuple[Sentence, ...]:
    """The sentences of an answer in order. Code in fences is not read."""
    found: list[Sentence] = []
    for start, line, is_heading in _lines(answer):
        for piece_start, piece_end in _pieces(line, is_heading):
            sentence = _sentence(line, start, piece_start, piece_end, is_heading)
            if _WORD.search(sentence.text):
                found.append(sentence)
    return tuple(found)


def _lines(answer: str) -> Iterator[tuple[int, str, bool]]:
    """The lines of an answer with their places, and whether each is a heading: the row above a rule names columns."""
    position, fenced = 0, False
    for line, below in pairwise([*answer.splitlines(keepends=True), ""]):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _is_rule(line):
            yield position, line.rstrip(), _HEADING.match(line) is not None or (_is_row(line) and _is_rule(below))
        position += len(line)


def _is_rule(line: str) -> bool:
    return _RULE.fullmatch(line.lstrip(_QUOTES).rstrip()) is not None


def _is_row(line: str) -> bool:
    return line.lstrip(_QUOTES).startswith("|")


def _pieces(line: str, is_heading: bool) -> Iterator[tuple[int, int]]:
    """Where the sentences of a line begin and end. A heading or a table row is one sentence."""
    bullet = _BULLET.match(line)
    start = bullet.end() if bullet else 0
    if not is_heading and not _is_row(line):
        for match in _END.finditer(line, start):
            yield start, match.end()
            start = match.end()
    if line[start:].strip():
        yield start, len(line)


def _sentence(line: str, offset: int, start: int, end: int, is_heading: bool) -> Sentence:
    start += len(line[start:end]) - len(line[start:end].lstrip())
    end = start + len(line[start:end].rstrip())
    text = line[start:end]
    leading = MARKER.match(text)
    # "[1] …[3]": what stands before the sentence numbers a list, what stands after it cites.
    listed = leading is not None and MARKER.search(text, leading.end()) is not None
    cited = cited_numbers(text[leading.end() :] if leading and listed else text)
    plain = MARKER.sub("", text)
    return Sentence(offset + start, offset + end, plain, cited, is_heading, is_quoted=line.startswith(">"))
