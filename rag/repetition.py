"""When a small model says the same thing over and over: where it should have ended."""

import re
from itertools import takewhile

_END = "。；;！!？?，,：:\n"
_CLAUSE = re.compile(f"[^{_END}]+[{_END}]+")
# The number before each round goes up while the rest stays.
_NUMBER = re.compile(r"\[\d+\]|^\s*(?:[-*]|\d+[.、)）])\s*")
_DIGITS = re.compile(r"\d+")
_ROUNDS = 4
# What comes again word for word after so many clauses is no refrain: once more is enough to tell.
_FEWEST_OF_MANY, _ROUNDS_OF_MANY = 7, 2
# Clauses that differ in their numbers only: no list of months or articles is so long, one that counts on for ever is.
_COUNTED = 20
_MOST_CLAUSES = 24
# What is shorter may well come again and again: cells of a table, zeros in a list.
_FEWEST_CHARACTERS = 4


def ends_clause(text: str) -> bool:
    """Whether a piece of an answer ends a clause: only then can there be one more round."""
    return any(character in text for character in _END)


def first_round(answer: str) -> str | None:
    """The answer up to the end of the first of the rounds of the same clauses that it ends with; None without such."""
    clauses = list(_CLAUSE.finditer(answer))
    said = [_NUMBER.sub("", clause[0]).strip() for clause in clauses[-_ROUNDS_OF_MANY * _MOST_CLAUSES :]]
    for count in range(1, _MOST_CLAUSES + 1):
        times = _ROUNDS if count < _FEWEST_OF_MANY else _ROUNDS_OF_MANY
        rounds = said[-times * count :]
        if rounds == rounds[:count] * times and max(map(len, rounds), default=0) >= _FEWEST_CHARACTERS:
            return answer[: clauses[-(times - 1) * count - 1].end()]
    counted = len(list(takewhile(lambda clause: _masked(clause) == _masked(clauses[-1]), reversed(clauses))))
    if counted >= _COUNTED and len(_masked(clauses[-1])) >= _FEWEST_CHARACTERS:
        return answer[: clauses[1 - counted].start()]
    return None


def _masked(clause: re.Match[str]) -> str:
    return _DIGITS.sub("0", _NUMBER.sub("", clause[0])).strip()
