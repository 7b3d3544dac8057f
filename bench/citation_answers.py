"""Answers to questions of real sets, as sentences that cite a passage: right ones, and some that it does not bear out.

What a question says an answer may repeat, so these are told apart from sentences that nobody asked for. If something is
so is asked of sentences of the passages (吗), which are said again or answered by a yes or no alone, and by the
questions of cjrc_law that are answered yes or no. Beside an `amount` a `rival` of it: another of its passage that
counts the same. A `sibling` answers another question about the same passage.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.citation_case import Case, limited
from bench.citation_cases import COUNTED, candidates
from bench.harness import read_if_there, read_jsonl

RIGHT_ANSWERS = ("answer", "amount", "affirmed", "yes", "affirmed_alone")
_WHETHER = "是否"
_YES, _NO = "是的。", "不是。"
# What is cited is a piece of its passage: so many characters around what was asked for.
_LENGTH = 600
_LONGEST_ANSWER = 40
_AMOUNT = re.compile(r"(\d[\d,]*(?:\.\d+)?)([^\d]{1,5})")
Row = dict[str, Any]


def answers(data: Path, corpus: str, per_kind: int, chance: random.Random) -> Iterator[Case]:
    """Up to `per_kind` answers of every kind to questions of a corpus; none of a set whose answers name no passage."""
    texts = {str(row["id"]): str(row["text"]) for row in read_jsonl(data / corpus / "passages.jsonl")}
    asked = [
        row
        for row in read_if_there(data / corpus / "questions.jsonl")
        if row.get("passage_id") in texts and row.get("answers")
    ]
    chance.shuffle(asked)
    beside: dict[str, list[str]] = defaultdict(list)
    for row in asked:
        beside[row["passage_id"]].append(str(row["answers"][0]))
    pairs = zip(asked, [*asked[1:], *asked[:1]], strict=True)
    made = (case for row, other in pairs for case in _cases(row, other, beside[row["passage_id"]], texts, chance))
    yield from limited(made, per_kind)


def _cases(row: Row, other: Row, beside: Sequence[str], texts: dict[str, str], chance: random.Random) -> Iterator[Case]:
    question, answer, text = str(row["question"]), str(row["answers"][0]), texts[row["passage_id"]]
    if answer in ("YES", "NO"):
        if _WHETHER in question:
            said = _sentence(question.replace(_WHETHER, ""))
            yield Case(said, text[: 2 * _LENGTH], answer.lower(), question)
        return
    if answer in text:
        piece, strange = _around(text, answer), str(other["answers"][0])
        yield Case(_sentence(answer), piece, "answer", question)
        if rival := _rival(answer, piece, chance):
            yield Case(_sentence(answer), piece, "amount", question)
            yield Case(_sentence(rival), piece, "rival", question)
        siblings = [one for one in beside if one in piece and one not in f"{answer}{question}" and answer not in one]
        if siblings:
            yield Case(_sentence(chance.choice(siblings)), piece, "sibling", question)
        if strange not in piece and len(strange) <= _LONGEST_ANSWER and strange not in ("YES", "NO"):
            yield Case(_sentence(strange), piece, "foreign_answer", question)
    if stated := candidates(text):
        said, elsewhere = chance.choice(stated), texts[other["passage_id"]][:_LENGTH]
        whether = f"{said[:-1]}吗？"
        yield Case(said, _around(text, said), "affirmed", whether)
        yield Case(_YES, _around(text, said), "affirmed_alone", whether)
        yield Case(_NO, _around(text, said), "denied_alone", whether)
        if said not in elsewhere:
            yield Case(said, elsewhere, "affirmed_elsewhere", whether)
            yield Case(_YES, elsewhere, "affirmed_alone_elsewhere", whether)


def _rival(answer: str, passage: str, chance: random.Random) -> str:
    """An amount with another number of its passage that counts the same; "" for any other answer, or where none is."""
    own = _AMOUNT.fullmatch(answer)
    others = {other[1] for other in COUNTED.finditer(passage) if own and other[2] == own[2][:1]} - {own and own[1]}
    return f"{chance.choice(sorted(others))}{own[2]}" if own and others else ""


def _around(text: str, part: str) -> str:
    start = max(0, text.find(part) - _LENGTH // 2)
    return text[start : start + max(_LENGTH, len(part) + _LENGTH // 2)]


def _sentence(text: str) -> str:
    return re.sub(r"[。？?！!\s]+$", "", text) + "。"
