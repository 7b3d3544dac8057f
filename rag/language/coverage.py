"""How far texts have the terms of a question."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from rag.language.words import terms

Item = TypeVar("Item")


def by_cover(question: str, groups: Sequence[Sequence[Item]], text_of: Callable[[Item], str]) -> list[Sequence[Item]]:
    """Groups of evidence, those with most of a question's terms first; equal ones stay in their order."""
    asked = terms(question)

    def covered(group: Sequence[Item]) -> int:
        text = "\n".join(map(text_of, group)).lower()
        return sum(term in text for term in asked)

    return sorted(groups, key=covered, reverse=True)


def adding(question: str, held: Sequence[Item], found: Sequence[Item], text_of: Callable[[Item], str]) -> list[Item]:
    """What of the found has terms of a question that nothing held has."""
    text = "\n".join(map(text_of, held)).lower()
    missing = [term for term in terms(question) if term not in text]
    return [item for item in found if any(term in text_of(item).lower() for term in missing)]
