"""The reranker without a model: a logistic regression over signals, whose probability is the hit's relevance."""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rag.rerank.question import Words, comparable, read_question
from rag.rerank.signals import Signals, measure
from rag.types import Hit

WEIGHTS = Path(__file__).parent / "weights.toml"


@dataclass(frozen=True, slots=True)
class Weights:
    """What the log odds of an answer gain by themselves, and by a signal of 1."""

    bias: float
    signals: Mapping[str, float]

    def relevance(self, signals: Signals) -> float:
        """How probably a passage with these signals answers the question."""
        odds = self.bias + sum(weight * getattr(signals, name) for name, weight in self.signals.items())
        return 0.5 * (1 + math.tanh(odds / 2))


class FeatureReranker:
    """Judges each hit by its words, titles and scores beside those of the others; milliseconds for fifty hits."""

    def __init__(self, words: Words, weights: Weights | None = None) -> None:
        """`words` cuts a text into words. Without weights, the fitted ones of `weights.toml`."""
        self._words = words
        self._weights = weights or shipped_weights()

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The hits by their relevance; as they are, and not judged, where words cannot tell."""
        asked = read_question(question, self._words)
        if not comparable(asked, [hit.chunk.passage.text for hit in hits]):
            return tuple(hits)
        signals = measure(asked, hits)
        judged = [
            replace(hit, relevance=self._weights.relevance(told)) for hit, told in zip(hits, signals, strict=True)
        ]
        return tuple(sorted(judged, key=lambda hit: -(hit.relevance or 0.0)))


@cache
def shipped_weights() -> Weights:
    """The weights of `weights.toml`, which `python -m bench.fit_rerank` writes."""
    with WEIGHTS.open("rb") as file:
        tables = tomllib.load(file)
    return Weights(tables["bias"], tables["signals"])
