"""Headings: found by their numbering where a file brings no outline, and placed in the text."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.types import Heading, LoadedDocument, Page

_CHINESE_NUMBER = r"[\d一二三四五六七八九十百零〇]{1,5}"
_CHAPTER = re.compile(rf"第\s?{_CHINESE_NUMBER}\s?([编篇部卷章节])(?=[\s：:]|[^\s，。；的])")
_ARTICLE = re.compile(rf"第{_CHINESE_NUMBER}条(?:之[一二三四五六七八九十])?(?=[ \u3000])")
_DECIMAL = re.compile(r"([1-9]\d?(?:\.[1-9]\d?){1,4})[.、]?\s*(?=[^\W\d_])")
_WHOLE = re.compile(r"([1-9]\d?)[.、]?\s+(?=[^\W\d_])")
_LISTED = re.compile(r"[一二三四五六七八九十]{1,3}、")
_BRACKETED = re.compile(r"[(（][一二三四五六七八九十]{1,3}[)）]")
# The entry of a table of contents: leaders or a page number at its end.
_CONTENTS_ENTRY = re.compile(r"(?:[.…·]{2,}|\.\s)\s*\d*$|[^\d\s.、]\s+\d{1,4}$|[.…·]\s?\d{1,4}$")
_LONGEST = 40
_SENTENCE_MARKS = re.compile(r"[，。；！？,;!?：:]")
_CHAPTER_LEVELS = {"编": 1, "篇": 1, "部": 1, "卷": 1, "章": 2, "节": 3}
_LISTED_LEVEL, _BRACKETED_LEVEL, _DECIMAL_LEVEL, _ARTICLE_LEVEL = 4, 5, 5, 9


@dataclass(frozen=True, slots=True)
class PlacedHeading:
    """A heading at its place in `LoadedDocument.text`, with the titles above it and its own, outermost first."""

    start: int
    path: tuple[str, ...]


def bare(text: str) -> str:
    """Text without blanks, for comparing titles with lines."""
    return "".join(text.split())


def is_numbered_heading(line: str) -> bool:
    """Whether a line is a heading by its numbering alone, such as `第二章 总则`, `3.1 定义` or `一、概述`."""
    level = _level(line)
    return level is not None and level != _ARTICLE_LEVEL


def detect_headings(pages: Sequence[Page]) -> tuple[Heading, ...]:
    """The headings that numbering shows. A lone number counts where a decimal one under it follows."""
    lines = [(page.number, line) for page in pages for line in page.text.split("\n")]
    chapters = {match[1].split(".")[0] for _, line in lines if _level(line) and (match := _DECIMAL.match(line))}
    found = []
    for number, line in lines:
        level = _level(line)
        if level is None and (match := _WHOLE.match(line)) and match[1] in chapters and _is_title(line):
            level = _DECIMAL_LEVEL - 1
        if level is not None:
            article = _ARTICLE.match(line)
            found.append(Heading(level, article[0] if article else line, number))
    return _from_first_level(found)


def _level(line: str) -> int | None:
    if _ARTICLE.match(line):
        return _ARTICLE_LEVEL
    if not _is_title(line):
        return None
    if match := _CHAPTER.match(line):
        return _CHAPTER_LEVELS[match[1]]
    if match := _DECIMAL.match(line):
        return _DECIMAL_LEVEL + match[1].count(".") - 1
    if _LISTED.match(line):
        return _LISTED_LEVEL
    return _BRACKETED_LEVEL if _BRACKETED.match(line) else None


def _is_title(line: str) -> bool:
    return len(line) <= _LONGEST and not _SENTENCE_MARKS.search(line) and not _CONTENTS_ENTRY.search(line)


def _from_first_level(headings: Sequence[Heading]) -> tuple[Heading, ...]:
    """Headings whose levels count from 1 without gaps."""
    ranks = {level: rank for rank, level in enumerate(sorted({heading.level for heading in headings}), start=1)}
    return tuple(Heading(ranks[heading.level], heading.title, heading.page) for heading in headings)


def place_headings(document: LoadedDocument) -> tuple[PlacedHeading, ...]:
    """The outline's headings at the lines they stand on; one whose line is not found opens its page."""
    starts = _line_starts(document)
    placed: list[PlacedHeading] = []
    above: list[Heading] = []
    cursor = 0
    for heading in document.outline:
        above = [*(upper for upper in above if upper.level < heading.level), heading]
        lines = starts.get(heading.page, [])
        start = _find(lines, bare(heading.title), cursor)
        if start is None:
            start = max(cursor, lines[0][0]) if lines else cursor
        path = tuple(upper.title for upper in above)
        if placed and placed[-1].start == start:
            placed.pop()
        placed.append(PlacedHeading(start, path))
        cursor = start
    return tuple(placed)


def path_at(placed: Sequence[PlacedHeading], position: int) -> tuple[str, ...]:
    """The heading path that holds at a position of the text."""
    index = bisect_right(placed, position, key=lambda heading: heading.start)
    return placed[index - 1].path if index else ()


def _line_starts(document: LoadedDocument) -> dict[int, list[tuple[int, str]]]:
    """Per page number, where each line starts in the document's text, and the line without blanks."""
    starts: dict[int, list[tuple[int, str]]] = {}
    offset = 0
    for page in document.pages:
        for line in page.text.split("\n"):
            starts.setdefault(page.number, []).append((offset, bare(line)))
            offset += len(line) + 1
    return starts


def _find(lines: Sequence[tuple[int, str]], title: str, cursor: int) -> int | None:
    """The first line after `cursor` that is the title; else one that ends with it (its number aside) or begins so."""
    later = [(start, line) for start, line in lines if start >= cursor]
    tests: tuple[Callable[[str], bool], ...] = (
        lambda line: line == title,
        lambda line: line.endswith(title) and len(line) <= len(title) + 12,
        lambda line: line.startswith(title),
    )
    for test in tests:
        if title and (start := next((start for start, line in later if test(line)), None)) is not None:
            return start
    return None
