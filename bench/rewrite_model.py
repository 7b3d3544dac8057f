"""Rewriting by the model: our whole path beside a plain request, on some of the questions that seek information.

Ours completes questions that lean on the conversation by rules where it can, asks about the others on top of its
prompt, and refuses rewrites that drift; the plain request asks about every one. Characters are the tokens of ROUGE-L
and BLEU-4. What was rewritten is kept in WENQU_BENCH_STORE, so that a measurement that was broken off goes on;
WENQU_BENCH_QUESTIONS is how many are asked.
"""

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from bench.harness import CHANGED, Outcome, commit, figure, fresh_services, read_jsonl, wait_for_model, wanted
from rag.build import Services
from rag.decision.rules import RulesDecider
from rag.errors import ModelGaveNothing
from rag.llm.gate import Gate, Ticket, Work
from rag.llm.stream import stream_parts
from rag.llm.think import Text
from rag.turn.condensing import condense_stage
from rag.turn.context import context_of
from rag.turn.draft import Draft
from rag.types import Decision, TurnStatus

_QUESTIONS = 60
_SECONDS = 900.0
_REPLY_TOKENS = 80
_PLAIN = "下面是一段对话和一个追问，请把追问改写成完整的问题，只输出改写后的问题。\n\n{history}\n\n追问：{question}"
_END = "？?。！! "
Row = Mapping[str, Any]


def rewriting(seeking: Sequence[Row], switches: Sequence[Row]) -> Outcome:
    """Figures of both ways, and their rewrites by the ids of the rows."""
    count = wanted(_QUESTIONS, "QUESTIONS")
    asked, unrelated = _some(seeking, count), _some(switches, count)
    if not asked:
        return Outcome({})
    until = time.monotonic() + _SECONDS
    with fresh_services(may_keep=True) as (services, _):
        services.models.start()
        told = wait_for_model(services)
        kept = _Kept(told)
        ways = {"plain": lambda row: _plain(services, row), "ours": lambda row: _ours(services, row)}
        done: list[dict[str, object]] = []
        # Both ways of a row, then the next one: whenever the time is up, they were asked the same.
        for row in (row for pair in zip_longest(asked, unrelated) for row in pair if row):
            if time.monotonic() > until:
                break
            done.append({"id": row["id"]} | {way: kept.get(way, row, ask) for way, ask in ways.items()})
    texts = {one["id"]: one for one in done}
    figures: dict[str, float] = {}
    for way in ways:
        figures |= agreement(
            way, [(row["rewritten"], str(texts[row["id"]][way])) for row in asked if row["id"] in texts]
        )
        own = [(row["question"], str(texts[row["id"]][way])) for row in unrelated if row["id"] in texts]
        figures |= figure(f"topic_switch_unchanged_{way}", [_bare(question) == _bare(text) for question, text in own])
    return Outcome(figures, done, model=told)


def agreement(way: str, pairs: Sequence[tuple[str, str]]) -> dict[str, float]:
    """ROUGE-L, BLEU-4 and exact matches of (reference, rewrite), each from 0 to 1."""
    import sacrebleu
    from rouge_score.rouge_scorer import RougeScorer

    if not pairs:
        return {}
    bare = [(_bare(reference), _bare(text)) for reference, text in pairs]
    scorer = RougeScorer(["rougeL"], tokenizer=_Characters())
    bleu = sacrebleu.corpus_bleu([text for _, text in bare], [[reference for reference, _ in bare]], tokenize="char")
    return {
        f"rewrites_{way}": float(len(bare)),
        f"rouge_l_{way}": sum(scorer.score(*pair)["rougeL"].fmeasure for pair in bare) / len(bare),
        f"bleu_4_{way}": bleu.score / 100,
        f"exact_{way}": sum(reference == text for reference, text in bare) / len(bare),
    }


class _Characters:
    """Cuts a text into its characters, for the scorer."""

    def tokenize(self, text: str) -> list[str]:
        """The characters, without blanks."""
        return [character for character in text if not character.isspace()]


class _Kept:
    """Rewrites of a model, asked for as one commit does, that stay between measurements, a line each.

    With files changed since the commit nothing tells how they were asked for: none stays, and none is taken.
    """

    def __init__(self, model: str) -> None:
        self._maker = {"model": model, "commit": commit()}
        folder = None if self._maker["commit"].endswith(CHANGED) else os.environ.get("WENQU_BENCH_STORE")
        self._path = Path(folder) / "rewrites.jsonl" if folder else None
        there = read_jsonl(self._path) if self._path and self._path.exists() else []
        self._texts = {
            (line["way"], line["id"]): str(line["text"]) for line in there if self._maker.items() <= line.items()
        }

    def get(self, way: str, row: Row, ask: Callable[[Row], str]) -> str:
        """The rewrite of a row, made where it is not there."""
        key = (way, row["id"])
        if key not in self._texts:
            self._texts[key] = ask(row)
            if self._path:
                line = self._maker | {"way": way, "id": row["id"], "text": self._texts[key]}
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
        return self._texts[key]


def _plain(services: Services, row: Row) -> str:
    request = HumanMessage(_PLAIN.format(history="\n".join(row["history"]), question=row["question"]))
    model, cancel = services.models.current().model, threading.Event()
    try:
        parts = list(stream_parts(model, [request], cancel, max_tokens=_REPLY_TOKENS, temperature=0.0))
    except ModelGaveNothing:
        return ""
    return "".join(part.text for part in parts if isinstance(part, Text)).strip()


def _ours(services: Services, row: Row) -> str:
    """What the app would search for after these turns."""
    profile = services.profiles.default
    first, *answer = row["history"]
    before = Draft(first, "bench", "bench", None)
    before.answer, before.decision = "\n".join(answer), Decision.NO_RETRIEVE
    draft = Draft(row["question"], "bench", "bench", before.turn_id, decision=Decision.RETRIEVE)
    transcript = profile.memory.transcript((before.turn(TurnStatus.FINISHED),), draft.question)
    ticket = Ticket(Gate(), Work.FOREGROUND)
    for _ in condense_stage(draft, context_of(draft, profile, RulesDecider(), transcript, ticket)):
        continue
    return draft.generated_question or draft.question


def _some(rows: Sequence[Row], count: int) -> list[Row]:
    """So many rows, the same ones each time, from all over the file."""
    return sorted(rows, key=lambda row: hashlib.sha256(str(row["id"]).encode()).digest())[:count]


def _bare(text: str) -> str:
    return text.strip(_END)
