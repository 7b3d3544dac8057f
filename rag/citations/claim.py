"""A sentence of an answer, with the questions that it answers and what the answer says before it.

A sentence may repeat its questions without a passage bearing that out: they grant it, but for what they ask whether it
is so. Nor has any passage to bear out what only answers the question: 不是, and 不是98天.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from rag.citations.opposites import opposites
from rag.citations.plain import HAN_PAIR, Plain, plain
from rag.citations.sentences import CLAUSE
from rag.language.folding import HAN
from rag.language.numbers import FALLS, Number
from rag.language.whether import PIECE, as_statement, asks_whether, without_whether
from rag.language.words import terms

_YES_OR_NO = re.compile(r"^\W*(?:不是的?|不对|不|否|没有|错了?|是的?|对的?|yes|no)[，,。：:]\s*(?=\S)", re.IGNORECASE)
# 没有, 不可以 and 提供: with no more than a verb of the question, or one that repeats it.
_ALONE = re.compile(rf"\W*(?P<denial>不|没(?=有)|未|无|否)?(?P<verb>[{HAN}]{{0,4}}?)的?\W*")
_REPEATS = re.compile("|[是对有能行会要在]|可以")
# 普票还是专票, of which an answer tells one.
EITHER = re.compile(rf"(?P<one>[{HAN}]{{1,8}})还是(?P<other>[{HAN}]{{1,8}}?)[呢啊呀的]?\W*$")
_WORD_ALONE = re.compile(rf"\W*([{HAN}]{{1,8}}?)的?\W*")
# Characters of a question that do not tell what it is about: 多少钱一个人.
_COUNTS = frozenset("一二两三四五六七八九十几个位名人只条件项次家份钱")


@dataclass(frozen=True, slots=True)
class _Asked:
    """Questions, what of them an answer may repeat, and the first that asks whether something is so ("" for none).

    "年假可以跨年" repeats all that 年假可以跨年吗 says, and yet it answers; "年假不可以跨年" too.
    """

    text: Plain
    granted: Plain
    whether: str


@dataclass(frozen=True)
class Claim:
    """A sentence of an answer, the questions that were `asked`, and what the answer says `before` it.

    `granted` is what of the questions it may repeat, and `documents` are what the documents of the evidence are called.
    Of a yes or no alone (`only_answers`) the text is what it says in full: the statement that was asked about, for a no
    denied; `denies` is then that statement.
    """

    text: Plain
    asked: Plain
    granted: Plain
    before: str
    documents: tuple[Plain, ...]
    only_answers: bool
    denies: Plain | None

    @classmethod
    def of(cls, sentence: str, questions: str, before: str, documents: tuple[Plain, ...]) -> "Claim":
        """The claim that a sentence makes. Where questions or answer speak of a fall, its numbers need no minus."""
        asked, (statement, denied) = _read(questions), answered(sentence, questions)
        text = plain(statement or beside_the_question(sentence, questions))
        falls = text.numbers and FALLS.search(f"{asked.text.text}\n{before}")
        text = text.unsigned() if falls else text
        denies = plain(denied) if denied else None
        return cls(text, asked.text, asked.granted, before, documents, bool(statement), denies)

    @cached_property
    def asked_about(self) -> frozenset[str]:
        """The characters of what its questions ask about."""
        return frozenset("".join(terms(self.asked.text))) - _COUNTS

    @cached_property
    def said(self) -> str:
        """Questions and sentence together, numbers by their values."""
        return f"{self.asked.valued}\n{self.text.valued}"

    @cached_property
    def told_before(self) -> str:
        """What the answer says before it, in lower case. Reading a long answer takes time: ask for it last."""
        return plain(self.before).folded

    @cached_property
    def told(self) -> str:
        """What the answer says before it, the questions and the sentence."""
        return f"{self.told_before}\n{self.said}"

    @cached_property
    def own_terms(self) -> frozenset[str]:
        """Its terms that the questions do not grant."""
        return self.text.vocabulary - self.granted.vocabulary

    @cached_property
    def own_numbers(self) -> tuple[Number, ...]:
        """Its numbers that the questions do not grant."""
        return tuple(one for one in self.text.numbers if not self.granted.has(one))


def speaks_of(told: str, label: str, other: str) -> bool:
    """Whether a text may speak of a label and not of another: it has words of what only the first one has, if anything.

    Where these are digits, it must have the whole label: digits alone may be part of any number.
    """
    more = "".join(char for char in label if char not in other)
    return not more or (label in told if more.isdecimal() else says(told, more))


def says(told: str, words: str) -> bool:
    """Whether a text has any of some words, or is short for them: 扣非 for 扣除非经常性损益."""
    if len(words) == 1:
        return words in told
    return any(0 <= words.find(pair[0]) < words.rfind(pair[1]) for pair in HAN_PAIR.findall(told))


# Most sentences of an answer answer the same questions.
@lru_cache(maxsize=64)
def _read(questions: str) -> _Asked:
    pieces = PIECE.findall(questions)
    granted = plain("".join(map(without_whether, pieces)))
    return _Asked(plain(questions), granted, next(filter(asks_whether, pieces), ""))


def answered(sentence: str, questions: str) -> tuple[str, str]:
    """What a sentence says that is a yes or no alone, and for a no what it denies; "" for any other.

    What a no says of an amount is not told: what is not 98天 may be of any other length. One of two that were asked
    for says it of what was asked.
    """
    if chosen := _chosen(sentence, questions):
        return chosen, ""
    said = _ALONE.fullmatch(sentence)
    asked = _read(questions).whether
    if not said or not asked or not (said["denial"] or said["verb"]):
        return "", ""
    statement, answer = as_statement(asked), f"{said['denial'] or ''}{said['verb']}"
    is_of_question = bool(said["verb"]) and said["verb"] in statement
    if not is_of_question and not _REPEATS.fullmatch(said["verb"]):
        return "", ""
    if not said["denial"]:
        return statement, ""
    if plain(statement).numbers:
        return "", statement
    return statement.replace(said["verb"], answer, 1) if is_of_question else f"{answer}{statement}", statement


def _chosen(sentence: str, questions: str) -> str:
    """What a sentence says that is no more than one of two that were asked for: 发票是专票; "" for any other.

    Where the first of the two begins is told by what it has in common with the second, or says against it.
    """
    if not (told := _WORD_ALONE.fullmatch(sentence)):
        return ""
    said = told[1]
    for piece in PIECE.findall(questions):
        if not (found := EITHER.search(piece)):
            continue
        first, second = found["one"][-len(said) :], found["other"][: len(said)]
        are_a_pair = set(first) & set(second) or any(opposites(second, first))
        if said == first or (said == second and are_a_pair):
            return f"{piece[: found.end('one') - len(first)]}{said}{found['other'][len(said) :]}"
    return ""


def beside_the_question(sentence: str, questions: str) -> str:
    """A sentence without what only answers: a yes or no, and a number denied that was asked for, where it says more."""
    asked = _read(questions)
    if not asked.whether:
        return sentence
    clauses = [clause for clause in CLAUSE.findall(_YES_OR_NO.sub("", sentence, count=1)) if clause]
    told = "".join(clause for clause in clauses if not _denies_a_number(plain(clause), asked.text.numbers))
    return told or sentence


def _denies_a_number(clause: Plain, asked: Sequence[Number]) -> bool:
    numbers = clause.numbers
    denied = bool(numbers and clause.denials)
    return denied and all(any(number.agrees(other) for other in asked) for number in numbers)
