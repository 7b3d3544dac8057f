"""Verified citations: how many planted mistakes are found, and how many right sentences are called unverified.

Thresholds were chosen on the encyclopedia passages of retrieval/ alone; the figures without a corpus in their name are
of all the others. Each sentence is checked among six passages, as the answer of a turn is. Answers to questions, which
may repeat these, have figures of their own, `answers_`; so do figures told of the PDFs' tables, `tables_`, what is told
of one thing put to another, `labels_`, and mistakes and wordings of language models, `models_` and `models.KIND.`.
"""

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.citation_answers import RIGHT_ANSWERS, answers
from bench.citation_case import Case, pieces
from bench.citation_cases import RIGHT, cases
from bench.citation_documents import Document, read_articles, read_reports
from bench.citation_labels import RIGHT_LABELS, labels
from bench.citation_models import RIGHT_MODELS, models
from bench.citation_tables import RIGHT_TABLES, tables
from bench.corpora import RETRIEVAL, present, required
from bench.harness import Outcome, read_if_there, read_jsonl
from rag.citations import check
from rag.types import Evidence, Support

_SEED = 20260
_PASSAGES = 6
_PER_KIND, _PER_KIND_OF_MODELS = 60, 30
_TUNED_ON, _PDFS, _NEWS = "retrieval", "pdf", "news_distractors"
_CORPORA = (*RETRIEVAL, "cjrc_law")
_ANSWERED = (_TUNED_ON, "retrieval_drcd", "cjrc_law")
_ANSWER_LENGTH = 500
_ALL_RIGHT = frozenset((*RIGHT, *RIGHT_ANSWERS, *RIGHT_TABLES, *RIGHT_LABELS, *RIGHT_MODELS))
_SETS = ("", "answers_", "tables_", "labels_", "models_")


def measure(data: Path) -> Outcome:
    """Shares of mistakes found by kind, and of right sentences flagged by what was done to them."""
    tallies: dict[str, list[bool]] = defaultdict(list)
    rows: list[dict[str, object]] = []
    read = _read(data)
    for corpus, (passages, documents) in read.items():
        chance = random.Random(_SEED)
        for of, case in _cases(data, corpus, passages, documents, chance):
            is_wrong = case.kind not in _ALL_RIGHT
            flagged = _judge(case, is_wrong, corpus, passages, chance, rows)
            share = "found" if is_wrong else "flagged"
            names = [f"{of}{share}", f"models.{case.kind}.{share}" if of == "models_" else f"{of}{share}_{case.kind}"]
            names = names if of or corpus != _TUNED_ON else []
            for name in (*names, *([] if of else [f"{corpus}_{share}"])):
                tallies[name].append(flagged)
    figures = {name: sum(facts) / len(facts) for name, facts in sorted(tallies.items())}
    counted = [f"{of}{share}" for of in _SETS for share in ("found", "flagged")]
    figures |= {f"sentences_{share}": float(len(tallies[share])) for share in counted}
    figures |= {f"{name.rpartition('.')[0]}.count": float(len(tallies[name])) for name in figures if "." in name}
    first = next(passages for passages, _ in read.values() if passages)
    figures["answer_milliseconds"] = _milliseconds(first[:_PASSAGES])
    return Outcome(figures, rows)


def _read(data: Path) -> dict[str, tuple[list[str], list[Document]]]:
    """Of each set that a folder has the passages, and those of its documents that have a name."""
    has_pdfs = (data / _PDFS).is_dir()
    sets = present(data, _CORPORA) if has_pdfs else required(data, _CORPORA)
    read = {
        corpus: (_passages(data, corpus), read_articles(data, corpus) if corpus in RETRIEVAL else []) for corpus in sets
    }
    if has_pdfs:
        reports = read_reports(data)
        read[_PDFS] = [passage for report in reports for passage in report.passages], reports
    news = read_if_there(data / _NEWS / f"{_NEWS}.jsonl")
    return read | {_NEWS: ([piece for row in news for piece in pieces(str(row["text"]))], [])} if news else read


def _cases(
    data: Path, corpus: str, passages: Sequence[str], documents: Sequence[Document], chance: random.Random
) -> Iterator[tuple[str, Case]]:
    """The cases of a set, each with what its figures begin with."""
    if corpus != _NEWS:
        yield from (("", case) for case in cases(passages, _PER_KIND, chance))
    if corpus in _ANSWERED:
        yield from (("answers_", case) for case in answers(data, corpus, _PER_KIND, chance))
    if corpus == _PDFS:
        yield from (("tables_", case) for case in tables(passages, _PER_KIND, chance))
    if corpus != _NEWS:
        yield from (("labels_", case) for case in labels(passages, _PER_KIND, chance))
    yield from (("models_", case) for case in models(passages, documents, _PER_KIND_OF_MODELS, chance))


def _judge(
    case: Case,
    is_wrong: bool,
    corpus: str,
    passages: Sequence[str],
    chance: random.Random,
    rows: list[dict[str, object]],
) -> bool:
    """Whether a case is flagged among other passages; a row for one that is not judged as it should be."""
    others = chance.sample(passages, min(_PASSAGES - 1, len(passages)))
    flagged, why = judge(case, others, chance)
    if flagged != is_wrong:
        rows.append({"corpus": corpus, "kind": case.kind, "length": len(case.sentence), "why": why})
    return flagged


def judge(case: Case, others: Sequence[str], chance: random.Random) -> tuple[bool, str]:
    """Whether the sentence is called unverified where its passage stands among others, and why."""
    named = {case.passage: case.opening, case.beside: case.other_opening}
    texts = [case.passage, *([case.beside] if case.beside else []), *others]
    chance.shuffle(texts)
    evidence = [_evidence(number, text, named.get(text, "")) for number, text in enumerate(texts, 1)]
    marker = texts.index(case.passage) + 1
    checked = check(f"{case.sentence}[{marker}]", evidence, (case.question,))
    reasons = [item.reason for item in checked if item.support is Support.UNVERIFIED]
    return bool(reasons), "; ".join(reason.key for reason in reasons if reason)


def _passages(data: Path, corpus: str) -> list[str]:
    """The passages of a corpus, in pieces as an answer is given them."""
    return [piece for row in read_jsonl(data / corpus / "passages.jsonl") for piece in pieces(str(row["text"]))]


def _evidence(number: int, text: str, opening: str = "") -> Evidence:
    return Evidence(number, number, opening or "document", "", 1, "", (), text, 1.0, opening=opening)


def _milliseconds(passages: Sequence[str]) -> float:
    """The best of ten checks of a long answer made of its passages."""
    evidence = [_evidence(number, text) for number, text in enumerate(passages, 1)]
    part = _ANSWER_LENGTH // len(passages)
    answer = "\n".join(f"{text[:part]}[{number}]。" for number, text in enumerate(passages, 1))
    spent = []
    for _ in range(10):
        begun = time.perf_counter()
        check(answer, evidence)
        spent.append(time.perf_counter() - begun)
    return 1000 * min(spent)
