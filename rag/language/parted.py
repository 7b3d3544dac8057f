"""What a message asks of the documents, apart from how it wants that answered, by whom, and why."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, takewhile

from rag.language.folding import CHINESE, fold
from rag.language.follow_up import pointing_back
from rag.language.lexicon import lexicon
from rag.language.rows import any_of, read_rows
from rag.language.segmentation import segmenter
from rag.language.talk import COURTESY, RETELL, REWORK, SMALL_TALK
from rag.language.words import ASKING_WORDS, ASKS, plainly, stands_in, terms

_ROWS = read_rows(__file__)["around_a_question"]
_MANNER, _BETWEEN, _ROLES = (any_of(_ROWS[name]) for name in ("manner", "between", "roles"))
# A full stop of Latin script ends a sentence behind a word, and no item of a list.
_STOP = r"(?:[。！!？?；;\n]|(?<=[A-Za-z]{2})\.(?=\s|$))"
_SENTENCE = re.compile(rf"(?:(?!{_STOP}).)+{_STOP}*|{_STOP}+", re.DOTALL)
# No comma or colon within a number: 5,000 and 8:30. Where people thank, a blank does for one.
_COMMA = r"(?:[，：]|(?<!\d)[,:]|[,:](?!\d)|(?<=[你您]好)\s|\s(?=谢谢|多谢|感谢))"
_CLAUSE = re.compile(rf"(?:(?!{_COMMA}).)*{_COMMA}|(?:(?!{_COMMA}).)+", re.DOTALL)
_MARK = rf"(?:{_COMMA}|[。！!？?；;\n【】（）()])"
_PIECE = re.compile(rf"(?:(?!{_MARK}).)*{_MARK}+|(?:(?!{_MARK}).)+", re.DOTALL)
_COMMAS = "，,：: "
_ASKS_IN_CHINESE = re.compile(ASKING_WORDS)
_ONLY_AROUND = rf"(?>{_MANNER}|{_BETWEEN}|[\s\W_])++"
_SAYS_HOW = re.compile(rf"(?=.*?{_MANNER}){_ONLY_AROUND}", re.IGNORECASE | re.DOTALL)
# 请回答：, but no nod as 好的，, which tells what a message does.
_LEADS = "[问看查找答说]|告诉|咨询|请教|帮|[根依]据|基于|按照?|结合"
_LEADS_IN = re.compile(rf"(?!.*?没有?问题)(?=.*?(?:{_LEADS})){_ONLY_AROUND}", re.IGNORECASE | re.DOTALL)
_SAYS_WHO = re.compile(
    rf"(?:请|现在|假设|假如|从现在起|[，,\s])*(?:[你您](?:现在)?(?:是|作为|扮演|充当|担任)|扮演|act as\b|you are\b)"
    rf"\W*[^，,：:]*{_ROLES}",
    re.IGNORECASE,
)
_LATIN = re.compile("[A-Za-z]")
_SAYS_IN_ENGLISH = re.compile(r"\b(?:i|we|my|our)\b", re.IGNORECASE)
_NAME_IN_ENGLISH = re.compile(r"(?<=[a-z] )(?!I\b)[A-Z]")
# And goes on so: 擅长合同法.
_OF_WHOM = re.compile(r"\s*[你您]?(?:擅长|善于|精通|专门|专注|熟悉|具有|具备|拥有)")
# Asks for an answer, and nothing that has one: 能不能用一句话回答？
_TO_ANSWER = re.compile(r"[回作解]答|答复|回复")
_OPENING_QUOTES, _CLOSING_QUOTES = re.compile("[“「『《]"), re.compile("[”」』》]")
# With so many terms a question says of itself what it is about.
_FEWEST_TERMS = 3
_MOST_LEADING = 6
# A longer message is no mere request to put the last answer otherwise.
_LONGEST_REWORK = 40
_CONDITIONS = ("如果", "若", "假如")


@dataclass(frozen=True, slots=True)
class Parted:
    """What a message asks, and how and by whom it is to be answered; "" where that is not said."""

    asked: str
    around: str


@lru_cache(maxsize=256)
def parted(message: str) -> Parted:
    """A message in its parts, without courtesies. All of it is asked where else nothing would be left to search for.

    A search for "请用一句话回答，不要超过50字" finds nothing of that, and holds it against every passage. A question
    with 谢谢 before it would be taken for thanks alone.
    """
    asked, around = list[str](), list[str]()
    for sentence, is_quoted in _sentences(message):
        clauses, outer = ([sentence], list[str]()) if is_quoted else _clauses(sentence)
        asked += clauses
        around += outer
    left = "".join(asked).strip()
    asks = bool(terms(left)) if around else any(map(str.isalnum, left))
    if not asks or left == message.strip():
        return Parted(message, "")
    left = left.rstrip(_COMMAS)
    is_one = around and _is_of_the_last_answer(message, left)
    return Parted(message, "") if is_one else Parted(left, "".join(around).strip())


def _is_of_the_last_answer(message: str, left: str) -> bool:
    """Whether all that is asked of a short message is the last answer in another form: 再说一遍，简短一点."""
    return len(message) <= _LONGEST_REWORK and any(about.match(plainly(left)) for about in (RETELL, REWORK))


def narrowed(question: str, texts: Iterable[str]) -> str:
    """A question without the clauses that do not ask and of which `texts` have too little; "" where that is no less.

    领导要求把情况弄清楚 tells why something is asked: no list has all such words, but no document speaks of it either.
    Nor does one of 故宫博物院 where a question is foreign, so what names something stays.
    """
    found, clauses = fold("\n".join(texts)), _PIECE.findall(question)
    kept = [clause for clause in clauses if ASKS.search(clause) or _is_spoken_of(clause, found) or _names(clause)]
    narrow = "".join(kept).strip()
    asks = ASKS.search(narrow) and pointing_back(narrow) is None and len(terms(narrow)) >= _FEWEST_TERMS
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


def _sentences(message: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a message, each with whether any of it stands in a quotation that it does not hold whole."""
    depth = 0
    for sentence in _SENTENCE.findall(message):
        within = depth + len(_OPENING_QUOTES.findall(sentence)) - len(_CLOSING_QUOTES.findall(sentence))
        yield sentence, depth != 0 or within != 0
        depth = within


