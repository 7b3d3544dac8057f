"""What OpenAI's clients ask for. Other fields that only tune a model are taken and not used: the settings hold."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from rag.errors import NoQuestion, UnsupportedParameter
from rag.types import Exchange, TurnOptions
from rag.web.http.wire import EncodableText

_MOST_MESSAGES = 10_000
_StopText = Annotated[str, Field(max_length=200)]


class ContentPart(BaseModel):
    """A part of a message; only text is understood, and an assistant's refusal, which is its text."""

    type: str
    text: EncodableText | None = None
    refusal: EncodableText | None = None


class ChatMessage(BaseModel):
    """A message of the client's history."""

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: EncodableText | list[ContentPart] | None = None

    @property
    def text(self) -> str:
        """What it says. Raises UnsupportedParameter for anything but text."""
        if self.content is None or isinstance(self.content, str):
            return self.content or ""
        for part in self.content:
            if part.type not in ("text", "refusal"):
                raise UnsupportedParameter(parameter=f"messages.content.{part.type}")
        return "\n".join(part.text or part.refusal or "" for part in self.content)


class StreamOptions(BaseModel):
    """What a stream carries besides its text."""

    include_usage: bool | None = None


class ResponseFormat(BaseModel):
    """The form of an answer."""

    type: str = "text"


class ChatRequest(BaseModel):
    """A chat completion. The messages are the whole history; the newest must be the user's."""

    model: Annotated[str, Field(max_length=200)]
    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=_MOST_MESSAGES)]
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    max_tokens: Annotated[int | None, Field(description="At most what the server gives an answer.")] = None
    max_completion_tokens: Annotated[int | None, Field(description="The present name of max_tokens.")] = None
    stop: Annotated[
        _StopText | Annotated[list[_StopText], Field(max_length=4)] | None,
        Field(description="The answer ends before any of these texts."),
    ] = None
    n: int | None = None
    tools: list[Any] | None = None
    functions: list[Any] | None = None
    logprobs: bool | None = None
    modalities: list[str] | None = None
    response_format: ResponseFormat | None = None

    @property
    def options(self) -> TurnOptions:
        """What the engine is told of it."""
        # Clients of other servers say 0 or -1 where they mean no limit of theirs.
        limits = (tokens for tokens in (self.max_completion_tokens, self.max_tokens) if tokens and tokens > 0)
        stops = [self.stop] if isinstance(self.stop, str) else self.stop or ()
        return TurnOptions(
            temperature=self.temperature, max_tokens=next(limits, None), stop=tuple(stop for stop in stops if stop)
        )

    def check(self) -> None:
        """Raises UnsupportedParameter for what would change the answer's meaning if it were passed over."""
        refused = {
            "n": self.n not in (None, 1),
            "tools": bool(self.tools),
            "functions": bool(self.functions),
            "logprobs": bool(self.logprobs),
            "modalities": self.modalities not in (None, [], ["text"]),
            "response_format": self.response_format is not None and self.response_format.type != "text",
        }
        for name, present in refused.items():
            if present:
                raise UnsupportedParameter(parameter=name)


def dialogue(messages: Sequence[ChatMessage]) -> tuple[tuple[Exchange, ...], str]:
    """The exchanges so far and the new question. Raises NoQuestion, UnsupportedParameter.

    Messages in a row by one side are joined. What the client would have the system be told is left out: the server
    tells it itself, and a prompt that begins alike for all is read once. So is an answer that nothing was asked for.
    """
    exchanges: list[Exchange] = []
    asked: list[str] = []
    answered: list[str] = []
    for message in messages:
        if message.role == "user":
            if answered:
                exchanges.append(Exchange("\n".join(asked), "\n".join(answered)))
                asked, answered = [], []
            asked.append(message.text)
        elif message.role == "assistant" and asked:
            answered.append(message.text)
    if not asked or answered:
        raise NoQuestion()
    return tuple(exchanges), "\n".join(asked)
