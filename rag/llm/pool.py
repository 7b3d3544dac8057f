"""Models that sessions choose instead of the server's own: offered by name, got ready in the background."""

import re
import threading
from collections.abc import Callable
from dataclasses import replace

from cachetools import LRUCache

from rag.errors import ModelMissing, TooManyModelsComing
from rag.llm import build
from rag.llm.current import Answering
from rag.llm.embedded import EmbeddedChatModel
from rag.llm.jobs import ModelJobs
from rag.llm.manager import ModelManager
from rag.llm.served import ServedModels, host_of
from rag.model_store import ModelStore, with_speed
from rag.settings import LLMSettings, Settings
from rag.types import Message, ModelState, ModelStatus, OfferedModel, Provider

_MOST_PULLS = 8
_POLL_SECONDS = 0.2
# Names come from visitors: what is remembered of them has an end.
_KEPT_ASKERS = 256
# As Ollama reads names, `host/namespace/model` is fetched from that host: a visitor's name has no host.
_PULLABLE = re.compile(r"[a-zA-Z0-9][\w.-]{0,79}(/[a-zA-Z0-9][\w.-]{0,79})?(:[\w.-]{1,40})?")


class ModelPool:
    """Besides the server's own model at most one more is in memory; those of an Ollama server take none here."""

    def __init__(self, settings: Settings, store: ModelStore, manager: ModelManager) -> None:
        self._settings = settings.llm
        self.served = ServedModels(settings.llm)
        self._models = settings.models
        self._store = store
        self._manager = manager
        self._lock = threading.Lock()
        # Apart, so that what Ollama downloads for an hour keeps no model waiting that is on the disk.
        self._loads, self._pulls = ModelJobs("model-loads"), ModelJobs("model-pulls", _MOST_PULLS)
        self._askers: LRUCache[tuple[str, str], None] = LRUCache(_KEPT_ASKERS)
        self._embedded: tuple[str, EmbeddedChatModel] | None = None

    @property
    def may_pull(self) -> bool:
        """Whether there is an Ollama server that could get models."""
        return self.served.has_ollama and not self._models.offline and bool(self.served.installed())

    def offered(self, base_url: str = "", api_key: str = "") -> tuple[OfferedModel, ...]:
        """What can be chosen besides the server's own choice: served, in the catalogue, or no model at all.

        A session's own service, at `base_url`, stands in the place of the operator's.
        """
        names = self.served.listed(base_url, api_key) if base_url else self.served.operators()
        services = [OfferedModel(Provider.OPENAI, name, present=True) for name in names]
        ollama = [OfferedModel(Provider.OLLAMA, name, present=True) for name in self.served.installed() or ()]
        embedded = [
            OfferedModel(Provider.EMBEDDED, model.name, self._store.is_there(model.name), model.size)
            for model in self._models.catalogue
        ]
        shown = [model for model in embedded if model.present or not self._models.offline]
        return (*services, *ollama, *shown, OfferedModel(Provider.EXTRACTIVE, Provider.EXTRACTIVE.value, present=True))

    def current(self, llm: LLMSettings) -> Answering:
        """Who answers with these settings. Until a chosen model is ready, or where it is gone, the server's own."""
        if not self._is_own(llm):
            own = self._manager.current()
            thinks_as_set = own.provider is not Provider.OLLAMA or llm.reasoning == self._settings.reasoning
            return own if thinks_as_set else own._replace(model=self.served.ollama(own.name, llm))
        match Provider(llm.provider):
            case Provider.EXTRACTIVE:
                return self._manager.extractive()
            case Provider.OLLAMA if self.served.absent(llm.model):
                return self._manager.current()
            case Provider.OLLAMA:
                return Answering(Provider.OLLAMA, llm.model, self.served.ollama(llm.model, llm))
            case Provider.OPENAI:
                return Answering(Provider.OPENAI, llm.model, self.served.openai(llm))
            case _:
                return self._loaded(llm.model) or self._awaited(llm)

    def named(self, name: str) -> Answering | None:
        """A model that can answer at once; None for no name, or where no model of that name can."""
        if not name:
            # Every turn asks, inside the gate: nobody is to wait there for a server's list.
            return None
        own = self._manager.current()
        if name == own.name:
            return own
        if name in (self.served.installed() or ()):
            return Answering(Provider.OLLAMA, name, self.served.ollama(name, self._settings))
        if name in self.served.operators():
            named = self._settings.model_copy(update={"model": name})
            return Answering(Provider.OPENAI, name, self.served.openai(named))
        return self._manager.extractive() if name == Provider.EXTRACTIVE else self._loaded(name)

    def status(self, llm: LLMSettings) -> ModelStatus:
        """Who answers with these settings, and what is on its way or did not come."""
        if not self._is_own(llm):
            return self._manager.status()
        key = f"{llm.provider}:{llm.model}"
        jobs = self._pulls if llm.provider == "ollama" else self._loads
        if coming := jobs.coming().get(key):
            return coming
        answering = self.current(llm)
        problem = self.served.absent(llm.model) if llm.provider == "ollama" else None
        if problem is None and answering[:2] == (llm.provider, llm.model):
            reason = Message("model.own", {"model": llm.model})
            if llm.provider == "openai":
                reason = Message("model.own_service", {"model": llm.model, "host": host_of(llm.base_url)})
            return ModelStatus(answering.provider, answering.name, ModelState.READY, reason)
        # To ask who answers may have begun to load it.
        if coming := jobs.coming().get(key):
            return coming
        failed = jobs.failed().get(key) or (problem.message if problem else None)
        return replace(self._manager.status(), reason=self._why_not(llm.model, failed), failed=True)

    def trouble(self) -> Message | None:
        """Why nothing better than quotations answers for the server, or why its Ollama cannot now."""
        own, status = self._manager.current(), self._manager.status()
        gone = self.served.absent(own.name) if own.provider is Provider.OLLAMA else None
        return gone.message if gone else status.reason if status.failed else None

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
        parts = ("provider", "model", "base_url", "api_key")
        return any(getattr(llm, part) != getattr(self._settings, part) for part in parts)

    def _loaded(self, name: str) -> Answering | None:
        own = self._manager.current()
        with self._lock:
            kept = self._embedded
            if (own.provider, own.name) == (Provider.EMBEDDED, name):
                # The server's own came to be the same one: once in memory is enough.
                self._embedded = None if kept and kept[0] == name else kept
                return own
        return Answering(Provider.EMBEDDED, name, kept[1]) if kept and kept[0] == name else None

    def _why_not(self, name: str, failed: Message | None) -> Message:
        """Why a chosen model does not answer: it `failed`, another one has its place, or its file is gone."""
        if failed is not None:
            return Message("model.own_failed", {"model": name, "problem": failed})
        return Message("model.own_displaced" if self._is_taken() else "model.own_gone", {"model": name})

    def _awaited(self, llm: LLMSettings) -> Answering:
        """The server's model for now; after a restart, starts loading the chosen one if the slot is free."""
        if (
            not self._is_taken()
            and f"embedded:{llm.model}" not in self._loads.failed()
            and self._store.is_there(llm.model)
        ):
            self.prepare(llm)
        return self._manager.current()

    def _is_taken(self) -> bool:
        """Whether a model is in the slot, or on its way there. It is in the slot before it is no longer on its way."""
        if self._loads.coming():
            return True
        with self._lock:
            return self._embedded is not None

    def _begin(self, jobs: ModelJobs, key: str, name: str, bring: Callable[[str], None]) -> bool:
        return jobs.begin(key, name, self._waiting(name, ModelState.LOADING), lambda: bring(name))

    def _load(self, name: str) -> None:
        progress = self._progress(self._loads, f"embedded:{name}", name)
        path = self._store.fetch(name, progress, self._loads.closed)
        # Twice in memory would be too much.
        while self._manager_may_bring(name):
            self._loads.closed.wait(_POLL_SECONDS)
        if self._loads.closed.is_set() or self._loaded(name) is not None:
            return
        with self._lock:
            # Not closed: it may be in the middle of an answer, whose end frees its memory.
            self._embedded = None
        model = build.build_embedded(self._settings, path)
        model.load(self._loads.closed)
        with self._lock:
            self._embedded = name, model

    def _manager_may_bring(self, name: str) -> bool:
        """Whether the model that the server gets ready for itself is this one, or not known yet."""
        status = self._manager.status()
        is_coming = status.state is not ModelState.READY and status.coming in ("", name)
        return is_coming and not self._loads.closed.is_set()

    def _pull(self, name: str) -> None:
        self.served.pull(name, self._progress(self._pulls, f"ollama:{name}", name), self._pulls.closed)

    def _progress(self, jobs: ModelJobs, key: str, name: str) -> Callable[[int, int], None]:
        def tell(done: int, total: int, speed: float) -> None:
            waiting = self._waiting(name, ModelState.DOWNLOADING)
            jobs.tell(key, replace(waiting, done=done, total=total, speed=speed))

        return with_speed(tell)

    def _waiting(self, name: str, state: ModelState) -> ModelStatus:
        own = self._manager.status()
        return ModelStatus(own.provider, own.model, state, Message("model.own_waiting", {"model": name}))