def _clauses(sentence: str) -> tuple[list[str], list[str]]:
    """The clauses of a sentence, and those around them that say who or how is to answer; courtesies are in neither."""
    clauses = _CLAUSE.findall(sentence)
    clauses = clauses[_courteous(clauses) :]
    if not clauses or SMALL_TALK.match(plainly(sentence)):
        return [], []
    count = _saying_who(clauses)
    if _says_how("".join(clauses[count:])):
        return [], clauses
    count += _leading_in(clauses[count:])
    outer, clauses = clauses[:count], clauses[count:]
    behind = list[str]()
    while len(clauses) > 1 and (_says_how(clauses[-1]) or _is_courtesy(clauses[-1])):
        last = clauses.pop()
        behind += [] if _is_courtesy(last) else [last]
    return clauses, [*outer, *reversed(behind)]


def _courteous(clauses: Sequence[str]) -> int:
    """How many clauses at the beginning thank or greet, nods before and between them."""
    talk = [*takewhile(lambda clause: SMALL_TALK.match(plainly(clause)), clauses)]
    return next((count for count in range(len(talk), 0, -1) if COURTESY.search(talk[count - 1])), 0)


def _is_courtesy(clause: str) -> bool:
    """Whether a clause thanks or greets and does no more; a nod alone tells what a message does."""
    return bool(COURTESY.search(clause) and SMALL_TALK.match(plainly(clause)))


def _saying_who(clauses: Sequence[str]) -> int:
    """How many clauses at the beginning say who is to answer, and ask nothing; what follows may tell of the case."""
    said = _SAYS_WHO.match("".join(clauses[:_MOST_LEADING]))
    if said is None:
        return 0
    ends = accumulate(map(len, clauses))
    count = next(number for number, end in enumerate(ends, 1) if end >= said.end())
    count += len([*takewhile(_OF_WHOM.match, clauses[count:])])
    return 0 if _ASKS_IN_CHINESE.search("".join(clauses[:count])) else count


def _leading_in(clauses: Sequence[str]) -> int:
    """How many clauses at the beginning only lead in to what is asked; a condition does not."""
    counts = range(min(len(clauses) - 1, _MOST_LEADING), 0, -1)
    count = next((count for count in counts if _LEADS_IN.fullmatch("".join(clauses[:count]))), 0)
    return 0 if count and clauses[0].startswith(_CONDITIONS) else count


def _says_how(text: str) -> bool:
    """Whether a text says how to answer, and asks for nothing that has an answer; also one that says nothing."""
    asks = _ASKS_IN_CHINESE.search(text) and not _TO_ANSWER.search(text)
    return not text or bool(_SAYS_HOW.fullmatch(text) and not asks)
