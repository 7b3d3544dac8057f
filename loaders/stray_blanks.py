"""Blanks within words, as a recogniser's text layer has them, taken out of a page's sentences. Pure functions."""

import re

from loaders.cleaning import CHINESE
from loaders.rows import is_row

# Of 13,800 pages of 240 files those with a recogniser's text have .03 to .16, others up to .04, but few of such blanks.
_STRAY_SHARE, _FEWEST_STRAY = 0.03, 10
_LONG = 25  # characters
_MARK = re.compile("[，。；！？,;]")
# The blank behind the number of an article is meant: 第三条 公司…
_BETWEEN = re.compile(r"(?<=[\u3400-\u9fff])(?<!第.[条章节])(?<!第..[条章节])(?<!第...[条章节]) (?=[\u3400-\u9fff])")


def without_stray_blanks(text: str) -> str:
    """A page's text, its sentences without blanks between Chinese characters where there are very many of them."""
    lines = text.split("\n")
    sentences = [bool(_MARK.search(line)) and not is_row(line) for line in lines]
    long = [line for line, reads in zip(lines, sentences, strict=True) if reads and len(line) >= _LONG]
    stray = sum(len(_BETWEEN.findall(line)) for line in long)
    if stray < max(_FEWEST_STRAY, _STRAY_SHARE * sum(len(CHINESE.findall(line)) for line in long)):
        return text
    return "\n".join(_BETWEEN.sub("", line) if reads else line for line, reads in zip(lines, sentences, strict=True))
