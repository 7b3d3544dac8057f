"""`python -m bench.fit_decision --data DIR`: fit the rules decider's weights and write them where the app reads them.

A softmax regression by Newton's method, L2-regularised towards a prior instead of towards zero. The prior is what one
would expect of a signal without any data; it speaks where the data are silent: a source that never says "find me
another" must not teach that these words mean nothing. No randomness: the same data give the same file.
"""

import argparse
from collections.abc import Sequence
from dataclasses import astuple, fields
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.decision_data import Sample, read_samples
from rag.decision.rules import WEIGHTS, Weights, plain_case
from rag.decision.signals import Signals, measure
from rag.types import Decision

Floats = npt.NDArray[np.float64]
NAMES = tuple(field.name for field in fields(Signals))
CLASSES = tuple(Decision)
_STRENGTH = 10.0  # of the regularisation; the bias is nearly free
_BIAS_STRENGTH = 0.1
_STEPS = 50
_CONVERGED = 1e-6
# For RETRIEVE and against REUSE; a negative number the other way round.
_FOR_RETRIEVE = {
    "seeks": 1.5,
    "names_elsewhere": 1.5,
    "numbers": 1.0,
    "new_numbers": 1.0,
    "new_topic": 0.75,
    "margin": 1.0,
    "sibling_margin": 2.0,
    "sibling_covers": 2.0,
    "points_back": -0.5,
    "names_in_hand": -1.0,
}


def main() -> None:
    """Fit on all dialogues of a folder and write `weights.toml`."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_decision")
    parser.add_argument("--data", type=Path, required=True, help="a folder as bench/README.md describes it")
    samples = read_samples(parser.parse_args().data)
    WEIGHTS.write_text(_as_toml(fit(samples), samples), encoding="utf-8")
    print(f"{len(samples)} turns -> {WEIGHTS}")


def fit(samples: Sequence[Sample]) -> Weights:
    """The weights that fit the turns which take weighing."""
    weighed = [sample for sample in samples if _takes_weighing(sample)]
    inputs = np.array([(1.0, *astuple(measure(sample.situation))) for sample in weighed])
    targets = np.array([[sample.gold is decision for decision in CLASSES] for sample in weighed], np.float64)
    found = _softmax_regression(inputs, targets, _prior())
    bias, *rows = ({decision: float(value) for decision, value in zip(CLASSES, row, strict=True)} for row in found.T)
    return Weights(bias, dict(zip(NAMES, rows, strict=True)))


def _takes_weighing(sample: Sample) -> bool:
    situation = sample.situation
    return plain_case(situation.question, has_history=True, in_hand=bool(situation.in_hand)) is None


def _prior() -> Floats:
    """The expected weights, shape (classes, 1 + signals)."""
    prior = np.zeros((len(CLASSES), 1 + len(NAMES)))
    for column, name in enumerate(NAMES, start=1):
        prior[CLASSES.index(Decision.RETRIEVE), column] = _FOR_RETRIEVE.get(name, 0.0)
        prior[CLASSES.index(Decision.REUSE), column] = -_FOR_RETRIEVE.get(name, 0.0)
    return prior


def _softmax_regression(inputs: Floats, targets: Floats, prior: Floats) -> Floats:
    """Weights (classes, inputs) with the least regularised cross-entropy, by Newton's method with halved steps."""
    strength = np.full(prior.shape, _STRENGTH)
    strength[:, 0] = _BIAS_STRENGTH

    def loss(weights: Floats) -> float:
        fitted = (np.log(_softmax(inputs @ weights.T)) * targets).sum()
        return float(0.5 * (strength * (weights - prior) ** 2).sum() - fitted)

    weights = prior.copy()
    for _ in range(_STEPS):
        probabilities = _softmax(inputs @ weights.T)
        gradient = (probabilities - targets).T @ inputs + strength * (weights - prior)
        step = np.linalg.solve(_curvature(inputs, probabilities, strength), gradient.ravel()).reshape(weights.shape)
        size = 1.0
        while loss(weights - size * step) > loss(weights) and size > _CONVERGED:
            size /= 2
        weights = weights - size * step
        if np.abs(size * step).max() < _CONVERGED:
            break
    return weights


def _curvature(inputs: Floats, probabilities: Floats, strength: Floats) -> Floats:
    """The second derivatives of the loss, shape (classes x inputs, classes x inputs)."""
    blocks = [
        [(inputs * (p * ((a == b) - q))[:, None]).T @ inputs for b, q in enumerate(probabilities.T)]
        for a, p in enumerate(probabilities.T)
    ]
    return np.block(blocks) + np.diag(strength.ravel())


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = powers / powers.sum(axis=1, keepdims=True)
    return shares


def _as_toml(weights: Weights, samples: Sequence[Sample]) -> str:
    def row(values: dict[Decision, float]) -> str:
        return ", ".join(f"{decision} = {value:.2f}" for decision, value in values.items())

    sources = ", ".join(sorted({sample.source for sample in samples}))
    lines = [
        f"# Written by `python -m bench.fit_decision` from {len(samples)} turns of {sources}; do not edit by hand.",
        "# What a signal of 1 adds to each decision's score; rag/decision/signals.py says what the signals are.",
        "[bias]",
        *row(dict(weights.bias)).split(", "),
        "",
        "[signals]",
        *(f"{name} = {{ {row(dict(weight))} }}" for name, weight in weights.signals.items()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
