"""llama.cpp in a process of its own, asked over HTTP on this machine, and what the events of its stream tell.

xllamacpp holds Python's lock for as long as it loads a model or gives it back: seconds, on a busy machine a minute, in
which no page would be served and nobody could end the program.
"""

import json
import math
import threading
from collections.abc import Generator
from concurrent.futures import CancelledError
from typing import Any

import httpx
from langchain_core.messages import AIMessageChunk
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGenerationChunk

from loaders import wire
from loaders.process import WorkerProcess
from rag.errors import DocumentError
from rag.llm.http import LEAVABLE_LIMITS, make_leavable
from rag.types import Message

Event = dict[str, Any]
_TOKENIZE_SECONDS = 30
_DATA, _END = "data: ", "data: [DONE]"


class NoLlama(Exception):
    """It could not be started. `detail` says why."""

    def __init__(self, detail: str | Message) -> None:
        super().__init__(detail)
        self.detail = detail


class LlamaProcess:
    """A process that holds one model; its death ends it, and its own the process."""

    def __init__(self, parameters: Event, name: str, cancel: threading.Event) -> None:
        """`parameters` are those of `rag.llm.llama_worker`. Raises NoLlama, also as soon as `cancel` is set."""
        self._process = WorkerProcess("rag.llm.llama_worker")
        try:
            self._process.send([wire.to_line(parameters)])
            told = next(self._process.replies(name, math.inf, cancel))
        except (DocumentError, CancelledError) as error:
            self._process.close()
            raise NoLlama(Message("model.loading_ended")) from error
        if "failed" in told:
            self._process.close()
            raise NoLlama(told["failed"])
        self._http = httpx.Client(
            base_url=told["address"],
            # The server opens a port that other programs on this machine could otherwise use.
            headers={"Authorization": f"Bearer {parameters['key']}"},
            trust_env=False,
            timeout=_TOKENIZE_SECONDS,
            limits=LEAVABLE_LIMITS,
        )

    @property
    def alive(self) -> bool:
        """Whether it still runs: the system may have ended it for its memory."""
        return self._process.alive

    def complete(self, request: Event) -> Generator[Event]:
        """The events of an answer; closing them ends it with the tokens in hand. Raises httpx.HTTPError."""
        # A prompt is read for minutes before anything is told.
        with self._http.stream("POST", "/v1/chat/completions", json=request, timeout=None) as reply:
            # It reads on for whoever is still connected as a batch ends: left then, it has begun another. But a request
            # that is left before it is begun, which the reply tells, may be begun behind the next one.
            make_leavable(reply)
            if reply.is_error:
                yield json.loads(reply.read())
                return
            for line in reply.iter_lines():
                if line.startswith(_DATA) and line != _END:
                    yield json.loads(line.removeprefix(_DATA))

    def tokenize(self, text: str) -> list[Any]:
        """The model's own tokens of a text. Raises httpx.HTTPError."""
        tokens: list[Any] = self._http.post("/tokenize", json={"content": text}).raise_for_status().json()["tokens"]
        return tokens

    def close(self) -> None:
        """End it at once, whatever it does."""
        self._process.close()
        self._http.close()


class Answer:
    """What the events of one answer tell beside its text."""

    def __init__(self, model_name: str) -> None:
        self._model_name = model_name
        self._finish_reason = "cancelled"
        self._usage: Event = {}

    def read(self, event: Event) -> str:
        """The text that an event brings."""
        self._usage = event.get("usage") or self._usage
        text = ""
        for choice in event.get("choices") or ():
            self._finish_reason = choice.get("finish_reason") or self._finish_reason
            text += (choice.get("delta") or {}).get("content") or ""
        return text

    def last_chunk(self) -> ChatGenerationChunk:
        """The chunk without text that ends the answer: what was read and written, and why it ended."""
        read, written = self._usage.get("prompt_tokens", 0), self._usage.get("completion_tokens", 0)
        cached = (self._usage.get("prompt_tokens_details") or {}).get("cached_tokens", 0)
        usage = UsageMetadata(
            input_tokens=read,
            output_tokens=written,
            total_tokens=read + written,
            input_token_details=InputTokenDetails(cache_read=cached),
        )
        metadata = {"finish_reason": self._finish_reason, "model_name": self._model_name}
        message = AIMessageChunk(content="", usage_metadata=usage, response_metadata=metadata, chunk_position="last")
        return ChatGenerationChunk(message=message)


def progress_chunk(progress: Event) -> ChatGenerationChunk:
    """A chunk without text that tells how much of the prompt is read."""
    told = {"processed": progress["processed"], "total": progress["total"]}
    return ChatGenerationChunk(message=AIMessageChunk(content="", response_metadata={"prompt_progress": told}))
