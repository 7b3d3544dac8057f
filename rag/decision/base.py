"""What a decider is given and what it says."""

from dataclasses import dataclass
from typing import Protocol

from rag.language import words
from rag.types import Decision, Message


@dataclass(frozen=True, slots=True)
class Material:
    """A passage as a decider sees it: its document, its titles, its text, and its score in the search by words."""

    document: str
    titles: tuple[str, ...]
    text: str
    score: float = 0.0

    @property
    def names(self) -> frozenset[str]:
        """What a question may call the passage."""
        return frozenset[str]().union(*map(words.names, self.titles))


@dataclass(frozen=True, slots=True)
class Situation:
    """A question, the questions and answers before it, the evidence in hand, and what else a word search finds.

    `elsewhere` is what a search for `signals.search_words` found; empty where nothing was searched.
    """

    question: str
    earlier: tuple[tuple[str, str], ...] = ()
    in_hand: tuple[Material, ...] = ()
    elsewhere: tuple[Material, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision, its reason for the reader, and how certain it is (0 to 1).

    A question that `names_subject` need not be rewritten for a search, however little it says.
    """

    decision: Decision
    reason: Message
    certainty: float
    names_subject: bool = False


class Decider(Protocol):
    """Settles what a turn does about evidence."""

    def decide(self, situation: Situation) -> Verdict:
        """The verdict. REUSE only where there is evidence in hand."""
        ...
