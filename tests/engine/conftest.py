"""The engine that the tests of this folder ask."""

from collections.abc import Callable
from pathlib import Path

import pytest
from langchain_core.embeddings import Embeddings

from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.database import open_database
from rag.decision.base import Decider
from rag.decision.rules import RulesDecider
from rag.embeddings.encoder import Encoder
from rag.engine import Engine
from rag.llm.current import Answering
from rag.llm.gate import Gate
from rag.memory import Memory
from rag.profile import Profile
from rag.prompts import Prompts
from rag.recall import Recall
from rag.rerank import Reranker
from rag.retrieval import Retrieval
from rag.settings import DialogueSettings
from rag.tokens import Estimator, average_estimate
from rag.types import Provider, Turn
from tests.engine.rig import HITS, Build
from tests.fakes import FakeEmbeddings
from tests.scripted import FixedKnowledgeBase, ScriptedChatModel, retrieval_over


@pytest.fixture
def knowledge() -> FixedKnowledgeBase:
    return FixedKnowledgeBase(*HITS)


@pytest.fixture
def build(tmp_path: Path, knowledge: FixedKnowledgeBase) -> Build:
    database = open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}")
    store = SqlConversationStore(database)

    def engine(
        model: ScriptedChatModel,
        provider: Provider = Provider.OLLAMA,
        on_turn: Callable[[Turn], None] | None = None,
        decider: Decider | None = None,
        slots: int = 1,
        retrieval: Retrieval | None = None,
        reranker: Reranker | None = None,
        embeddings: Embeddings | None = None,
        estimate: Estimator = average_estimate,
        **settings: object,
    ) -> Engine:
        dialogue = DialogueSettings.model_validate({"decide_by": "rules", **settings})
        current = lambda: Answering(provider, "scripted", model)  # noqa: E731
        recall = Recall(store, Encoder(embeddings or FakeEmbeddings(), "fake"), dialogue.max_relevant_turns)
        memory = Memory(dialogue, SummaryStore(database), Prompts(), recall, estimate)
        return Engine(
            Profile(dialogue, memory, retrieval or retrieval_over(knowledge, reranker=reranker), current),
            store,
            Gate(lambda: slots),
            decider=decider or RulesDecider(),
            on_turn=on_turn,
        )

    return engine
