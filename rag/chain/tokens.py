"""The answer of a running chain in pieces, as the model says it."""

import asyncio
import queue
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from threading import Event
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackManager, BaseCallbackHandler, CallbackManager
from langchain_core.outputs import ChatGenerationChunk, GenerationChunk, LLMResult
from langchain_core.runnables.config import ContextThreadPoolExecutor
from langchain_core.runnables.utils import AddableDict
from typing_extensions import override

from rag.llm.current import Habits
from rag.llm.think import NoThoughts, Piece, Text, ThinkSplitter, Thought, ThoughtsEnd

_ANSWERING_CALL = "wenqu_answering_call"
# LangChain gives it to a run below another's that makes several documents one before the answer: it collapses them.
_COLLAPSED = "input_documents"
# What a chain knows the model that answers by: it has one.
_MODEL = "answering"
Outputs = dict[str, Any]


class _NobodyReadsError(BaseException):
    """Ends a model's run; the thread that it ends in has no reader either.

    No Exception: a model with retries or fallbacks would be asked again.
    """


def expect_answer(manager: CallbackManager | AsyncCallbackManager, call: int | None) -> None:
    """Note on the run about to start that its `call`-th model call (from 1) writes the answer.

    Calls that only collapse documents are not counted: how many there will be is not known before.
    """
    if call is not None:
        manager.add_metadata({_ANSWERING_CALL: call}, inherit=False)


class AnswerTokens(BaseCallbackHandler):
    """Hands on the tokens of the model call that writes the answer, without its thoughts, and of no other call."""

    run_inline = True
    raise_error = True  # raising is the only way to end a model's run from within

    def __init__(self, put: Callable[[str], None], habits: Habits) -> None:
        self._put = put
        self._left = Event()
        self._habits = habits
        self._splitter = ThinkSplitter(inside=habits.begins_inside(_MODEL))
        self._pieces = set[type[Piece]]()
        self._root: UUID | None = None
        # Each run below the one that answers, and the run right below it (or itself) that it is part of.
        self._branches: dict[UUID | None, UUID] = {}
        self._counted: set[UUID] = set()
        self._calls = 0
        self._answering: UUID | None = None

    def leave(self) -> None:
        """Nobody reads any more: end the run at its next token."""
        self._left.set()

    @override
    def on_chain_start(
        self,
        serialized: dict[str, Any] | None,
        inputs: dict[str, Any],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        metadata: dict[str, Any] | None = None,
        **kwargs: Any,
    ) -> None:
        """Find the run that answers, and the runs below it."""
        call = (metadata or {}).get(_ANSWERING_CALL)
        if call is not None:
            self._root, self._calls = run_id, call
            self._branches, self._counted = {run_id: run_id}, set()
        elif parent_run_id in self._branches and not _collapses(inputs):
            self._branches[run_id] = run_id if parent_run_id == self._root else self._branches[parent_run_id]

    @override
    def on_llm_start(
        self, serialized: dict[str, Any], prompts: list[str], *, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Count the calls of a string model."""
        self._count(parent_run_id)

    @override
    def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[Any], *, parent_run_id: UUID | None = None, **kwargs: Any
    ) -> None:
        """Count the calls of a chat model."""
        self._count(parent_run_id)

    @override
    def on_llm_new_token(
        self,
        token: str | list[str | dict[str, Any]],
        *,
        chunk: GenerationChunk | ChatGenerationChunk | None = None,
        parent_run_id: UUID | None = None,
        **kwargs: Any,
    ) -> None:
        """Hand on what belongs to the answer."""
        if self._left.is_set():
            raise _NobodyReadsError
        if self._is_answering(parent_run_id):
            for piece in self._splitter.feed(chunk.text if chunk else str(token)):
                self._pieces.add(type(piece))
                match piece:
                    case Text(text):
                        self._put(text)
                    case ThoughtsEnd():
                        self._habits.began_inside(_MODEL)

    @override
    def on_llm_end(self, response: LLMResult, *, parent_run_id: UUID | None = None, **kwargs: Any) -> None:
        """Note where a whole answer had no thoughts."""
        if self._pieces and self._is_answering(parent_run_id):
            rest = {type(piece) for piece in self._splitter.close(whole=True)}
            if NoThoughts in rest or self._pieces.isdisjoint((Thought, ThoughtsEnd)):
                self._habits.answered_plainly(_MODEL)

    # With these two, LangChain's chat models stream inside `invoke`, as they do for its own event streams.
    def tap_output_iter(self, run_id: UUID, output: Iterator[Any]) -> Iterator[Any]:  # noqa: ARG002
        """The output as it is."""
        return output

    def tap_output_aiter(self, run_id: UUID, output: AsyncIterator[Any]) -> AsyncIterator[Any]:  # noqa: ARG002
        """The output as it is."""
        return output

    def _is_answering(self, parent_run_id: UUID | None) -> bool:
        return self._answering is not None and self._branches.get(parent_run_id) == self._answering

    def _count(self, parent_run_id: UUID | None) -> None:
        # A batch of prompts is one call, and so is a call tried again.
        branch = self._branches.get(parent_run_id)
        if branch and branch not in self._counted:
            self._counted.add(branch)
            self._calls -= 1
            if self._calls == 0:
                self._answering = branch


def _collapses(inputs: object) -> bool:
    # Runs that are no chains are given anything; and a prompt may call its context so.
    return isinstance(inputs, dict) and isinstance(inputs.get(_COLLAPSED), list)


def stream_answer(run: Callable[[AnswerTokens], Outputs], key: str, habits: Habits) -> Iterator[Outputs]:
    """The pieces of the answer under `key` while the chain runs, then its other outputs."""
    pieces: queue.Queue[str | None] = queue.Queue()
    handler = AnswerTokens(pieces.put, habits)
    executor = ContextThreadPoolExecutor(1, "chain-stream")
    said = ""
    try:
        future = executor.submit(run, handler)
        future.add_done_callback(lambda _: pieces.put(None))
        while (piece := pieces.get()) is not None:
            said += piece
            yield AddableDict({key: piece})
        yield from _ending(future.result(), key, said)
    finally:
        handler.leave()
        executor.shutdown(wait=False)


async def astream_answer(
    run: Callable[[AnswerTokens], Awaitable[Outputs]], key: str, habits: Habits
) -> AsyncIterator[Outputs]:
    """As `stream_answer`, in an event loop."""
    loop = asyncio.get_running_loop()
    pieces: asyncio.Queue[str | None] = asyncio.Queue()
    # Models without an asynchronous interface tell their tokens from another thread.
    handler = AnswerTokens(lambda text: _put(loop, pieces, text), habits)
    task = asyncio.ensure_future(run(handler))
    task.add_done_callback(lambda _: _put(loop, pieces, None))
    said = ""
    try:
        while (piece := await pieces.get()) is not None:
            said += piece
            yield AddableDict({key: piece})
        for outputs in _ending(task.result(), key, said):
            yield outputs
    finally:
        handler.leave()
        task.cancel()


def _put(loop: asyncio.AbstractEventLoop, pieces: "asyncio.Queue[str | None]", piece: str | None) -> None:
    loop.call_soon_threadsafe(pieces.put_nowait, piece)


def _ending(outputs: Outputs, key: str, said: str) -> Iterator[Outputs]:
    """What was not said yet: all of an answer that came in one piece, and the other outputs."""
    answer = outputs[key]
    if not isinstance(answer, str):
        yield AddableDict({key: answer})
    elif answer.startswith(said) and len(answer) > len(said):
        yield AddableDict({key: answer[len(said) :]})
    yield AddableDict({name: value for name, value in outputs.items() if name != key})
