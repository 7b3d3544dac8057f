"""An engine over a knowledge base of files, its model scripted."""

from pathlib import Path

from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.decision.rules import RulesDecider
from rag.engine import Engine
from rag.knowledge.reading_order import ReadingOrder
from rag.llm.current import Answering
from rag.llm.gate import Gate
from rag.profile import Profile
from rag.settings import DialogueSettings
from rag.types import Provider, Scope
from tests.knowledge import Store
from tests.scripted import ScriptedChatModel, memory_over, retrieval_over


def engine_over(
    store: Store, folder: Path, answer: str, scope: Scope | None = None, gate: Gate | None = None
) -> Engine:
    """Its model gives one answer; conversations are kept in a folder, and rules decide."""
    retrieval = retrieval_over(store.knowledge, order=ReadingOrder(store.catalog.engine))
    database, dialogue = open_database(f"sqlite:///{folder / 'talk.db'}"), DialogueSettings(decide_by="rules")
    answering = Answering(Provider.EMBEDDED, "scripted", ScriptedChatModel(scripts=[[answer]]))
    memory = memory_over(database, dialogue, dialogue.max_relevant_turns)
    profile = Profile(dialogue, memory, retrieval, lambda: answering)
    return Engine(
        profile,
        SqlConversationStore(database),
        gate or Gate(),
        decider=RulesDecider(),
        scope_of=lambda *_: scope,
    )
