"""Our search, whole and without each of its parts, beside well-known systems: one embedder, one run, same questions.

Beside the result file stand a table (`.md`) and a plot (`.png`) of it. WENQU_BENCH_CORPORA and WENQU_BENCH_ARMS name
those to measure, if not all; `ours` always is.
"""

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from bench.ablation import OURS
from bench.arms import ARMS, Measured, Rows, measured
from bench.corpora import FIRST, RETRIEVAL, TRADITIONAL, Corpus, read_corpus, required
from bench.harness import NotMeasured, Outcome, wanted
from bench.peers import PEERS, told
from bench.ranking import means, p_value
from bench.report import plot, write_table
from bench.vectors import vectors_folder

# By this metric the best peer of a corpus is chosen.
_DECISIVE = {"retrieval": "r1", "retrieval_drcd": "r1", "domainrag_ruc": "r5", TRADITIONAL: "r1", FIRST: "r1"}
# Questions and passages of the other corpora are of one script: there, folding has little to do.
_CORPORA = {
    **dict.fromkeys(RETRIEVAL, ARMS),
    FIRST: ("ours", *PEERS),
    TRADITIONAL: ("ours", "ours_without_folding"),
}


def measure(data: Path) -> Outcome:
    """R@1, R@5, R@10, MRR@10, nDCG@10, ms a question and MB of every system on every corpus, with 95 % intervals."""
    folder, asked_for = vectors_folder(), os.environ.get("WENQU_BENCH_CORPORA", " ".join(_CORPORA)).split()
    corpora = [read_corpus(data, name, wanted(1000, "QUESTIONS")) for name in required(data, asked_for)]
    for corpus in (corpus for corpus in corpora if not corpus.questions):
        print(f"{corpus.name} is left out: it has no questions")
    corpora = [corpus for corpus in corpora if corpus.questions]
    if not corpora:
        raise NotMeasured(f"there is no question to the passages in {data}")
    found: dict[str, float] = {}
    rows: list[Mapping[str, object]] = []
    for corpus in corpora:
        name = corpus.name
        arms = os.environ.get("WENQU_BENCH_ARMS", " ".join(_CORPORA[name])).split()
        results = {arm: measured(arm, corpus, folder) for arm in dict.fromkeys(("ours", *arms))}
        found |= figures(name, results) | _by_kind(corpus, results["ours"].rows)
        rows += [
            {"corpus": name, "arm": arm, **row} for arm, own in results.items() for row in _misses(corpus, own.rows)
        ]
    return Outcome(found, rows, partial(_report, found, [corpus.name for corpus in corpora]))


def _report(found: Mapping[str, float], corpora: Sequence[str], out: Path) -> None:
    every = {**{peer: told(peer) for peer in PEERS}, **{name: own.told for name, own in OURS.items()}}
    measured_here = {name.split(".")[1] for name in found}
    arms = {arm: sentence for arm, sentence in every.items() if arm in measured_here}
    write_table(found, corpora, arms, out.with_suffix(".md"))
    plot(found, corpora, out.with_suffix(".png"))


def figures(corpus: str, results: Mapping[str, Measured]) -> dict[str, float]:
    """Each system's figures on a corpus, and what it has more than ours, question by question."""
    found: dict[str, float] = {}
    decisive, ours = _DECISIVE[corpus], results["ours"].rows
    for arm, own in results.items():
        more = [
            {f"{decisive}_over_ours": row[decisive] - our[decisive]} for row, our in zip(own.rows, ours, strict=True)
        ]
        told = {**means(own.rows), "mb": own.megabytes, **(means(more) if arm != "ours" else {})}
        found |= {f"{corpus}.{arm}.{name}": value for name, value in told.items()}
    for peer in (arm for arm in results if arm in PEERS):
        worse = p_value(*([row[decisive] for row in rows] for rows in (ours, results[peer].rows)))
        found[f"{corpus}.ours_over_{peer}.{decisive}.p"] = worse
    return found


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
