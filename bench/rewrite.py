"""Rewriting: which questions lean on the conversation, which rewrites are refused, and how the model does.

Every question of rewrite.jsonl leans on its history, none of rewrite_topic_switch.jsonl does. A rewrite that is good
is the one written by hand; one that drifts is that of another dialogue, or the earlier question given back.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.harness import Outcome, figure, read_jsonl
from bench.rewrite_model import agreement, rewriting
from rag.rewriting.condense import leans_on_history, stand_alone
from rag.rewriting.drift import accept_rewrite

# How far away the dialogue is whose rewrite is offered to another.
_FAR = 7
Row = Mapping[str, Any]


def measure(data: Path) -> Outcome:
    """Leaning and the drift check, what the rules make of a follow-up, and a model with and without our path."""
    rules = measure_rules(data)
    seeking = [row for row in read_jsonl(data / "rewrite" / "rewrite.jsonl") if row["info_seeking"]]
    figures = agreement("rules", [(str(row["rewritten"]), _by_rules(row)) for row in seeking])
    asked = rewriting(seeking, read_jsonl(data / "rewrite" / "rewrite_topic_switch.jsonl"))
    return Outcome({**rules.figures, **figures, **asked.figures}, [*rules.rows, *asked.rows], model=asked.model)


def measure_rules(data: Path) -> Outcome:
    """Precision and recall of leaning, questions left unchanged after a change of topic, and the drift check."""
    follow_ups: list[dict[str, Any]] = read_jsonl(data / "rewrite" / "rewrite.jsonl")
    switches: list[dict[str, Any]] = read_jsonl(data / "rewrite" / "rewrite_topic_switch.jsonl")
    missed = [row for row in follow_ups if not leans_on_history(row["question"])]
    mistaken = [row for row in switches if leans_on_history(row["question"])]
    found = len(follow_ups) - len(missed)
    seeking = [row for row in follow_ups if row["info_seeking"]]
    foreign = zip(follow_ups, (other["rewritten"] for other in _rotated(follow_ups)), strict=True)
    figures = {
        "follow_ups": float(len(follow_ups)),
        "leans_precision": found / max(1, found + len(mistaken)),
        "leans_recall": found / len(follow_ups),
        **figure("leans_recall_info_seeking", [leans_on_history(row["question"]) for row in seeking]),
        "topic_switch_unchanged_rules": 1 - len(mistaken) / len(switches),
        **figure("good_rewrites_kept", [_accepted(row, row["rewritten"]) for row in follow_ups]),
        **figure("foreign_rewrites_refused", [not _accepted(row, rewrite) for row, rewrite in foreign]),
        **figure("repeated_questions_refused", [not _accepted(row, row["history"][0]) for row in switches]),
    }
    rows = [{"id": row["id"], "leans": leans} for wrong, leans in ((missed, False), (mistaken, True)) for row in wrong]
    return Outcome(figures, rows)


def _by_rules(row: Row) -> str:
    leans = leans_on_history(row["question"])
    return stand_alone("", row["question"], row["history"][:1]).text if leans else str(row["question"])


def _accepted(row: Row, rewrite: str) -> bool:
    first, *told = row["history"]
    return accept_rewrite(rewrite, row["question"], (first,), told) is not None


def _rotated(rows: Sequence[Row]) -> Sequence[Row]:
    start = _FAR % max(1, len(rows))
    return [*rows[start:], *rows[:start]]
