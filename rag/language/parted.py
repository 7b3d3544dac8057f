"""What a message asks of the documents, apart from how it wants that answered, by whom, and why."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rag.language.folding import CHINESE, fold
from rag.language.lexicon import lexicon
from rag.language.rows import any_of, read_rows
from rag.language.segmentation import segmenter
from rag.language.words import ASKING_WORDS, ASKS, SMALL_TALK, plainly, stands_in, terms

_ROWS = read_rows(__file__)["around_a_question"]
_MANNER, _BETWEEN, _ROLES = (any_of(_ROWS[name]) for name in ("manner", "between", "roles"))
# A full stop of Latin script ends a sentence behind a word, and no item of a list.
_STOP = r"(?:[。！!？?；;\n]|(?<=[A-Za-z]{2})\.(?=\s|$))"
_SENTENCE = re.compile(rf"(?:(?!{_STOP}).)+{_STOP}*|{_STOP}+", re.DOTALL)
_CLAUSE = re.compile(r"[^，,：:]*[，,：:]|[^，,：:]+")
_PIECE = re.compile(
    r"[^，,：:。！!？?；;\n【】（）()]*[，,：:。！!？?；;\n【】（）()]+|[^，,：:。！!？?；;\n【】（）()]+"
)
_ASKS_IN_CHINESE = re.compile(ASKING_WORDS)
_ONLY_AROUND = rf"(?>{_MANNER}|{_BETWEEN}|[\s\W_])++"
_SAYS_HOW = re.compile(rf"(?=.*?{_MANNER}){_ONLY_AROUND}", re.IGNORECASE | re.DOTALL)
# 请回答：, but no nod as 好的，, which tells what a message does.
_LEADS = "[问看查找答说]|告诉|咨询|请教|帮|[根依]据|基于|按照?|结合"
_LEADS_IN = re.compile(rf"(?!.*?没有?问题)(?=.*?(?:{_LEADS})){_ONLY_AROUND}", re.IGNORECASE | re.DOTALL)
_SAYS_WHO = re.compile(
    rf"(?:请|现在|假设|假如|从现在起|[，,\s])*(?:[你您](?:现在)?(?:是|作为|扮演|充当|担任)|扮演|act as\b|you are\b)"
    rf"\W*[^，,]*{_ROLES}",
    re.IGNORECASE,
)
# What stands for something said before.
_POINTS_BACK = re.compile(
    r"[这那它他她此]|其(?![他它余中实])|(?<!应)该|上述|以上|[前后]者|\b(?:it|this|that|they|these|those)\b",
    re.IGNORECASE,
)
_LATIN = re.compile("[A-Za-z]")
_SAYS_IN_ENGLISH = re.compile(r"\b(?:i|we|my|our)\b", re.IGNORECASE)
_NAME_IN_ENGLISH = re.compile(r"(?<=[a-z] )(?!I\b)[A-Z]")
# With so many terms a question says of itself what it is about.
_FEWEST_TERMS = 3
# A shorter message has nothing around it.
_SHORTEST = 12
_MOST_LEADING = 6
_CONDITIONS = ("如果", "若", "假如")


@dataclass(frozen=True, slots=True)
class Parted:
    """What a message asks, and how and by whom it is to be answered; "" where that is not said."""

    asked: str
    around: str


@lru_cache(maxsize=256)
def parted(message: str) -> Parted:
    """A message in its parts. All of it is asked where else nothing would be left to search for.

    A search for "请用一句话回答，不要超过50字" finds nothing of that, and holds it against every passage.
    """
    asked, around = [], []
    for sentence in _SENTENCE.findall(message) if len(message) >= _SHORTEST else ():
        clauses, outer = ([], [sentence]) if _is_around(sentence) else _clauses(sentence)
        asked += ["".join(clauses)] if clauses else []
        around += outer
    if not around or not terms("".join(asked)):
        return Parted(message, "")
    return Parted("".join(asked).strip(), "".join(around).strip())


def narrowed(question: str, texts: Iterable[str]) -> str:
    """A question without the clauses that do not ask and of which `texts` have too little; "" where that is no less.

    领导要求把情况弄清楚 tells why something is asked: no list has all such words, but no document speaks of it either.
    Nor does one of 故宫博物院 where a question is foreign, so what names something stays.
    """
    found, clauses = fold("\n".join(texts)), _PIECE.findall(question)
    kept = [clause for clause in clauses if ASKS.search(clause) or _is_spoken_of(clause, found) or _names(clause)]
    narrow = "".join(kept).strip()
    asks = ASKS.search(narrow) and not _POINTS_BACK.search(narrow) and len(terms(narrow)) >= _FEWEST_TERMS
    return narrow if asks and len(kept) < len(clauses) else ""


def _is_spoken_of(clause: str, found: str) -> bool:
    """Whether a text has half of the terms of a clause."""
    asked = terms(fold(clause))
    return bool(asked) and 2 * sum(stands_in(term, found) for term in asked) >= len(asked)


def _names(clause: str) -> bool:
    """Whether a clause has a name, or only names something: 我在阿里巴巴上班, 故宫博物院, but not 昨天刚入职.

    Those of two characters in the dictionary are no names as often as not: 明白, 汇报.
    """
    if SMALL_TALK.match(plainly(clause)):
        return False
    if not CHINESE.search(clause):
        return not _SAYS_IN_ENGLISH.search(clause) or _NAME_IN_ENGLISH.search(clause) is not None
    known, said = lexicon(), list(segmenter().cut(plainly(clause)))
    says = any(word in known.grammar or (word in known.ordinary and word not in known.nouns) for word in said)
    return not says or _LATIN.search(clause) is not None or any(len(word) > 2 and word in known.names for word in said)


def _is_around(sentence: str) -> bool:
    """Whether a sentence says how or who is to answer."""
    return bool(_SAYS_HOW.fullmatch(sentence) or (_SAYS_WHO.match(sentence) and not _ASKS_IN_CHINESE.search(sentence)))


def _clauses(sentence: str) -> tuple[list[str], list[str]]:
    """The clauses of a sentence, and those around them that lead in or say how; a condition is none of these."""
    clauses, outer = _CLAUSE.findall(sentence), list[str]()
    counts = range(min(len(clauses) - 1, _MOST_LEADING), 0, -1)
    if (count := next((count for count in counts if _LEADS_IN.fullmatch("".join(clauses[:count]))), 0)) and not clauses[
        0
    ].startswith(_CONDITIONS):
        outer, clauses = clauses[:count], clauses[count:]
    while len(clauses) > 1 and _SAYS_HOW.fullmatch(clauses[-1]):
        outer.append(clauses.pop())
    return clauses, outer
