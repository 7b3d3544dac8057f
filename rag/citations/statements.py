"""Which sentences of an answer state something that can be checked, and which only introduce others or know nothing."""

import re

from rag.citations.claim import Claim
from rag.citations.plain import plain
from rag.citations.wrong_names import names_beside
from rag.language.han_numerals import CLASSIFIERS

_SAYS_NOTHING_IS_KNOWN = re.compile(
    r"(?:我|目前|暂)?不(?:知道|清楚)|(?:资料|文档|文件|文中|原文|上文|内容|材料|手册)[^,，。]{0,8}"
    r"(?:没有|未|并未|无)[^,，。]{0,6}(?:提到|提及|说明|给出|提供|涉及|包含|相关|找到|记载|明确)|"
    r"(?:找不到|没有找到|未找到|无法(?:确定|回答|得知|判断)(?!的(?!是)))|"
    r"\bI do(?:n't| not) know|\b(?:documents?|passages?|sources?) (?:do(?:es)?(?:n't| not)|say nothing)|"
    r"\bnot (?:mentioned|stated)",
    re.IGNORECASE,
)
_LEADS = re.compile(r"(?:[:：]|如下(?:所示)?[。.]?)[*\s]*\Z|\A\W*(?:以下是|下面是|[Hh]ere (?:is|are)\b)")
_ASKS = re.compile(r"[?？][”’」』）)\"*\s]*\Z")
_SPEAKS_TO_THE_READER = re.compile(
    r"希望|如果(?:你|您|还有|需要)|请(?:问|告诉|参考|参阅|查看)|欢迎|谢谢|感谢|抱歉|对不起|不客气|以上(?:是|就是)|总之|好的(?!\w)|"
    r"\b(?:hope|please|thank|sorry|let me know|feel free|welcome)\b",
    re.IGNORECASE,
)


def says_nothing_is_known(text: str) -> bool:
    """Whether a text says of anything that it is not known, or not in the documents."""
    return _SAYS_NOTHING_IS_KNOWN.search(plain(text).text) is not None


def announces(text: str) -> bool:
    """Whether a sentence only says that something follows: 报文结构如下, 包括以下三点; one with numbers says more."""
    if not _LEADS.search(text.strip()):
        return False
    told = plain(text)
    return all(told.counter_of(number) in CLASSIFIERS for number in told.numbers)


def addresses(text: str) -> bool:
    """Whether a sentence asks or tells the reader something, and nothing of the documents."""
    return _ASKS.search(text) is not None or _SPEAKS_TO_THE_READER.search(text) is not None


def states(claim: Claim) -> bool:
    """Whether a sentence has numbers or names of its own, which the question does not grant it."""
    return not addresses(claim.text.text) and has_its_own(claim)


def has_its_own(claim: Claim) -> bool:
    """Whether a sentence has numbers or names that the question does not grant it, whomever it speaks to."""
    text = claim.text.text
    # The answer may have been cut off inside a marker.
    own = any(text[number.place - 1 : number.place] not in ("[", "【") for number in claim.own_numbers)
    return own or next(names_beside(claim.text, [claim.granted]), None) is not None
