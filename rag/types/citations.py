"""What a check of an answer against its evidence finds."""

from dataclasses import dataclass
from enum import StrEnum

from rag.types.message import Message


class Support(StrEnum):
    """Whether a sentence of an answer is borne out by the evidence that it cites."""

    SUPPORTED = "supported"
    UNVERIFIED = "unverified"
    UNMARKED = (
        "unmarked"  # cites nothing, and nothing clearly supports it; or is in another language than what it cites
    )


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of an answer: `[start, end)` counts characters of the stored text, its markers included.

    `numbers` are the evidence that it cites, `added` what it should cite; `doubtful` are markers that stand for
    nothing: no such evidence, or evidence that says something else. `is_bare`: it states a fact, and nothing says where
    from.
    """

    start: int
    end: int
    support: Support
    numbers: tuple[int, ...] = ()
    added: tuple[int, ...] = ()
    doubtful: tuple[int, ...] = ()
    reason: Message | None = None
    is_bare: bool = False

    @property
    def unverified(self) -> tuple[int, ...]:
        """The numbers of its markers that a reader has to check: nothing is known to say what it says."""
        wrong = self.numbers if self.support is Support.UNVERIFIED else ()
        return () if self.added else tuple(dict.fromkeys((*wrong, *self.doubtful)))

    @property
    def corrected(self) -> tuple[int, ...]:
        """The numbers of its markers in whose place others were added, which say what it says."""
        return tuple(dict.fromkeys(self.doubtful)) if self.added else ()

    @property
    def verified(self) -> tuple[int, ...]:
        """The numbers of its markers whose evidence says what it says."""
        return tuple(number for number in dict.fromkeys((*self.numbers, *self.added)) if self.bears_out(number))

    def bears_out(self, number: int) -> bool | None:
        """Whether a piece of evidence says what it is cited for here; None where it is not, or nothing is stated."""
        if number in (*self.unverified, *self.corrected):
            return False
        return True if self.support is Support.SUPPORTED and number in (*self.numbers, *self.added) else None

    def doubt(self, number: int) -> Message:
        """What was found of one of its markers whose evidence does not bear it out."""
        if number in self.corrected:
            added = {"added": "、".join(map(str, self.added)), "count": len(self.added)}
            return Message("web.chat.corrected_source", {"number": number, **added})
        return self.reason or Message("web.chat.unverified_source", {"number": number})


@dataclass(frozen=True, slots=True)
class Verification:
    """The checked sentences of an answer, in order; `unsourced` where there was evidence and it names none of it."""

    sentences: tuple[CheckedSentence, ...] = ()
    unsourced: bool = False

    def borne_out_by(self, number: int) -> int:
        """How many sentences this piece of evidence bears out."""
        return sum(sentence.bears_out(number) is True for sentence in self.sentences)

    def bears_out(self, number: int) -> bool | None:
        """Whether this piece of evidence says all that it is cited for; None where it is cited for nothing."""
        if self.doubted(number):
            return False
        return True if self.borne_out_by(number) else None

    def doubted(self, number: int) -> tuple[CheckedSentence, ...]:
        """The sentences that cite this piece of evidence for what it does not say."""
        return tuple(sentence for sentence in self.sentences if sentence.bears_out(number) is False)
