"""`python -m bench.fit_rerank --data DIR`: fit the feature reranker's weights and write them where the app reads them.

A logistic regression over all hits, L2-regularised, by Newton's method. Printed beside it: order and refusals on
questions that a fit has not seen (five folds by question) and on corpora that it has not seen (each left out once).
"""

import argparse
import math
import re
import tempfile
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.harness import fold_of
from bench.rerank_data import Sample, read_samples
from bench.rerank_scores import order, refusals, reliability
from rag.knowledge.fusion import Route, weighted
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE
from rag.knowledge.tokenizer import Tokenizer
from rag.rerank.features import WEIGHTS, Weights
from rag.rerank.question import read_question
from rag.rerank.signals import Signals, measure

Floats = npt.NDArray[np.float64]
# Without how a hit stands beside the others (fused, nearness) the fit refuses several times as often where a collection
# has no vectors yet, or a route is off. Beside what its whole section says, what a hit says would count against it.
# What the vectors say by themselves is the other judge's, see fit_sense.py.
_OTHERS = ("covered_around", "cosine", "cosine_lead", "asked", "sensed", "sentence", "worded", "exact", "labelled")
NAMES = tuple(field.name for field in fields(Signals) if field.name not in _OTHERS)
_STRENGTH, _BIAS_STRENGTH = 3.0, 0.01
# Log odds. Where a question in other words has a judge of its own (fit_sense.py), this one may say no more often: with
# that judge, fewer unanswerable questions pass and still fewer answerable ones are refused.
_SENSED = -0.64
_STEPS, _CONVERGED = 50, 1e-6
_FOLDS = 5
_DIGITS = re.compile(r"\d+")
_YEAR_DIGITS = 4
_FEW = (2, 3, 5, 8, 12)


@dataclass(frozen=True)
class Measured:
    """A sample with its hits' signals."""

    sample: Sample
    signals: Sequence[Signals]

    def relevances(self, weights: Weights) -> list[float]:
        """How probably each hit answers, by some weights."""
        return [weights.relevance(told) for told in self.signals]


def main() -> None:
    """Fit on all sets of a folder, print the tables, and write `weights.toml`."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_rerank")
    parser.add_argument("--data", type=Path, required=True, help="a folder as bench/README.md describes it")
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as cache:
        tokenizer = Tokenizer(Path(cache))
        samples = read_samples(parser.parse_args().data, tokenizer)
        measured = [_measure(sample, tokenizer) for sample in (*samples, *_varied(samples))]
    _report("by question", _held_out(measured, lambda one: fold_of(one.sample.question_id, _FOLDS)))
    _report("by corpus", _held_out(measured, lambda one: one.sample.corpus))
    weights = fit(measured)
    weights = replace(weights, signals={**weights.signals, "sensed": _SENSED})
    corpora = ", ".join(sorted({sample.corpus for sample in samples}))
    origin = (
        f"Written by `python -m bench.fit_rerank` from {len(samples)} questions to {corpora}; do not edit by hand.",
        "What a signal of 1 adds to the log odds that a hit answers; rag/rerank/signals.py tells the signals.",
    )
    WEIGHTS.write_text(as_toml(weights, origin), encoding="utf-8")
    print(f"{len(samples)} questions -> {WEIGHTS}")


def fit(measured: Sequence[Measured]) -> Weights:
    """The weights that tell best which hits answer."""
    judged = [
        ([1.0, *(getattr(told, name) for name in NAMES)], float(label))
        for one in measured
        for told, label in zip(one.signals, one.sample.labels, strict=True)
        if label is not None
    ]
    found = logistic(np.array([row for row, _ in judged]), np.array([label for _, label in judged]))
    bias, *rest = map(float, found)
    return Weights(bias, dict(zip(NAMES, rest, strict=True)))


def logistic(inputs: Floats, targets: Floats) -> Floats:
    """The weights of the inputs' columns, the first of which is 1."""
    strength = np.full(inputs.shape[1], _STRENGTH)
    strength[0] = _BIAS_STRENGTH
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):
        chances = 0.5 * (1 + np.tanh(inputs @ weights / 2))
        gradient = inputs.T @ (chances - targets) + strength * weights
        curvature = (inputs * (chances * (1 - chances))[:, None]).T @ inputs + np.diag(strength)
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < _CONVERGED:
            break
    return weights


