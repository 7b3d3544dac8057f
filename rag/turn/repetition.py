"""Degenerate repetition: where an answer should have ended in which a small model says the same over and over."""

import re
from itertools import pairwise, takewhile

from rag.language.folding import HAN

_END = "。；;！!？?，,：:\n"
# From its beginning only: a long line that nothing ends would be tried from each of its characters.
_CLAUSE = re.compile(f"(?<![^{_END}])[^{_END}]++[{_END}]+")
# The number before each round goes up while the rest stays.
_NUMBER = re.compile(r"\[\d+\]|^\s*(?:[-*]|\d+[.、)）])\s*")
_DIGITS = re.compile(r"\d+")
_ROUNDS = 4
# So long a sentence is no refrain either.
_LONG, _ROUNDS_OF_LONG = 24, 3
# What comes again word for word after so many clauses is no refrain: once more is enough to tell.
_FEWEST_OF_MANY, _ROUNDS_OF_MANY = 7, 2
# Clauses that differ in their numbers only. One that counts on by one each time is a loop after so many: no list of
# months or articles is so long. Where the numbers are others each time they may be data, if not for ever.
_COUNTED_ON, _COUNTED = 20, 40
_MOST_CLAUSES = 24
# What is shorter may well come again and again: cells of a table, zeros in a list.
_FEWEST_CHARACTERS = 4
# Within a clause, verse in one line says its refrain twice, and a sum the same term often: a loop is longer than these.
_ROUNDS_OF_A_PHRASE, _FEWEST_LOOPED = 3, 60
_LONGEST_PHRASE = 300
_HAN = re.compile(f"[{HAN}]")
# A list is at its end where it says again what it has said: once it may be so.
_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,3}[.、)）])[ \t]*(\S[^\n]*)\n", re.MULTILINE)
_FEWEST_OF_AN_ITEM, _REPEATED_ITEMS = 6, 2


def first_round(answer: str) -> str | None:
    """The answer up to the end of the first round of what it repeats at its end; None where it repeats nothing.

    Rounds that differ in more than a count are kept up to the last whole one.
    """
    return _of_clauses(answer) or _of_phrases(answer) or _of_items(answer)


def _of_items(answer: str) -> str | None:
    """The answer before the first item that a list repeats, where it repeats several, be it in no order."""
    said: set[str] = set()
    repeated: dict[str, int] = {}
    for item in _ITEM.finditer(answer):
        text = _NUMBER.sub("", item[1]).strip()
        if text in said:
            repeated.setdefault(text, item.start())
        if len(_HAN.findall(text)) >= _FEWEST_OF_AN_ITEM:
            said.add(text)
    return answer[: min(repeated.values())].rstrip() if len(repeated) >= _REPEATED_ITEMS else None


def _of_clauses(answer: str) -> str | None:
    clauses = list(_CLAUSE.finditer(answer))
    said = [_NUMBER.sub("", clause[0]).strip() for clause in clauses[-_ROUNDS_OF_MANY * _MOST_CLAUSES :]]
    for count in range(1, _MOST_CLAUSES + 1):
        is_long = sum(map(len, said[-count:])) >= _LONG
        times = _ROUNDS_OF_MANY if count >= _FEWEST_OF_MANY else _ROUNDS_OF_LONG if is_long else _ROUNDS
        rounds = said[-times * count :]
        if rounds == rounds[:count] * times and max(map(len, rounds), default=0) >= _FEWEST_CHARACTERS:
            return answer[: clauses[-(times - 1) * count - 1].end()]
    return _of_counting(answer, clauses)


def _of_counting(answer: str, clauses: list[re.Match[str]]) -> str | None:
    """The same for clauses that differ in their numbers only, unless they are rows of a table."""
    alike = list(takewhile(lambda clause: _masked(clause) == _masked(clauses[-1]), reversed(clauses)))
    if not alike or len(_masked(clauses[-1])) < _FEWEST_CHARACTERS or "|" in clauses[-1][0]:
        return None
    counted = len(list(takewhile(_counts_on, pairwise(alike))))
    if counted + 1 >= _COUNTED_ON:
        return answer[: alike[counted].end()]
    return answer[: alike[0].end()] if len(alike) >= _COUNTED else None


def _masked(clause: re.Match[str]) -> str:
    return _DIGITS.sub("0", _NUMBER.sub("", clause[0])).strip()


def _counts_on(clauses: tuple[re.Match[str], re.Match[str]]) -> bool:
    """Whether no number of a clause is more than one above that of the clause before; `clauses` are the two."""
    after, before = (map(int, _DIGITS.findall(_NUMBER.sub("", clause[0]))) for clause in clauses)
    return all(second - first in (0, 1) for second, first in zip(after, before, strict=True))


def _of_phrases(answer: str) -> str | None:
    """The same within the clause that an answer ends in: A、B、A、B、A、B. A table's cells may be the same."""
    begun = max(map(answer.rfind, _END)) + 1
    clause = answer[begun:]
    for length in range(1, min(_LONGEST_PHRASE, len(clause) // _ROUNDS_OF_A_PHRASE) + 1):
        looped = max(_FEWEST_LOOPED, _ROUNDS_OF_A_PHRASE * length)
        start = len(clause) - looped
        if start < 0 or clause[start:-length] != clause[start + length :]:
            continue
        phrase = clause[-length:]
        if len(_HAN.findall(phrase)) < _FEWEST_CHARACTERS or "|" in phrase:
            return None
        while start and clause[start - 1] == clause[start - 1 + length]:
            start -= 1
        return answer[: begun + start + length].rstrip("、 ")
    return None
