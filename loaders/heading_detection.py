"""The headings of a text, where a file brings no outline: found by their numbering, or by their size."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from statistics import median

from loaders.headings import (
    ARTICLE_LEVEL,
    CHAPTER_LEVEL,
    DECIMAL,
    DECIMAL_LEVEL,
    DEEPEST,
    LABEL,
    LISTED,
    LISTED_LEVEL,
    REMARK,
    SENTENCE_MARKS,
    bare,
    is_title,
    level_of,
    title_of,
)
from loaders.numerals import chinese_number
from loaders.rows import is_row
from loaders.titles import SAME_SIZE
from rag.types import Heading, Page

_ATTACHED = re.compile(r"附\s?件[^：:]{1,4}[：:]")
_WHOLE = re.compile(r"([1-9]\d?)(?:([.、])\s*|\s+)(?=[^\W\d_])")
# The parts of a paper that bear no number, alone in their line and spaced out now and then: `参考文献`, `致 谢`.
_UNNUMBERED = re.compile(
    r"(?:中文|英文)?摘要|引言|前言|序言|绪论|结论|结束语|结语|致谢|参考文献|后记|abstract|references|acknowledge?ments?",
    re.IGNORECASE,
)
# What is set larger in its line may be a formula: Pmax = max(PDi).
_FORMULA = re.compile(r"[=∑∏∫√∂∞≈≠≤≥∈′α-ωΓ-Ω]")
_ITEM_LEVEL = 7
# Lines from one numbered title to the next: headings have text below them, items of a list follow each other.
_FEWEST_LINES_BELOW = 3
_FEWEST_LABELS = 3
_FEWEST_OF_CONTENTS = 3


def detect_headings(pages: Sequence[Page], sizes: Mapping[str, float] | None = None) -> tuple[Heading, ...]:
    """The headings that numbering or labels show, and those that are set larger than the text.

    `sizes` has the lines that are set larger, as `bare` text, and how large they are.
    """
    lines = list(_lines(pages))
    texts = [line for _, line in lines]
    levels: dict[int, float] = {
        index: level
        for index, (before, line, after) in enumerate(zip(["", *texts], texts, [*texts[1:], ""], strict=False))
        if (level := level_of(line)) is not None and not _is_listed(before, line, after)
    }
    levels |= dict.fromkeys(_listed_with_text(texts, levels), LISTED_LEVEL)
    levels |= dict.fromkeys(_decimal_chapters(texts, levels), DECIMAL_LEVEL - 1)
    if not any(DECIMAL.match(texts[index]) for index in levels):
        levels |= dict.fromkeys(_items_with_text(texts, levels), _ITEM_LEVEL)
    # They stand beside the numbered chapters, whatever these are.
    first = min(levels.values(), default=CHAPTER_LEVEL)
    levels |= {index: first for index, text in enumerate(texts) if _UNNUMBERED.fullmatch(bare(text))}
    levels |= _larger(texts, levels, sizes or {})
    for index in _of_contents(texts, levels):
        del levels[index]
    labels = {index: label for index, label in _labels(texts).items() if index not in levels}
    levels |= dict.fromkeys(labels, ARTICLE_LEVEL)
    return _from_first_level(
        [(levels[index], lines[index][0], labels.get(index) or title_of(texts[index])) for index in sorted(levels)]
    )


def _lines(pages: Sequence[Page]) -> Iterator[tuple[int, str]]:
    """The lines of pages with the number of the page that each begins on; one that runs over a break is one."""
    begun, number = "", 0
    for page in pages:
        first, *others = page.text.split("\n")
        lines = [(number if begun else page.number, begun + first), *((page.number, line) for line in others)]
        begun = ""
        if page.separator != "\n":
            number, last = lines.pop()
            begun = f"{last}{page.separator}"
        yield from lines
    if begun:
        yield number, begun


def _labels(lines: Sequence[str]) -> dict[int, str]:
    """The lines that begin with a label, such as `【禁忌】`, unless one comes again, as `【答案】` does in an exam."""
    found = {index: match[0] for index, line in enumerate(lines) if not is_row(line) and (match := LABEL.match(line))}
    return found if len(found) >= _FEWEST_LABELS and len({*map(bare, found.values())}) == len(found) else {}


def _listed_with_text(lines: Sequence[str], levels: Mapping[int, float]) -> list[int]:
    """Which lines `一、…，…` or `一、…：` are headings for all their marks: those that count up and have text below."""
    found: list[int] = []
    run: list[int] = []
    for index, line in enumerate([*lines, "一、"]):
        match = LISTED.match(line)
        if levels.get(index, LISTED_LEVEL) < LISTED_LEVEL or (match and match[1] == "一"):
            if len(run) > 1 and all(after - before > 1 for before, after in pairwise([*run, index])):
                found += run
            run = []
        title = REMARK.sub("", line.rstrip("：:")).replace("，", "")
        if match and match[1] == chinese_number(len(run) + 1) and is_title(title):
            run.append(index)
    return found


def _items_with_text(lines: Sequence[str], levels: Mapping[int, float]) -> list[int]:
    """Which lines `1. …`, `2. …？` are headings: those that count up between others and have text below them."""
    found: list[int] = []
    run: list[int] = []
    for index in range(len(lines) + 1):
        line = lines[index] if index < len(lines) else ""
        whole = _WHOLE.match(line) if is_title(line.rstrip("？?")) else None
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
    found = {index: size for index, size in found.items() if _may_be_larger(lines[index])}
    numbered: dict[float, list[float]] = {}
    for index, level in levels.items():
        numbered.setdefault(level, []).append(sizes.get(bare(lines[index]), 0.0))
    typical = {level: _typical_size(measured) for level, measured in numbered.items()}
    often = {size for size, count in Counter(found.values()).items() if count > 1}
    first = min(levels, default=len(lines))
    return {
        index: _level_of_size(size, typical)
        for index, size in found.items()
        if size in often or (index > first and size in typical.values())
    }


def _may_be_larger(line: str) -> bool:
    """Whether a line may be a title for its size alone."""
    return is_title(line) and not _is_item(line) and not _FORMULA.search(line)


def _typical_size(measured: Sequence[float]) -> float:
    """The size of headings of one level. Up to half may be unknown (0), as for a short title with a long number."""
    known = [size for size in measured if size]
    return median(known if 2 * len(known) >= len(measured) else measured)


def _level_of_size(size: float, typical: Mapping[float, float]) -> float:
    """The level of the numbered headings of that size, or one between those of the next larger and smaller."""
    for level in sorted(typical):
        if abs(typical[level] - size) <= SAME_SIZE * size:
            return level
    larger = [level for level, other in typical.items() if other > size]
    # The larger, the higher: sizes part levels that no number tells apart.
    return max(larger, default=0.0) + 1 / (1 + size)


def _is_item(line: str) -> bool:
    whole = _WHOLE.match(line)
    return whole is not None and whole[2] is not None


def _decimal_chapters(lines: Sequence[str], levels: Mapping[int, float]) -> set[int]:
    """Which lines are headings with a lone number: the last `3 …` before a heading `3.1 …`, or `4. …` in its turn.

    Those in their turn before and behind it may lack the dot if text follows. Others are items or rows of a table.
    `3.1 …` may be a clause of its own right below the heading, as in a standard. What `第 1 章` has is not of the next,
    and where `三、…` stands before `3.1 …` that is its heading.
    """
    latest: dict[str, int] = {}
    chapters: set[int] = set()
    last = 0
    for index, line in enumerate(lines):
        if levels.get(index) == CHAPTER_LEVEL:
            latest, last = {}, 0
        if listed := LISTED.match(line):
            latest = {number: at for number, at in latest.items() if chinese_number(int(number)) != listed[1]}
        decimal = DECIMAL.match(line)
        opened = latest.get(decimal[1].removesuffix(".1")) if decimal and decimal[1].endswith(".1") else None
        if decimal and opened is not None and (is_title(line) or opened == index - 1):
            last = int(decimal[1].split(".")[0])
            chapters |= {opened, *_chapters_before(lines, last, opened, latest)}
        elif not decimal and is_title(line) and (whole := _WHOLE.match(line)):
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
    return any(SENTENCE_MARKS.search(line) and not is_row(line) for line in lines[index + 1 : index + 2])


def _of_contents(lines: Sequence[str], levels: Mapping[int, float]) -> list[int]:
    """Which headings tell what comes: those right below each other of which half stand above their text later on."""
    last = {bare(lines[index]): index for index in sorted(levels)}
    runs = groupby(enumerate(sorted(levels)), key=lambda counted: counted[1] - counted[0])
    found: list[int] = []
    for run in ([index for _, index in counted] for _, counted in runs):
        titles = [bare(lines[index]) for index in run]
        # The text may begin right below them.
        end = next((at for at, title in enumerate(titles) if title in titles[:at]), len(run))
        again = [at for at in range(end) if last[titles[at]] >= run[0] + end]
        if end >= _FEWEST_OF_CONTENTS and 2 * len(again) >= end:
            found += run[: again[-1] + 1]
    return found


def _is_listed(before: str, line: str, after: str) -> bool:
    """Whether a line is of a list of what is attached, `附件1：…`: the next one follows it, not its text."""
    return any(_ATTACHED.match(line) and _ATTACHED.match(other) for other in (before, after))


def _from_first_level(found: Sequence[tuple[float, int, str]]) -> tuple[Heading, ...]:
    """Headings from levels, pages and titles, their levels counted from 1 without gaps."""
    ranks = {level: rank for rank, level in enumerate(sorted({level for level, _, _ in found}), start=1)}
    return tuple(Heading(min(ranks[level], DEEPEST), title, page) for level, page, title in found)
