"""The composition root: from settings to the services that the web offers."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from loaders.viewer import Viewer
from rag.conversation.qa_log import QALog
from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.decision.rules import RulesDecider
from rag.engine import Engine
from rag.errors import StoreError, veiled
from rag.ingest import Ingest
from rag.ingest.intake import Intake
from rag.ingest.ocr_filler import OcrFiller
from rag.ingest.question_writer import QuestionWriter
from rag.ingest.self_check import SelfCheck
from rag.knowledge.contents import Contents
from rag.knowledge.filler import VectorFiller
from rag.knowledge.milvus.index import Reconciler
from rag.knowledge.questions import Questions
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.selection import Selection
from rag.knowledge.self_checks import SelfChecks
from rag.llm.manager import ModelManager
from rag.llm.pool import ModelPool
from rag.metrics import Metrics
from rag.pages import Pages
from rag.plugins import load_plugins
from rag.preferences.store import PreferenceStore
from rag.profiles import Profiles
from rag.prompts import Prompts
from rag.recall import Recall
from rag.retention import Retention, note_turn
from rag.retrieval import Retrieval
from rag.settings import Settings
from rag.shared_parts import SharedParts, build_shared_parts
from rag.signing import SigningKey, kept_secret
from rag.tokens import build_estimator
from rag.types import Turn

QA_LOG = "qa.jsonl"
SAMPLE = Path(__file__).parent.parent / "data" / "使用指南.md"
# Loading a model takes all cores for seconds, in which a page that is opened at once would take twice as long.
_PAGE_FIRST_SECONDS = 6.0
# As long as the model may take to leave the tokens that it is at.
_END_SECONDS = 8.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Services:
    """All that the web needs.

    `public_browser_secret` encrypts what a browser keeps of its session. Every client is sent it, so it protects that
    from nobody and must sign nothing: `signing` does, and no client is sent that.
    """

    settings: Settings
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
        try:
            self.ingest.share(SAMPLE)
        except StoreError as refused:
            # A full disk: what is stored can be read all the same, and `/readyz` tells of it.
            _log.warning("the sample is shared at the next start: %s", refused)

    def close(self) -> None:
        """End the background work: of all at once, as each may have to wait; what hangs for long is left behind."""
        background = (
            self.engine,
            self.retention,
            self.self_check,
            self.ingest,
            self.writer,
            self.filler,
            self.reconciler,
        )
        parts = (*background, self.pages, self.pool, self.models)
        ends = [threading.Thread(target=part.close, name="end", daemon=True) for part in parts if part is not None]
        for end in ends:
            end.start()
        deadline = time.monotonic() + _END_SECONDS
        for end in ends:
            end.join(max(0.0, deadline - time.monotonic()))


def build_services(settings: Settings) -> Services:
    """Everything built from its settings, nothing started. Raises WenquError."""
    load_plugins(settings.plugins)
    shared = build_shared_parts(settings)
    conversations = SqlConversationStore(shared.conversation_database)
    preferences = PreferenceStore(shared.conversation_database)
    profiles = _build_profiles(shared, conversations, preferences)
    qa_log = QALog(settings.store.path / QA_LOG)
    metrics = Metrics(shared.gate.length, shared.catalog.count_by_status)
    selection = Selection(shared.database)
    ingest = _build_ingest(shared, metrics)
    on_turn = partial(note_turn, ingest=ingest, qa_log=qa_log if settings.conversation.qa_log else None)
    engine = _build_engine(shared, profiles, conversations, selection, metrics, on_turn)
    return Services(
        settings=settings,
        engine=engine,
        reconciler=shared.reconciler,
        retrieval=profiles.default.retrieval,
        ingest=ingest,
        pages=_build_pages(shared),
        models=shared.models,
        pool=shared.pool,
        profiles=profiles,
        filler=shared.filler,
        writer=_build_writer(shared),
        retention=_build_retention(shared, engine, ingest, conversations, preferences, qa_log),
        metrics=metrics,
        selection=selection,
        contents=shared.contents,
        self_check=_build_self_check(shared, profiles),
        # With a new one, browsers would lose their sessions.
        public_browser_secret=kept_secret(settings.store.path / "browser_secret"),
        signing=SigningKey(kept_secret(settings.store.path / "signing_key").encode()),
    )


def _build_profiles(shared: SharedParts, conversations: SqlConversationStore, preferences: PreferenceStore) -> Profiles:
    settings = shared.settings
    return Profiles(
        settings,
        preferences,
        shared.pool,
        shared.habits,
        knowledge=shared.knowledge,
        order=ReadingOrder(shared.database),
        embedding=shared.embedding,
        words=shared.tokenizer.words,
        summaries=SummaryStore(shared.conversation_database),
        recall=partial(Recall, conversations, shared.encoder),
        estimate=build_estimator(settings.multi_dialogue_rag.estimate_token_fun, shared.models.current),
    )


def _build_engine(
    shared: SharedParts,
    profiles: Profiles,
    conversations: SqlConversationStore,
    selection: Selection,
    metrics: Metrics,
    on_turn: Callable[[Turn], None],
) -> Engine:
    return Engine(
        profiles.default,
        conversations,
        shared.gate,
        decider=RulesDecider(),
        profile_of=profiles.of,
        scope_of=selection.scope,
        on_turn=on_turn,
        on_event=metrics.observe,
        as_told=veiled if shared.settings.server.public else lambda error: error,
    )


def _build_ingest(shared: SharedParts, metrics: Metrics) -> Ingest:
    settings, catalog, knowledge, filler = shared.settings, shared.catalog, shared.knowledge, shared.filler
    ocr = OcrFiller(settings, catalog, knowledge, filler, shared.gate.idle)
    intake = Intake(settings, catalog, knowledge, filler, ocr, metrics)
    return Ingest(settings, catalog, knowledge, filler, ocr, intake)


def _build_pages(shared: SharedParts) -> Pages:
    limits = shared.settings.pages
    viewer = Viewer(limits.time_limit_seconds, limits.memory_limit_mb)
    return Pages(shared.settings, shared.catalog, shared.contents, viewer)


def _build_writer(shared: SharedParts) -> QuestionWriter | None:
    if shared.settings.dense_fields.questions is None:
        return None
    prompts = Prompts(shared.settings.server.language)
    questions, knowledge, filler = Questions(shared.database), shared.knowledge, shared.filler
    return QuestionWriter(questions, knowledge, shared.replier, shared.gate, prompts, filler.wake)


def _build_self_check(shared: SharedParts, profiles: Profiles) -> SelfCheck:
    retrieval = profiles.default.retrieval
    return SelfCheck(
        shared.contents,
        SelfChecks(shared.database),
        shared.knowledge,
        lambda: retrieval.request,
        shared.tokenizer.pieces,
        shared.gate.idle,
    )


def _build_retention(
    shared: SharedParts,
    engine: Engine,
    ingest: Ingest,
    conversations: SqlConversationStore,
    preferences: PreferenceStore,
    qa_log: QALog,
) -> Retention:
    return Retention(
        shared.settings.conversation.expire_days,
        engine,
        ingest,
        conversations,
        shared.catalog,
        preferences,
        databases={shared.database, shared.conversation_database},
        qa_log=qa_log,
    )