def _measure(sample: Sample, tokenizer: Tokenizer) -> Measured:
    return Measured(sample, measure(read_question(sample.question, tokenizer.words), sample.hits))


def _varied(samples: Sequence[Sample]) -> list[Sample]:
    """More samples of what a folder has little of: searches by one route, small collections, numbers not answered."""
    varied = [_by_one_route(sample, CHUNK_SPARSE) for sample in samples[::3]]
    varied += [_by_one_route(sample, CHUNK_DENSE) for sample in samples[1::6]]
    varied += [_among_few(sample, _FEW[place % len(_FEW)]) for place, sample in enumerate(samples[::2])]
    numbered = [sample for sample in samples if sample.answerable and _DIGITS.search(sample.question)]
    return varied + [_about_other_numbers(sample) for sample in numbered]


def _by_one_route(sample: Sample, route: str) -> Sample:
    """The search by one route alone, whose best hit gets a score of 1 whatever it is."""
    kept = [(hit, label) for hit, label in zip(sample.hits, sample.labels, strict=True) if route in hit.routes]
    scores = weighted([Route({place: hit.routes[route] for place, (hit, _) in enumerate(kept)}, range(len(kept)))])
    hits = tuple(
        replace(hit, score=scores[place], routes={route: hit.routes[route]}) for place, (hit, _) in enumerate(kept)
    )
    return replace(sample, group=f"{sample.group}|{route}", hits=hits, labels=tuple(label for _, label in kept))


def _among_few(sample: Sample, count: int) -> Sample:
    """The search in a collection of a few passages: those that came first, and one that answers."""
    answering = [place for place, label in enumerate(sample.labels) if label][:1]
    kept = sorted({*range(count - len(answering)), *answering} & set(range(len(sample.hits))))
    hits, labels = (tuple(values[place] for place in kept) for values in (sample.hits, sample.labels))
    return replace(sample, group=f"{sample.group}|few", hits=hits, labels=labels)


def _about_other_numbers(sample: Sample) -> Sample:
    """The question with other years and numbers, which no passage answers."""
    other = _DIGITS.sub(lambda found: str(int(found[0]) + (3 if len(found[0]) == _YEAR_DIGITS else 7)), sample.question)
    return replace(sample, group=f"{sample.group}>number", question=other, labels=(False,) * len(sample.hits))


def _held_out(measured: Sequence[Measured], part: Callable[[Measured], Hashable]) -> list[tuple[Sample, list[float]]]:
    """Every sample's relevances by a fit on the other parts."""
    judged: list[tuple[Sample, list[float]]] = []
    for held in sorted({part(one) for one in measured}, key=str):
        rest = [one for one in measured if part(one) != held]
        weights = fit(rest) if rest else Weights(0.0, dict.fromkeys(NAMES, 0.0))
        judged += [(one.sample, one.relevances(weights)) for one in measured if part(one) == held]
    return judged


def _report(title: str, judged: Sequence[tuple[Sample, list[float]]]) -> None:
    print(f"\nheld out {title}")
    for name, value in {**order(judged), **refusals(judged)}.items():
        print(f"  {name}: {value:.3f}")
    print("  relevance: hits, said, true")
    for count, said, true in reliability(judged):
        print(f"    {count:6d}  {said:.2f}  {true:.2f}")


def as_toml(weights: Weights, origin: Sequence[str]) -> str:
    """Weights as the app reads them, below lines that tell where they are from."""
    lines = [
        *(f"# {line}" for line in origin),
        f"bias = {weights.bias:.2f}",
        "",
        "[signals]",
        *(f"{name} = {weight:.2f}" for name, weight in weights.signals.items() if not math.isclose(weight, 0)),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
