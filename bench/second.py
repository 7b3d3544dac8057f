"""Everyday questions asked second, after one about the same documents or others, beside the same asked first.

Over the documents of `paraphrases.toml` through the whole engine, answered by quotations: no model is asked, so what
counts is the decision, the rewrite and the search. Of the questions that a document answers, the shares that have their
passage first and second, and that have it quoted (`…_told_…`); of those that none answers, the shares that are refused,
by what they follow.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.everyday_cases import Case, read_cases, upload_cases
from bench.harness import Outcome, settings_for
from rag.build import Services, build_services
from rag.citations import MARKER
from rag.types import Turn

_SESSION = "bench"
# After each document's first and sixth question: some of its others, of those of another document, all that it does
# not answer, and four on nothing at hand that share a word with many a text.
_BEFORE = (0, 5)
_SAME, _OTHER, _APART = 7, 6, 3
_FOREIGN = (
    "量子力学的基本假设有哪些？",
    "红烧排骨的基本做法是什么？",
    "高中数学的函数单调性怎么判断？",
    "太阳系一共有几颗行星？",
)
Row = dict[str, Any]


def measure(_data: Path) -> Outcome:
    """Shares of answered questions with their passage, and of the others refused, asked first and second."""
    cases = read_cases()
    with TemporaryDirectory(prefix="wenqu-bench-") as folder:
        settings = settings_for(Path(folder))
        by_quotations = settings.llm.model_copy(update={"provider": "extractive"})
        services = build_services(settings.model_copy(update={"llm": by_quotations}))
        try:
            services.start()
            upload_cases(services, cases, _SESSION)
            rows = list(_asked(cases, lambda *questions: _hold(services, questions)))
        finally:
            services.close()
    figures: dict[str, float] = {}
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        ways = ("first", "second", *(("told_first", "told_second") if own[0]["answer"] else ()))
        figures |= {f"{kind}_{way}": sum(row[way] for row in own) / len(own) for way in ways}
        figures[f"{kind}_reused"] = sum(row["decided"] == "reuse" for row in own) / len(own)
    return Outcome(figures, rows)


def _asked(cases: Sequence[Case], hold: Callable[..., Turn]) -> Iterator[Row]:
    first: dict[str, Turn] = {}
    for place, case in enumerate(cases):
        for before, _ in (case["answered"][number] for number in _BEFORE):
            for kind, question, answer in _second(case, cases[(place + _APART) % len(cases)], before):
                if question not in first:
                    first[question] = hold(question)
                after = hold(before, question)
                yield {
                    "kind": kind,
                    "before": before,
                    "question": question,
                    "answer": answer,
                    "searched": after.generated_question,
                    "decided": after.decision.value,
                    "first": _is_right(first[question], answer),
                    "second": _is_right(after, answer),
                    "told_first": answer in MARKER.sub("", first[question].answer),
                    "told_second": answer in MARKER.sub("", after.answer),
                }


def _second(case: Case, other: Case, before: str) -> Iterator[tuple[str, str, str]]:
    """Questions to ask after one: their kind, and what their passage says; "" where there is none."""
    same = [(question, answer) for question, answer in case["answered"] if question != before]
    yield from (("same", question, answer) for question, answer in same[:_SAME])
    yield from (("other", question, answer) for question, answer in other["answered"][:_OTHER])
    yield from (("unanswered", question, "") for question in case["unanswered"])
    yield from (("foreign", question, "") for question in _FOREIGN)


def _hold(services: Services, questions: Sequence[str]) -> Turn:
    """The last turn of a conversation of its own."""
    conversation = services.engine.store.start(_SESSION)
    turns = [services.engine.ask(question, _SESSION, conversation_id=conversation) for question in questions]
    return turns[-1]


def _is_right(turn: Turn, answer: str) -> bool:
    """Whether the passage that answers is among what was taken for relevant; without an answer, whether nothing was."""
    return any(item.relevant and answer in item.text for item in turn.sources) is bool(answer)
