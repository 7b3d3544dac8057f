"""Everyday questions about small documents of our own, each asked alone of its document, through the whole engine.

Of those that the document answers: `told` (the words that answer stand in the answer, or in what is quoted behind one
that says no more than that there is none), `refused` (the search found nothing relevant) and `unknown` (the model knew
no answer). Small models put an answer into words of their own, so that `told` is rather too low; the rows have the
answers.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.everyday_cases import Case, read_cases, upload_cases
from bench.harness import NotMeasured, Outcome, figure, fresh_services, wait_for_model
from rag import events
from rag.build import Services
from rag.language.refusals import refuses
from rag.types import Turn, TurnOptions, only_nearest

_SESSION = "bench"
Row = dict[str, Any]


def measure(_data: Path) -> Outcome:
    """Shares of answered questions that are told, refused, unknown; of the others those that are said to be so."""
    cases = read_cases()
    with fresh_services() as (services, _):
        services.start()
        model = wait_for_model(services)
        documents = upload_cases(services, cases, _SESSION)
        rows = [row for case in cases for row in _asked(services, case, documents[case["name"]])]
    answered = [row for row in rows if row["answer"]]
    silent = [row for row in rows if not row["answer"]]
    figures: dict[str, float] = {}
    for name in ("told", "told_by_model", "refused", "unknown"):
        figures |= figure(name, [row[name] for row in answered])
    figures |= figure("said_to_be_silent", [row["refused"] or row["unknown"] for row in silent])
    return Outcome(figures, rows, model=model)


def _asked(services: Services, case: Case, document: str) -> Iterator[Row]:
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
    conversation = services.engine.store.start(_SESSION)
    options = TurnOptions(documents=frozenset({document}))
    *_, last = services.engine.stream(question, _SESSION, conversation_id=conversation, options=options)
    if isinstance(last, events.Failed):
        raise NotMeasured(f"{question}: {last.error}")
    assert isinstance(last, events.Finished)
    return last.turn
