"""Which sentences of an answer state something that can be checked, and which only introduce others."""

import re

from rag.citations.claim import Claim
from rag.citations.plain import plain
from rag.citations.wrong_names import names_beside
from rag.language.han_numerals import CLASSIFIERS

_LEADS = re.compile(r"(?:[:：]|如下(?:所示)?[。.]?)[*\s]*\Z|\A\W*(?:以下是|下面是|[Hh]ere (?:is|are)\b)")
_ASKS = re.compile(r"[?？][”’」』）)\"*\s]*\Z")
_SPEAKS_TO_THE_READER = re.compile(
    r"希望|如果(?:你|您|还有|需要)|请(?:问|告诉|参考|参阅|查看)|欢迎|谢谢|感谢|抱歉|对不起|不客气|以上(?:是|就是)|总之|好的(?!\w)|"
    r"\b(?:hope|please|thank|sorry|let me know|feel free|welcome)\b",
    re.IGNORECASE,
)


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
