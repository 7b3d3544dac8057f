"""How good an order of hits and a refusal are, from relevances that were given to samples' hits."""

from collections.abc import Mapping, Sequence

import numpy as np

from bench.ranking import metrics
from bench.rerank_data import Sample

Judged = tuple[Sample, Sequence[float]]
# No more of the answerable questions may be refused.
FALSE_REFUSALS = 0.03
_BINS = 10


def order(judged: Sequence[Judged]) -> dict[str, float]:
    """R@1, R@5 and MRR@10 of each set as searched and as reranked, by passages."""
    rows: dict[str, list[Mapping[str, float]]] = {}
    for sample, relevances in judged:
        if sample.answerable:
            ranking = np.argsort(-np.asarray(relevances), kind="stable")
            rows.setdefault(f"{sample.group}.searched", []).append(_metrics(sample, range(len(sample.hits))))
            rows.setdefault(f"{sample.group}.reranked", []).append(_metrics(sample, ranking.tolist()))
    return {
        f"{name}.{metric}": float(np.mean([row[metric] for row in found]))
        for name, found in rows.items()
        for metric in ("r1", "r5", "mrr10")
    }


def refusals(judged: Sequence[Judged], threshold: float | None = None) -> dict[str, float]:
    """The share of each set's questions for which no hit reaches the threshold.

    Without a threshold, the one that refuses `FALSE_REFUSALS` of the answerable questions.
    """
    best = [(sample, max(relevances, default=0.0)) for sample, relevances in judged]
    if threshold is None:
        whole = [value for sample, value in best if sample.answerable and "|" not in sample.group]
        threshold = float(np.quantile(whole, FALSE_REFUSALS)) if whole else 0.0
    groups: dict[str, list[bool]] = {}
    for sample, value in best:
        groups.setdefault(sample.group, []).append(value < threshold)
    return {"threshold": threshold, **{f"{name}.refused": float(np.mean(found)) for name, found in groups.items()}}


def reliability(judged: Sequence[Judged]) -> list[tuple[int, float, float]]:
    """By tenths of relevance: how many hits, the mean relevance that they were given, the share that answers."""
    pairs = [
        (relevance, label)
        for sample, relevances in judged
        for relevance, label in zip(relevances, sample.labels, strict=True)
        if label is not None
    ]
    bins: dict[int, list[tuple[float, bool]]] = {}
    for relevance, label in pairs:
        bins.setdefault(min(_BINS - 1, int(relevance * _BINS)), []).append((relevance, label))
    return [
        (len(found), float(np.mean([said for said, _ in found])), float(np.mean([label for _, label in found])))
        for _, found in sorted(bins.items())
    ]


def _metrics(sample: Sample, order_of_hits: Sequence[int]) -> Mapping[str, float]:
    """Metrics by passage: a document, or a page of a file."""
    places = [
        f"{sample.hits[number].chunk.document_id}#{sample.hits[number].chunk.passage.page}" for number in order_of_hits
    ]
    gold = frozenset(
        place for place, number in zip(places, order_of_hits, strict=True) if sample.labels[number] is not False
    )
    return metrics(list(dict.fromkeys(places)), gold)
