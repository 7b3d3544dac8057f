"""First-token seconds of follow-ups, ours beside LangChain's own chain with the same model and retriever.

Both hold the same conversations in the same run, turn by turn; LangChain's chain with its own prompts, and every answer
of its own in its history. Its first token is the first of the answer, not of the condensed question. Then some of the
conversations are held once more with room for two turns only: once the older one is summarised and the new prompt read
ahead, a follow-up on the evidence that stayed is asked. WENQU_BENCH_CONVERSATIONS bounds how many are held.
"""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from langchain_classic.chains import ConversationalRetrievalChain
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel

from bench.answers import upload
from bench.harness import Outcome, figure, fresh_services, read_jsonl, rest, wait_for_model, wanted
from bench.model_speed import model_speed
from rag import events
from rag.build import Services
from rag.knowledge.base import SHARED_COLLECTION
from rag.retriever import KnowledgeBaseRetriever
from rag.types import Decision

_SESSION = "bench"
_ANSWERING = "answer"
_COMPRESSED = 2  # conversations
_ROOM = 2  # turns


class _FirstToken(BaseCallbackHandler):
    """When the model tagged as answering says its first word."""

    def __init__(self) -> None:
        self.at: float | None = None

    def on_llm_new_token(self, token: Any, *, tags: list[str] | None = None, **_kwargs: Any) -> None:
        """Remember the first token that says something."""
        if self.at is None and str(token).strip() and _ANSWERING in (tags or ()):
            self.at = time.perf_counter()


def measure(data: Path) -> Outcome:
    """Median first-token seconds by our decision, LangChain's on the same turns, and how much sooner ours came."""
    chains = read_jsonl(data / "pdf" / "qa_multiturn.jsonl")
    chains = chains[: wanted(len(chains), "CONVERSATIONS")]
    files = {turn["file"] for chain in chains for turn in chain["turns"] if turn.get("file")}
    with fresh_services(may_keep=True) as (services, _):
        services.start()
        upload(services, data, files)
        told = wait_for_model(services)
        ask_langchain = _langchain(services)
        figures = model_speed(services.models.current().model)
        rows = [row for chain in chains for row in _hold(services, chain, ask_langchain)]
        compressed = _after_compression(services, chains[:_COMPRESSED])
    figures |= figure("ttft_after_compression", compressed, statistics.median)
    figures["refused_turns"] = sum(not row["asked"] for row in rows)
    for decision in ("retrieve", "reuse", "no_retrieve"):
        # What the search refuses asks no model: there is nothing to compare.
        those = [row for row in rows if row["decided"] == decision and row["place"] > 0 and row["asked"]]
        if not those:
            print(f"ttft_{decision} is left out: of no follow-up that a model was asked about was this decided")
        else:
            ours = statistics.median(row["ours"] for row in those)
            theirs = statistics.median(row["langchain"] for row in those)
            figures |= {
                f"ttft_{decision}": ours,
                f"ttft_{decision}_langchain": theirs,
                f"ttft_{decision}_ratio": theirs / ours,
            }
    return Outcome(figures, rows, model=told)


def _after_compression(services: Services, chains: list[dict[str, Any]]) -> list[float]:
    """First-token seconds of the question that comes right after a summary."""
    services.profiles.change(_SESSION, {"multi_dialogue_rag.max_recent_turns": _ROOM})
    seconds = []
    for chain in chains:
        conversation = services.engine.store.start(_SESSION)
        *before, last = [turn["question"] for turn in chain["turns"][: _ROOM + 1]]
        for question in before:
            services.engine.ask(question, _SESSION, conversation_id=conversation)
        rest()
        if services.engine.recollection(_SESSION, conversation).summary is None:
            continue
        for event in services.engine.stream(last, _SESSION, conversation_id=conversation, decision=Decision.REUSE):
            if isinstance(event, events.Finished) and event.turn.decision is Decision.REUSE:
                seconds.append(event.turn.timing.first_token or event.turn.timing.total)
    services.profiles.reset(_SESSION)
    return seconds


def _langchain(services: Services) -> Callable[[str, list[tuple[str, str]]], tuple[float, str]]:
    _, _, model = services.models.current()
    retriever = KnowledgeBaseRetriever(retrieval=services.retrieval, collections=(_SESSION, SHARED_COLLECTION))
    chain = ConversationalRetrievalChain.from_llm(
        _tagged(model, _ANSWERING), retriever, condense_question_llm=_tagged(model, "condense")
    )

    def ask(question: str, history: list[tuple[str, str]]) -> tuple[float, str]:
        first = _FirstToken()
        begun = time.perf_counter()
        answer = chain.invoke({"question": question, "chat_history": history}, {"callbacks": [first]})["answer"]
        return (first.at or time.perf_counter()) - begun, answer

    return ask


def _tagged(model: BaseChatModel, tag: str) -> BaseChatModel:
    """The same loaded model under a tag that callbacks see."""
    return model.model_copy(update={"tags": [tag]})


def _hold(
    services: Services, chain: dict[str, Any], ask_langchain: Callable[..., tuple[float, str]]
) -> list[dict[str, Any]]:
    """Each turn by both, LangChain first: what it leaves in the model's cache is of no use to ours."""
    conversation = services.engine.store.start(_SESSION)
    history: list[tuple[str, str]] = []
    rows = []
    for place, asked in enumerate(chain["turns"]):
        question = asked["question"]
        seconds, answer = ask_langchain(question, history)
        history.append((question, answer))
        turn = services.engine.ask(question, _SESSION, conversation_id=conversation)
        rest()
        rows.append(
            {
                "chain": chain["id"],
                "place": place,
                "decided": turn.decision.value,
                "asked": turn.budget is not None,
                "ours": round(turn.timing.first_token or turn.timing.total, 3),
                "langchain": round(seconds, 3),
            }
        )
    return rows
