"""The reranker without a model: linear in signals, once for the order of hits and once for each hit's relevance.

These are two questions. The order within one search follows the search's own score, corrected by what words and titles
say; how probably a passage answers at all is told by two logistic regressions, of which the surer counts. One uses all
that words tell. Where that finds no hit probable, the other needs no word of the question in the passage, only a
sentence of it whose vector is near the question's, and a passage clearly above the others by its own, for a question
of few words: the more words a question has, the more their absence tells. The order follows that sentence then.
"""

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from rag.rerank.contents_list import asks_where, lists_contents
from rag.rerank.question import Words, comparable, lacks_codes, read_question
from rag.rerank.sentences import SentenceCosines
from rag.rerank.signals import Signals, measure
from rag.types import Hit

WEIGHTS = Path(__file__).parent / "weights.toml"
SENSE = Path(__file__).parent / "sense.toml"
ORDER = Path(__file__).parent / "order.toml"
SENSE_ORDER = Path(__file__).parent / "sense_order.toml"
# The threshold that the app comes with.
_IMPROBABLE = 0.15
# What a passage's log odds gain where its document is the one that the conversation is about. Of 134 everyday questions
# over ten documents .74 have their passage first so (.53 without), and where the talk turns to another document .49;
# of 40 questions in the words of ten PDFs none changes.
_SPOKEN_OF = 2.0
# Of 107 questions with such a passage .89 are answered by it; of 463 unanswerable ones five have any. Below what the
# shared guide has to reach beside a reader's own files.
PERHAPS = 0.4


@dataclass(frozen=True, slots=True)
class Weights:
    """What the log odds of an answer gain by themselves, and by a signal of 1."""

    bias: float
    signals: Mapping[str, float]

    def relevance(self, signals: Signals) -> float:
        """How probably a passage with these signals answers the question."""
        return 0.5 * (1 + math.tanh(self.odds(signals) / 2))

    def odds(self, signals: Signals) -> float:
        """The logarithm of the odds that it does."""
        return self.bias + sum(weight * float(getattr(signals, name)) for name, weight in self.signals.items())


@dataclass(frozen=True, slots=True)
class Judges:
    """Two judges of a hit: by the question's words, and by what its vector says it means."""

    words: Weights
    sense: Weights

    def doubt(self, signals: Sequence[Signals]) -> bool:
        """Whether words find none of a search's hits probable, and its vectors are those that sense was fitted to."""
        return any(told.sensed for told in signals) and all(self.relevance(told) < _IMPROBABLE for told in signals)

    def with_sentences(self, signals: Sequence[Signals], cosines: Sequence[float]) -> list[Signals]:
        """The signals of hits with the cosines of their nearest sentences, and with what words tell."""
        told = zip(signals, cosines, strict=True)
        return [replace(one, sentence=cosine, worded=self.words.odds(one)) for one, cosine in told]

    def relevance(self, signals: Signals) -> float:
        """The surer of the two; words alone where no sentence was compared.

        What has all words of the question in a sentence is no less than perhaps an answer: both are fitted to whole
        sentences, and held the one line with 预算 for no answer to 预算多少.
        """
        by_words = max(self.words.relevance(signals), PERHAPS * signals.exact)
        return max(by_words, self.sense.relevance(signals)) if signals.sentence else by_words


class FeatureReranker:
    """Judges each hit by its words, titles and scores beside those of the others; milliseconds for fifty hits.

    Where words find nothing probable, the hits' sentences are compared with the question, which takes longer.
    """

    def __init__(
        self, words: Words, sentence_cosines: SentenceCosines | None = None, judges: Judges | None = None
    ) -> None:
        """`words` cuts a text into words. Without `sentence_cosines`, words judge alone; without judges, the fitted
        ones of `weights.toml` and `sense.toml` do.
        """
        self._words = words
        self._sentence_cosines = sentence_cosines
        self._judges = judges or Judges(shipped_weights(WEIGHTS), shipped_weights(SENSE))

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """The likeliest first, each with its relevance; unchanged and unjudged where words cannot tell.

        Lists of contents come last: they have the words of every question and no answer. Raises StoreError.
        """
        asked = read_question(question, self._words)
        if not comparable(asked, [hit.chunk.passage.text for hit in hits]):
            silent = lacks_codes(question, [f"{hit.opening}\n{hit.chunk.passage.text}" for hit in hits])
            return tuple(replace(hit, relevance=0.0) if silent else hit for hit in hits)
        signals, order = measure(asked, hits), ORDER
        if self._sentence_cosines and self._judges.doubt(signals):
            signals = self._judges.with_sentences(signals, self._sentence_cosines.of(question, hits))
            order = SENSE_ORDER
        weights = shipped_order(order)
        places = [
            _SPOKEN_OF * hit.spoken_of + sum(weight * getattr(told, name) for name, weight in weights.items())
            for hit, told in zip(hits, signals, strict=True)
        ]
        where = asks_where(question)
        listed = [not where and lists_contents(hit.chunk.passage.text) for hit in hits]
        likely = _shares([-math.inf if last else place for place, last in zip(places, listed, strict=True)])
        judged = [
            # What is found by meaning alone is never sure enough to leave out what comes behind it.
            replace(hit, relevance=self._judges.relevance(told), likely=share if order is ORDER else None)
            for hit, told, share in zip(hits, signals, likely, strict=True)
        ]
        best = sorted(range(len(judged)), key=lambda number: (listed[number], -places[number]))
        return tuple(judged[number] for number in best)


def _shares(places: Sequence[float]) -> list[float]:
    """The softmax of places. The order is fitted by it, so that it tells how probably each hit is the one that answers.

    It says rather too little: of 407 questions to six sets, best hits with a share of .8 to .9 answered .98.
    """
    highest = max(places, default=0.0)
    odds = [1.0 if place == highest else math.exp(place - highest) for place in places]
    total = sum(odds)
    return [value / total for value in odds]


@cache
def shipped_order(path: Path) -> Mapping[str, float]:
    """What a signal of 1 adds to a hit's place: `order.toml` or `sense_order.toml`, which `python -m bench.fit_order`
    and `bench.fit_sense` write."""
    with path.open("rb") as file:
        return {name: float(weight) for name, weight in tomllib.load(file).items()}


@cache
def shipped_weights(path: Path) -> Weights:
    """The weights of `weights.toml` or `sense.toml`, which `python -m bench.fit_rerank` and `bench.fit_sense` write."""
    with path.open("rb") as file:
        tables = tomllib.load(file)
    return Weights(tables["bias"], tables["signals"])
