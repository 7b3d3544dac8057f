"""Headings: found by their numbering, or by their size, where a file brings no outline."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from loaders.numerals import ARTICLE, COUNT, FEW, chinese_number
from loaders.rows import is_row
from loaders.sizes import level_of_size, typical_size
from rag.types import Heading, Page

_CHAPTER = re.compile(
    rf"第\s?{COUNT}\s?(?:(分?[编編]|[篇部卷章节節])(?=[\s：:]|[^\s，。；的]|$)|(单元|课|回)(?=$|\s))"
    r"|(Chapter) \d{1,2}(?=$|[ .])"
)
# Followed by a blank, `附件1 台账`, or a colon; in `附件1中` it is spoken of.
_NAMED = re.compile(rf"(附\s?件) ?(?:\d{{1,2}}|{FEW})(?=$|[\s：:])|(专题|案例) ?(?:\d{{1,2}}|{FEW})(?=$|\s)")
_ATTACHED = re.compile(r"附\s?件[^：:]{1,4}[：:]")
ARTICLE_NUMBER = re.compile(rf"{ARTICLE}(?:之[一二三四五六七八九十])?")
_ARTICLE = re.compile(rf"{ARTICLE_NUMBER.pattern}(?= )")
# With no blank between them it may be an amount or a date: 3.5万人, but 2.1 年假.
_UNIT = "[元万亿倍个年月日]"
_DECIMAL = re.compile(
    rf"([1-9]\d?(?:\.[1-9]\d?){{1,4}})[.、]?(?:\s+(?!{_UNIT}{{1,2}}(?:\W|$))|(?!{_UNIT}))(?=[^\W\d_])"
)
_WHOLE = re.compile(r"([1-9]\d?)(?:([.、])\s*|\s+)(?=[^\W\d_])")
_LISTED = re.compile(rf"({FEW})(?:、|\.(?!\d))")
_BRACKETED = re.compile(rf"[(（]{FEW}[)）]")
_LEADERS = re.compile(r"[^\d.…·]\s*[.…·]+\s*\d{1,4}$|[.…·]{2,}$")
_PAGE_NUMBER = re.compile(r"[^\d\s.、]\s+\d{1,4}$")
_LAST_NUMBER = re.compile(r"[\s.…·](\d{1,4})$")
_AMOUNT = re.compile(r"\s-?[\d,]*\d\.\d\d")
_LONGEST = 40
DEEPEST = 9  # as in Word; a page of many sizes has no more
_SENTENCE_MARKS = re.compile(r"[，。；！？,;!?：:]")
_APPENDIX = re.compile(r"附\s?录\s?(?:[A-Z]|[\d一二三四五六七八九十]{1,3})?(?:$|[\s：:.、])")
# The parts of a paper that bear no number, alone in their line and spaced out now and then: `参考文献`, `致 谢`.
_UNNUMBERED = re.compile(
    r"(?:中文|英文)?摘要|引言|前言|绪论|结论|结束语|结语|致谢|参考文献|后记|abstract|references|acknowledge?ments?",
    re.IGNORECASE,
)
# What a heading says behind its title, as in an exam: `一、选择题（本大题共5小题，每小题4分）`.
_REMARK = re.compile(r"[(（][^()（）]*[)）]$")
_CONTENTS = ("目录", "目錄", "目次", "contents")
_LEVELS = {"编": 1, "編": 1, "篇": 1, "部": 1, "卷": 1, "分编": 2, "分編": 2, "章": 3, "节": 4, "節": 4}
_LEVELS |= {"单元": 3, "回": 3, "课": 4, "Chapter": 3, "附件": 3, "专题": 3, "案例": 4}
_LISTED_LEVEL, _BRACKETED_LEVEL, _DECIMAL_LEVEL, _ITEM_LEVEL, _ARTICLE_LEVEL = 5, 6, 6, 7, 10
# Lines from one numbered title to the next: headings have text below them, items of a list follow each other.
_FEWEST_LINES_BELOW = 3


def bare(text: str) -> str:
    """Text without blanks, for comparing titles with lines."""
    return "".join(text.split())


def is_numbered_heading(line: str) -> bool:
    """Whether a line is a heading by its numbering alone, such as `第二章 总则`, `3.1 定义` or `一、概述`."""
    return _level(line) not in (None, _ARTICLE_LEVEL)


def is_contents_entry(line: str) -> bool:
    """Whether a line is of a table of contents: a title, leaders, a page number."""
    return _LEADERS.search(line) is not None


def detect_headings(pages: Sequence[Page], sizes: Mapping[str, float] | None = None) -> tuple[Heading, ...]:
    """The headings that numbering shows, and those that are set larger than the text.

    `sizes` has the lines that are set larger, as `bare` text, and how large they are.
    """
    lines = [(page.number, line) for page in pages for line in page.text.split("\n")]
    texts = [line for _, line in lines]
    levels: dict[int, float] = {
        index: level
        for index, (before, line, after) in enumerate(zip(["", *texts], texts, [*texts[1:], ""], strict=False))
        if (level := _level(line)) is not None and not _is_paged(before, line) and not _is_listed(before, line, after)
    }
    levels |= dict.fromkeys(_listed_with_text(texts, levels), _LISTED_LEVEL)
    levels |= dict.fromkeys(_decimal_chapters(texts), _DECIMAL_LEVEL - 1)
    if not any(_DECIMAL.match(texts[index]) for index in levels):
        levels |= dict.fromkeys(_items_with_text(texts, levels), _ITEM_LEVEL)
    # They stand beside the numbered chapters, whatever these are.
    first = min(levels.values(), default=_LEVELS["章"])
    levels |= {index: first for index, text in enumerate(texts) if _UNNUMBERED.fullmatch(bare(text))}
    levels |= _larger(texts, levels, sizes or {})
    contents = _contents(texts)
    return _from_first_level([(levels[index], *lines[index]) for index in sorted(levels) if index not in contents])


def _listed_with_text(lines: Sequence[str], levels: Mapping[int, float]) -> list[int]:
    """Which lines `一、…，…` are headings in spite of their commas: those that count up and have text below them."""
    found: list[int] = []
    run: list[int] = []
    for index, line in enumerate([*lines, "一、"]):
        match = _LISTED.match(line)
        if levels.get(index, _LISTED_LEVEL) < _LISTED_LEVEL or (match and match[1] == "一"):
            if len(run) > 1 and all(after - before > 1 for before, after in pairwise([*run, index])):
                found += run
            run = []
        if match and match[1] == chinese_number(len(run) + 1) and is_title(_REMARK.sub("", line).replace("，", "")):
            run.append(index)
    return found


def _contents(lines: Sequence[str]) -> range:
    """Which lines are a table of contents without page numbers: it ends where its first title stands again."""
    texts = [bare(line).lower() for line in lines]
    start = next((index for index, text in enumerate(texts) if text in _CONTENTS), len(texts)) + 1
    end = texts.index(texts[start], start + 1) if texts[start:] and texts[start] in texts[start + 1 :] else start
    return range(start, end if all(len(line) <= _LONGEST for line in lines[start:end]) else start)


def _items_with_text(lines: Sequence[str], levels: Mapping[int, float]) -> list[int]:
    """Which lines `1. …`, `2. …` are headings: those that count up between others and have text below them."""
    found: list[int] = []
    run: list[int] = []
    for index in range(len(lines) + 1):
        line = lines[index] if index < len(lines) else ""
        whole = _WHOLE.match(line) if is_title(line) else None
        number = int(whole[1]) if whole and whole[2] else 0
        ends = index == len(lines) or levels.get(index, _ITEM_LEVEL) < _ITEM_LEVEL or number == 1
        if ends:
            if len(run) > 1 and index - run[0] >= _FEWEST_LINES_BELOW * len(run):
                found += run
            run = []
        if number == len(run) + 1:
            run.append(index)
    return found


def _larger(lines: Sequence[str], levels: Mapping[int, float], sizes: Mapping[str, float]) -> dict[int, float]:
    """Lines without a number that are set larger than the text, with levels among those of the numbered ones.

    A size that occurs once is a title page's, unless it is that of numbered headings and stands among them.
    """
    found = {
        index: sizes[bare(line)] for index, line in enumerate(lines) if index not in levels and bare(line) in sizes
    }
    found = {index: size for index, size in found.items() if is_title(lines[index]) and not _is_item(lines[index])}
    numbered: dict[float, list[float]] = {}
    for index, level in levels.items():
        numbered.setdefault(level, []).append(sizes.get(bare(lines[index]), 0.0))
    typical = {level: typical_size(measured) for level, measured in numbered.items()}
    often = {size for size, count in Counter(found.values()).items() if count > 1}
    first = min(levels, default=len(lines))
    return {
        index: level_of_size(size, typical)
        for index, size in found.items()
        if size in often or (index > first and size in typical.values())
    }


def _is_item(line: str) -> bool:
    whole = _WHOLE.match(line)
    return whole is not None and whole[2] is not None


def _decimal_chapters(lines: Sequence[str]) -> set[int]:
    """Which lines are headings with a lone number: the last `3 …` before a heading `3.1 …`, or `4. …` in its turn.

    Those in their turn before and behind it may lack the dot if text follows. Others are items or rows of a table.
    """
    latest: dict[str, int] = {}
    chapters: set[int] = set()
    last = 0
    for index, line in enumerate(lines):
        if not is_title(line):
            continue
        if (decimal := _DECIMAL.match(line)) and decimal[1].endswith(".1"):
            if (opened := latest.get(decimal[1].removesuffix(".1"))) is not None:
                last = int(decimal[1].split(".")[0])
                chapters |= {opened, *_chapters_before(lines, last, opened, latest)}
        elif whole := _WHOLE.match(line):
            latest[whole[1]] = index
            if last and int(whole[1]) == last + 1 and (whole[2] or _has_text_below(lines, index)):
                chapters.add(index)
                last += 1
    return chapters


def _chapters_before(lines: Sequence[str], number: int, opened: int, latest: Mapping[str, int]) -> Iterator[int]:
    """The chapters that count up to one at line `opened`, from the last: `1 引言` has no sections."""
    for earlier in range(number - 1, 0, -1):
        index = latest.get(str(earlier), opened)
        if index >= opened or not _has_text_below(lines, index):
            return
        yield (opened := index)


def _has_text_below(lines: Sequence[str], index: int) -> bool:
    return any(_SENTENCE_MARKS.search(line) and not is_row(line) for line in lines[index + 1 : index + 2])


def _level(line: str) -> int | None:
    if _ARTICLE.match(line):
        return None if is_row(line) else _ARTICLE_LEVEL
    if _LISTED.match(line):
        line = _REMARK.sub("", line)
    if chapter := _CHAPTER.match(line) or _NAMED.match(line):
        line = f"{chapter[0]} {line[chapter.end() :].lstrip(' ：:')}"
    if not _is_lone(line) and not is_title(line):
        return None
    if chapter:
        return _LEVELS[bare(chapter[chapter.lastindex or 0])]
    if _APPENDIX.match(line):
        return _LEVELS["章"]
    if match := _DECIMAL.match(line):
        return _DECIMAL_LEVEL + match[1].count(".") - 1
    if _LISTED.match(line):
        return _LISTED_LEVEL
    return _BRACKETED_LEVEL if _BRACKETED.match(line) else None


def _is_lone(line: str) -> bool:
    """Whether a line is a heading of a name and a number alone, such as `附件 1`."""
    return _NAMED.fullmatch(line) is not None or (_APPENDIX.fullmatch(line) is not None and line[-1].isalnum())


def _is_paged(before: str, line: str) -> bool:
    """Whether the number of a lone heading is its page in a table of contents: these go up, not one by one."""
    number, last = _LAST_NUMBER.search(line), _LAST_NUMBER.search(before)
    if number is None or last is None or not _is_lone(line):
        return False
    return int(number[1]) - int(last[1]) >= (2 if _is_lone(before) else 0)


def _is_listed(before: str, line: str, after: str) -> bool:
    """Whether a line is of a list of what is attached, `附件1：…`: the next one follows it, not its text."""
    return any(_ATTACHED.match(line) and _ATTACHED.match(other) for other in (before, after))


def is_title(line: str) -> bool:
    """Whether a line may be a title: short, no sentence, no row of a table or of a table of contents."""
    if len(line) > _LONGEST or is_row(line) or is_contents_entry(line):
        return False
    return not any(pattern.search(line) for pattern in (_SENTENCE_MARKS, _PAGE_NUMBER, _AMOUNT))


def _from_first_level(found: Sequence[tuple[float, int, str]]) -> tuple[Heading, ...]:
    """Headings from levels, pages and lines, their levels counted from 1 without gaps."""
    ranks = {level: rank for rank, level in enumerate(sorted({level for level, _, _ in found}), start=1)}
    return tuple(Heading(min(ranks[level], DEEPEST), _title(line), page) for level, page, line in found)


def _title(line: str) -> str:
    article = _ARTICLE.match(line)
    return article[0] if article else line
