"""Metrics of rankings, with intervals and comparisons by paired bootstrap."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]
DEPTH = 10
_SAMPLES = 2000
_SEED = 20260


def metrics(ranking: Sequence[str], gold: frozenset[str]) -> dict[str, float]:
    """R@1, R@5 and R@10 (any gold passage counts), MRR@10 and nDCG@10 (of the first gold passage) of one question."""
    place = next((place for place, found in enumerate(ranking[:DEPTH], start=1) if found in gold), 0)
    return {
        **{f"r{depth}": float(0 < place <= depth) for depth in (1, 5, DEPTH)},
        "mrr10": 1 / place if place else 0.0,
        "ndcg10": float(1 / np.log2(1 + place)) if place else 0.0,
    }


def means(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Each metric's mean, with the ends of its 95 % interval under `<metric>.low` and `<metric>.high`."""
    found: dict[str, float] = {}
    for name in rows[0]:
        values = np.array([row[name] for row in rows])
        low, high = np.quantile(_resampled(values), (0.025, 0.975))
        found |= {name: float(values.mean()), f"{name}.low": float(low), f"{name}.high": float(high)}
    return found


def p_value(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """How often a resampling of the questions has the difference of the means at 0 or below: one-sided, paired.

    The sample itself counts as one of them: from so many resamplings no p-value can be 0.
    """
    differences = np.asarray(ours, np.float64) - np.asarray(theirs, np.float64)
    return float((1 + (_resampled(differences) <= 0).sum()) / (1 + _SAMPLES))


def _resampled(values: Values) -> Values:
    """The means of `_SAMPLES` resamplings, always the same ones for as many values."""
    picks = np.random.default_rng(_SEED).integers(0, len(values), (_SAMPLES, len(values)))
    return np.asarray(values[picks].mean(axis=1), np.float64)
