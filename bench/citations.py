"""Verified citations: how many planted mistakes are found, and how many right sentences are called unverified.

Thresholds were chosen on the encyclopedia passages of retrieval/ alone; the figures without a corpus in their name are
of all the others. Each sentence is checked among six passages, as the answer of a turn is. Answers to questions, which
may repeat these, have figures of their own, `answers_`; so do figures told of the PDFs' tables, `tables_`, and what is
told of one thing put to another, `labels_`.
"""

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.citation_answers import RIGHT_ANSWERS, answers
from bench.citation_case import Case
from bench.citation_cases import MISTAKES, cases
from bench.citation_labels import RIGHT_LABELS, labels
from bench.citation_tables import RIGHT_TABLES, tables
from bench.corpora import present, required
from bench.harness import Outcome, read_jsonl
from bench.pdfs import pdfs_asked_about
from loaders import load
from rag.citations import check
from rag.types import Evidence, Support

_SEED = 20260
_PASSAGES = 6
_LENGTH = 600
_PER_KIND = 60
_TUNED_ON = "retrieval"
_PDFS = "pdf"
_CORPORA = (_TUNED_ON, "retrieval_drcd", "domainrag_ruc", "cjrc_law")
_ANSWERED = (_TUNED_ON, "retrieval_drcd", "cjrc_law")
_ANSWER_LENGTH = 500


def measure(data: Path) -> Outcome:
    """Shares of mistakes found by kind, and of right sentences flagged by what was done to them."""
    tallies: dict[str, list[bool]] = defaultdict(list)
    rows: list[dict[str, object]] = []
    has_pdfs = (data / _PDFS).is_dir()
    sets = [*present(data, _CORPORA), _PDFS] if has_pdfs else required(data, _CORPORA)
    corpora = {corpus: passages_of(data, corpus) for corpus in sets}
    for corpus, passages in corpora.items():
        chance = random.Random(_SEED)
        for case in cases(passages, _PER_KIND, chance):
            flagged = _judge(case, case.kind in MISTAKES, corpus, passages, chance, rows)
            share = "found" if case.kind in MISTAKES else "flagged"
            tallies[f"{corpus}_{share}"].append(flagged)
            if corpus != _TUNED_ON:
                tallies[share].append(flagged)
                tallies[f"{share}_{case.kind}"].append(flagged)
        asked = {
            "answers": answers(data, corpus, _PER_KIND, chance) if corpus in _ANSWERED else (),
            "tables": tables(passages, _PER_KIND, chance) if corpus == _PDFS else (),
            "labels": labels(passages, _PER_KIND, chance),
        }
        for of, case in ((of, case) for of, made in asked.items() for case in made):
            is_wrong = case.kind not in (*RIGHT_ANSWERS, *RIGHT_TABLES, *RIGHT_LABELS)
            share = f"{of}_{'found' if is_wrong else 'flagged'}"
            flagged = _judge(case, is_wrong, corpus, passages, chance, rows)
            tallies[share].append(flagged)
            tallies[f"{share}_{case.kind}"].append(flagged)
    figures = {name: sum(facts) / len(facts) for name, facts in sorted(tallies.items())}
    for share in [f"{of}{share}" for of in ("", "answers_", "tables_", "labels_") for share in ("found", "flagged")]:
        figures[f"sentences_{share}"] = float(len(tallies[share]))
    figures["answer_milliseconds"] = _milliseconds(next(filter(None, corpora.values()))[:_PASSAGES])
    return Outcome(figures, rows)


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
    texts = [case.passage, *others]
    chance.shuffle(texts)
    evidence = [_evidence(number, text) for number, text in enumerate(texts, 1)]
    marker = texts.index(case.passage) + 1
    checked = check(f"{case.sentence}[{marker}]", evidence, (case.question,))
    reasons = [item.reason for item in checked if item.support is Support.UNVERIFIED]
    return bool(reasons), "; ".join(reason.key for reason in reasons if reason)


def passages_of(data: Path, corpus: str) -> list[str]:
    """The passages of a corpus, in pieces as an answer is given them."""
    return [piece for text in _texts(data, corpus) for piece in _pieces(text)]


def _texts(data: Path, corpus: str) -> Iterator[str]:
    if corpus == _PDFS:
        for path in pdfs_asked_about(data):
            yield from (page.text for page in load(path).pages)
    else:
        yield from (str(row["text"]) for row in read_jsonl(data / corpus / "passages.jsonl"))


def _pieces(text: str) -> Iterator[str]:
    for start in range(0, len(text), _LENGTH):
        yield text[start : start + _LENGTH]


def _evidence(number: int, text: str) -> Evidence:
    return Evidence(number, number, "document", "", 1, "", (), text, 1.0)


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
