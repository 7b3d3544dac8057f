"""The composition root: from settings to the services that the web offers."""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from loaders.viewer import Viewer
from rag.conversation.qa_log import QALog
from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.database import open_database, store_errors
from rag.decision.rules import RulesDecider
from rag.embeddings.build import build_embeddings
from rag.engine import Engine
from rag.ingest import Ingest
from rag.knowledge.base import KnowledgeBase
from rag.knowledge.catalog import Catalog
from rag.knowledge.contents import Contents
from rag.knowledge.fields import Encoder
from rag.knowledge.filler import VectorFiller
from rag.knowledge.local import LocalIndex
from rag.knowledge.milvus.index import MilvusIndex
from rag.knowledge.milvus.reconciler import Reconciler
from rag.knowledge.questions import Questions
from rag.knowledge.request import CHUNK_DENSE, PARENT_CHUNK_DENSE, QUESTIONS_DENSE
from rag.knowledge.selection import Selection
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.tokenizer import Tokenizer
from rag.llm.gate import ModelGate
from rag.llm.manager import ModelManager
from rag.llm.pool import ModelPool
from rag.metrics import Metrics
from rag.model_store import ModelStore
from rag.ocr_filler import OcrFiller
from rag.pages import Pages
from rag.preferences.store import PreferenceStore
from rag.profiles import Profiles
from rag.prompts import Prompts
from rag.question_writer import QuestionWriter
from rag.recall import Recall
from rag.retention import Retention
from rag.retrieval import Retrieval
from rag.self_check import SelfCheck
from rag.settings import Settings
from rag.tokens import build_estimator

DATABASE = "wenqu.sqlite3"
QA_LOG = "qa.jsonl"
SAMPLE = Path(__file__).parent.parent / "data" / "使用指南.md"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """All that the web needs. `browser_secret` encrypts what a browser keeps of its session, and signs session ids."""

    engine: Engine
    knowledge: KnowledgeBase
    reconciler: Reconciler | None
    retrieval: Retrieval
    ingest: Ingest
    pages: Pages
    models: ModelManager
    pool: ModelPool
    profiles: Profiles
    filler: VectorFiller
    writer: QuestionWriter | None
    retention: Retention
    metrics: Metrics
    selection: Selection
    contents: Contents
    self_check: SelfCheck
    browser_secret: str

    def start(self) -> None:
        """Begin the background work: files, vectors, models. Returns at once."""
        if self.reconciler is not None:
            self.reconciler.start()
        self.ingest.start()
        self.retention.start()
        self.self_check.start()
        if self.writer is not None:
            self.writer.start()
        self.models.start(on_ready=self.engine.warm)
        self.ingest.share(SAMPLE)

    def forget(self, session_id: str) -> None:
        """Delete all that a session has, for good. Raises StoreError."""
        self.retention.forget(session_id)

    def close(self) -> None:
        """End the background work."""
        self.retention.close()
        self.self_check.close()
        self.ingest.close()
        self.pages.close()
        if self.writer is not None:
            self.writer.close()
        self.filler.close()
        if self.reconciler is not None:
            self.reconciler.close()
        self.pool.close()
        self.models.close()


