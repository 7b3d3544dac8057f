"""What can be told of a passage and a question without a model: plain numbers, most of them from 0 to 1."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import PurePath

from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE
from rag.language.blank_forms import without_blanks
from rag.language.folding import fold, fold_name
from rag.language.numerals import as_written
from rag.language.words import names
from rag.rerank.labels import labelled
from rag.rerank.question import Question
from rag.types import Hit

# Words this close together, in characters, speak of one thing: about a sentence.
_WINDOW = 60
# From this length on, a longer piece of the question in the passage says no more.
_LONG_RUN = 12
# Shares of a question's words are sums of fractions.
_ALL = 1 - 1e-9
# What more of the hits have tells none of them apart: 公司怎么样.
_FEW = 1 / 3
_LEAST_SPREAD = 1e-6
# From the best hit to the fifth: nearer hits are often neighbours in the same section.
_LEAD_OVER_RANK = 4
# The built-in model gives every best hit at least this cosine; few other models give that much.
_BUILT_IN_COSINE = 0.78


@dataclass(frozen=True, slots=True)
class Signals:
    """The signals of a hit among the others; `features.py` weighs them."""

    covered: float  # share of the question's words that the passage or its titles have; rare words weigh more
    together: float  # the greatest such share within a sentence
    absent: float  # share of the question's words that no hit has at all
    run: float  # the longest piece of the question that it has
    codes_missing: float  # share of the question's numbers, codes and Latin names that it lacks
    labelled: float  # share of the question that a label in it says, 服务期：, as far as that is all the label says
    title: float  # if the question names its title: share of hits whose titles it does not name
    answers_kind: float  # near the words stands what is asked for: a date, a number, a place
    kind_missing: float  # and nothing of that kind stands there
    sparse: float  # BM25 as a share of the best hit's
    agreed: float  # the better of both routes
    no_vectors: float  # no hit was found by its vector: the collection's are still to come, or the model failed
    no_words: float  # no hit was found by a word
    fused: float  # the search's own score
    nearness: float  # cosine, between the least and the greatest of the hits'
    covered_around: float  # as `covered`, by the hits of its section together
    cosine: float  # as it is: 0 where no vector found it
    cosine_lead: float  # above that of the fifth best hit
    asked: float  # how many words the question has
    sensed: float  # the best cosine is one that the built-in model gives: it can be judged as it is
    sentence: float = 0.0  # the cosine of its nearest sentence, where sentences are compared
    worded: float = 0.0  # the log odds that words give it, there
    exact: float = 0.0  # it has all words of the question within a sentence, as few of the hits do


def measure(question: Question, hits: Sequence[Hit]) -> list[Signals]:
    """The signals of each hit."""
    titled = cache(partial(_titled, question))
    passages = [_folded(question, hit, titled) for hit in hits]
    sections = _sections(hits, passages)
    held = {word: [word in passage.text for passage in passages] for word in question.words}
    weights = {word: _rarity(word, sum(found), len(hits)) for word, found in held.items()}
    total = sum(weights.values()) or 1.0
    setting = _Setting(
        weights={word: weight / total for word, weight in weights.items()},
        absent=sum(weight for word, weight in weights.items() if not any(held[word])) / total,
        uncalled=sum(not passage.called for passage in passages) / max(1, len(hits) - 1),
        dense=_Route([hit.routes.get(CHUNK_DENSE) for hit in hits]),
        sparse=_Route([hit.routes.get(CHUNK_SPARSE) for hit in hits]),
    )
    around = {section: setting.share_of(text) for section, text in sections.items()}
    found = [
        _signals(question, setting, number, passage, hit.score, around[_section(hit)])
        for number, (hit, passage) in enumerate(zip(hits, passages, strict=True))
    ]
    whole = [told.together >= _ALL and not told.codes_missing for told in found]
    if sum(whole) > max(1.0, _FEW * len(hits)):
        return found
    return [replace(told, exact=1.0) if has_all else told for told, has_all in zip(found, whole, strict=True)]


@dataclass(frozen=True, slots=True)
class _Folded:
    """A passage as it is compared: its titles with its body, the body, and whether the question calls a title."""

    text: str
    body: str
    called: bool


@dataclass(frozen=True, slots=True)
class _Setting:
    """What all hits are measured by: each word's share of the question, that of words in no hit, the share of the hits
    whose titles the question does not call, and what the routes gave them."""

    weights: Mapping[str, float]
    absent: float
    uncalled: float
    dense: "_Route"
    sparse: "_Route"

    def share_of(self, text: str) -> float:
        """The share of the question's words that a text has."""
        return sum(share for word, share in self.weights.items() if word in text)


