"""A model on this machine: llama.cpp through xllamacpp, as a LangChain chat model."""

import re
import secrets
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessageChunk, BaseMessage, convert_to_openai_messages
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import PrivateAttr

from rag.errors import ModelNotLoaded, ModelRefused, ModelStreamBroken, PackageMissing, PromptTooLong
from rag.llm.llama_process import Answer, Event, LlamaProcess, NoLlama, progress_chunk
from rag.llm.states import States
from rag.types import Message

# llama.cpp reads these in any text as what they are to the model: a document could end its message, and begin a role.
_CONTROL_TOKEN = re.compile(r"<\|(?=\w+\|>)")
_BROKEN = "<\u200b|"


class EmbeddedChatModel(BaseChatModel):
    """A GGUF file, loaded by the first call or by `load()`. Requests are served one after another.

    Call arguments beside `stop`: `grammar` (GBNF) and `json_schema` bind the answer's form; `temperature` and
    `max_tokens` override the fields; `cancel` (an Event) stops the answer, `prompt_progress` adds chunks without
    text that tell in `response_metadata["prompt_progress"]` how much of the prompt is read.
    """

    model_path: Path
    n_ctx: int
    cache_ram_mib: int
    threads: int = 0
    temperature: float = 0.1
    max_tokens: int = 512
    stop: list[str] | None = None

    _lock: threading.Lock = PrivateAttr(default_factory=threading.Lock)
    _closed: threading.Event = PrivateAttr(default_factory=threading.Event)
    _working: threading.Lock = PrivateAttr(default_factory=threading.Lock)
    _server: LlamaProcess | None = PrivateAttr(default=None)
    _states: States = PrivateAttr(default_factory=States)

    @property
    def model_name(self) -> str:
        """The file's name without its ending."""
        return self.model_path.stem

    @property
    def _llm_type(self) -> str:
        return "wenqu-embedded"

    def load(self, cancel: threading.Event | None = None) -> None:
        """Loads the file unless it is loaded. Raises ModelNotLoaded, as soon as `cancel` is set too; PackageMissing."""
        self._loaded(cancel)

    def close(self) -> None:
        """Stops what is being generated or loaded, and frees the memory; the model cannot be used afterwards."""
        self._closed.set()
        with self._lock:
            if self._server is not None:
                self._server.close()

    def get_token_ids(self, text: str) -> list[int]:
        """The model's own tokens of a text."""
        try:
            return [int(token) for token in self._loaded().tokenize(_harmless(text))]
        except (httpx.HTTPError, RuntimeError) as error:  # the latter of one that was closed
            raise self._not_loaded(str(error)) from error

    def _loaded(self, cancel: threading.Event | None = None) -> LlamaProcess:
        with self._lock:
            if self._closed.is_set():
                raise self._not_loaded("closed")
            if self._server is not None and not self._server.alive:
                self._server.close()
                self._server = None
            if self._server is None:
                self._server = self._start(cancel or self._closed)
            return self._server

    def _start(self, cancel: threading.Event) -> LlamaProcess:
        if find_spec("xllamacpp") is None:
            raise PackageMissing(package="xllamacpp", command="pip install xllamacpp")
        if not self.model_path.is_file():
            raise self._not_loaded(f"{self.model_path.name}?")
        parameters = {
            "path": str(self.model_path.absolute()),
            "n_ctx": self.n_ctx,
            "cache_ram_mib": self.cache_ram_mib,
            "threads": self.threads,
            "key": secrets.token_hex(16),
        }
        try:
            server = LlamaProcess(parameters, self.model_path.name, cancel)
        except NoLlama as error:
            raise self._not_loaded(error.detail) from error
        self._states = States()
        # Of one that is replaced, whoever still hears its answer holds on to it.
        weakref.finalize(self, server.close)
        return server

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return generate_from_stream(self._stream(messages, stop, run_manager, **kwargs))

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        *,
        cancel: threading.Event | None = None,
        prompt_progress: bool = False,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        answer, cancel = Answer(self.model_name), cancel or threading.Event()
        for event in self._events(messages, self._request(messages, stop, kwargs), cancel):
            self._raise_error_of(event)
            if prompt_progress and (progress := event.get("prompt_progress")):
                yield progress_chunk(progress)
            if text := answer.read(event):
                chunk = ChatGenerationChunk(message=AIMessageChunk(content=text))
                if run_manager:
                    run_manager.on_llm_new_token(text, chunk=chunk)
                yield chunk
        if self._closed.is_set():
            raise ModelStreamBroken(model=self.model_name)
        yield answer.last_chunk()

    def _events(self, messages: list[BaseMessage], request: Event, cancel: threading.Event) -> Iterator[Event]:
        """llama.cpp's stream events."""
        with self._working:
            server = self._loaded()  # not before: it may end with the answer that is waited for
            try:
                yield from self._completed(server, messages, request, lambda: cancel.is_set() or self._closed.is_set())
            except (httpx.HTTPError, RuntimeError) as error:  # the latter of one that was closed
                if cancel.is_set():  # who sets it breaks the connection off
                    return
                # Whatever became of it, the next answer is to have one that works.
                server.close()
                raise ModelStreamBroken(model=self.model_name) from error

    def _completed(
        self, server: LlamaProcess, messages: list[BaseMessage], request: Event, is_over: Callable[[], bool]
    ) -> Iterator[Event]:
        """Complete a prompt behind what is to be read before it."""
        if is_over():
            return
        first, goes_on = self._states.before(messages)
        if first:
            self._read(server, first, is_over)
            if is_over():  # the prompt would come between those of who is next
                return
        with closing(server.complete(request | ({"id_slot": 0} if goes_on else {}))) as events:
            for event in events:
                if "error" in event:
                    self._states.lose()
                yield event
                if is_over():
                    return

    def _read(self, server: LlamaProcess, messages: Sequence[BaseMessage], is_over: Callable[[], bool]) -> None:
        """Have a prompt read that is not to be answered."""
        try:
            with closing(server.complete(self._request(messages, None, {"max_tokens": 1}))) as events:
                for _ in events:
                    if is_over():
                        break
        finally:
            if is_over():
                self._states.lose()

    def _request(self, messages: Sequence[BaseMessage], stop: list[str] | None, kwargs: dict[str, Any]) -> Event:
        request: Event = {
            "messages": [
                message | {"content": _harmless(message["content"])} for message in convert_to_openai_messages(messages)
            ],
            "max_tokens": kwargs.get("max_tokens", self.max_tokens),
            "temperature": kwargs.get("temperature", self.temperature),
            "stop": stop or self.stop or [],
            "stream": True,
            "stream_options": {"include_usage": True},
            "return_progress": True,
        }
        return request | {key: kwargs[key] for key in ("grammar", "json_schema") if kwargs.get(key)}

    def _raise_error_of(self, event: Event) -> None:
        error = event.get("error") or {}
        if error.get("type") == "exceed_context_size_error":
            raise PromptTooLong(tokens=error.get("n_prompt_tokens"), limit=error.get("n_ctx"))
        if error:
            raise ModelRefused(model=self.model_name, status=error.get("code"), detail=error.get("message"))

    def _not_loaded(self, detail: str | Message) -> ModelNotLoaded:
        return ModelNotLoaded(model=self.model_name, detail=detail)


def _harmless(text: str) -> str:
    """A text whose control tokens are none to the model; what looks like none stays as it is."""
    return _CONTROL_TOKEN.sub(_BROKEN, text)
