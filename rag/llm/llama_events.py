"""What llama.cpp's stream events tell, as LangChain's chunks."""

from typing import Any

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.ai import InputTokenDetails, UsageMetadata
from langchain_core.outputs import ChatGenerationChunk

Event = dict[str, Any]


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
