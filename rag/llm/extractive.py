"""No model at all: the sentences of the evidence that come nearest to the question, quoted with their numbers."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.chat_models import generate_from_stream
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from pydantic import Field

from rag import i18n
from rag.quoting import Similarities, beginnings, by_each, nearest, quoted_blocks
from rag.tokens import average_estimate, cut_text
from rag.types import Evidence

# Sentences that all have less of the question's words are told to be the nearest by meaning.
_LEAST_OVERLAP = 0.2


def extract(
    evidence: Sequence[Evidence],
    question: str,
    similarities: Similarities,
    limit: int = 3,
    language: i18n.Language = i18n.Language.ZH,
    compared: Sequence[Collection[str]] = (),
) -> str:
    """Up to `limit` sentences of the evidence that come nearest to the question, in their order.

    Without any, the answer is that it is not known. A question without words asks for nothing in particular: each
    passage is quoted from its beginning.
    """
    best = nearest(question, evidence, similarities, limit, compared) if question else beginnings(evidence, limit)
    if not best:
        return i18n.text(language, "extractive.unknown")
    quoted = quoted_blocks(best)
    if question and all(sentence.similarity.words < _LEAST_OVERLAP for sentence in best):
        quoted.insert(0, i18n.text(language, "extractive.by_meaning"))
    # A table is a block of several lines, which the next one would be a row of.
    return "\n".join(f"\n{block}\n" if "\n" in block else block for block in quoted).strip()


def quotable(
    message: BaseMessage,
    phrasings: Sequence[str],
    evidence: Sequence[Evidence],
    compared: Sequence[Collection[str]] = (),
) -> BaseMessage:
    """A message that carries what it can be answered from without a model, whatever its prompt looks like.

    Without a phrasing of a question, the passages are quoted from their beginnings. Of documents that are `compared`,
    each is quoted.
    """
    carried = {"phrasings": [*phrasings], "evidence": [*evidence], "compared": [*compared]}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, **carried}})


class ExtractiveChatModel(BaseChatModel):
    """Answers without a model, from the question and the evidence that the last message carries beside its text.

    It may carry the `language` of the program's own words too.
    """

    similarities: Similarities = Field(exclude=True, repr=False)
    language: i18n.Language = i18n.Language.ZH
    limit: int = 3

    @property
    def model_name(self) -> str:
        """What the page and the turns call it."""
        return "extractive"

    @property
    def _llm_type(self) -> str:
        return "wenqu-extractive"

    def get_num_tokens(self, text: str) -> int:
        """An estimate, like that of the models it stands in for."""
        return average_estimate(text)

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
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        answer, ended = self._quoted(messages), "stop"
        for mark in stop or ():
            answer = answer.partition(mark)[0]
        if (limit := kwargs.get("max_tokens")) is not None and average_estimate(answer) > limit:
            # No answer at all would be an error.
            answer, ended = cut_text(answer, limit, average_estimate, anywhere=True) or answer[:1], "length"
        for sentence in answer.splitlines(keepends=True):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=sentence))
            if run_manager:
                run_manager.on_llm_new_token(sentence, chunk=chunk)
            yield chunk
        read = sum(average_estimate(str(message.text)) for message in messages)
        written = average_estimate(answer)
        usage = UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)
        metadata = {"finish_reason": ended, "model_name": self.model_name}
        last = AIMessageChunk(content="", usage_metadata=usage, response_metadata=metadata, chunk_position="last")
        yield ChatGenerationChunk(message=last)

    def _quoted(self, messages: list[BaseMessage]) -> str:
        carried = messages[-1].additional_kwargs if messages else {}
        language = carried.get("language", self.language)
        if "phrasings" not in carried:
            return i18n.text(language, "extractive.talk")
        phrasings = carried["phrasings"]
        similarities, question = by_each(phrasings, self.similarities), next(iter(phrasings), "")
        return extract(carried["evidence"], question, similarities, self.limit, language, carried["compared"])
