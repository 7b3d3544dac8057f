"""Which version of a document a question asks: 2023版, 旧制度, V2.1; and what asks the same of another."""

import re
from functools import reduce

from rag.language.folding import fold
from rag.language.follow_up import without_link
from rag.language.words import NO_MORE

_YEAR = r"(?<!\d)(?P<year>(?:19|20)\d\d)\s?年?(?:修[订正])?"
_OTHER = r"(?<![a-z])v\s?(?P<version>\d+(?:\.\d+){0,3})(?![\d.])|第(?P<edition>[一二三四五六七八九十\d]{1,3})版"
# In a file's name a year tells which by itself; in a question it is that of a 版.
NAMED = re.compile(rf"{_YEAR}[版稿]?|{_OTHER}")
_VERSION = "(?:版|的?(?:制度|规定|办法|标准|条例|政策|合同|方案|规范|手册))"
ASKED, NEWEST, FORMER = (
    re.compile(rf"(?:按照?|根据|依据|在|从)?(?:{told})本?[的里中]?")
    for told in (
        rf"{_YEAR}的?[版稿]|{_OTHER}",
        rf"(?:最?新|现行){_VERSION}",
        rf"[旧老]{_VERSION}|原版|(?:上一|之前的?|以前的?)版",
    )
)
_MARKS = (ASKED, NEWEST, FORMER)
_WHAT_ABOUT = re.compile(rf"的?呢?{NO_MORE}")


def marks(question: str) -> list[tuple[re.Pattern[str], re.Match[str]]]:
    """Where a folded question tells a version, each with which of ASKED, NEWEST and FORMER says how."""
    return [(mark, match) for mark in _MARKS for match in mark.finditer(question)]


def without_version(question: str) -> str:
    """A question without the versions that it tells."""
    return reduce(lambda left, mark: mark.sub("", left), _MARKS, question)


def of_another_version(question: str, anchor: str) -> str | None:
    """The anchor's question asked of the version that a follow-up names and no more, 2023版呢; None for another."""
    named, asked = _WHAT_ABOUT.sub("", without_link(question), count=1), fold(anchor)
    of_question, of_anchor = marks(fold(named)), marks(asked)
    is_alone = len(of_question) == 1 and of_question[0][1].span() == (0, len(named))
    if not (is_alone and anchor) or len(of_anchor) > 1:
        return None
    return f"{named}的{without_version(asked) if of_anchor else anchor}"
