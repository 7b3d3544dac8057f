"""Hand-written questions over real PDFs: is the evidence among the sources, is the answer right, how soon it begins.

Correctness by rule: every number of the gold answer stands in the answer, and half of its character bigrams (one that
has none, whole); markers of citations are no part of it. An unanswerable question is right when it is refused. The
answers are in the rows, to be read as well beside the questions, which stay with the data under the same id.
"""

import re
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from bench.harness import Outcome, figure, fresh_services, read_jsonl, wait_for_documents, wait_for_model
from bench.model_speed import model_speed
from bench.pdfs import gold_pages, pdf_of
from rag import events
from rag.build import Services
from rag.citations.sentences import MARKER
from rag.evidence import is_unanswered
from rag.types import Turn

SESSION = "bench"
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
Row = dict[str, Any]


def measure(data: Path) -> Outcome:
    """Share of answerable questions with their page among the sources, right answers, refusals, first-token seconds."""
    questions = read_jsonl(data / "pdf" / "qa.jsonl")
    with fresh_services(may_keep=True) as (services, _):
        services.start()
        upload(services, data, {str(question["file"]) for question in questions})
        model = wait_for_model(services)
        rows = [_ask(services, question) for question in questions]
        speed = model_speed(services.models.current().model)
    answerable = [row for row in rows if row["answerable"]]
    silent = [row for row in rows if not row["answerable"]]
    # What the search refuses is answered without the model, at most after it was searched for in other words.
    asked = [row for row in rows if row["asked"]]
    first_tokens = [row["first_token"] for row in asked]
    figures = {
        "questions": len(rows),
        **speed,
        **figure("page_in_sources", [row["page_found"] for row in answerable]),
        **figure("right_by_rule", [row["right"] for row in answerable]),
        **figure("refused_when_silent", [row["right"] for row in silent]),
        **figure("refused_though_answerable", [row["refused"] for row in answerable]),
        **figure("with_markers", [row["cited"] for row in answerable]),
        **figure("first_sign_seconds_median", [row["first_sign"] for row in rows], median),
        **figure("first_token_seconds_median", first_tokens, median),
        **figure("first_token_seconds_p95", first_tokens, _p95),
        **figure("total_seconds_median", [row["total"] for row in asked], median),
    }
    return Outcome(figures, rows, model=model)


def upload(services: Services, data: Path, files: set[str]) -> None:
    """Put PDFs of the data folder into the session, and wait until they are found by meaning."""
    for name in sorted(files):
        services.ingest.receive(SESSION, pdf_of(data, name), name)
    wait_for_documents(services.ingest, SESSION)


def _ask(services: Services, question: Row) -> Row:
    conversation = services.engine.store.start(SESSION)
    begun = time.perf_counter()
    first_sign = 0.0
    for event in services.engine.stream(str(question["question"]), SESSION, conversation_id=conversation):
        if isinstance(event, events.Reading | events.Token):
            first_sign = first_sign or time.perf_counter() - begun
        if isinstance(event, events.Failed):
            raise event.error
        if isinstance(event, events.Finished):
            return _row(question, event.turn, first_sign)
    raise AssertionError("a turn ends with Finished or Failed")


def _row(question: Row, turn: Turn, first_sign: float) -> Row:
    refused = is_unanswered(turn)
    pages = gold_pages(question)
    sources = [(item.document_name, page) for item in turn.sources if item.relevant for page in item.pages]
    answerable = bool(question["answerable"])
    return {
        "id": question["id"],
        "answer": turn.answer,
        "answerable": answerable,
        "page_found": any(source in [(question["file"], page) for page in pages] for source in sources),
        "right": agrees(str(question["answer"]), turn.answer) and not refused if answerable else refused,
        "refused": refused,
        "cited": bool(MARKER.search(turn.answer)),
        "sources": [f"{name} {page}" for name, page in sources],
        "first_sign": round(first_sign, 2),
        "first_token": round(turn.timing.first_token or turn.timing.total, 2),
        "total": round(turn.timing.total, 2),
        "asked": turn.budget is not None,
        "prompt_tokens": turn.usage.prompt,
        "cached_tokens": turn.usage.cached,
    }


def agrees(gold: str, answer: str) -> bool:
    """Whether an answer is right by rule."""
    said = MARKER.sub("", answer)
    pairs, given = _bigrams(gold), _bigrams(said)
    has_words = len(pairs & given) >= 0.5 * len(pairs) if pairs else _plain(gold) in _plain(said)
    return has_words and _numbers(gold) <= _numbers(said)


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "") for number in _NUMBER.findall(text)}


def _bigrams(text: str) -> set[str]:
    plain = _plain(text)
    return {plain[i : i + 2] for i in range(len(plain) - 1)}


def _plain(text: str) -> str:
    return re.sub(r"\W", "", text.lower())


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]
