"""Headings: found by their numbering where a file brings no outline, and placed in the text."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.types import Heading, LoadedDocument, Page

_CHINESE_NUMBER = r"[\d一二三四五六七八九十百零〇]{1,5}"
_CHAPTER = re.compile(rf"第\s?{_CHINESE_NUMBER}\s?([编篇部卷章节])(?=[\s：:]|[^\s，。；的])")
_ARTICLE_NUMBER = re.compile(rf"第{_CHINESE_NUMBER}条(?:之[一二三四五六七八九十])?")
_ARTICLE = re.compile(rf"{_ARTICLE_NUMBER.pattern}(?= )")
_DECIMAL = re.compile(r"([1-9]\d?(?:\.[1-9]\d?){1,4})[.、]?\s*(?=[^\W\d_])(?![元万亿倍个年月日])")
_WHOLE = re.compile(r"([1-9]\d?)(?:([.、])\s*|\s+)(?=[^\W\d_])")
_LISTED = re.compile(r"[一二三四五六七八九十]{1,3}、")
_BRACKETED = re.compile(r"[(（][一二三四五六七八九十]{1,3}[)）]")
_LEADERS = re.compile(r"[^\d.…·]\s*[.…·]+\s*\d{1,4}$|[.…·]{2,}$")
_PAGE_NUMBER = re.compile(r"[^\d\s.、]\s+\d{1,4}$")
_AMOUNT = re.compile(r"\s-?[\d,]*\d\.\d\d")
_LONGEST = 40
_LONGEST_NUMBER = 12
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


def is_contents_entry(line: str) -> bool:
    """Whether a line is of a table of contents: a title, leaders, a page number."""
    return _LEADERS.search(line) is not None


def fits(outline: Sequence[Heading], pages: Sequence[Page]) -> bool:
    """Whether an outline tells of the text: half of its titles stand on their pages. Some are a program's own marks."""
    texts = {page.number: bare(page.text) for page in pages}
    found = sum(bare(heading.title) in texts.get(heading.page, "") for heading in outline)
    return found > 0 and 2 * found >= len(outline)


def detect_headings(pages: Sequence[Page]) -> tuple[Heading, ...]:
    """The headings that numbering shows."""
    lines = [(page.number, line) for page in pages for line in page.text.split("\n")]
    chapters = _decimal_chapters([line for _, line in lines])
    found = []
    for index, (number, line) in enumerate(lines):
        level = _DECIMAL_LEVEL - 1 if index in chapters else _level(line)
        if level is not None:
            article = _ARTICLE.match(line)
            found.append(Heading(level, article[0] if article else line, number))
    return _from_first_level(found)


def _decimal_chapters(lines: Sequence[str]) -> set[int]:
    """Which lines are headings with a lone number: the last `3 …` before a heading `3.1 …`, or `4. …` in its turn.

    Others are items of a list or rows of a table.
    """
    latest: dict[str, int] = {}
    chapters: set[int] = set()
    last = 0
    for index, line in enumerate(lines):
        if not _is_title(line):
            continue
        if (decimal := _DECIMAL.match(line)) and decimal[1].endswith(".1"):
            if (opened := latest.get(decimal[1].removesuffix(".1"))) is not None:
                chapters.add(opened)
                last = int(decimal[1].split(".")[0])
        elif whole := _WHOLE.match(line):
            latest[whole[1]] = index
            if last and whole[2] and int(whole[1]) == last + 1:
                chapters.add(index)
                last += 1
    return chapters


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
    if len(line) > _LONGEST or is_contents_entry(line):
        return False
    return not any(pattern.search(line) for pattern in (_SENTENCE_MARKS, _PAGE_NUMBER, _AMOUNT))


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
            start = cursor = max(cursor, lines[0][0]) if lines else cursor
        else:
            cursor = start + 1
        path = tuple(upper.title for upper in above)
        if placed and placed[-1].start == start:
            placed.pop()
        placed.append(PlacedHeading(start, path))
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
    """The first line after `cursor` that is the title; else ends with it, its number aside; else begins with it."""
    first = bisect_left(lines, cursor, key=lambda line: line[0])
    tests: tuple[Callable[[str], bool], ...] = (
        lambda line: line == title,
        lambda line: line.endswith(title) and len(line) <= len(title) + _LONGEST_NUMBER,
        lambda line: line.startswith(title),
    )
    # An article's text follows on the line of its number.
    for test in tests[2:] if _ARTICLE_NUMBER.fullmatch(title) else tests:
        for index in range(first, len(lines)):
            start, line = lines[index]
            if title and test(line):
                return start
    return None
