"""Everyday questions about small documents of our own, each asked alone of its document, through the whole engine.

Of those that the document answers: `told` (the words that answer stand in the answer, or in what is quoted behind one
that says no more than that there is none), `refused` (the search found nothing relevant) and `unknown` (the model knew
no answer). Small models put an answer into words of their own, so that `told` is rather too low; the rows have the
answers.
"""

import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.answers import wait_for_model
from bench.harness import ROOT, Outcome, fresh_services
from rag import events
from rag.build import Services
from rag.knowledge.base import STILL_FILLING
from rag.language.words import refuses
from rag.types import DocumentStatus, Scope, Turn, TurnOptions, only_nearest

_CASES = ROOT / "bench" / "paraphrases.toml"
_SESSION = "bench"
Row = dict[str, Any]


def measure(_data: Path) -> Outcome:
    """Shares of answered questions that are told, refused, unknown; of the others those that are said to be so."""
    cases: list[Mapping[str, Any]] = tomllib.loads(_CASES.read_text(encoding="utf-8"))["document"]
    with fresh_services() as (services, _), TemporaryDirectory(prefix="wenqu-bench-") as folder:
        services.start()
        wait_for_model(services)
        rows = [row for case in cases for row in _asked(services, case, _uploaded(services, case, Path(folder)))]
    answered = [row for row in rows if row["answer"]]
    silent = [row for row in rows if not row["answer"]]
    figures = {name: _share(answered, name) for name in ("told", "told_by_model", "refused", "unknown")}
    return Outcome(figures | {"said_to_be_silent": _share(silent, "refused") + _share(silent, "unknown")}, rows)


def _uploaded(services: Services, case: Mapping[str, Any], folder: Path) -> str:
    """The id of the case's document, once it is found by meaning."""
    path = folder / f"{case['name']}.md"
    path.write_text(case["text"], encoding="utf-8")
    services.ingest.add(_SESSION, path, path.name)
    while any(item.status is not DocumentStatus.READY for item in services.ingest.documents(_SESSION)):
        time.sleep(0.2)
    (own,) = [item.document_id for item in services.ingest.documents(_SESSION) if item.name == path.name]
    scope = Scope(document_ids=frozenset({own}))
    while STILL_FILLING in services.retrieval.find((case["name"],), (_SESSION,), scope=scope).trace.notes:
        time.sleep(0.2)
    return own


def _asked(services: Services, case: Mapping[str, Any], document: str) -> Iterator[Row]:
    for question, answer in [*case["answered"], *((question, "") for question in case["unanswered"])]:
        turn = _turn(services, question, document)
        said, _, behind = turn.answer.partition("\n\n")
        refused = only_nearest(turn.sources)
        unknown = refused or refuses(said)
        yield {
            "document": case["name"],
            "question": question,
            "answer": answer,
            "said": turn.answer,
            "refused": refused,
            "unknown": unknown and not refused,
            "told_by_model": not unknown and answer in turn.answer,
            "told": answer in (behind if unknown else turn.answer),
        }


def _turn(services: Services, question: str, document: str) -> Turn:
    conversation = services.engine.start_conversation(_SESSION)
    options = TurnOptions(documents=frozenset({document}))
    *_, last = services.engine.stream(question, _SESSION, conversation_id=conversation, options=options)
    if isinstance(last, events.Failed):
        raise last.error
    assert isinstance(last, events.Finished)
    return last.turn


def _share(rows: Sequence[Row], name: str) -> float:
    return sum(bool(row[name]) for row in rows) / len(rows)
