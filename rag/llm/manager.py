"""Chooses who answers: looks for models, fetches and loads one in the background, and always says which and why."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import assert_never

from rag.errors import ModelError, ModelFileError, ModelMissing, ModelUnreachable, NoModel, WenquError, told_address
from rag.i18n import Language, sentence
from rag.llm import build
from rag.llm.current import Answering, Choice
from rag.llm.embedded import EmbeddedChatModel
from rag.llm.extractive import ExtractiveChatModel
from rag.llm.prober import Prober
from rag.model_store import DECIMAL_MEGABYTE, ModelStore, OnProgress, with_speed
from rag.quoting import Similarities
from rag.settings import Settings
from rag.types import Message, ModelState, ModelStatus, Provider

# What Ollama is asked to get where the settings name no model.
_SUGGESTED_MODEL = "qwen2.5:7b"
_LOG_SECONDS = 5.0
# Ollama may start after this program, as after the machine's own start.
_AGAIN_SECONDS = 30.0
_log = logging.getLogger(__name__)


class ModelManager:
    """Holds the model that answers. It never waits: until something better is ready, answers are extractive."""

    def __init__(self, settings: Settings, store: ModelStore, similarities: Similarities) -> None:
        """`similarities` tells how near sentences are to a question, for the answers without a model."""
        self._settings = settings.llm
        self._base_url = build.ollama_url(settings.llm)
        self._models = settings.models
        self._store = store
        self._lock = threading.Lock()
        self._prober = Prober(self._settle)
        self._on_ready: Callable[[], None] | None = None
        extractive = ExtractiveChatModel(language=settings.server.language, similarities=similarities)
        self._extractive = Choice(Provider.EXTRACTIVE, "extractive", extractive, Message("model.extractive_probing"))
        self._choice = self._extractive
        self._status = self._extractive.status(ModelState.PROBING)

    def start(self, on_ready: Callable[[], None] | None = None, load_after: float = 0.0) -> None:
        """Look for a model in the background, unless that is going on; `on_ready` is called when there is one.

        Neither that nor the loading of a model file begins before `load_after` seconds have passed.
        """
        self._on_ready = on_ready or self._on_ready
        self._prober.begin(load_after)

    def retry(self) -> None:
        """Look again, as after Ollama was started or the network mended. Who answers stays, unless that one is gone."""
        self._prober.again()

    def status(self) -> ModelStatus:
        """Who answers now, why, and what is on its way."""
        with self._lock:
            return self._status

    def current(self) -> Answering:
        """Who answers now."""
        with self._lock:
            return self._choice.answering

    def extractive(self) -> Answering:
        """What answers without a model."""
        return self._extractive.answering

    def close(self) -> None:
        """End the download and the embedded model; nothing answers afterwards."""
        self._prober.close()
        model = self.current().model
        if isinstance(model, EmbeddedChatModel):
            model.close()

    def _settle(self) -> None:
        """Choose who answers, and tell that there is one."""
        self._tell(ModelState.PROBING, "model.extractive_probing")
        try:
            choice = self._choose()
            status = choice.status(ModelState.READY)
        except CancelledError:
            return  # the end, or another probe, is to come
        except WenquError as error:
            choice, status = self._failed(error.message)
        except Exception as error:  # noqa: BLE001 - whatever it was, the page must not stay at "looking for a model"
            _log.exception("choosing a model failed")
            choice, status = self._failed(str(error))
        with self._lock:
            is_news = (choice.name, choice.reason) != (self._choice.name, self._choice.reason)
            # A model that is replaced is not closed: it may be in the middle of an answer.
            self._choice, self._status = choice, status
        if is_news:
            _log.info("answers come from %s (%s)", choice.name, sentence(Language.ZH, choice.reason))
        if status.failed and self._settings.provider in ("auto", "ollama"):
            self._prober.later(_AGAIN_SECONDS, self._may_find)
        if self._on_ready is not None and self._prober.may_load():
            self._prober.follow(self._on_ready)

    def _choose(self) -> Choice:
        match self._settings.provider:
            case "extractive":
                return replace(self._extractive, reason=Message("model.extractive_chosen"))
            case "openai":
                values = {"model": self._settings.model, "base_url": told_address(self._settings.base_url)}
                model = build.build_openai(self._settings)
                return Choice(Provider.OPENAI, self._settings.model, model, Message("model.openai", values))
            case "ollama":
                return self._choose_ollama(may_pull=not self._models.offline)
            case "embedded":
                return self._choose_embedded("model.embedded_chosen", self._settings.model)
            case "auto":
                return self._choose_best()
            case _ as never:
                assert_never(never)

    def _choose_best(self) -> Choice:
        if self._settings.api_key:
            _log.warning("llm.api_key is not used with llm.provider auto: set WENQU_LLM_PROVIDER to openai")
        if self._settings.model in {model.name for model in self._models.catalogue}:
            return self._choose_embedded("model.embedded_chosen", self._settings.model)
        try:
            return self._choose_ollama(may_pull=False)
        except ModelError as error:
            reason = "model.embedded_no_ollama"
            if isinstance(error, ModelMissing):
                reason = "model.embedded_ollama_without_model"
            elif self.current().provider is Provider.OLLAMA and not isinstance(error, ModelUnreachable):
                raise  # slow to tell, and not gone
            problem = error.message
        try:
            return self._choose_embedded(reason)
        except WenquError as error:
            raise NoModel(first=problem, rest=error.message) from error

    def _choose_ollama(self, may_pull: bool) -> Choice:
        from rag.llm.ollama import OllamaServer, installed_name

        server = OllamaServer(self._base_url)
        installed, wanted = server.models(), self._settings.model
        name = installed_name(wanted, installed) if wanted else next(iter(installed), None)
        if name is None and wanted and may_pull:
            server.pull(wanted, self._progress(wanted), self._prober.closed)
            name = wanted
        if name is None:
            raise ModelMissing(model=wanted or _SUGGESTED_MODEL)
        model = build.build_ollama(self._settings, self._base_url, name)
        reason = "model.ollama_chosen" if wanted else "model.ollama_found"
        values = {"model": name, "base_url": told_address(self._base_url)}
        return Choice(Provider.OLLAMA, name, model, Message(reason, values))

    def _choose_embedded(self, reason: str, wanted: str = "") -> Choice:
        name, path = self._file((wanted,) if wanted else self._models.default)
        present = self.current().model
        if isinstance(present, EmbeddedChatModel) and present.model_path == path:
            model = present  # twice in memory would be too much
        else:
            self._tell(ModelState.LOADING, "model.extractive_loading", name)
            if not self._prober.may_load():
                raise CancelledError
            model = build.build_embedded(self._settings, path)
            model.load(self._prober.closed)
        better = _SUGGESTED_MODEL if wanted else self._settings.model or _SUGGESTED_MODEL
        values = {"model": name, "wanted": better, "base_url": told_address(self._base_url)}
        return Choice(Provider.EMBEDDED, name, model, Message(reason, values))

    def _file(self, names: tuple[str, ...]) -> tuple[str, Path]:
        """The first of the models that is there, else the first that a source delivers."""
        failure: ModelError = ModelFileError(file="", detail=Message("model_file.no_source"))
        for number, name in enumerate(sorted(names, key=self._store.is_there, reverse=True)):
            try:
                present = self._store.path(name)
                return name, present or self._store.fetch(name, self._progress(name), self._prober.closed)
            except ModelFileError as error:
                _log.info("%s", error)
                failure = NoModel(first=failure.message, rest=error.message) if number else error
        raise failure

    def _progress(self, name: str) -> OnProgress:
        """Tells the page at every step, and the terminal every few seconds."""
        self._tell(ModelState.DOWNLOADING, "model.extractive_downloading", name)
        logged = time.monotonic()

        def tell(done: int, total: int, speed: float) -> None:
            nonlocal logged
            now = time.monotonic()
            with self._lock:
                self._status = replace(self._status, done=done, total=total, speed=speed)
            if now - logged >= _LOG_SECONDS and total:
                logged = now
                megabytes = total / DECIMAL_MEGABYTE, speed / DECIMAL_MEGABYTE
                _log.info("model %s: %.0f%% of %.0f MB, %.1f MB/s", name, 100 * done / total, *megabytes)

        return with_speed(tell)

    def _tell(self, state: ModelState, waiting_reason: str, name: str = "") -> None:
        """What is on its way. While a model answers already, the reason remains why that one does."""
        with self._lock:
            choice = self._choice
            if choice.provider is Provider.EXTRACTIVE:
                choice = replace(choice, reason=Message(waiting_reason, {"model": name}))
            self._status = replace(choice.status(state), coming=name)

    def _failed(self, problem: Message | str) -> tuple[Choice, ModelStatus]:
        """Who answers after a probe that failed, and what is told of it."""
        with self._lock:
            present = self._choice
        if present.provider is not Provider.EXTRACTIVE and not self._is_gone(present):
            kept = Message("model.kept", {"model": present.name, "problem": problem})
            return present, replace(present.status(ModelState.READY), reason=kept)
        none = replace(self._extractive, reason=Message("model.extractive_failed", {"problem": problem}))
        return none, replace(none.status(ModelState.READY), failed=True)

    def _may_find(self) -> bool:
        """Whether to look again may help: what was asked for is brought where it can be, anything else is there."""
        with suppress(ModelError):
            return self._settings.provider == "ollama" or bool(self._choose_ollama(may_pull=False))
        return False

    def _is_gone(self, present: Choice) -> bool:
        """Whether Ollama or its model is gone; a slow reply does not count."""
        from rag.llm.ollama import OllamaServer, installed_name

        if present.provider is not Provider.OLLAMA:
            return False
        try:
            return installed_name(present.name, OllamaServer(self._base_url).models()) is None
        except ModelUnreachable:
            return True
        except WenquError:
            return False
