"""48 hand-written questions over real PDFs: is the evidence among the sources, is the answer right, how soon it begins.

Correctness by rule: every number of the gold answer stands in the answer, and half of its character bigrams; an
unanswerable question is right when it is refused. The answers are in the rows, to be read as well beside the
questions, which stay with the data under the same id.
"""

import re
import statistics
import time
from pathlib import Path

from bench.harness import Outcome, fresh_services, read_jsonl, wait_for_documents, wait_for_model
from bench.model_speed import model_speed
from rag import events
from rag.build import Services
from rag.types import Turn

SESSION = "bench"
_REFUSALS = (
    "我不知道",
    "没有相关",
    "没有提到",
    "没有找到",
    "未提及",
    "没有提及",
    "未找到",
    "没有说明",
    "不包含",
    "没有关于",
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def measure(data: Path) -> Outcome:
    """Share of answerable questions with their page among the sources, right answers, refusals, first-token seconds."""
    questions = read_jsonl(data / "pdf" / "qa.jsonl")
    with fresh_services(may_keep=True) as (services, _):
        services.start()
        upload(services, data, {str(question["file"]) for question in questions})
        model = wait_for_model(services)
        rows = [_ask(services, question) for question in questions]
        speed = model_speed(services.models.current()[2])
    answerable = [row for row in rows if row["answerable"]]
    silent = [row for row in rows if not row["answerable"]]
    # What the search refuses is answered without the model, at most after it was searched for in other words.
    asked = [row for row in rows if row["asked"]]
    return Outcome(
        {
            "questions": len(rows),
            **speed,
            "page_in_sources": _share(answerable, "page_found"),
            "right_by_rule": _share(answerable, "right"),
            "refused_when_silent": _share(silent, "right"),
            "refused_though_answerable": _share(answerable, "refused"),
            "with_markers": _share(answerable, "cited"),
            "first_sign_seconds_median": statistics.median(float(str(row["first_sign"])) for row in rows),
            "first_token_seconds_median": statistics.median(float(str(row["first_token"])) for row in asked),
            "first_token_seconds_p95": sorted(float(str(row["first_token"])) for row in asked)[int(0.95 * len(asked))],
            "total_seconds_median": statistics.median(float(str(row["total"])) for row in asked),
        },
        rows,
        model=model,
    )


def upload(services: Services, data: Path, files: set[str]) -> None:
    """Put PDFs of the data folder into the session, and wait until they are found by meaning."""
    for name in sorted(files):
        services.ingest.add(SESSION, data / "pdf" / name, name)
    wait_for_documents(services.ingest, SESSION)


def _ask(services: Services, question: dict[str, object]) -> dict[str, object]:
    conversation = services.engine.start_conversation(SESSION)
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


def _row(question: dict[str, object], turn: Turn, first_sign: float) -> dict[str, object]:
    refused = any(phrase in turn.answer for phrase in _REFUSALS)
    pages = question["evidence_pages"]
    assert isinstance(pages, list)
    sources = [(item.document_name, page) for item in turn.sources if item.relevant for page in item.pages]
    answerable = bool(question["answerable"])
    return {
        "id": question["id"],
        "answer": turn.answer,
        "answerable": answerable,
        "page_found": any(source in [(question["file"], page) for page in pages] for source in sources),
        "right": agrees(str(question["answer"]), turn.answer) and not refused if answerable else refused,
        "refused": refused,
        "cited": bool(re.search(r"\[\d+\]", turn.answer)),
        "sources": [f"{name} {page}" for name, page in sources],
        "first_sign": round(first_sign, 2),
        "first_token": round(turn.timing.first_token or turn.timing.total, 2),
        "total": round(turn.timing.total, 2),
        "asked": turn.budget is not None,
        "prompt_tokens": turn.usage.prompt,
        "cached_tokens": turn.usage.cached,
    }


def agrees(gold: str, answer: str) -> bool:
    numbers = {number.replace(",", "") for number in _NUMBER.findall(gold)}
    given = {number.replace(",", "") for number in _NUMBER.findall(answer)}
    pairs = _bigrams(gold)
    return numbers <= given and len(pairs & _bigrams(answer)) >= 0.5 * len(pairs)


def _bigrams(text: str) -> set[str]:
    plain = re.sub(r"\W", "", text.lower())
    return {plain[i : i + 2] for i in range(len(plain) - 1)}


def _share(rows: list[dict[str, object]], key: str) -> float:
    return sum(bool(row[key]) for row in rows) / len(rows)
