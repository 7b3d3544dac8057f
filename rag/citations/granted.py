"""What a question grants an answer to say without being borne out: what it asks with, not what it asks whether.

And what an answer says to the question alone, of which no passage has to know: 不是, and 不是98天.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from rag.citations.plain import Plain, plain
from rag.citations.sentences import CLAUSE
from rag.language.folding import HAN
from rag.language.numbers import Number
from rag.language.whether import PIECE, as_statement, asks_whether, without_whether

_YES_OR_NO = re.compile(r"^\W*(?:不是的?|不对|不|否|没有|错了?|是的?|对的?|yes|no)[，,。：:]\s*(?=\S)", re.IGNORECASE)
# 没有, 不可以 and 提供: with no more than a verb of the question, or one that repeats it.
_ALONE = re.compile(rf"\W*(?P<denial>不|没(?=有)|未|无|否)?(?P<verb>[{HAN}]{{0,4}}?)的?\W*")
_REPEATS = re.compile("|[是对有能行会要在]|可以")


# The same is asked of most sentences.
@lru_cache(maxsize=64)
def read(questions: str) -> Plain:
    """Questions, comparable with what answers them."""
    return plain(questions)


@lru_cache(maxsize=64)
def granted(questions: str) -> Plain:
    """What of some questions an answer may repeat: all but what they ask whether it is so.

    "年假可以跨年" says nothing but what was asked, and yet it answers; "年假不可以跨年" too.
    """
    return plain("".join(map(without_whether, PIECE.findall(questions))))


@lru_cache(maxsize=64)
def _asked_whether(questions: str) -> str:
    """The first of some questions that asks whether something is so; "" for none."""
    return next(filter(asks_whether, PIECE.findall(questions)), "")


def answered(sentence: str, questions: str) -> tuple[str, str]:
    """What a sentence says that is a yes or no alone, and for a no what it denies; "" for any other.

    What a no says of an amount is not told: what is not 98天 may be of any other length.
    """
    said = _ALONE.fullmatch(sentence)
    asked = _asked_whether(questions)
    if not said or not asked or not (said["denial"] or said["verb"]):
        return "", ""
    statement, answer = as_statement(asked), f"{said['denial'] or ''}{said['verb']}"
    is_of_question = bool(said["verb"]) and said["verb"] in statement
    if not is_of_question and not _REPEATS.fullmatch(said["verb"]):
        return "", ""
    if not said["denial"]:
        return statement, ""
    if read(statement).numbers:
        return "", statement
    return statement.replace(said["verb"], answer, 1) if is_of_question else f"{answer}{statement}", statement


def beside_the_question(sentence: str, questions: str) -> str:
    """A sentence without what only answers: a yes or no, and a number denied that was asked for, where it says more."""
    if not _asked_whether(questions):
        return sentence
    asked = read(questions).numbers
    clauses = [clause for clause in CLAUSE.findall(_YES_OR_NO.sub("", sentence, count=1)) if clause]
    told = "".join(clause for clause in clauses if not _denies_a_number(plain(clause), asked))
    return told or sentence


def _denies_a_number(clause: Plain, asked: Sequence[Number]) -> bool:
    numbers = clause.numbers
    denied = bool(numbers and clause.denials)
    return denied and all(any(number.agrees(other) for other in asked) for number in numbers)
