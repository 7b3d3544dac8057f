"""Conversations of several turns over real PDFs through the whole engine: decisions, evidence, answers by turn."""

from pathlib import Path
from statistics import median
from typing import Any

from bench.answers import agrees, upload
from bench.harness import Outcome, figure, fresh_services, read_jsonl, rest, wait_for_model
from bench.pdfs import gold_pages
from rag.build import Services
from rag.evidence import evidence_used, is_unanswered
from rag.types import Turn

_SESSION = "bench"


def measure(data: Path) -> Outcome:
    """Share of turns with the gold decision, with the gold page in the prompt, right by rule; first-token seconds.

    Decisions are those after a conversation's first turn, which has nothing in hand and can only search.
    """
    chains = read_jsonl(data / "pdf" / "qa_multiturn.jsonl")
    files = {turn["file"] for chain in chains for turn in chain["turns"] if turn.get("file")}
    with fresh_services(may_keep=True) as (services, _):
        services.start()
        upload(services, data, files)
        model = wait_for_model(services)
        rows = [row for chain in chains for row in _hold(services, chain)]
    asking, decided = [row for row in rows if row["pages"]], [row for row in rows if row["place"]]
    figures = {
        "turns": len(rows),
        "turns_decided": len(decided),
        **figure("decision_right", [row["decided"] == row["gold_decision"] for row in decided]),
        **figure("gold_page_in_evidence", [row["page_in_evidence"] for row in asking]),
        **figure("right_by_rule", [row["right"] for row in asking]),
    }
    for decision in ("retrieve", "reuse", "no_retrieve"):
        # What the search refuses is answered without the model, at most after it was searched for in other words.
        asked = [row for row in rows if row["decided"] == decision and row["place"] > 0 and row["asked"]]
        figures |= figure(f"first_token_{decision}_median", [row["first_token"] for row in asked], median)
    return Outcome(figures, rows, model=model)


def _hold(services: Services, chain: dict[str, Any]) -> list[dict[str, Any]]:
    conversation = services.engine.store.start(_SESSION)
    rows: list[dict[str, Any]] = []
    turns: list[Turn] = []
    for place, asked in enumerate(chain["turns"]):
        turn = services.engine.ask(asked["question"], _SESSION, conversation_id=conversation)
        rest()
        turns.append(turn)
        rows.append({"chain": chain["id"], "place": place} | _row(asked, turn, _in_prompt(turns)))
    return rows


def _in_prompt(turns: list[Turn]) -> set[tuple[str, int]]:
    """The pages of the evidence that the last turn's prompt held, its own and that of the turns still in it."""
    ids = [turn.turn_id for turn in turns]
    first = turns[-1].first_turn_in_prompt
    held = turns[ids.index(first) if first in ids else -1 :]
    return {(item.document_name, page) for turn in held for item in evidence_used(turn) for page in item.pages}


def _row(asked: dict[str, Any], turn: Turn, in_prompt: set[tuple[str, int]]) -> dict[str, Any]:
    pages = gold_pages(asked)
    return {
        "gold_decision": asked["gold"],
        "decided": turn.decision.value,
        "pages": pages,
        "page_in_evidence": any((asked["file"], page) in in_prompt for page in pages),
        "answer": turn.answer,
        "right": agrees(asked["answer"] or "", turn.answer) and not is_unanswered(turn),
        "first_token": round(turn.timing.first_token or turn.timing.total, 2),
        "asked": turn.budget is not None,
        "prompt_tokens": turn.usage.prompt,
        "cached_tokens": turn.usage.cached,
    }
