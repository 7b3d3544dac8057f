"""The profile of each session, from the server's settings and its own preferences."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from cachetools import LRUCache

from rag.conversation.summaries import SummaryStore
from rag.errors import ModelError, ModelKeyRefused, for_visitors
from rag.knowledge.base import KnowledgeBase
from rag.knowledge.encoders import EmbeddingChoice
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.request import SearchRequest, from_settings, with_own
from rag.llm.current import Habits
from rag.llm.pool import ModelPool
from rag.llm.replier import Replier
from rag.memory import Memory
from rag.preferences.checks import Checked, check, plain_address, usable, with_kept_key
from rag.preferences.effective import Preferences, effective
from rag.preferences.fields import (
    ADDRESS,
    EMBEDDING,
    KEY,
    MODEL,
    SERVER_MODEL,
    may_choose_embedding,
    may_choose_model,
)
from rag.preferences.store import PreferenceStore
from rag.profile import Profile
from rag.prompts import Prompts
from rag.recall import Recall
from rag.rerank.build import build_filter, build_reranker
from rag.rerank.question import Words
from rag.rerank.sentences import SentenceCosines
from rag.retrieval import Retrieval
from rag.settings import Settings
from rag.tokens import Estimator
from rag.types import Message, ModelStatus, OfferedModel

_KEPT = 64


class Profiles:
    """Makes and keeps profiles. `default` is the server's own; sessions that set nothing share it."""

    def __init__(
        self,
        settings: Settings,
        store: PreferenceStore,
        pool: ModelPool,
        habits: Habits,
        *,
        knowledge: KnowledgeBase,
        order: ReadingOrder,
        embedding: EmbeddingChoice,
        words: Words,
        summaries: SummaryStore,
        recall: Callable[[int], Recall],
        estimate: Estimator,
    ) -> None:
        """`recall` makes what finds at most that many older turns; `words` cuts a text into words."""
        self._settings = settings
        self._store = store
        self._pool = pool
        self._habits = habits
        self._knowledge = knowledge
        self._order = order
        self._embedding = embedding
        self._words = words
        self._summaries = summaries
        self._recall = recall
        self._estimate = estimate
        self._made: LRUCache[tuple[str, SearchRequest, bool], Profile] = LRUCache(_KEPT)
        # Each turn and each look at the page asks for them, and to check many values takes milliseconds.
        self._checked: LRUCache[str, tuple[Preferences, Settings]] = LRUCache(_KEPT)
        self._lock = threading.Lock()
        self.default = self._make(settings, Preferences(), None)

    def of(self, session_id: str) -> Profile:
        """How a session's turns are made from now on. Raises StoreError."""
        preferences, own = self._wanted(session_id)
        if not preferences.values:
            return self.default
        shared = self.default.retrieval
        key = repr(sorted(preferences.values.items())), shared.request, shared.is_replaced
        with self._lock:
            if key not in self._made:
                self._made[key] = self._make(own, preferences, shared)
            return self._made[key]

    def preferences(self, session_id: str) -> Preferences:
        """What a session has set, as far as it still can be had. Raises StoreError."""
        own, chosen = self._wanted(session_id)[0], self._embedding.of(session_id)
        return Preferences({**own.values, EMBEDDING: chosen}) if chosen else own

    def settings(self, session_id: str) -> Settings:
        """The settings that hold for a session. Raises StoreError."""
        return self._wanted(session_id)[1]

    def change(self, session_id: str, asked: Mapping[str, object]) -> Checked:
        """Put values in place of all that a session had, if every one of them can be had. Raises StoreError."""
        asked = with_kept_key(asked, self.preferences(session_id))
        offered = {
            MODEL: {model.key for model in self.offered(session_id, asked)},
            EMBEDDING: {*self.offered_embeddings(), self._embedding.of(session_id)},
        }
        checked = check(asked, self._settings, offered, self.is_served(session_id))
        if checked.problems:
            return checked
        own = dict(checked.preferences.values)
        embedding = str(own.pop(EMBEDDING, SERVER_MODEL))
        if problem := self._embedding.problem(session_id, embedding):
            return Checked(problems={EMBEDDING: problem})
        self._store.keep(session_id, Preferences(own))
        self._embedding.choose(session_id, embedding)
        self._pool.prepare(effective(self._settings, checked.preferences).llm)
        return checked

    def offered(self, session_id: str, asked: Mapping[str, object] | None = None) -> tuple[OfferedModel, ...]:
        """The models that a session can choose, by the service in what it `asked` for or has set. Raises StoreError."""
        if not may_choose_model(self._settings):
            return ()
        stored = self.preferences(session_id)
        values = with_kept_key(asked or stored.values, stored)
        return self._pool.offered(plain_address(values.get(ADDRESS)), str(values.get(KEY, "")).strip())

    def offered_embeddings(self) -> Mapping[str, OfferedModel]:
        """What a session can have its vectors made by besides the server's own model, by id."""
        return self._embedding.offers.models() if may_choose_embedding(self._settings) else {}

    def ask_service(self, session_id: str, asked: Mapping[str, object]) -> Mapping[str, Message]:
        """Have the service that a session has written say what models it has.

        What is wrong, by field; where nothing is, they are `offered` for these values. Raises StoreError.
        """
        values = with_kept_key(asked, self.preferences(session_id))
        checked = check({path: values.get(path, "") for path in (ADDRESS, KEY)}, self._settings, {})
        if checked.problems:
            return checked.problems
        service = checked.preferences.values
        if ADDRESS not in service:
            return {ADDRESS: Message("preference.problem.no_address")}
        try:
            self._pool.served.ask(str(service[ADDRESS]), str(service.get(KEY, "")))
        except ModelError as error:
            return {KEY if isinstance(error, ModelKeyRefused) else ADDRESS: error.message}
        return {}

    def is_served(self, session_id: str) -> bool:
        """Whether a server answers a session, which reads faster than a model in this process. Raises StoreError."""
        return self.of(session_id).current_model().provider.is_served

    def reset(self, session_id: str) -> None:
        """Give a session the server's settings again. Raises StoreError."""
        self._store.forget(session_id)
        self._embedding.choose(session_id, SERVER_MODEL)

    def status(self, session_id: str) -> ModelStatus:
        """Who answers a session, and what is on its way to it. Raises StoreError."""
        status = self._pool.status(self.settings(session_id).llm)
        return replace(status, reason=for_visitors(status.reason)) if self._settings.server.public else status

    def _wanted(self, session_id: str) -> tuple[Preferences, Settings]:
        """What a session has set, and the settings that hold for it. Raises StoreError."""
        stored = self._store.of(session_id)
        if not stored:
            return Preferences(), self._settings
        key = repr(sorted(stored.items()))
        with self._lock:
            if key not in self._checked:
                preferences = usable(stored, self._settings)
                self._checked[key] = preferences, effective(self._settings, preferences)
            return self._checked[key]

    def _make(self, settings: Settings, preferences: Preferences, shared: Retrieval | None) -> Profile:
        dialogue = settings.multi_dialogue_rag
        prompts = Prompts(settings.server.language, preferences.prompts())
        current = partial(self._pool.current, settings.llm)

        def replier() -> Replier:
            return Replier.of(current(), self._habits)

        memory = Memory(
            dialogue,
            self._summaries,
            prompts,
            self._recall(dialogue.max_relevant_turns),
            self._estimate,
            answer_tokens=settings.answer_tokens,
        )
        if shared is None or not _search_alike(settings, self._settings):
            updated = shared is not None and shared.is_replaced
            own = from_settings(settings)
            shared = Retrieval(
                self._knowledge,
                with_own(shared.request, own, preferences.values) if shared and updated else own,
                settings.rerank,
                build_reranker(
                    settings.rerank, self._words, SentenceCosines(self._knowledge.similarities), replier, prompts
                ),
                room=dialogue.evidence_tokens,
                estimate=self._estimate,
                limit_served=None if updated else dialogue.limit_served,
                enough=dialogue.evidence_enough,
                insert_block=build_filter(settings.rerank, replier, prompts),
                order=self._order,
            )
        warmth = settings.llm.temperature
        arguments: dict[str, object] = {"temperature": warmth} if warmth != self._settings.llm.temperature else {}
        if settings.answer_tokens < settings.llm.max_tokens:
            arguments["max_tokens"] = settings.answer_tokens
        return Profile(dialogue, memory, shared, current, arguments, self._habits, self._pool.named)


def _search_alike(one: Settings, other: Settings) -> bool:
    """Whether two sessions can share what searches; one that asks a model has each session's own."""
    if one.rerank.kind == "llm" or one.rerank.insert_block:
        return False
    parts = ("requests", "fuse", "rerank", "top_k", "limit")
    alike = all(getattr(one, part) == getattr(other, part) for part in parts)
    return alike and one.multi_dialogue_rag.limit_served == other.multi_dialogue_rag.limit_served
