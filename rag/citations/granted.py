"""What a question grants an answer to say without being borne out: what it asks with, not what it asks whether.

And what an answer says to the question alone, of which no passage has to know: 不是, and 不是98天.
"""

import re
from collections.abc import Sequence

from rag.citations.plain import Plain, plain
from rag.language.denials import denials
from rag.language.folding import simplified
from rag.language.numbers import Number

_PIECE = re.compile(r"[^?？!！。;；\n]+[?？!！。;；\n]*")
_OPEN = re.compile(
    r"谁|什么|为何|啥|哪|几|多[少大久长高远重厚快宽深]|怎|咋|如何|\b(?:what|who|whom|whose|when|where|why|how|which)\b",
    re.IGNORECASE,
)
# 可以养宠物吗, 是否适用, 是98天对不对; and what its writer takes for true: 我记得是每10股派2元.
_WHETHER = re.compile(
    r"[吗么][^\w]*$|没有?[?？]*\s*$|是否|能否|可否|有无|(.{1,2})[不没]\1|有没有|(?<![谁人])(?:记得|以为|认为|觉得)|不对吧|难道|应该是|"
    r"^\W*(?:is|are|was|were|am|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|isn't|aren't|"
    r"doesn't|don't|didn't|can't)\b",
    re.IGNORECASE,
)
# What of a question denies nothing.
_ASKS_BACK = re.compile(r"不[对是]吧|没有?(?=[?？]*\s*$)")
_YES_OR_NO = re.compile(r"^\W*(?:不是的?|不对|不|否|没有|错了?|是的?|对的?|yes|no)[，,。：:]\s*(?=\S)", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:[^，；;,]|,(?=\d))*[，；;,]?")


def granted(questions: str, sentence: str) -> str:
    """What of some questions a sentence may repeat: all but what it affirms where they ask whether it is so.

    "年假可以跨年" says nothing but what was asked, and yet it answers. What is denied need not stand anywhere.
    """
    kept = (piece for piece in _PIECE.findall(questions) if not _affirms(sentence, piece))
    return "".join(kept)


def _affirms(sentence: str, question: str) -> bool:
    return _asks_whether(question) and len(denials(sentence)) % 2 == len(denials(_ASKS_BACK.sub("", question))) % 2


def _asks_whether(question: str) -> bool:
    question = simplified(question)
    return not _OPEN.search(question) and _WHETHER.search(question) is not None


def beside_the_question(sentence: str, questions: str) -> str:
    """A sentence without what only answers: a yes or no, and a number denied that was asked for, where it says more."""
    if not any(map(_asks_whether, _PIECE.findall(questions))):
        return sentence
    asked = plain(questions).numbers
    clauses = [clause for clause in _CLAUSE.findall(_YES_OR_NO.sub("", sentence, count=1)) if clause]
    told = "".join(clause for clause in clauses if not _denies_a_number(plain(clause), asked))
    return told or sentence


def _denies_a_number(clause: Plain, asked: Sequence[Number]) -> bool:
    numbers = clause.numbers
    denied = bool(numbers and denials(clause.folded))
    return denied and all(any(number.agrees(other) for other in asked) for number in numbers)
