"""An engine over a knowledge base of files, its model scripted."""

from pathlib import Path

from rag.database import open_database
from rag.engine import Engine
from rag.llm.gate import Gate
from rag.rerank import Reranker
from rag.types import EVERYTHING, Provider, Scope
from tests.knowledge import Store
from tests.scripted import ScriptedChatModel, retrieval_over, scripted_engine


def engine_over(
    store: Store,
    folder: Path,
    *answers: str,
    scope: Scope = EVERYTHING,
    gate: Gate | None = None,
    reranker: Reranker | None = None,
) -> Engine:
    """Its model gives one answer after the other; conversations are kept in a folder, and rules decide."""
    retrieval = retrieval_over(store.knowledge, order=store.order, reranker=reranker)
    database = open_database(f"sqlite:///{folder / 'talk.db'}")
    model = ScriptedChatModel(scripts=[[answer] for answer in answers])
    return scripted_engine(database, retrieval, model, Provider.EMBEDDED, gate=gate, scope_of=lambda *_: scope)
