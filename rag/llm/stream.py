"""One stream of typed parts from any chat model, which stops at once for every provider."""

import codecs
import queue
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, BaseMessage

from rag.errors import ModelGaveNothing, ModelOnlyThought, ModelRefused, WenquError
from rag.llm.embedded import EmbeddedChatModel
from rag.llm.http import Connections
from rag.llm.think import NoThoughts, Piece, Text, ThinkSplitter, Thought, ThoughtsEnd
from rag.types import Usage

_HEARTBEAT_SECONDS = 0.25
_CANCEL_POLL_SECONDS = 0.05
# What a server that heeds no limit may send of one answer, its thoughts included; a context of 32,000 tokens has less.
_MOST_CHARACTERS = 150_000
# JSON brings an emoji as two escaped surrogates, even in two pieces of a stream. One without the other is no text that
# could be sent or stored; it becomes a replacement sign.
_characters = codecs.getincrementaldecoder("utf-16-le")


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """The model has read `processed` of `total` prompt tokens."""

    processed: int
    total: int


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Nothing came for a while; the stream is alive."""


@dataclass(frozen=True, slots=True)
class Done:
    """The last part; `cut` is whether the model had to end before it was done."""

    usage: Usage
    cut: bool = False


Part = PromptProgress | Thought | Text | ThoughtsEnd | NoThoughts | Heartbeat | Done
_End = Exception | None


def stream_parts(
    model: BaseChatModel,
    messages: Sequence[BaseMessage],
    cancel: threading.Event,
    *,
    inside: bool = False,
    **kwargs: object,
) -> Generator[Part, None, None]:
    """The parts of one answer. Setting `cancel` ends it with a Done; closing the generator stops the model too.

    `inside` is whether the model is known to begin inside its thoughts.
    Raises a WenquError: the model's own, ModelRefused for an error of another kind, ModelGaveNothing for no answer.
    """
    stop = threading.Event()
    if isinstance(model, EmbeddedChatModel):
        kwargs |= {"cancel": stop, "prompt_progress": True}
    chunks: queue.Queue[AIMessageChunk | _End] = queue.Queue()
    connections = Connections()
    arguments = (model, list(messages), kwargs, chunks, stop, connections)
    threading.Thread(target=_produce, args=arguments, name="model-stream", daemon=True).start()
    try:
        yield from _Reader(model, cancel, inside).parts(chunks)
    finally:
        stop.set()
        connections.break_off()


def model_name(model: object) -> str:
    """What a model of any kind calls itself."""
    names = (getattr(model, attribute, "") for attribute in ("model_name", "model", "_llm_type"))
    return str(next(filter(None, names), type(model).__name__))


def _produce(
    model: BaseChatModel,
    messages: list[BaseMessage],
    kwargs: dict[str, object],
    chunks: "queue.Queue[AIMessageChunk | _End]",
    stop: threading.Event,
    connections: Connections,
) -> None:
    end: _End = None
    left = _MOST_CHARACTERS
    try:
        with connections.watched():
            for chunk in model.stream(messages, **kwargs):  # type: ignore[arg-type]
                size = len(chunk.text) + len(_thought(chunk))
                if size > left:
                    chunks.put(AIMessageChunk(content=chunk.text[:left], response_metadata={"finish_reason": "length"}))
                    break
                left -= size
                chunks.put(chunk)
                if stop.is_set():
                    break
    except Exception as error:  # noqa: BLE001 - raised again in the thread that reads
        end = error
    chunks.put(end)


def _thought(chunk: AIMessageChunk) -> str:
    return str(chunk.additional_kwargs.get("reasoning_content") or "")


def _decoded(decoder: codecs.IncrementalDecoder, piece: str) -> str:
    """What is certain of a text that goes on with `piece`: the first half of a character waits for the second."""
    return decoder.decode(piece.encode("utf-16-le", "surrogatepass"))


class _Reader:
    """Turns a model's chunks into parts, and keeps what the final Done needs."""

    def __init__(self, model: BaseChatModel, cancel: threading.Event, inside: bool) -> None:
        self._model = model
        self._cancel = cancel
        self._splitter = ThinkSplitter(inside=inside)
        self._text, self._thought = _characters("replace"), _characters("replace")
        self._usage = Usage()
        self._answered = False
        self._cut = False

    def parts(self, chunks: "queue.Queue[AIMessageChunk | _End]") -> Iterator[Part]:
        quiet_since = time.monotonic()
        while not self._cancel.is_set():
            if time.monotonic() - quiet_since >= _HEARTBEAT_SECONDS:
                quiet_since = time.monotonic()
                yield Heartbeat()
            try:
                chunk = chunks.get(timeout=_CANCEL_POLL_SECONDS)
            except queue.Empty:
                continue
            if not isinstance(chunk, AIMessageChunk):
                yield from self._end(chunk)
                return
            # What says nothing leaves the silence as it is.
            for part in self._read(chunk):
                yield part
                quiet_since = time.monotonic()
        yield from self._rest()
        yield Done(self._usage)

    def _read(self, chunk: AIMessageChunk) -> Iterator[Part]:
        metadata = chunk.response_metadata
        if progress := metadata.get("prompt_progress"):
            yield PromptProgress(progress["processed"], progress["total"])
        if chunk.usage_metadata:
            usage = chunk.usage_metadata
            cached = usage.get("input_token_details", {}).get("cache_read") or 0
            self._usage = Usage(usage["input_tokens"], cached, usage["output_tokens"])
        # OpenAI's and llama.cpp's name for it, and Ollama's
        self._cut = self._cut or "length" in (metadata.get("finish_reason"), metadata.get("done_reason"))
        if thought := _decoded(self._thought, _thought(chunk)):
            yield Thought(thought)
        yield from self._split(self._splitter.feed(_decoded(self._text, str(chunk.text))))

    def _split(self, pieces: list[Piece]) -> Iterator[Part]:
        for piece in pieces:
            match piece:
                case Text(text):
                    self._answered = self._answered or bool(text.strip())
                case ThoughtsEnd():
                    self._answered = False
            yield piece

    def _rest(self, *, whole: bool = False) -> Iterator[Part]:
        """What was held back for what did not come; `whole` where no more is to come of it."""
        if thought := self._thought.decode(b"", final=True):
            yield Thought(thought)
        yield from self._split(
            [*self._splitter.feed(self._text.decode(b"", final=True)), *self._splitter.close(whole=whole)]
        )

    def _end(self, error: _End) -> Iterator[Part]:
        yield from self._rest(whole=error is None)
        if isinstance(error, WenquError):
            raise error
        if error is not None:
            detail = str(error) or type(error).__name__
            raise ModelRefused(model=model_name(self._model), status=type(error).__name__, detail=detail) from error
        if not self._answered:
            raise (ModelOnlyThought if self._cut else ModelGaveNothing)(model=model_name(self._model))
        yield Done(self._usage, self._cut)
