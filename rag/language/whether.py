"""Questions whether something is so, which an answer affirms by saying it again."""

import re

from rag.language.denials import WHETHER, WHETHER_AT_END
from rag.language.folding import simplified
from rag.language.han_numerals import CLASSIFIERS
from rag.language.measures import HAN_MEASURES
from rag.language.words import OPEN_WORDS, OPEN_WORDS_IN_ENGLISH

PIECE = re.compile(r"[^?？!！。;；\n]+[?？!！。;；\n]*")
_CLAUSE = re.compile(r"[^,，]+[,，]*")
_OPEN = re.compile(rf"{OPEN_WORDS}|\b(?:{OPEN_WORDS_IN_ENGLISH})\b", re.IGNORECASE)
# 可以养宠物吗, 是否适用, 是98天对不对; and what its writer takes for true: 我记得是每10股派2元.
_WHETHER = re.compile(
    rf"[吗么][^\w]*$|没有?[?？]*\s*$|{WHETHER}|{WHETHER_AT_END}|(.{{1,2}})[不没]\1|(?<![谁人])(?:记得|以为|认为|觉得)|不对吧|难道|应该是|"
    r"^\W*(?:is|are|was|were|am|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|isn't|aren't|"
    r"doesn't|don't|didn't|can't)\b",
    re.IGNORECASE,
)
_ASKS_SO = re.compile(rf"{WHETHER}|{WHETHER_AT_END}\W*$|(?P<verb>.{{1,2}})[不没](?P=verb)|[吗么没](?:有)?\W*$|\W+$")
_SO = {"能否": "能", "可否": "可", "有无": "有"}
# An amount that may be wrong: 85亿元. A year says of when something is asked.
_AMOUNT = re.compile(
    rf"(?<![A-Za-z\d.,_第-])\d+(?:[.,]\d+)*\s?[百千万亿]*(?![年季期]|个?[日号]|月(?!薪))(?:{HAN_MEASURES}|[{''.join(sorted(CLASSIFIERS))}台名行只件人位次张页字组层套门本份辆家]|[%％])"
)


def asks_whether(question: str) -> bool:
    """Whether a sentence asks only if something is so, or takes it for so, and for nothing that it does not say."""
    question = simplified(question)
    return not _OPEN.search(question) and _WHETHER.search(question) is not None


def without_whether(question: str) -> str:
    """A question without what it asks whether it is so: all of it, or some clauses beside others: 多高，正常吗."""
    if asks_whether(question):
        return ""
    return "".join(clause for clause in _CLAUSE.findall(question) if not asks_whether(clause))


def as_statement(question: str) -> str:
    """What a question says of which it asks whether it is so: 需要审批 of 是否需要审批."""
    return _ASKS_SO.sub(lambda asks: _SO.get(asks[0], asks["verb"] or ""), question)


def without_supposed_amounts(question: str) -> str:
    """A question without the amounts of which it asks whether they are right: what answers may well have others."""
    pieces = PIECE.findall(question)
    return "".join(_AMOUNT.sub(" ", piece) if asks_whether(piece) else piece for piece in pieces) or question
