"""A model in this process: llama.cpp through xllamacpp, as a LangChain chat model."""

import queue
import re
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
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
from rag.llm.cores import usable_cores
from rag.llm.llama_events import Answer, Event, progress_chunk
from rag.llm.states import States

# llama.cpp reports progress and can be stopped once per batch: 128 tokens take 0.7 to 4 s on two cores. Twice as many
# are read no faster, half as many 5% slower.
_BATCH = 128
_STOP_SECONDS = 8.0
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
    _server: Any = PrivateAttr(default=None)
    _http: httpx.Client | None = PrivateAttr(default=None)
    _states: States = PrivateAttr(default_factory=States)

    @property
    def model_name(self) -> str:
        """The file's name without its ending."""
        return self.model_path.stem

    @property
    def _llm_type(self) -> str:
        return "wenqu-embedded"

    def load(self) -> None:
        """Loads the file unless it is loaded. Raises ModelNotLoaded, PackageMissing."""
        self._loaded()

    def close(self) -> None:
        """Stops what is being generated and frees the memory; the model cannot be used afterwards."""
        self._closed.set()
        with self._lock:
            if self._http is not None:
                self._http.close()
            self._server = self._http = None
        # A process that ends while llama.cpp still calls back into it is aborted. Kept: nothing begins from now on.
        self._working.acquire(timeout=_STOP_SECONDS)

    def get_token_ids(self, text: str) -> list[int]:
        """The model's own tokens of a text."""
        self._loaded()
        client = self._http
        if client is None:
            raise self._not_loaded("closed")
        try:
            answer = client.post("/tokenize", json={"content": _harmless(text)}).raise_for_status()
        except httpx.HTTPError as error:
            raise self._not_loaded(str(error)) from error
        return [int(token) for token in answer.json()["tokens"]]

    def _loaded(self) -> Any:
        with self._lock:
            if self._closed.is_set():
                raise self._not_loaded("closed")
            if self._server is None:
                self._server = self._start()
            return self._server

    def _start(self) -> Any:
        try:
            import xllamacpp
        except ImportError as error:
            raise PackageMissing(package="xllamacpp", command="pip install xllamacpp") from error
        if not self.model_path.is_file():
            raise self._not_loaded(f"{self.model_path.name}?")
        key = secrets.token_hex(16)
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(self.model_path)
        parameters.n_ctx, parameters.cache_ram_mib = self.n_ctx, self.cache_ram_mib
        parameters.n_parallel, parameters.verbosity = 1, 0
        parameters.n_batch = parameters.n_ubatch = _BATCH
        parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = self.threads or usable_cores()
        parameters.slot_prompt_similarity = 0  # States counts on it
        # The server opens a port that other programs on this machine could otherwise use.
        parameters.api_keys = [key]
        try:
            server = xllamacpp.Server(parameters)
        except Exception as error:
            raise self._not_loaded(str(error)) from error
        address, headers = server.listening_address, {"Authorization": f"Bearer {key}"}
        self._http = httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=30)
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
        """llama.cpp's stream events. A worker thread makes them, so that the main thread keeps its signals."""
        server, left = self._loaded(), threading.Event()
        events: queue.Queue[Event | Exception | None] = queue.Queue()

        def is_over() -> bool:
            return left.is_set() or cancel.is_set() or self._closed.is_set()

        def receive(event: Event | list[Event]) -> bool:
            for item in event if isinstance(event, list) else [event]:
                events.put(item)
            return is_over()  # an exception raised here would be lost; True ends the generation

        def work() -> None:
            try:
                with self._working:
                    if not is_over():
                        self._complete(server, messages, request, receive, is_over)
                events.put(None)
            except Exception as error:  # noqa: BLE001 - raised again in the thread that reads
                events.put(error)

        threading.Thread(target=work, name="llama", daemon=True).start()
        try:
            while (event := events.get()) is not None:
                if isinstance(event, Exception):
                    raise ModelRefused(model=self.model_name, status="llama.cpp", detail=str(event)) from event
                yield event
        finally:
            left.set()

    def _complete(
        self,
        server: Any,
        messages: list[BaseMessage],
        request: Event,
        receive: Callable[[Event | list[Event]], bool],
        is_over: Callable[[], bool],
    ) -> None:
        """Complete a prompt behind what is to be read before it."""
        first, goes_on = self._states.before(messages)
        if first:
            server.handle_chat_completions(self._request(first, None, {"max_tokens": 1}), lambda _: is_over())
        if first and is_over():  # the prompt would come between those of who is next
            self._states.lose()
            return
        server.handle_chat_completions(request | ({"id_slot": 0} if goes_on else {}), receive)

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

    def _not_loaded(self, detail: str) -> ModelNotLoaded:
        return ModelNotLoaded(model=self.model_name, detail=detail)


def _harmless(text: str) -> str:
    """A text whose control tokens are none to the model; what looks like none stays as it is."""
    return _CONTROL_TOKEN.sub(_BROKEN, text)
