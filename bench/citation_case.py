"""What is checked: a sentence that cites a passage, and how many of each kind."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LENGTH = 600


@dataclass(frozen=True)
class Case:
    """A sentence, the passage it was made of, what was done to it, and what it answers, if anything.

    `opening` is how its document begins; another document, which begins with `other_opening`, has the passage `beside`.
    """

    sentence: str
    passage: str
    kind: str
    question: str = ""
    opening: str = ""
    beside: str = ""
    other_opening: str = ""


def limited(made: Iterable[Case], per_kind: int) -> Iterator[Case]:
    """The first `per_kind` of every kind."""
    left: dict[str, int] = {}
    for case in made:
        if left.setdefault(case.kind, per_kind):
            left[case.kind] -= 1
            yield case


def pieces(text: str) -> Iterator[str]:
    """A text in pieces as an answer is given them."""
    for start in range(0, len(text), _LENGTH):
        yield text[start : start + _LENGTH]
