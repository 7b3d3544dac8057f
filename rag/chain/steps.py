"""A turn as steps that need a model or a retriever, and two runners for them: one that waits and one that awaits."""

from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import Any

from langchain_classic.chains.base import Chain
from langchain_core.callbacks import (
    AsyncCallbackManager,
    AsyncCallbackManagerForChainRun,
    CallbackManager,
    CallbackManagerForChainRun,
)
from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig

from rag.chain.tokens import Outputs, expect_answer


@dataclass(frozen=True, slots=True)
class Ask:
    """Run a chain; `answer` numbers its model call that writes the turn's answer, from 1."""

    chain: Chain
    inputs: dict[str, Any]
    tag: str
    answer: int | None = None

    def config(self, manager: CallbackManager | AsyncCallbackManager) -> RunnableConfig:
        """What the run is told. By its tag, handlers tell the tokens of an answer from those of a rewrite."""
        manager.add_tags([self.tag])
        expect_answer(manager, self.answer)
        return {"callbacks": manager}

    def own(self, way: str) -> Callable[..., Any] | None:
        """The chain's own `run` or `arun`, by which LangChain's chain would ask it; None where it has LangChain's."""
        overridden = getattr(type(self.chain), way) is not getattr(Chain, way)
        return partial(getattr(self.chain, way), **self.inputs) if overridden else None


@dataclass(frozen=True, slots=True)
class Search:
    """Find the documents for a question."""

    question: str


# Sent to the steps: the outputs of what an Ask ran, or the documents of a Search.
Steps = Generator[Ask | Search, Any, Outputs]


def run(steps: Steps, search: Callable[[str], list[Document]], manager: CallbackManagerForChainRun) -> Outputs:
    """What the steps come to."""
    result: Any = None
    while True:
        try:
            step = steps.send(result)
        except StopIteration as end:
            return dict(end.value)
        match step:
            case Search(question):
                result = search(question)
            case Ask(chain, inputs):
                config = step.config(manager.get_child())
                if own := step.own("run"):
                    result = {chain.output_keys[0]: own(callbacks=config["callbacks"])}
                else:
                    result = chain.invoke(inputs, config)


async def arun(
    steps: Steps, search: Callable[[str], Awaitable[list[Document]]], manager: AsyncCallbackManagerForChainRun
) -> Outputs:
    """What the steps come to."""
    result: Any = None
    while True:
        try:
            step = steps.send(result)
        except StopIteration as end:
            return dict(end.value)
        match step:
            case Search(question):
                result = await search(question)
            case Ask(chain, inputs):
                config = step.config(manager.get_child())
                if own := step.own("arun"):
                    result = {chain.output_keys[0]: await own(callbacks=config["callbacks"])}
                else:
                    result = await chain.ainvoke(inputs, config)
