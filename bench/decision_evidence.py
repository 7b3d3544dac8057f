"""Whether evidence on the right entity is in hand at a turn, by what is done about evidence there.

Scored are the turns that should search or reuse and whose answer is taken from documents of the corpus. All search by
words only: to embed the corpus would take more than what it is about, the question that is searched for.

- raw: the question is searched for, every turn.
- always_rewrite: the question joined with the one that it follows is, every turn. No model is asked.
- ours: as decided, by weights that have not seen the dialogue. A search is for the question and, where it leans on the
  conversation, the whole one by the rules, fused; a turn that reuses has what it had in hand, and one that needs no
  evidence none.
- ours_in_prompt: the same, and what the prompt holds from before counts as well, which it does in the app.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.decision_data import Sample, Search, searching
from bench.harness import figure
from rag.rewriting.condense import in_full, joined, leans_on_history, stand_alone
from rag.types import Decision

_AMONG = 5


def evidence_in_hand(data: Path, decided: Sequence[tuple[Sample, Decision]]) -> dict[str, float]:
    """Shares of turns with a right document among five, by way; ours by source as well."""
    scored = [(sample, decision) for sample, decision in decided if sample.right]
    if not scored:
        return {}
    with searching(data) as (_, search):
        rows = [_row(sample, decision, search) for sample, decision in scored]
    figures = {"hit5_turns": float(len(rows))}
    for way in rows[0]:
        figures |= figure(f"hit5_{way}", [row[way] for row in rows])
    for gold in (Decision.RETRIEVE, Decision.REUSE):
        own = [row for row, (sample, _) in zip(rows, scored, strict=True) if sample.gold is gold]
        for way in rows[0]:
            figures |= figure(f"hit5_{way}_where_{gold.value}", [row[way] for row in own])
    return figures


def _row(sample: Sample, decision: Decision, search: Search) -> dict[str, bool]:
    question = sample.situation.question
    earlier = in_full((asked, "") for asked, _ in sample.situation.earlier if asked)
    whole = joined(question, earlier)
    ours = _ours(sample, decision, stand_alone("", question, earlier).text, search)
    return {
        "raw": _has(sample, list(search(question))),
        "always_rewrite": _has(sample, list(search(whole))),
        "ours": _has(sample, ours),
        "ours_in_prompt": _has(sample, ours) or bool(sample.right & set(sample.in_hand)),
    }


def _ours(sample: Sample, decision: Decision, whole: str, search: Search) -> list[str]:
    match decision:
        case Decision.NO_RETRIEVE:
            return []
        case Decision.REUSE:
            return list(sample.in_hand)
        case Decision.RETRIEVE:
            question = sample.situation.question
            if not leans_on_history(question):
                return list(search(question))
            found = [_as_shares(search(text)) for text in (whole, question)]
            fused = {name: max(one.get(name, 0.0) for one in found) for name in {**found[0], **found[1]}}
            return sorted(fused, key=lambda name: -fused[name])


def _has(sample: Sample, names: Sequence[str]) -> bool:
    return bool(sample.right & set(names[:_AMONG]))


def _as_shares(scores: Mapping[str, float]) -> dict[str, float]:
    """Scores of one search beside those of another: the best is 1."""
    best = max(scores.values(), default=1.0)
    return {name: score / best for name, score in scores.items()}
