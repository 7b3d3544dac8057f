"""What a chain does for its callers: tells them apart, streams the answer alone, remembers it without being set up."""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from langchain_classic.base_memory import BaseMemory
from langchain_classic.chains.conversational_retrieval import base
from langchain_classic.memory import CombinedMemory
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, merge_configs
from pydantic import PrivateAttr

from rag.chain.tokens import AnswerTokens, Outputs, astream_answer, stream_answer
from rag.llm.current import Habits

# What LangGraph and LangChain's histories add to a config: it differs from turn to turn, whoever asks.
_OF_A_STEP = ("__", "checkpoint_", "langgraph_", "message_history")
# A chain's turn gets no config; of metadata, which it gets, tracers would tell what is none of their business.
_CONFIGURABLE: ContextVar[Mapping[str, Any] | None] = ContextVar("configurable", default=None)


class CallersChain(base.ConversationalRetrievalChain):
    """LangChain's chain, for more callers than one."""

    _habits: Habits = PrivateAttr(default_factory=Habits)

    def invoke(self, input: Outputs, config: RunnableConfig | None = None, **kwargs: Any) -> Outputs:
        """All outputs of a turn."""
        with _asked_with(config):
            return super().invoke(input, config, **kwargs)

    async def ainvoke(self, input: Outputs, config: RunnableConfig | None = None, **kwargs: Any) -> Outputs:
        """All outputs of a turn."""
        with _asked_with(config):
            return await super().ainvoke(input, config, **kwargs)

    def stream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Iterator[Outputs]:
        """Pieces of the answer, then the other outputs."""
        return stream_answer(
            lambda handler: self.invoke(input, _told_of(config, handler), **kwargs), self.output_key, self._habits
        )

    def astream(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> AsyncIterator[Outputs]:
        """Pieces of the answer, then the other outputs."""
        return astream_answer(
            lambda handler: self.ainvoke(input, _told_of(config, handler), **kwargs), self.output_key, self._habits
        )

    def prep_outputs(self, inputs: Outputs, outputs: Outputs, return_only_outputs: bool = False) -> Outputs:
        """Check the outputs and save the turn in the memory."""
        self._validate_outputs(outputs)
        for memory in self._memories():
            memory.save_context(*self._to_remember(memory, inputs, outputs))
        return outputs if return_only_outputs else {**inputs, **outputs}

    async def aprep_outputs(self, inputs: Outputs, outputs: Outputs, return_only_outputs: bool = False) -> Outputs:
        """Check the outputs and save the turn in the memory."""
        self._validate_outputs(outputs)
        for memory in self._memories():
            await memory.asave_context(*self._to_remember(memory, inputs, outputs))
        return outputs if return_only_outputs else {**inputs, **outputs}

    def _memories(self) -> Sequence[BaseMemory]:
        """The memory, or those that it combines: each may name keys of its own."""
        if isinstance(self.memory, CombinedMemory):
            return self.memory.memories
        return [self.memory] if self.memory is not None else []

    def _to_remember(self, memory: BaseMemory, inputs: Outputs, outputs: Outputs) -> tuple[Outputs, Outputs]:
        """What a memory saves: a memory that names its keys chooses itself, any other gets question and answer."""
        names_input, names_output = (getattr(memory, key, None) for key in ("input_key", "output_key"))
        return (
            inputs if names_input else {"question": inputs["question"]},
            outputs if names_output else {self.output_key: outputs[self.output_key]},
        )

    def _asker(self, inputs: Outputs, metadata: Mapping[str, Any]) -> str:
        """All that a turn is told of who asks, beside the conversation, and what the retriever filters by."""
        remembered = self.memory.memory_variables if self.memory is not None else []
        # Not `self`: what a subclass asks for besides may tell it.
        conversation = {*super().input_keys, *remembered}
        others = {name: value for name, value in inputs.items() if name not in conversation}
        filters = getattr(self.retriever, "search_kwargs", None)
        return repr((others, _lasting(_CONFIGURABLE.get() or {}), _lasting(metadata), filters))


def _told_of(config: RunnableConfig | None, handler: AnswerTokens) -> RunnableConfig:
    return merge_configs(ensure_config(config), {"callbacks": [handler]})


def _lasting(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if not name.startswith(_OF_A_STEP)}


@contextmanager
def _asked_with(config: RunnableConfig | None) -> Iterator[None]:
    token = _CONFIGURABLE.set(ensure_config(config)["configurable"])
    try:
        yield
    finally:
        _CONFIGURABLE.reset(token)
