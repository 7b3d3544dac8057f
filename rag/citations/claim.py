"""A sentence of an answer that cites passages, beside what was asked and what the answer says before it."""

from dataclasses import dataclass
from functools import cached_property

from rag.citations.granted import answered, beside_the_question, granted, read
from rag.citations.plain import HAN_PAIR, Plain, plain
from rag.language.numbers import FALLS, Number
from rag.language.words import terms

# Of 多少钱一个人 these tell nothing.
_COUNTS = frozenset("一二两三四五六七八九十几个位名人只条件项次家份钱")


@dataclass(frozen=True)
class Claim:
    """A sentence of an answer, the questions that it answers, and what the answer says `before` it.

    `granted` is what of the questions it may say without being borne out. `documents` are what those of its evidence
    are called. What `only_answers`, with a yes or no, says what was asked, and with a no `denies` it.
    """

    text: Plain
    asked: Plain
    granted: Plain
    before: str
    documents: tuple[Plain, ...]
    only_answers: bool
    denies: Plain | None

    @classmethod
    def of(cls, sentence: str, questions: str, before: str, documents: tuple[Plain, ...]) -> "Claim":
        """The claim of a sentence. Where question or answer speak of a fall, its numbers need no minus."""
        asked, (statement, denied) = read(questions), answered(sentence, questions)
        text = plain(statement or beside_the_question(sentence, questions))
        falls = text.numbers and FALLS.search(f"{asked.text}\n{before}")
        text = text.unsigned() if falls else text
        denies = plain(denied) if denied else None
        return cls(text, asked, granted(questions), before, documents, bool(statement), denies)

    @cached_property
    def clauses(self) -> tuple[Plain, ...]:
        """Its clauses."""
        return self.text.clauses()

    @cached_property
    def asked_about(self) -> frozenset[str]:
        """The characters of what its questions ask about."""
        return frozenset("".join(terms(self.asked.text))) - _COUNTS

    @cached_property
    def said(self) -> str:
        """It and its questions, numbers by their values."""
        return f"{self.asked.valued}\n{self.text.valued}"

    @cached_property
    def told_before(self) -> str:
        """What the answer says before it, folded; to be asked for last, as that may be long."""
        return plain(self.before).folded

    @cached_property
    def told(self) -> str:
        """What the answer says before it, it and its questions."""
        return f"{self.told_before}\n{self.said}"

    @cached_property
    def own_terms(self) -> frozenset[str]:
        """What it speaks of that the questions do not grant it."""
        return self.text.vocabulary - self.granted.vocabulary

    @cached_property
    def own_numbers(self) -> tuple[Number, ...]:
        """Its numbers that the questions do not grant it."""
        return tuple(one for one in self.text.numbers if not self.granted.has(one))


def speaks_of(told: str, label: str, other: str) -> bool:
    """Whether a text speaks of what a label has and another one lacks; of labels of the same characters it may.

    Digits alone stand in any number.
    """
    more = "".join(char for char in label if char not in other)
    return not more or (label in told if more.isdecimal() else says(told, more))


def says(told: str, words: str) -> bool:
    """Whether a text has any of some words, or is short for them: 扣非 for 扣除非经常性损益."""
    if len(words) == 1:
        return words in told
    return any(0 <= words.find(pair[0]) < words.rfind(pair[1]) for pair in HAN_PAIR.findall(told))
