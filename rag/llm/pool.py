"""Models that sessions choose instead of the server's own: offered by name, got ready in the background."""

import logging
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from cachetools import LRUCache
from langchain_core.language_models import BaseChatModel

from rag.errors import ModelMissing, ModelUnreachable, TooManyModelsComing, WenquError
from rag.llm import build
from rag.llm.current import Answering
from rag.llm.embedded import EmbeddedChatModel
from rag.llm.jobs import ModelJobs
from rag.llm.manager import ModelManager
from rag.llm.progress import with_speed
from rag.model_store import ModelStore
from rag.settings import LLMSettings, Settings
from rag.types import Message, ModelState, ModelStatus, OfferedModel, Provider

_LIST_SECONDS = 10.0
_MOST_PULLS = 8
# Names come from visitors: what is remembered of them has an end.
_KEPT_ASKERS = 256
_KEPT_SERVED = 16
# As Ollama reads names, `host/namespace/model` is fetched from that host: a visitor's name has no host.
_PULLABLE = re.compile(r"[a-zA-Z0-9][\w.-]{0,79}(/[a-zA-Z0-9][\w.-]{0,79})?(:[\w.-]{1,40})?")
_log = logging.getLogger(__name__)


class ModelPool:
    """Besides the server's own model at most one more is in memory; those of an Ollama server take none here."""

    def __init__(self, settings: Settings, store: ModelStore, manager: ModelManager) -> None:
        self._settings = settings.llm
        # The server's own, whatever a session's settings say.
        self._base_url = build.ollama_url(settings.llm)
        self._models = settings.models
        self._store = store
        self._manager = manager
        self._lock = threading.Lock()
        # Apart, so that what Ollama downloads for an hour keeps no model waiting that is on the disk.
        self._loads, self._pulls = ModelJobs("model-loads"), ModelJobs("model-pulls", _MOST_PULLS)
        self._askers: LRUCache[tuple[str, str], None] = LRUCache(_KEPT_ASKERS)
        self._served: LRUCache[tuple[str, LLMSettings], BaseChatModel] = LRUCache(_KEPT_SERVED)
        self._embedded: tuple[str, EmbeddedChatModel] | None = None
        self._installed: tuple[float, tuple[str, ...] | None] = (-_LIST_SECONDS, None)

    @property
    def may_pull(self) -> bool:
        """Whether there is an Ollama server that could get models."""
        return self._settings.provider in ("auto", "ollama") and not self._models.offline and bool(self._ollama_names())

    def offered(self) -> tuple[OfferedModel, ...]:
        """What can be chosen besides the server's own choice: installed, in the catalogue, or no model at all."""
        ollama = [OfferedModel(Provider.OLLAMA, name, present=True) for name in self._ollama_names() or ()]
        embedded = [
            OfferedModel(Provider.EMBEDDED, model.name, self._store.is_there(model.name), model.size)
            for model in self._models.catalogue
        ]
        shown = [model for model in embedded if model.present or not self._models.offline]
        return (*ollama, *shown, OfferedModel(Provider.EXTRACTIVE, Provider.EXTRACTIVE.value, present=True))

    def current(self, llm: LLMSettings) -> Answering:
        """Who answers with these settings. Until a chosen model is ready, or where it is gone, the server's own."""
        if not self._is_own(llm):
            provider, name, model = self._manager.current()
            thinks_as_set = provider is not Provider.OLLAMA or llm.reasoning == self._settings.reasoning
            return provider, name, model if thinks_as_set else self._ollama(name, llm)
        match Provider(llm.provider):
            case Provider.EXTRACTIVE:
                return self._manager.extractive()
            case Provider.OLLAMA if self._absent(llm.model):
                return self._manager.current()
            case Provider.OLLAMA:
                return Provider.OLLAMA, llm.model, self._ollama(llm.model, llm)
            case _:
                return self._loaded(llm.model) or self._awaited(llm)

    def named(self, name: str) -> Answering | None:
        """A model that can answer at once; None where none of that name can."""
        own = self._manager.current()
        if name == own[1]:
            return own
        if name in (self._ollama_names() or ()):
            return Provider.OLLAMA, name, self._ollama(name, self._settings)
        return self._manager.extractive() if name == Provider.EXTRACTIVE else self._loaded(name)

    def status(self, llm: LLMSettings) -> ModelStatus:
        """Who answers with these settings, and what is on its way or did not come."""
        key = f"{llm.provider}:{llm.model}"
        if not self._is_own(llm):
            return self._manager.status()
        jobs = self._pulls if llm.provider == "ollama" else self._loads
        coming, failed = jobs.coming().get(key), jobs.failed().get(key)
        if coming is not None:
            return coming
        if failed is None and llm.provider == "ollama" and (problem := self._absent(llm.model)):
            failed = problem.message
        if failed is not None:
            own = self._manager.status()
            reason = Message("model.own_failed", {"model": llm.model, "problem": failed})
            return replace(own, reason=reason, failed=True)
        provider, name, _ = self.current(llm)
        if (provider, name) == (llm.provider, llm.model) or provider is Provider.EXTRACTIVE:
            return ModelStatus(provider, name, ModelState.READY, Message("model.own", {"model": name}))
        return self._waiting(llm.model, ModelState.LOADING)

    def prepare(self, llm: LLMSettings) -> None:
        """Get a chosen embedded model ready: fetched where it is not there, and loaded in place of the last one."""
        if llm.provider == "embedded" and self._is_own(llm) and self._loaded(llm.model) is None:
            self._begin(self._loads, f"embedded:{llm.model}", llm.model, self._load)

    def pull(self, session_id: str, name: str) -> None:
        """Have the Ollama server get a model.

        Raises ModelMissing for a name that could lead elsewhere, and TooManyModelsComing.
        """
        if not (self.may_pull and _PULLABLE.fullmatch(name)):
            raise ModelMissing(model=name)
        key = f"{Provider.OLLAMA}:{name}"
        if not self._begin(self._pulls, key, name, self._pull):
            raise TooManyModelsComing
        with self._lock:
            self._askers[session_id, key] = None

    def pulling(self, session_id: str) -> tuple[ModelStatus, ...]:
        """What is being brought, and how far it is; of names that were written, those that the session wrote."""
        coming = self._loads.coming() | self._pulls.coming()
        with self._lock:
            return tuple(status for key, status in coming.items() if self._may_see(session_id, key))

    def failures(self, session_id: str) -> tuple[Message, ...]:
        """Why what was asked for last did not come; of names that were written, those that the session wrote."""
        failed = self._loads.failed() | self._pulls.failed()
        with self._lock:
            return tuple(message for key, message in failed.items() if self._may_see(session_id, key))

    def close(self) -> None:
        """End what is on its way, and the model in memory."""
        self._loads.close()
        self._pulls.close()
        with self._lock:
            kept, self._embedded = self._embedded, None
        if kept is not None:
            kept[1].close()

    def _may_see(self, session_id: str, key: str) -> bool:
        """The catalogue's names are everybody's."""
        return key.startswith(f"{Provider.EMBEDDED}:") or (session_id, key) in self._askers

    def _is_own(self, llm: LLMSettings) -> bool:
        return (llm.provider, llm.model) != (self._settings.provider, self._settings.model)

    def _ollama(self, name: str, llm: LLMSettings) -> BaseChatModel:
        """Kept from turn to turn: it asks its server once what the model can, and holds its connections."""
        with self._lock:
            known = self._served.get((name, llm))
        model = known or build.build_ollama(llm, self._base_url, name)
        with self._lock:
            return self._served.setdefault((name, llm), model)

    def _ollama_names(self) -> tuple[str, ...] | None:
        """What Ollama has; None while it has never told, though it may be there."""
        if self._settings.provider not in ("auto", "ollama"):
            return ()
        with self._lock:
            listed_at, names = self._installed
        if time.monotonic() - listed_at < _LIST_SECONDS:
            return names
        from rag.llm.ollama import OllamaServer

        try:
            names = OllamaServer(self._base_url).models()
        except WenquError as error:
            _log.debug("no models of Ollama can be offered: %s", error)
            # A server that is slow to tell has not lost its models.
            names = () if isinstance(error, ModelUnreachable) else names
        with self._lock:
            self._installed = time.monotonic(), names
        return names

    def _absent(self, name: str) -> WenquError | None:
        """Why a model of Ollama cannot answer now."""
        names = self._ollama_names()
        if names is None or name in names:
            return None
        return ModelMissing(model=name) if names else ModelUnreachable(base_url=self._base_url)

    def _loaded(self, name: str) -> Answering | None:
        own = self._manager.current()
        if own[:2] == (Provider.EMBEDDED, name):
            return own
        with self._lock:
            kept = self._embedded
        return (Provider.EMBEDDED, name, kept[1]) if kept and kept[0] == name else None

    def _awaited(self, llm: LLMSettings) -> Answering:
        """The server's own model; the chosen one is loaded after a restart, unless another session has the place."""
        with self._lock:
            free = self._embedded is None
        if free and f"embedded:{llm.model}" not in self._loads.failed() and self._store.is_there(llm.model):
            self.prepare(llm)
        return self._manager.current()

    def _begin(self, jobs: ModelJobs, key: str, name: str, bring: Callable[[str], None]) -> bool:
        return jobs.begin(key, name, self._waiting(name, ModelState.LOADING), lambda: bring(name))

    def _load(self, name: str) -> None:
        progress = self._progress(self._loads, f"embedded:{name}", name)
        path = self._store.fetch(name, progress, self._loads.closed)
        with self._lock:
            # Not closed: it may be in the middle of an answer, whose end frees its memory.
            self._embedded = None
        model = build.build_embedded(self._settings, path)
        model.load()
        with self._lock:
            self._embedded = name, model

    def _pull(self, name: str) -> None:
        from rag.llm.ollama import OllamaServer

        progress = self._progress(self._pulls, f"ollama:{name}", name)
        try:
            OllamaServer(self._base_url).pull(name, progress, self._pulls.closed)
        finally:
            with self._lock:
                self._installed = -_LIST_SECONDS, self._installed[1]

    def _progress(self, jobs: ModelJobs, key: str, name: str) -> Callable[[int, int], None]:
        def tell(done: int, total: int, speed: float) -> None:
            waiting = self._waiting(name, ModelState.DOWNLOADING)
            jobs.tell(key, replace(waiting, done=done, total=total, speed=speed))

        return with_speed(tell)

    def _waiting(self, name: str, state: ModelState) -> ModelStatus:
        own = self._manager.status()
        return ModelStatus(own.provider, own.model, state, Message("model.own_waiting", {"model": name}))
