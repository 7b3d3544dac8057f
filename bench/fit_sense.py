"""`python -m bench.fit_sense --data DIR`: fit what vectors tell of relevance, and write it where the app reads it.

Over the questions that words would refuse. A logistic regression, each by its hit with the nearest sentence: is the
answer among the first five? Its bias is then set so that the app's threshold lets `_PASSING` of the unanswerable ones
through. And the order of these questions' hits, fitted as `bench.fit_order` fits that of all others. Printed beside it:
refusals and order on corpora, and documents of `paraphrases.toml`, that a fit has not seen (each left out once).
"""

import argparse
import math
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from bench import fit_order
from bench.fit_rerank import Measured, as_toml, logistic
from bench.harness import ROOT
from bench.paraphrases import read_paraphrases
from bench.rerank_data import Sample, read_samples, sentence_cosines
from bench.rerank_scores import order, refusals
from rag.knowledge.tokenizer import Tokenizer
from rag.rerank.features import SENSE, SENSE_ORDER, WEIGHTS, Judges, Weights, shipped_weights
from rag.rerank.question import comparable, read_question
from rag.rerank.sentences import SentenceCosines
from rag.rerank.signals import Signals, measure
from rag.settings import read_settings

_NAMES = ("sentence", "cosine_lead", "asked")
_IN_ORDER = ("worded", "cosine", "sentence")
_PASSING = 0.12
_SHOWN = 5
_ORIGIN = (
    "Written by `python -m bench.fit_sense`; do not edit by hand.",
    "What a signal of 1 adds to the log odds that a hit answers, whatever words it has; see rag/rerank/signals.py.",
    "Cosines are those of the built-in model. Where another's are lower, words alone are asked.",
)


def main() -> None:
    """Fit on all sets of a folder and half of our own, print the tables, and write `sense.toml`, `sense_order.toml`."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_sense")
    parser.add_argument("--data", type=Path, required=True, help="a folder as bench/README.md describes it")
    data = parser.parse_args().data
    threshold = read_settings(ROOT / "config.yaml").rerank.score_threshold
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as cache:
        tokenizer = Tokenizer(Path(cache))
        samples = [*read_samples(data, tokenizer), *read_paraphrases(data, tokenizer, fitted=True)]
        near = sentence_cosines(tokenizer)
        measured = [one for sample in samples for one in _measure(sample, tokenizer, near)]
    _report(measured, threshold)
    SENSE.write_text(as_toml(fit(measured, threshold), _ORIGIN), encoding="utf-8")
    fit_order.write_order(SENSE_ORDER, fit_places(measured), _ORIGIN[0])
    print(f"{len(measured)} questions -> {SENSE}, {SENSE_ORDER}")


def fit(measured: Sequence[Measured], threshold: float) -> Weights:
    """The weights that tell best which of the questions that words refuse are answered."""
    refused = [one for one in measured if _tells(one.sample)]
    inputs = np.array([[getattr(_nearest(one), name) for name in _NAMES] for one in refused])
    answered = np.array([one.sample.answerable for one in refused])
    # A cosine's range is a hundredth of that of the words: all are brought to the same before they are held small.
    scale = inputs.std(axis=0)
    columns = np.column_stack([np.ones(len(inputs)), (inputs - inputs.mean(axis=0)) / scale])
    weights = logistic(columns, answered.astype(float))[1:] / scale
    found = Weights(0.0, dict(zip(_NAMES, map(float, weights), strict=True)))
    odds = [max(map(found.odds, _compared(one))) for one, known in zip(refused, answered, strict=True) if not known]
    limit = float(np.quantile(odds, 1 - _PASSING))
    return Weights(math.log(threshold / (1 - threshold)) - limit, found.signals)


def fit_places(measured: Sequence[Measured]) -> Mapping[str, float]:
    """The weights that make the hits likely which answer the questions that words refuse."""
    told = [np.array([[getattr(hit, name) for name in _IN_ORDER] for hit in _compared(one)]) for one in measured]
    scale = np.concatenate(told).std(axis=0)
    asked = [
        fit_order.Asked(one.sample.corpus, signals / scale, tuple(map(str, _labels(one))), frozenset({"True"}))
        for one, signals in zip(measured, told, strict=True)
        if one.sample.answerable
    ]
    return dict(zip(_IN_ORDER, fit_order.fit(asked) / scale, strict=True))


def _measure(sample: Sample, tokenizer: Tokenizer, near: SentenceCosines) -> list[Measured]:
    """The sample with its signals; nothing where words are not compared, find it, or no vector found anything."""
    question = read_question(sample.question, tokenizer.words)
    judges = Judges(shipped_weights(WEIGHTS), shipped_weights(SENSE))
    if not comparable(question, [hit.chunk.passage.text for hit in sample.hits]):
        return []
    signals = measure(question, sample.hits)
    if not judges.doubt(signals):
        return []
    return [Measured(sample, judges.with_sentences(signals, near.of(sample.question, sample.hits)))]


def _compared(measured: Measured) -> list[Signals]:
    """The signals of the hits whose sentences were compared."""
    return [told for told in measured.signals if told.sentence]


def _labels(measured: Measured) -> list[bool | None]:
    pairs = zip(measured.signals, measured.sample.labels, strict=True)
    return [label for told, label in pairs if told.sentence]


def _nearest(measured: Measured) -> Signals:
    """The signals of the hit with the nearest sentence."""
    return max(measured.signals, key=lambda told: told.sentence)


def _tells(sample: Sample) -> bool:
    """Whether it is known if the passages shown answer: among others than the right ones, some may as well."""
    if sample.answerable:
        return any(label is not False for label in sample.labels[:_SHOWN])
    return not sample.group.endswith(">removed")


def _report(measured: Sequence[Measured], threshold: float) -> None:
    judged, ordered = [], []
    for corpus in sorted({one.sample.corpus for one in measured}):
        others = [one for one in measured if one.sample.corpus != corpus]
        sense, places = fit(others, threshold), Weights(0.0, fit_places(others))
        held = [one for one in measured if one.sample.corpus == corpus]
        judged += [(one.sample, one.relevances(sense)) for one in held]
        ordered += [(one.sample, list(map(places.odds, one.signals))) for one in held]
    for name, value in {**refusals(judged, threshold), **order(ordered)}.items():
        print(f"  {name}: {value:.3f}")


if __name__ == "__main__":
    main()
