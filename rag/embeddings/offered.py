"""The embedding models that can be had besides the server's own: the embedded one, and those that Ollama has."""

import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from rag.embeddings.build import build_embeddings, installed_model, known_as
from rag.embeddings.encoder import Encoder
from rag.errors import PackageMissing, WenquError
from rag.llm.build import ollama_url
from rag.settings import DenseFieldSettings, Settings
from rag.types import OfferedModel, Provider

if TYPE_CHECKING:
    from rag.llm.ollama import OllamaServer

_LIST_SECONDS = 10.0
_log = logging.getLogger(__name__)


class OfferedEmbeddings:
    """Asks Ollama, at the operator's address, and seldom."""

    def __init__(self, settings: Settings) -> None:
        self._llm = settings.llm
        self._own = settings.dense_fields.chunk
        self._server: OllamaServer | None = None
        self._lock = Lock()
        self._listed: tuple[float, tuple[str, ...]] = (-_LIST_SECONDS, ())

    def models(self) -> Mapping[str, OfferedModel]:
        """What can be chosen now, by the id of its vectors."""
        offered = {f"{Provider.OLLAMA}:{name}": OfferedModel(Provider.OLLAMA, name, True) for name in self._installed()}
        with suppress(PackageMissing):
            if self._own.provider in ("ollama", "openai"):
                name, _ = known_as(DenseFieldSettings())
                offered[installed_model().model_id] = OfferedModel(Provider.EMBEDDED, name, True)
        return offered

    def encoder(self, model_id: str) -> Encoder | None:
        """A model by the id of its vectors, if it may be had at all; whether it works is told by its use."""
        provider, _, name = model_id.partition(":")
        if provider == Provider.OLLAMA and self._address:
            wanted = DenseFieldSettings(provider="ollama", model=name, base_url=self._address)
            return build_embeddings(wanted, self._llm)
        with suppress(PackageMissing):
            if model_id == installed_model().model_id:
                return build_embeddings(DenseFieldSettings(), self._llm)
        return None

    @property
    def _address(self) -> str:
        """Where Ollama is; nothing where the operator does not let it answer."""
        if self._own.provider == "ollama":
            return self._own.base_url or self._llm.ollama_host
        return ollama_url(self._llm) if self._llm.provider in ("auto", "ollama") else ""

    def _installed(self) -> tuple[str, ...]:
        """The names of Ollama's, but for the server's own."""
        if not self._address:
            return ()
        with self._lock:
            listed_at, names = self._listed
        if time.monotonic() - listed_at < _LIST_SECONDS:
            return names
        from rag.llm.ollama import OllamaServer, installed_name

        self._server = self._server or OllamaServer(self._address)
        try:
            names = self._server.embedding_models()
        except WenquError as error:
            # What it told last is offered still: what is chosen is tried, and why that fails is told.
            _log.debug("Ollama does not tell its embedding models: %s", error)
        own = installed_name(self._own.model, names) if self._own.provider == "ollama" else None
        names = tuple(name for name in names if name != own)
        with self._lock:
            self._listed = time.monotonic(), names
        return names
