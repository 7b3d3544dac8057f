"""Tables of contents without page numbers: which lines they are."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from loaders.headings import LONGEST, bare
from loaders.numerals import COUNT

# What a title has before it in a text without blanks.
_NUMBER = re.compile(rf"^(?:第{COUNT}[篇部章节]|chapter\d{{1,2}}|\d{{1,2}}(?:\.\d{{1,2}}){{0,4}})[.、:：]?")
_LONG_IN_CONTENTS = 0.1  # of the entries
_CONTENTS = ("目录", "目錄", "目次", "contents")


def contents_lines(lines: Sequence[str]) -> set[int]:
    """Which lines are tables of contents without page numbers: each ends where its first title stands again.

    Its number may be another there: `第 1 章 概述` for `1. 概述`. Or text follows before that.
    """
    texts = [bare(line).lower() for line in lines]
    places: dict[str, list[int]] = {}
    for index, text in enumerate(texts):
        for key in {text, _NUMBER.sub("", text)}:
            places.setdefault(key, []).append(index)
    long = list(accumulate((len(line) > LONGEST or line.endswith("。") for line in lines), initial=0))
    found: set[int] = set()
    for start, text in enumerate(texts[:-1], start=1):
        if is_contents_title(text) and start not in found:
            again = (_following(places[title], start) for title in (texts[start], _NUMBER.sub("", texts[start])))
            end = next(filter(None, again), start)
            if long[end] - long[start] > _LONG_IN_CONTENTS * (end - start):
                end = bisect_right(long, long[start]) - 1
            found.update(range(start, end))
    return found


def is_contents_title(text: str) -> bool:
    """Whether a text says that a table of contents stands below it."""
    return bare(text).lower() in _CONTENTS


def _following(indices: Sequence[int], index: int) -> int:
    """The one that comes next in a sorted sequence; 0 for none."""
    after = bisect_right(indices, index)
    return indices[after] if after < len(indices) else 0
