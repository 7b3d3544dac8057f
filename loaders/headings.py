"""Headings, as lines by themselves: by which numbering a line is one, what its title is and how high it stands."""

import re

from loaders.numerals import ARTICLE, COUNT, FEW
from loaders.rows import is_row

_CHAPTER = re.compile(
    rf"第\s?{COUNT}\s?(?:(分?[编編]|[篇部卷章节節])(?=[\s：:]|[^\s，。；的]|$)|(单元|课|回)(?=$|\s))"
    r"|(Chapter) \d{1,2}(?=$|[ .])"
)
# Followed by a blank, `附件1 台账`, or a colon; in `附件1中` it is spoken of.
_NAMED = re.compile(rf"(附\s?件) ?(?:\d{{1,2}}|{FEW})(?=$|[\s：:])|(专题|案例) ?(?:\d{{1,2}}|{FEW})(?=$|\s)")
_ARTICLE_NUMBER = rf"{ARTICLE}(?:之[一二三四五六七八九十])?"
# `第一条、第二条` are spoken of.
_ARTICLE = re.compile(rf"{_ARTICLE_NUMBER}(?=[ ：:]|、(?!第))")
# As in the leaflet of a medicine: `【禁忌】`.
LABEL = re.compile(r"【[^【】]{2,16}】")
_BEFORE_TEXT = re.compile(rf"{_ARTICLE_NUMBER}|{LABEL.pattern}")
# With no blank between them it may be an amount or a date: 3.5万人, but 2.1 年假.
_UNIT = "[元万亿倍个年月日]"
# `4.3 节“…”` and `2.6 版的` are of a sentence.
_REFERRED = r"\s?(?:小?节|章|版)(?:[^\w\s]|[的中里])"
DECIMAL = re.compile(
    rf"([1-9]\d?(?:\.[1-9]\d?){{1,4}})[.、]?(?!{_REFERRED})(?:\s+(?!{_UNIT}{{1,2}}(?:\W|$))|(?!{_UNIT}))(?=[^\W\d_])"
)
LISTED = re.compile(rf"({FEW})(?:、|\.(?!\d))")
_BRACKETED = re.compile(rf"[(（]{FEW}[)）]")
_LEADERS = re.compile(r"[^\d.…·]\s*[.…·]+\s*\d{1,4}$|[.…·]{2,}$")
_PAGE_NUMBER = re.compile(r"[^\d\s.、]\s+\d{1,4}$")
LONGEST = 40
# With more words, or with figures, the line of an article that has no stop is its text.
_LONGEST_OF_ARTICLE = 16
DEEPEST = 9  # as in Word; a page of many sizes has no more
SENTENCE_MARKS = re.compile(r"[，。；！？,;!?：:]")
_CLOSING = re.compile(r"^[^(（]*[)）]$")
_APPENDIX = re.compile(r"附\s?录\s?(?:[A-Z]|[\d一二三四五六七八九十]{1,3})?(?:$|[\s：:.、])")
# What a heading says behind its title, as in an exam: `一、选择题（本大题共5小题，每小题4分）`.
REMARK = re.compile(r"[(（][^()（）]*[)）]$")
_LEVELS = {"编": 1, "編": 1, "篇": 1, "部": 1, "卷": 1, "分编": 2, "分編": 2, "章": 3, "节": 4, "節": 4}
_LEVELS |= {"单元": 3, "回": 3, "课": 4, "Chapter": 3, "附件": 3, "专题": 3, "案例": 4}
LISTED_LEVEL, _BRACKETED_LEVEL, DECIMAL_LEVEL, ARTICLE_LEVEL = 5, 6, 6, 10
CHAPTER_LEVEL = _LEVELS["章"]


def bare(text: str) -> str:
    """Text without blanks, for comparing titles with lines."""
    return "".join(text.split())


def is_numbered_heading(line: str) -> bool:
    """Whether a line is a heading by its numbering alone, such as `第二章 总则`, `3.1 定义` or `一、概述`."""
    return level_of(line) not in (None, ARTICLE_LEVEL)


def is_in_brackets(line: str) -> bool:
    """Whether a line is numbered as `（四）`, as headings are, and items of a list more often."""
    return _BRACKETED.match(line) is not None


def is_contents_entry(line: str) -> bool:
    """Whether a line is of a table of contents: a title, leaders, a page number."""
    return _LEADERS.search(line) is not None


def is_title(line: str) -> bool:
    """Whether a line may be a title: short, no sentence or its end, no row of a table or of contents."""
    if len(line) > LONGEST or is_row(line) or is_contents_entry(line):
        return False
    return not any(pattern.search(line) for pattern in (SENTENCE_MARKS, _PAGE_NUMBER, _CLOSING))


def level_of(line: str) -> int | None:
    """How high a line stands as a heading by its numbering, 1 the highest; None for one that is none."""
    if _ARTICLE.match(line):
        return None if is_row(line) else ARTICLE_LEVEL
    if LISTED.match(line):
        line = REMARK.sub("", line)
    if chapter := _CHAPTER.match(line) or _NAMED.match(line):
        line = f"{chapter[0]} {line[chapter.end() :].lstrip(' ：:')}"
    is_lone_appendix = _APPENDIX.fullmatch(line) is not None and line[-1].isalnum()  # not a title with its page
    if not is_lone_appendix and not is_title(line):
        return None
    if chapter:
        return _LEVELS[bare(chapter[chapter.lastindex or 0])]
    if _APPENDIX.match(line):
        return CHAPTER_LEVEL
    if match := DECIMAL.match(line):
        return DECIMAL_LEVEL + match[1].count(".") - 1
    if LISTED.match(line):
        return LISTED_LEVEL
    return _BRACKETED_LEVEL if _BRACKETED.match(line) else None


def stands_before_text(title: str) -> bool:
    """Whether a title is the number of an article or a label: its text may follow on the line."""
    return _BEFORE_TEXT.fullmatch(title) is not None


def is_article_title(line: str) -> bool:
    """Whether a line may be all of an article's or a label's heading: its number, alone or before a few words."""
    article = _ARTICLE.match(line)
    title = line[article.end() :].lstrip(" ：:、") if article else ""
    named = article is not None and len(title) <= _LONGEST_OF_ARTICLE and is_title(title)
    return stands_before_text(line) or (named and not any(map(str.isdigit, title)))


def title_of(line: str) -> str:
    """What of a heading's line is its title: that of an article, or its number where its text follows on the line."""
    article = _ARTICLE.match(line)
    return line if article is None or is_title(line[article.end() :].lstrip("：:、")) else article[0]
