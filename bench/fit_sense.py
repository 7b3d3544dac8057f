"""`python -m bench.fit_sense --data DIR`: fit what vectors tell of relevance, and write it where the app reads it.

A logistic regression over the questions that words would refuse, each by its hit of the greatest cosine: is the answer
among the first five? Its bias is then set so that the app's threshold lets `_PASSING` of the unanswerable ones through.
Printed beside it: refusals on corpora, and documents of `paraphrases.toml`, that it has not seen (each left out once).
"""

import argparse
import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.fit_rerank import Measured, as_toml, logistic
from bench.harness import ROOT
from bench.paraphrases import read_paraphrases
from bench.rerank_data import Sample, read_samples
from bench.rerank_scores import refusals
from rag.knowledge.tokenizer import Tokenizer
from rag.rerank.features import SENSE, WEIGHTS, Judges, Weights, shipped_weights
from rag.rerank.question import comparable, read_question
from rag.rerank.signals import Signals, measure
from rag.settings import read_settings

_NAMES = ("cosine", "cosine_lead", "asked")
_PASSING = 0.10
_SHOWN = 5
_ORIGIN = (
    "Written by `python -m bench.fit_sense`; do not edit by hand.",
    "What a signal of 1 adds to the log odds that a hit answers, whatever words it has; see rag/rerank/signals.py.",
    "Cosines are those of the built-in model. Where another's are lower, words alone are asked.",
)


def main() -> None:
    """Fit on all sets of a folder and half of our own, print the table, and write `sense.toml`."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_sense")
    parser.add_argument("--data", type=Path, required=True, help="a folder as bench/README.md describes it")
    data = parser.parse_args().data
    threshold = read_settings(ROOT / "config.yaml").rerank.score_threshold
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as cache:
        tokenizer = Tokenizer(Path(cache))
        samples = [*read_samples(data, tokenizer), *read_paraphrases(data, tokenizer, fitted=True)]
        measured = [one for sample in samples for one in _measure(sample, tokenizer)]
    _report(measured, threshold)
    SENSE.write_text(as_toml(fit(measured, threshold), _ORIGIN), encoding="utf-8")
    print(f"{len(measured)} questions -> {SENSE}")


def fit(measured: Sequence[Measured], threshold: float) -> Weights:
    """The weights that tell best which of the questions that words refuse are answered."""
    words = shipped_weights(WEIGHTS)
    refused = [one for one in measured if _tells(one.sample) and max(one.relevances(words)) < threshold]
    inputs = np.array([[getattr(_nearest(one), name) for name in _NAMES] for one in refused])
    answered = np.array([one.sample.answerable for one in refused])
    # A cosine's range is a hundredth of that of the words: all are brought to the same before they are held small.
    scale = inputs.std(axis=0)
    columns = np.column_stack([np.ones(len(inputs)), (inputs - inputs.mean(axis=0)) / scale])
    weights = logistic(columns, answered.astype(float))[1:] / scale
    limit = float(np.quantile((inputs @ weights)[~answered], 1 - _PASSING))
    bias = math.log(threshold / (1 - threshold)) - limit
    return Weights(bias, dict(zip(_NAMES, map(float, weights), strict=True)))


def _measure(sample: Sample, tokenizer: Tokenizer) -> list[Measured]:
    """The sample with its signals; nothing where words are not compared, or no vector found anything."""
    question = read_question(sample.question, tokenizer.words)
    if not comparable(question, [hit.chunk.passage.text for hit in sample.hits]):
        return []
    found = Measured(sample, measure(question, sample.hits))
    return [found] if found.signals and _nearest(found).cosine > 0 else []


def _nearest(measured: Measured) -> Signals:
    """The signals of the hit whose vector is nearest."""
    return max(measured.signals, key=lambda told: told.cosine)


def _tells(sample: Sample) -> bool:
    """Whether it is known if the passages shown answer: among others than the right ones, some may as well."""
    if sample.answerable:
        return any(label is not False for label in sample.labels[:_SHOWN])
    return not sample.group.endswith(">removed")


def _report(measured: Sequence[Measured], threshold: float) -> None:
    words = shipped_weights(WEIGHTS)
    judged = []
    for corpus in sorted({one.sample.corpus for one in measured}):
        sense = fit([one for one in measured if one.sample.corpus != corpus], threshold)
        judges = Judges(words, sense)
        held = [one for one in measured if one.sample.corpus == corpus]
        judged += [(one.sample, [judges.relevance(told) for told in one.signals]) for one in held]
    for name, value in refusals(judged, threshold).items():
        print(f"  {name}: {value:.3f}")


if __name__ == "__main__":
    main()
