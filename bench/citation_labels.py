"""What is told of one thing put to another of the same sentence: 出口129亿美元 of 出口283亿美元；进口129亿美元.

Each is told as a sentence of its own, and as the bare answer to a question; the right one, too.
"""

import random
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from bench.citation_case import Case, limited

RIGHT_LABELS = ("label_told", "asked_label_told")
_SENTENCE = re.compile(r"[^。！？!?\n|]+[。！？；]")
_CLAUSE = re.compile(r"[^，；;。！？!?]+")
_HAN = r"[\u4e00-\u9fff]"
_FIGURE = re.compile(
    rf"(?P<of>{_HAN}{{2,16}}?)(?P<link>为|是|达到?|约|占|共有?|有|：)?(?P<told>\d[\d,]*(?:\.\d+)?{_HAN}{{0,4}}%?)"
)
_WORDS = re.compile(rf"(?P<of>{_HAN}{{2,12}})(?P<link>为|是|由|归|属于|负责|：|位于)(?P<told>{_HAN}{{2,15}})")
_ASKED = {"：": "是"}
_DIGITS = re.compile(r"[\d,.]")


def labels(passages: Sequence[str], per_kind: int, chance: random.Random) -> Iterator[Case]:
    """Up to `per_kind` cases of every kind."""
    sentences = [(found[0], passage) for passage in passages for found in _SENTENCE.finditer(passage)]
    chance.shuffle(sentences)
    yield from limited((case for sentence, passage in sentences for case in _cases(sentence, passage)), per_kind)


def _cases(sentence: str, passage: str) -> Iterator[Case]:
    clauses = [clause.strip() for clause in _CLAUSE.findall(sentence)]
    for statement, what in ((_FIGURE, "多少"), (_WORDS, "什么")):
        found = [match for match in map(statement.fullmatch, clauses) if match]
        for own, other in pairwise(found):
            of, link, told, instead = own["of"], own["link"] or "为", own["told"], other["told"]
            crossed = f"{of}{link}{instead}"
            if of == other["of"] or told == instead or crossed in passage or _unit(told) != _unit(instead):
                continue
            question = f"{of}{_ASKED.get(link, link)}{what}？"
            yield Case(f"{crossed}。", passage, "label_crossed")
            yield Case(f"{instead}。", passage, "asked_label_crossed", question)
            yield Case(f"{of}{link}{told}。", passage, "label_told")
            yield Case(f"{told}。", passage, "asked_label_told", question)


def _unit(told: str) -> str:
    """What stands behind a figure; "" for words."""
    return _DIGITS.sub("", told) if told[0].isdigit() else ""
