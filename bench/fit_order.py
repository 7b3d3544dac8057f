"""`python -m bench.fit_order --data DIR`: fit the order of hits and write it where the app reads it.

Listwise: the weights make the passages of the right text likely among all hits of their question (softmax over the
hits, Cao et al., ICML 2007; any hit of the text counts). Few signals, so that a corpus that was not seen is served too:
printed beside them is what each half of the questions gets by a fit on the other half, and each corpus by the others.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.corpora import RETRIEVAL, read_corpus, required
from bench.harness import ROOT
from bench.ours import OurSearch
from bench.ranking import means, metrics
from bench.vectors import KeptEmbeddings, kept_embeddings
from rag.knowledge.request import from_settings
from rag.rerank.features import ORDER
from rag.rerank.question import read_question
from rag.rerank.signals import measure
from rag.settings import read_settings
from rag.types import Hit

NAMES = ("fused", "nearness", "together", "covered_around", "run", "codes_missing", "labelled", "title")
_QUESTIONS = 900
_HITS = 50
_STEPS, _RATE, _STRENGTH = 400, 0.05, 1e-3
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """A question of a corpus: its hits' signals, shape (hits, signals), their texts, and the texts that answer."""

    corpus: str
    signals: Floats
    owners: tuple[str, ...]
    gold: frozenset[str]

    @property
    def right(self) -> npt.NDArray[np.bool_]:
        """Which hits are of a text that answers."""
        return np.array([owner in self.gold for owner in self.owners])


def main() -> None:
    """Fit on the corpora of a folder, print what halves get, and write `order.toml`."""
    parser = argparse.ArgumentParser(prog="python -m bench.fit_order")
    parser.add_argument("--data", type=Path, required=True, help="a folder as bench/README.md describes it")
    data = parser.parse_args().data
    settings = read_settings(ROOT / "config.yaml")
    embeddings = kept_embeddings(settings)
    corpora = required(data, RETRIEVAL)
    asked = [one for name in corpora for one in _ask(data, name, embeddings)]
    for half in (0, 1):
        _report(asked[1 - half :: 2], fit(asked[half::2]))
    for name in corpora:
        _report([one for one in asked if one.corpus == name], fit([one for one in asked if one.corpus != name]))
    weights = fit(asked)
    origin = f"Written by `python -m bench.fit_order` from {len(asked)} questions; do not edit by hand."
    write_order(ORDER, dict(zip(NAMES, weights, strict=True)), origin)


def write_order(path: Path, weights: Mapping[str, float], origin: str) -> None:
    """Weights of signals as TOML, below a comment that tells their origin."""
    lines = [f"{name} = {weight:.2f}" for name, weight in weights.items()]
    path.write_text("\n".join([f"# {origin}", *lines, ""]), encoding="utf-8")


def fit(asked: Sequence[Asked]) -> Floats:
    """The weights of the signals, shape (signals,). A corpus counts by the root of how many questions it has."""
    counts = Counter(one.corpus for one in asked)
    total = sum(count**0.5 for count in counts.values())
    known = [one for one in asked if one.right.any()]
    parts = [counts[one.corpus] ** -0.5 / total for one in known]
    weights = np.zeros(known[0].signals.shape[1])
    slope, size = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, _STEPS + 1):
        gradient = _STRENGTH * weights
        for one, part in zip(known, parts, strict=True):
            gradient += part * _slope(one, weights)
        # Adam, Kingma and Ba, 2015, with its usual constants
        slope, size = 0.9 * slope + 0.1 * gradient, 0.999 * size + 0.001 * gradient**2
        weights = weights - _RATE * (slope / (1 - 0.9**step)) / (np.sqrt(size / (1 - 0.999**step)) + 1e-8)
    return weights


def _slope(one: Asked, weights: Floats) -> Floats:
    places = one.signals @ weights
    likely = np.exp(places - places.max())
    right = likely * one.right
    return np.asarray(one.signals.T @ (likely / likely.sum() - right / right.sum()), np.float64)


def _ask(data: Path, name: str, embeddings: KeptEmbeddings) -> list[Asked]:
    corpus = read_corpus(data, name, _QUESTIONS)
    ours = OurSearch(corpus.texts, embeddings)
    try:
        request = replace(from_settings(ours.settings), limit=_HITS)
        found = [(question, ours.hits(question.text, request)) for question in corpus.questions]
        return [
            Asked(name, _signals(ours, question.text, hits), tuple(map(ours.owner, hits)), question.gold)
            for question, hits in found
            if hits
        ]
    finally:
        ours.close()


def _signals(ours: OurSearch, question: str, hits: Sequence[Hit]) -> Floats:
    told = measure(read_question(question, ours.words), hits)
    return np.array([[getattr(signals, name) for name in NAMES] for signals in told])


def _report(asked: Sequence[Asked], weights: Floats) -> None:
    for name in dict.fromkeys(one.corpus for one in asked):
        rows = []
        for one in asked:
            if one.corpus == name:
                order = np.argsort(-(one.signals @ weights), kind="stable")
                rows.append(metrics(list(dict.fromkeys(one.owners[place] for place in order)), one.gold))
        found = means(rows)
        print(name, *(f"{metric} {found[metric]:.3f}" for metric in ("r1", "r5", "mrr10")))


if __name__ == "__main__":
    main()
