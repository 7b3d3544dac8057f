"""The models of servers: what each server has, and the clients that ask it."""

import logging
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from cachetools import LRUCache
from langchain_core.language_models import BaseChatModel

from rag.errors import ModelMissing, ModelUnreachable, WenquError
from rag.llm import build
from rag.llm.listing import listed_models
from rag.settings import LLMSettings

_LIST_SECONDS = 10.0
# A service elsewhere is not asked with every look at the page.
_SERVICE_SECONDS = 60.0
_KEPT = 16
_log = logging.getLogger(__name__)


class ServedModels:
    """Asks seldom, and keeps clients: they hold connections. Of what sessions wrote, the latest is remembered."""

    def __init__(self, settings: LLMSettings) -> None:
        """`settings` are the server's own, whatever a session's say."""
        self._settings = settings
        self._base_url = build.ollama_url(settings)
        self._lock = threading.Lock()
        self._clients: LRUCache[tuple[str, LLMSettings], BaseChatModel] = LRUCache(_KEPT)
        self._installed: tuple[float, tuple[str, ...] | None] = (-_LIST_SECONDS, None)
        self._listed: LRUCache[tuple[str, str], tuple[str, ...]] = LRUCache(_KEPT)
        self._asked_at = -_SERVICE_SECONDS

    @property
    def has_ollama(self) -> bool:
        """Whether the operator lets Ollama answer."""
        return self._settings.provider in ("auto", "ollama")

    def ollama(self, name: str, llm: LLMSettings) -> BaseChatModel:
        """A model of the operator's Ollama."""
        return self._kept(name, llm, lambda: build.build_ollama(llm, self._base_url, name))

    def openai(self, llm: LLMSettings) -> BaseChatModel:
        """The model of a service, at the address and with the key in the settings."""
        operators = self._settings.base_url, self._settings.api_key
        own_key = (llm.base_url, llm.api_key) != operators
        return self._kept(llm.model, llm, lambda: build.build_openai(llm, own_key))

    def installed(self) -> tuple[str, ...] | None:
        """What Ollama has; None while it has never told, though it may be there."""
        if not self.has_ollama:
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

    def absent(self, name: str) -> WenquError | None:
        """Why a model of Ollama cannot answer now."""
        names = self.installed()
        if names is None or name in names:
            return None
        return ModelMissing(model=name) if names else ModelUnreachable(base_url=self._base_url)

    def pull(self, name: str, progress: Callable[[int, int], None], cancel: threading.Event) -> None:
        """Have Ollama download a model. Raises ModelError."""
        from rag.llm.ollama import OllamaServer

        try:
            OllamaServer(self._base_url).pull(name, progress, cancel)
        finally:
            # What it has may have changed.
            with self._lock:
                self._installed = -_LIST_SECONDS, self._installed[1]

    def operators(self) -> tuple[str, ...]:
        """What the operator's own service has; what it told last where it does not answer."""
        own = self._settings
        if own.provider != "openai":
            return ()
        with self._lock:
            is_due = time.monotonic() - self._asked_at >= _SERVICE_SECONDS
            self._asked_at = time.monotonic() if is_due else self._asked_at
        if is_due:
            try:
                self.ask(own.base_url.rstrip("/"), own.api_key)
            except WenquError as error:
                _log.debug("no models of the service can be offered: %s", error)
        return self.listed(own.base_url.rstrip("/"), own.api_key)

    def ask(self, base_url: str, api_key: str) -> None:
        """Have a service say what it has. Raises ModelError."""
        names = listed_models(base_url, api_key)
        with self._lock:
            self._listed[base_url, api_key] = names

    def listed(self, base_url: str, api_key: str) -> tuple[str, ...]:
        """What a service has told; nothing where it was not asked yet, or long ago."""
        with self._lock:
            return self._listed.get((base_url, api_key), ())

    def _kept(self, name: str, llm: LLMSettings, made: Callable[[], BaseChatModel]) -> BaseChatModel:
        with self._lock:
            known = self._clients.get((name, llm))
        model = known or made()
        with self._lock:
            return self._clients.setdefault((name, llm), model)


def host_of(base_url: str) -> str:
    """What a reader knows a service by; empty for an invalid address."""
    try:
        return urlsplit(base_url).netloc.rpartition("@")[2]
    except ValueError:
        return ""
