"""Rewriting: which questions lean on the conversation, which rewrites are refused, and how the model does.

Every question of rewrite.jsonl leans on its history, none of rewrite_topic_switch.jsonl does. A rewrite that is good
is the one written by hand; one that drifts is that of another dialogue, or the earlier question given back.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.harness import NotMeasured, Outcome, figure, read_if_there, read_jsonl
from bench.rewrite_model import agreement, rewriting
from rag.rewriting.condense import leans_on_history, stand_alone
from rag.rewriting.drift import accept_rewrite

# How far away the dialogue is whose rewrite is offered to another.
_FAR = 7
Row = Mapping[str, Any]


def measure(data: Path) -> Outcome:
    """Leaning and the drift check, what the rules make of a follow-up, and a model with and without our path."""
    follow_ups = read_jsonl(data / "rewrite" / "rewrite.jsonl")
    if not follow_ups:
        raise NotMeasured(f"there is no follow-up in {data / 'rewrite'}")
    switches = read_if_there(data / "rewrite" / "rewrite_topic_switch.jsonl")
    rules = measure_rules(follow_ups, switches)
    seeking = _seeking(follow_ups)
    figures = agreement("rules", [(str(row["rewritten"]), _by_rules(row)) for row in seeking])
    asked = rewriting(seeking, switches)
    return Outcome({**rules.figures, **figures, **asked.figures}, [*rules.rows, *asked.rows], model=asked.model)


def measure_rules(follow_ups: Sequence[Row], switches: Sequence[Row]) -> Outcome:
    """Precision and recall of leaning, questions left unchanged after a change of topic, and the drift check."""
    missed = [row for row in follow_ups if not leans_on_history(row["question"])]
    mistaken = [row for row in switches if leans_on_history(row["question"])]
    found = len(follow_ups) - len(missed)
    foreign = zip(follow_ups, (other["rewritten"] for other in _rotated(follow_ups)), strict=True)
    figures = {
        "follow_ups": float(len(follow_ups)),
        **({"leans_precision": found / max(1, found + len(mistaken))} if switches else {}),
        "leans_recall": found / len(follow_ups),
        **figure("leans_recall_info_seeking", [leans_on_history(row["question"]) for row in _seeking(follow_ups)]),
        **figure("topic_switch_unchanged_rules", [not leans_on_history(row["question"]) for row in switches]),
        **figure("good_rewrites_kept", [_accepted(row, row["rewritten"]) for row in follow_ups]),
        **figure("foreign_rewrites_refused", [not _accepted(row, rewrite) for row, rewrite in foreign]),
        **figure("repeated_questions_refused", [not _accepted(row, row["history"][0]) for row in switches]),
    }
    rows = [{"id": row["id"], "leans": leans} for wrong, leans in ((missed, False), (mistaken, True)) for row in wrong]
    return Outcome(figures, rows)


def _seeking(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["info_seeking"]]


def _by_rules(row: Row) -> str:
    leans = leans_on_history(row["question"])
    return stand_alone("", row["question"], row["history"][:1]).text if leans else str(row["question"])


def _accepted(row: Row, rewrite: str) -> bool:
    first, *told = row["history"]
    return accept_rewrite(rewrite, row["question"], (first,), told) is not None


def _rotated(rows: Sequence[Row]) -> Sequence[Row]:
    start = min(_FAR, len(rows) // 2)
    return [*rows[start:], *rows[:start]]
