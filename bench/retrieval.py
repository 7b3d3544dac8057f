"""Our search beside those of well-known systems, with one embedder, on the same questions, in one run.

Beside the result file stand a table (`.md`) and a plot (`.png`) of it.
"""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.corpora import RETRIEVAL, Corpus, read_corpus
from bench.harness import ROOT, Outcome, wanted
from bench.ours import OurSearch, ways
from bench.peers import PEERS, Search
from bench.ranking import means, metrics, p_value
from bench.report import plot, write_table
from bench.vectors import KeptEmbeddings, kept_embeddings
from rag.settings import read_settings

# By this metric the best peer of a corpus is chosen.
_DECISIVE = {"retrieval": "r1", "retrieval_drcd": "r1", "domainrag_ruc": "r5"}
Rows = list[dict[str, float]]


def measure(data: Path) -> Outcome:
    """R@1, R@5, R@10, MRR@10, nDCG@10 and ms a question of every system on every corpus, with 95 % intervals."""
    settings = read_settings(ROOT / "config.yaml")
    embeddings = kept_embeddings(settings)
    figures: dict[str, float] = {}
    rows: list[Mapping[str, object]] = []
    for name in RETRIEVAL:
        corpus = read_corpus(data, name, wanted(1000, "QUESTIONS"))
        results = _compare(corpus, embeddings)
        figures |= _figures(name, results) | _by_kind(corpus, results["ours"])
        rows += [
            {"corpus": name, "arm": arm, **row} for arm, found in results.items() for row in _misses(corpus, found)
        ]
    return Outcome(figures, rows, partial(_report, figures))


def _report(figures: Mapping[str, float], out: Path) -> None:
    write_table(figures, RETRIEVAL, out.with_suffix(".md"))
    plot(figures, RETRIEVAL, out.with_suffix(".png"))


def _compare(corpus: Corpus, embeddings: KeptEmbeddings) -> dict[str, Rows]:
    """Each system's metrics by question, in the questions' order."""
    results = {peer: ask(build(corpus.texts, embeddings), corpus) for peer, build in PEERS.items()}
    ours = OurSearch(corpus.texts, embeddings)
    try:
        for name, way in ways(ours.settings).items():
            results[name] = ask(way(ours), corpus)
    finally:
        ours.close()
    return results


def ask(search: Search, corpus: Corpus) -> Rows:
    """The metrics of each question, and the milliseconds that its answer took."""
    search(corpus.questions[0].text)  # what is loaded at the first question is not a question's time
    rows = []
    for question in corpus.questions:
        begun = time.perf_counter()
        ranking = search(question.text)
        milliseconds = 1000 * (time.perf_counter() - begun)
        rows.append({**metrics(ranking, question.gold), "ms": milliseconds})
    return rows


def _figures(corpus: str, results: Mapping[str, Rows]) -> dict[str, float]:
    figures = {f"{corpus}.{arm}.{name}": value for arm, rows in results.items() for name, value in means(rows).items()}
    decisive = _DECISIVE[corpus]
    for peer in PEERS:
        worse = p_value(*([row[decisive] for row in results[arm]] for arm in ("ours", peer)))
        figures[f"{corpus}.ours_over_{peer}.{decisive}.p"] = worse
    return figures


def _by_kind(corpus: Corpus, ours: Rows) -> dict[str, float]:
    """Ours by the questions' kinds or sources: some are of another sort than the rest."""
    pairs = list(zip(corpus.questions, ours, strict=True))
    kinds = dict.fromkeys(question.kind for question in corpus.questions if question.kind)
    return {
        f"{corpus.name}.ours.{kind}.{name}": sum(row[name] for row in rows) / len(rows)
        for kind in kinds
        if (rows := [row for question, row in pairs if question.kind == kind])
        for name in ("r1", "r5")
    }


def _misses(corpus: Corpus, rows: Sequence[Mapping[str, float]]) -> list[dict[str, object]]:
    """The questions whose passage did not come first, to be looked at one by one."""
    return [
        {"id": question.question_id, "kind": question.kind, "mrr10": row["mrr10"]}
        for question, row in zip(corpus.questions, rows, strict=True)
        if not row["r1"]
    ]
