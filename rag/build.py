"""The composition root: from settings to the services that the web offers."""

import logging
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from loaders.viewer import Viewer
from rag.conversation.qa_log import QALog
from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.decision.rules import RulesDecider
from rag.engine import Engine
from rag.ground import Ground, lay_ground
from rag.ingest import Ingest
from rag.knowledge.contents import Contents
from rag.knowledge.filler import VectorFiller
from rag.knowledge.milvus.reconciler import Reconciler
from rag.knowledge.places import Places
from rag.knowledge.questions import Questions
from rag.knowledge.selection import Selection
from rag.llm.manager import ModelManager
from rag.llm.pool import ModelPool
from rag.metrics import Metrics
from rag.ocr_filler import OcrFiller
from rag.pages import Pages
from rag.plugins import load_plugins
from rag.preferences.store import PreferenceStore
from rag.profiles import Profiles
from rag.prompts import Prompts
from rag.question_writer import QuestionWriter
from rag.recall import Recall
from rag.retention import Retention
from rag.retrieval import Retrieval
from rag.self_check import SelfCheck
from rag.settings import Settings
from rag.signing import SigningKey, kept_secret
from rag.tokens import build_estimator

QA_LOG = "qa.jsonl"
SAMPLE = Path(__file__).parent.parent / "data" / "使用指南.md"
# Loading a model takes all cores for seconds, in which a page that is opened at once would take twice as long.
_PAGE_FIRST_SECONDS = 6.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """All that the web needs.

    `public_browser_secret` encrypts what a browser keeps of its session. Every client is sent it, so it protects that
    from nobody and must sign nothing: `signing` does, and no client is sent that.
    """

    engine: Engine
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
    public_browser_secret: str
    signing: SigningKey

    def start(self) -> None:
        """Begin the background work: files, vectors, models. Returns at once."""
        if self.reconciler is not None:
            self.reconciler.start()
        self.ingest.start()
        self.retention.start()
        self.self_check.start()
        if self.writer is not None:
            self.writer.start()
        self.models.start(on_ready=self.engine.warm, load_after=_PAGE_FIRST_SECONDS)
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
    load_plugins(settings.plugins)
    ground = lay_ground(settings)
    conversations, preferences = SqlConversationStore(ground.spoken), PreferenceStore(ground.spoken)
    profiles = _build_profiles(ground, conversations, preferences)
    qa_log = QALog(settings.store.path / QA_LOG) if settings.conversation.qa_log else None
    metrics = Metrics(ground.gate.length, ground.catalog.count_by_status)
    selection = Selection(ground.database)
    engine = _build_engine(ground, profiles, conversations, selection, metrics, qa_log)
    ingest = _build_ingest(ground, metrics)
    return Services(
        engine=engine,
        reconciler=ground.reconciler,
        retrieval=profiles.default.retrieval,
        ingest=ingest,
        pages=_build_pages(ground),
        models=ground.models,
        pool=ground.pool,
        profiles=profiles,
        filler=ground.filler,
        writer=_build_writer(ground),
        retention=_build_retention(ground, engine, ingest, conversations, preferences, qa_log),
        metrics=metrics,
        selection=selection,
        contents=Contents(ground.database),
        self_check=_build_self_check(ground, profiles),
        # With a new one, browsers would lose their sessions.
        public_browser_secret=kept_secret(settings.store.path / "browser_secret"),
        signing=SigningKey(kept_secret(settings.store.path / "signing_key").encode()),
    )


def _build_profiles(ground: Ground, conversations: SqlConversationStore, preferences: PreferenceStore) -> Profiles:
    settings = ground.settings
    return Profiles(
        settings,
        preferences,
        ground.pool,
        knowledge=ground.knowledge,
        places=Places(ground.database),
        embedding=ground.embedding,
        words=ground.tokenizer.words,
        summaries=SummaryStore(ground.spoken),
        recall=partial(Recall, conversations, ground.encoder),
        estimate=build_estimator(settings.multi_dialogue_rag.estimate_token_fun, ground.models.current),
    )


def _build_engine(
    ground: Ground,
    profiles: Profiles,
    conversations: SqlConversationStore,
    selection: Selection,
    metrics: Metrics,
    qa_log: QALog | None,
) -> Engine:
    return Engine(
        profiles.default,
        conversations,
        ground.gate,
        decider=RulesDecider(),
        profile_of=profiles.of,
        scope_of=selection.scope,
        on_turn=qa_log.write if qa_log else None,
        on_event=metrics.observe,
    )


def _build_ingest(ground: Ground, metrics: Metrics) -> Ingest:
    settings, catalog, knowledge, filler = ground.settings, ground.catalog, ground.knowledge, ground.filler
    ocr = OcrFiller(settings, catalog, knowledge, filler, ground.gate.idle)
    return Ingest(settings, catalog, knowledge, filler, ocr, metrics=metrics)


def _build_pages(ground: Ground) -> Pages:
    limits = ground.settings.pages
    viewer = Viewer(limits.time_limit_seconds, limits.memory_limit_mb)
    return Pages(ground.settings, ground.catalog, viewer)


def _build_writer(ground: Ground) -> QuestionWriter | None:
    if ground.settings.dense_fields.questions is None:
        return None
    prompts = Prompts(ground.settings.server.language)
    return QuestionWriter(Questions(ground.database), ground.models.current, ground.gate, prompts, ground.filler.wake)


def _build_self_check(ground: Ground, profiles: Profiles) -> SelfCheck:
    retrieval, contents = profiles.default.retrieval, Contents(ground.database)
    return SelfCheck(contents, ground.knowledge, lambda: retrieval.request, ground.tokenizer.pieces, ground.gate.idle)


def _build_retention(
    ground: Ground,
    engine: Engine,
    ingest: Ingest,
    conversations: SqlConversationStore,
    preferences: PreferenceStore,
    qa_log: QALog | None,
) -> Retention:
    return Retention(
        ground.settings.conversation.expire_days,
        engine,
        ingest,
        conversations,
        ground.catalog,
        preferences,
        databases={ground.database, ground.spoken},
        qa_log=qa_log,
    )
