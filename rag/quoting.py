"""What the documents say nearest to a question that a model found no answer to."""

from collections.abc import Callable, Sequence

from rag.language.words import refuses
from rag.llm.extractive import sentences_of
from rag.types import Evidence

_QUOTED = 2
_MARK = "> "


def nearest_quote(evidence: Sequence[Evidence], likeness: Callable[[Sequence[str]], Sequence[float]]) -> str:
    """The sentences of the evidence of the greatest likeness, in its order, as a quotation with their numbers."""
    numbers: dict[str, int] = {}
    for item in evidence:
        for sentence in sentences_of(item.text):
            numbers.setdefault(" ".join(sentence.split()), item.number)
    texts = list(numbers)
    found = dict(zip(texts, likeness(texts), strict=True)) if texts else {}
    best = sorted(texts, key=lambda text: -found[text])[:_QUOTED]
    return "\n>\n".join(f"{_MARK}{text}[{numbers[text]}]" for text in texts if text in best)


def quoted_alone(answer: str) -> str:
    """An answer as later prompts have it: of one that knew nothing, what was quoted behind it.

    A small model does as it did before: after two such answers it knew nothing any more.
    """
    said, _, behind = answer.partition("\n\n")
    said = next(iter(sentences_of(said)), "")
    quoted = [line.removeprefix(_MARK) for line in behind.splitlines() if line.startswith(_MARK)]
    return "\n".join(quoted) if quoted and refuses(said) else answer
