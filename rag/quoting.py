"""The sentences of passages that come nearest to a question, quoted with the numbers of their passages."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from loaders.sentences import sentence_spans
from rag.citations import MARKER
from rag.language.refusals import refuses
from rag.language.words import without_filler
from rag.types import Evidence, Similarity

# How near each of some texts is to a question.
Similarities = Callable[[str, Sequence[str]], Sequence[Similarity]]

_BEHIND_AN_ANSWER = 2
# A sentence that is further behind the nearest one is not quoted beside it: of 160 questions to four passages, the
# answer was among up to three so for .86, among always three for .88, and two were quoted in place of three.
_AS_NEAR = 0.08
_MARK = "> "
_CHARACTER = re.compile(r"\w")
_WORD = re.compile(r"[a-z\d]+|\w")
_SHORTEST_SENTENCE = 4
_ENDS = tuple("。.!！;；")
# The number of a chapter, before its title.
_COUNTED = re.compile(r"(?:第?[\d一二三四五六七八九十.]+[章节条]?[、.)）\s]+)+")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A sentence, and the number of the passage that it stands in first."""

    text: str
    number: int
    similarity: Similarity = Similarity()


def sentences_of(passages: Iterable[tuple[int, str]]) -> list[Quoted]:
    """The sentences of numbered passages that say something, each once: neighbouring passages overlap by whole ones."""
    first: dict[str, Quoted] = {}
    for number, passage in passages:
        for start, end in sentence_spans(passage, 0, len(passage), len(passage)):
            text = " ".join(passage[start:end].split())
            if len(_CHARACTER.findall(text)) >= _SHORTEST_SENTENCE:
                first.setdefault(text, Quoted(text, number))
    return list(first.values())


def nearest(question: str, passages: Iterable[tuple[int, str]], similarities: Similarities, limit: int) -> list[Quoted]:
    """Up to `limit` sentences of the passages, in their order: the nearest one, and those that are about as near."""
    sentences = sentences_of(passages)
    if not sentences:
        return []
    found = list(similarities(question, [sentence.text for sentence in sentences]))
    for place, (title, behind) in enumerate(pairwise(sentences)):
        if title.number == behind.number and _only_asks(title.text, question):
            # The answer stands behind a title, or a question, that says what was asked.
            found[place : place + 2] = Similarity(), max(found[place : place + 2], key=lambda one: one.total)
    ranked = sorted(range(len(sentences)), key=lambda place: -found[place].total)
    least = max(found[ranked[0]].total - _AS_NEAR, 0.0)
    best = sorted(place for place in ranked[:limit] if found[place].total > least)
    return [replace(sentences[place], similarity=found[place]) for place in best]


def nearest_quote(question: str, evidence: Sequence[Evidence], similarities: Similarities) -> str:
    """The two sentences of the evidence that come nearest to a question, as a quotation with their numbers."""
    passages = ((item.number, item.text) for item in evidence)
    best = nearest(question, passages, similarities, _BEHIND_AN_ANSWER)
    return "\n>\n".join(f"{_MARK}{sentence.text}[{sentence.number}]" for sentence in best)


def quoted_behind(answer: str) -> str:
    """The sentences that were quoted behind an answer, with their numbers."""
    _, _, behind = answer.partition("\n\n")
    return "\n".join(line.removeprefix(_MARK) for line in behind.splitlines() if line.startswith(_MARK))


def knew_nothing(answer: str) -> bool:
    """Whether an answer only says that it does not know one, whatever was quoted behind it."""
    said, _, _ = answer.partition("\n\n")
    return refuses(MARKER.sub("", said)) and (said == answer or bool(quoted_behind(answer)))


def _only_asks(sentence: str, question: str) -> bool:
    """Whether a sentence says nothing beside what the question says, as a title does."""
    if sentence.endswith(_ENDS):
        return False
    said, asked = _COUNTED.sub("", sentence, count=1), set(_WORD.findall(question.lower()))
    return set(_WORD.findall(without_filler(said).lower())) <= asked
