"""What is checked: a sentence that cites a passage, and how many of each kind."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """A sentence, the passage it was made of, what was done to it, and what it answers, if anything."""

    sentence: str
    passage: str
    kind: str
    question: str = ""


def limited(made: Iterable[Case], per_kind: int) -> Iterator[Case]:
    """The first `per_kind` of every kind."""
    left: dict[str, int] = {}
    for case in made:
        if left.setdefault(case.kind, per_kind):
            left[case.kind] -= 1
            yield case