class _Route:
    """The scores that a route gave the hits; None to one that it did not find."""

    def __init__(self, scores: Sequence[float | None]) -> None:
        self.scores = scores
        self._found = sorted((score for score in scores if score is not None), reverse=True)
        self.greatest = self._found[0] if self._found else 0.0

    @property
    def is_empty(self) -> bool:
        """Whether it found none of the hits."""
        return not self._found

    def is_best(self, number: int) -> bool:
        """Whether a hit has the greatest score."""
        return not self.is_empty and self.scores[number] == self.greatest

    def share(self, number: int) -> float:
        """A hit's score as a share of the greatest."""
        return (self.scores[number] or 0.0) / self.greatest if self.greatest > 0 else 0.0

    def between(self, number: int) -> float:
        """How far a hit's score is from the least to the greatest."""
        score = self.scores[number]
        return 0.0 if score is None else (score - self._found[-1]) / max(self.greatest - self._found[-1], _LEAST_SPREAD)

    def lead(self, number: int) -> float:
        """By how much a hit's score is above the fifth best."""
        score = self.scores[number]
        return 0.0 if score is None else score - self._found[min(_LEAD_OVER_RANK, len(self._found) - 1)]


def _signals(
    question: Question, setting: _Setting, number: int, passage: _Folded, fused: float, covered_around: float
) -> Signals:
    text, dense, sparse = passage.text, setting.dense, setting.sparse
    together, around = _nearest(passage.body, setting.weights)
    missing = sum(code not in text for code in question.codes) / max(1, len(question.codes))
    fits = question.answer is not None and question.answer.search(around) is not None
    return Signals(
        covered=setting.share_of(text),
        together=together,
        absent=setting.absent,
        run=_longest_run(question.text, text) / _LONG_RUN,
        codes_missing=missing,
        labelled=labelled(question.text, setting.weights, setting.share_of, passage.body),
        title=setting.uncalled if passage.called else 0.0,
        answers_kind=float(fits),
        kind_missing=float(question.answer is not None and not fits),
        sparse=sparse.share(number),
        agreed=float(dense.is_best(number) and sparse.is_best(number)),
        no_vectors=float(dense.is_empty),
        no_words=float(sparse.is_empty),
        fused=fused,
        nearness=dense.between(number),
        covered_around=covered_around,
        cosine=dense.scores[number] or 0.0,
        cosine_lead=dense.lead(number),
        asked=float(len(question.words)),
        sensed=float(dense.greatest >= _BUILT_IN_COSINE),
    )


def _section(hit: Hit) -> tuple[str, int]:
    return hit.chunk.document_id, hit.chunk.parent_id


def _sections(hits: Sequence[Hit], passages: Sequence[_Folded]) -> dict[tuple[str, int], str]:
    """What the hits of each section say together."""
    texts: dict[tuple[str, int], str] = {}
    for hit, passage in zip(hits, passages, strict=True):
        texts[_section(hit)] = f"{texts.get(_section(hit), '')}\n{passage.text}"
    return texts


def _folded(question: Question, hit: Hit, titled: Callable[[str, tuple[str, ...], str], tuple[str, bool]]) -> _Folded:
    passage = hit.chunk.passage
    titles, called = titled(hit.chunk.document_name, passage.heading_path, hit.opening)
    body = as_written(fold(without_blanks(passage.text_in_context)), question.numbers)
    return _Folded(f"{titles}\n{body}", body, called)


def _titled(question: Question, document_name: str, headings: tuple[str, ...], opening: str) -> tuple[str, bool]:
    """The titles that passages stand under, by line, and whether the question calls one of them."""
    titles = fold_name("\n".join((PurePath(document_name).stem, *headings)))
    called = any(name in question.text for title in titles.splitlines() for name in names(title))
    return as_written(f"{titles}\n{fold_name(opening)}", question.numbers), called


def _rarity(word: str, having: int, size: int) -> float:
    """How much a word tells that `having` of `size` hits have: up to three times as much where none has it as where
    all do."""
    return (0.5 + math.log((size + 1) / (having + 0.5)) / math.log(2 * size + 2)) * math.sqrt(len(word))


def _nearest(body: str, weights: Mapping[str, float]) -> tuple[float, str]:
    """The greatest sum of words' weights within a window of the body, and the text around that window."""
    places = sorted((place, word) for word in weights for place in _places(body, word))
    best, best_start, last = 0.0, 0, 0
    within: Counter[str] = Counter()
    weight = 0.0
    for start, word in places:
        while last < len(places) and places[last][0] < start + _WINDOW:
            entering = places[last][1]
            weight += weights[entering] if not within[entering] else 0.0
            within[entering] += 1
            last += 1
        if weight > best:
            best, best_start = weight, start
        within[word] -= 1
        weight -= weights[word] if not within[word] else 0.0
    return best, body[max(0, best_start - _WINDOW) : best_start + 2 * _WINDOW] if places else ""


def _places(body: str, word: str) -> Iterator[int]:
    place = body.find(word)
    while place >= 0:
        yield place
        place = body.find(word, place + len(word))


def _longest_run(question: str, text: str) -> int:
    """The length of the longest piece of the question that the text has, up to `_LONG_RUN`."""
    longest = 0
    for end in range(1, len(question) + 1):
        # Of what ends one later, the longest is longer by one at most.
        if longest < _LONG_RUN and question[end - longest - 1 : end] in text:
            longest += 1
    return longest
