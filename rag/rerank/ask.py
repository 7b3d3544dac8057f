"""One question to the chat model about passages, whose reply is JSON of a given form."""

import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import HumanMessage

from rag.errors import RerankFailed
from rag.llm.constraint import by_schema
from rag.llm.replier import Replier
from rag.llm.stream import model_name
from rag.llm.think import said_with
from rag.tokens import average_estimate
from rag.types import Hit, Provider

# Tokens a second of the built-in 1.5B on two cores; `bench/results` has them.
_READ, _WRITTEN = 30, 7.5


@dataclass(frozen=True, slots=True)
class Judge:
    """The model that answers at present, asked with patience for this many seconds, until `cancel` is set.

    A model in this process also gets the time it takes to read the prompt and write the reply.
    """

    replier: Callable[[], Replier]
    timeout: float
    cancel: threading.Event = field(default_factory=threading.Event)

    def ask(self, prompt: str, name: str, schema: Mapping[str, object], max_tokens: int) -> Mapping[str, object]:
        """The object in the model's reply. Raises RerankFailed, or what the model itself raises."""
        replier = self.replier()
        provider, model = replier.provider, model_name(replier.model)
        if provider is Provider.EXTRACTIVE:
            raise RerankFailed(model=model, detail="provider: extractive")
        messages, form = [HumanMessage(prompt)], by_schema(provider, name, schema)
        seconds = self.timeout
        if not provider.is_served:
            seconds += average_estimate(prompt) / _READ + max_tokens / _WRITTEN
        deadline, reply = time.monotonic() + seconds, ""
        # Leaving the loop closes the stream, which ends the model's work.
        for part in replier.parts(messages, self.cancel, max_tokens, **form):
            reply = said_with(reply, part)
            if time.monotonic() > deadline:
                raise RerankFailed(model=model, detail=f"> {seconds:.3g} s")
        try:
            values = json.loads(reply)
        except (ValueError, RecursionError) as error:
            # Python refuses numbers of thousands of digits, and brackets within a thousand others, in its own ways.
            raise RerankFailed(model=model, detail=f"JSON: {error}") from error
        if not isinstance(values, Mapping):
            raise RerankFailed(model=model, detail="JSON: {}?")
        return values


def numbered(hits: Sequence[Hit]) -> str:
    """The passages of hits under numbers from 1, each with its document's name, its headings and its context."""
    return "\n\n".join(
        f"[{number}] {' > '.join((chunk.document_name, *chunk.passage.heading_path))}\n{chunk.passage.text_in_context}"
        for number, chunk in enumerate((hit.chunk for hit in hits), start=1)
    )