def build_services(settings: Settings) -> Services:
    """Everything built from its settings, nothing started. Raises WenquError."""
    folder = settings.store.path
    database = open_database(f"sqlite:///{folder / DATABASE}")
    embeddings, model_id = build_embeddings(settings.dense_fields.chunk, settings.llm)
    catalog = Catalog(database, model_id)
    tokenizer = Tokenizer(folder / "jieba")
    encoders = {CHUNK_DENSE: Encoder(embeddings, model_id), **_more_encoders(settings)}
    knowledge, reconciler = _build_knowledge(catalog, encoders, tokenizer, settings)
    # llama.cpp in this process serves one after the other; only a server has more to give.
    gate = ModelGate(settings.llm.concurrency if settings.llm.provider in ("ollama", "openai") else 1)
    filler = VectorFiller(catalog, knowledge, gate.idle)
    files = ModelStore(settings.models)
    models = ModelManager(settings, files, tokenizer.words)
    pool = ModelPool(settings, files, models)
    spoken = open_database(settings.conversation.url) if settings.conversation.url else database
    conversations = SqlConversationStore(spoken)
    qa_log = QALog(folder / QA_LOG) if settings.conversation.qa_log else None
    preferences = PreferenceStore(spoken)
    profiles = Profiles(
        settings,
        preferences,
        pool,
        knowledge=knowledge,
        words=tokenizer.words,
        summaries=SummaryStore(spoken),
        recall=partial(Recall, conversations, embeddings, model_id),
        estimate=build_estimator(settings.multi_dialogue_rag.estimate_token_fun, models.current),
    )
    default = profiles.default
    selection, contents = Selection(database), Contents(database)
    self_check = SelfCheck(contents, knowledge, lambda: default.retrieval.request, tokenizer.pieces, gate.idle)
    metrics = Metrics(gate.length, catalog.count_by_status)
    engine = Engine(
        default.settings,
        default.retrieval,
        conversations,
        default.current_model,
        gate,
        default.memory,
        decider=RulesDecider(),
        profile_of=profiles.of,
        scope_of=selection.scope,
        on_turn=qa_log.write if qa_log else None,
        on_event=metrics.observe,
    )
    writer = None
    if settings.dense_fields.questions is not None:
        prompts = Prompts(settings.server.language)
        writer = QuestionWriter(Questions(database), models.current, gate, prompts, filler.wake)
    ocr = OcrFiller(settings, catalog, knowledge, filler, gate.idle)
    ingest = Ingest(settings, catalog, knowledge, filler, ocr)
    viewer = Viewer(settings.pages.time_limit_seconds, settings.pages.memory_limit_mb)
    pages = Pages(settings, catalog, viewer, catalog.placed_lines)
    retention = Retention(
        settings.conversation.expire_days,
        engine,
        ingest,
        conversations,
        catalog,
        preferences,
        databases={database, spoken},
        qa_log=qa_log,
    )
    secret = _browser_secret(folder / "browser_secret")
    return Services(
        engine,
        knowledge,
        reconciler,
        default.retrieval,
        ingest,
        pages,
        models,
        pool,
        profiles,
        filler,
        writer,
        retention,
        metrics,
        selection,
        contents,
        self_check,
        secret,
    )


def _build_knowledge(
    catalog: Catalog, encoders: Mapping[str, Encoder], tokenizer: Tokenizer, settings: Settings
) -> tuple[StoredKnowledgeBase, Reconciler | None]:
    """The knowledge base, and what keeps the server that it searches at what SQLite holds, where there is one."""
    match settings.milvus.uri:
        case "":
            local = LocalIndex(catalog.engine, encoders, tokenizer, settings.sparse_fields.chunk)
            return StoredKnowledgeBase(catalog, encoders, tokenizer, settings, local), None
        case _:
            index = MilvusIndex(catalog.engine, encoders, tokenizer, settings)
            return StoredKnowledgeBase(catalog, encoders, tokenizer, settings, index), Reconciler(index)


def _more_encoders(settings: Settings) -> dict[str, Encoder]:
    """The models of the dense fields besides the chunks', where they are switched on."""
    dense = settings.dense_fields
    wanted = {PARENT_CHUNK_DENSE: dense.parent_chunk, QUESTIONS_DENSE: dense.questions}
    return {field: Encoder(*build_embeddings(own, settings.llm)) for field, own in wanted.items() if own is not None}


def _browser_secret(path: Path) -> str:
    """The installation's own secret, made once: with a new one, browsers would lose their sessions."""
    with store_errors(str(path)):
        if not path.exists():
            path.touch(mode=0o600)
            path.write_text(secrets.token_hex(32), encoding="utf-8")
        return path.read_text(encoding="utf-8")
