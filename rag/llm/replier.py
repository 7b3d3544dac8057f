"""Short replies that are asked of a model beside its answers."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from rag.llm.constraint import thinking
from rag.llm.stream import Part, stream_parts
from rag.types import Provider


@dataclass(frozen=True, slots=True)
class Replier:
    """A model that is asked for short replies. Whatever its answers do, these are not to be thought about first."""

    provider: Provider
    model: BaseChatModel

    def parts(
        self, messages: Sequence[BaseMessage], cancel: threading.Event, max_tokens: int, **arguments: object
    ) -> Iterator[Part]:
        """The parts of a reply, the most probable one, as `stream_parts` gives them. Raises what that does."""
        arguments |= {"max_tokens": max_tokens, "temperature": 0.0, **thinking(self.provider, False)}
        return stream_parts(self.model, messages, cancel, **arguments)
