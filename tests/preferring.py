"""Preferences over a real SQLite file, with a model manager that only pretends."""

import atexit
import tempfile
from collections.abc import Callable, Collection
from pathlib import Path
from threading import Event

from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.database import open_database
from rag.decision.rules import RulesDecider
from rag.embeddings.encoder import Encoder
from rag.embeddings.offered import OfferedEmbeddings
from rag.engine import Engine
from rag.knowledge.encoders import EmbeddingChoice
from rag.knowledge.filler import VectorFiller
from rag.knowledge.reading_order import ReadingOrder
from rag.llm.current import Answering, Habits
from rag.llm.gate import Gate
from rag.llm.pool import ModelPool
from rag.model_store import ModelStore
from rag.preferences.store import PreferenceStore
from rag.profiles import Profiles
from rag.recall import Recall
from rag.settings import LLMSettings, Settings, read_settings
from rag.tokens import average_estimate
from rag.types import Message, ModelState, ModelStatus, Provider
from tests.fakes import FakeEmbeddings
from tests.knowledge import open_store
from tests.samples import hit
from tests.scripted import FixedKnowledgeBase, ScriptedChatModel

NOWHERE = "http://127.0.0.1:9"
HITS = (hit(11, "年假为十天。", page=3), hit(12, "病假为五天。", page=4), hit(13, "事假为三天。", page=5))


class FixedManager:
    """One model answers, another takes its place where there is to be none."""

    def __init__(
        self,
        provider: Provider = Provider.EMBEDDED,
        name: str = "server-model",
        told: Callable[[], ModelStatus] | None = None,
    ) -> None:
        """`told` is what it tells of itself."""
        self.told = told
        self.own = Answering(provider, name, ScriptedChatModel(scripts=[]))
        self.none = Answering(Provider.EXTRACTIVE, "extractive", ScriptedChatModel(scripts=[]))

    def current(self) -> Answering:
        return self.own

    def extractive(self) -> Answering:
        return self.none

    def status(self) -> ModelStatus:
        if self.told:
            return self.told()
        return ModelStatus(self.own.provider, self.own.name, ModelState.READY, Message("decision.first_question"))


def settings_with(**sections: object) -> Settings:
    """config.yaml, with sections of it changed."""
    values = read_settings().model_dump()
    for name, changes in sections.items():
        values[name] = values[name] | changes if isinstance(changes, dict) else changes
    return Settings.model_validate(values)


def chosen_of(settings: Settings, number: int) -> LLMSettings:
    """The settings of a session that has chosen one of the catalogue's models."""
    return settings.llm.model_copy(update={"provider": "embedded", "model": settings.models.catalogue[number].name})


def pool_of(settings: Settings, manager: FixedManager | None = None) -> ModelPool:
    return ModelPool(settings, ModelStore(settings.models), manager or FixedManager())  # type: ignore[arg-type]


class _NothingDeleted(ReadingOrder):
    """The order of a store that lacks the document of fixed hits, which is there all the same."""

    def left_of(self, document_ids: Collection[str]) -> frozenset[str]:
        return frozenset(document_ids)


def passing_folder() -> Path:
    """A folder that is there until the tests end."""
    temporary = tempfile.TemporaryDirectory()
    atexit.register(temporary.cleanup)
    return Path(temporary.name)


def profiles_of(
    settings: Settings,
    pool: ModelPool,
    folder: Path | None = None,
    knowledge: FixedKnowledgeBase | None = None,
    embedding: EmbeddingChoice | None = None,
) -> Profiles:
    """Profiles over a database in a folder of its own, unless one is given."""
    folder = folder or passing_folder()
    database = open_database(f"sqlite:///{folder / 'preferences.sqlite3'}")
    conversations = SqlConversationStore(database)
    store = open_store(folder)
    filler = VectorFiller(store.catalog, store.knowledge, Event())
    own = EmbeddingChoice(OfferedEmbeddings(settings), store.knowledge.encoders, filler.begin_again)
    return Profiles(
        settings,
        PreferenceStore(database),
        pool,
        Habits(),
        knowledge=knowledge or FixedKnowledgeBase(),
        order=_NothingDeleted(store.catalog.engine),
        embedding=embedding or own,
        words=str.split,
        summaries=SummaryStore(database),
        recall=lambda most: Recall(conversations, Encoder(FakeEmbeddings(), "fake"), most),
        estimate=average_estimate,
    )


class Place:
    """An engine whose sessions have preferences."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.manager = FixedManager(Provider.OLLAMA)
        self.pool = pool_of(settings, self.manager)
        self.knowledge = FixedKnowledgeBase(*HITS)
        self.profiles = profiles_of(settings, self.pool, folder, self.knowledge)
        self.engine = Engine(
            self.profiles.default,
            SqlConversationStore(open_database(f"sqlite:///{folder / 'preferences.sqlite3'}")),
            Gate(),
            decider=RulesDecider(),
            profile_of=self.profiles.of,
        )

    def answers(self, *scripts: list[str]) -> ScriptedChatModel:
        """The model that answers from now on."""
        model = ScriptedChatModel(scripts=list(scripts))
        self.manager.own = self.manager.own._replace(name="scripted", model=model)
        return model
