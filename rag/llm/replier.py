"""Short replies that are asked of a model beside its answers."""

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage

from rag.errors import ModelGaveNothing
from rag.llm.constraint import thinking
from rag.llm.current import Answering, Habits
from rag.llm.stream import Done, Part, model_name, stream_parts
from rag.llm.think import NoThoughts, Text
from rag.types import Provider

_LONGEST_QUESTION = 80
_NUMBERING = re.compile(r"^\s*(?:[-*•·]|[（(]?\d{1,2}[.)、．）:：]|问题\s*\d*[:：])\s*")


@dataclass(frozen=True, slots=True)
class Replier:
    """A model that is asked for short replies. Whatever its answers do, these are not to be thought about first.

    `begins_inside` is whether it is known to begin inside its thoughts all the same.
    """

    provider: Provider
    model: BaseChatModel
    begins_inside: bool = False

    @classmethod
    def of(cls, answering: Answering, habits: Habits) -> "Replier":
        """Whoever answers, as its answers have shown it to begin."""
        return cls(answering.provider, answering.model, habits.begins_inside(answering.name))

    def parts(
        self, messages: Sequence[BaseMessage], cancel: threading.Event, max_tokens: int, **arguments: object
    ) -> Iterator[Part]:
        """The parts of a reply, the most probable one, as `stream_parts` gives them.

        Raises what that does, ModelGaveNothing also where the model only thought until the limit was reached.
        """
        arguments |= {"max_tokens": max_tokens, "temperature": 0.0, **thinking(self.provider, False)}
        only_thoughts: list[Part] = []
        for part in stream_parts(self.model, messages, cancel, inside=self.begins_inside, **arguments):
            match part:
                case NoThoughts():
                    only_thoughts.append(part)
                case Text() if only_thoughts:
                    only_thoughts.append(part)
                case Done(_, cut) if cut and only_thoughts:
                    raise ModelGaveNothing(model=model_name(self.model))
                case Done():
                    yield from (*only_thoughts, part)
                case _:
                    yield part


def read_questions(reply: str) -> tuple[str, ...]:
    """The questions of a reply, one a line, whatever numbers or quotes the model put around them; each once."""
    lines = (_NUMBERING.sub("", line).strip(" \t*\"'“”「」") for line in reply.splitlines())
    return tuple(dict.fromkeys(line for line in lines if line.endswith(("？", "?")) and len(line) <= _LONGEST_QUESTION))
