"""Turns of conversations, how their answers came about, and what is kept of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum

from rag.types.message import Message
from rag.types.search import Candidate, Evidence


class Decision(StrEnum):
    """What a turn does about evidence before it is answered."""

    RETRIEVE = "retrieve"
    REUSE = "reuse"
    NO_RETRIEVE = "no_retrieve"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question and its answer, as other programs' histories have them."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a turn's model calls; `cached` are those of the prompt that the model's prefix cache held."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds from the question: until a model's first answer token, if one was asked, and until the end."""

    first_token: float | None = None
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """What a client wants of one turn; None, False and empty names leave it to the configuration.

    `thinking` is for models that can; `rerank_top_n` is how many passages the turn may bring in; `use_insert_block` has
    the model that answers, or the one named `judge`, drop the passages that do not answer the question. `documents` and
    `pages` are all that the turn may use, the documents in place of what the session has chosen. `model` is who
    answers; `temperature` and `max_tokens` are for the call for the answer, which gets no more tokens than the
    configuration gives it. The answer ends before any text in `stop`. `language` is the reader's, "zh" or "en", for a
    question that shows none.
    """

    thinking: bool | None = None
    rerank_top_n: int | None = None
    use_insert_block: bool = False
    documents: frozenset[str] | None = None
    pages: frozenset[int] | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    model: str = ""
    judge: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Budget:
    """The tokens of a turn's prompt by its parts, as estimated, and those that its answer may take, of `limit`."""

    limit: int
    system: int
    summary: int
    history: int
    recalled: int
    evidence: int
    question: int
    answer: int

    @property
    def left(self) -> int:
        """The tokens that there are behind the prompt."""
        prompt = self.system + self.summary + self.history + self.recalled + self.evidence + self.question
        return self.limit - prompt


class TurnStatus(StrEnum):
    """How a turn ended."""

    FINISHED = "finished"
    CUT = "cut"  # the answer reached its length limit
    STOPPED = "stopped"
    FAILED = "failed"


class Rating(IntEnum):
    """What the reader thinks of an answer."""

    BAD = -1
    NONE = 0
    GOOD = 1


@dataclass(frozen=True, slots=True)
class Span:
    """A step of a turn, from and to so many seconds after the question."""

    step: str
    begin: float
    end: float

    @property
    def seconds(self) -> float:
        """How long the step took."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class TurnTrace:
    """What a turn's events tell beyond the turn itself: `found` is how many chunks each route brought."""

    spans: tuple[Span, ...] = ()
    found: Mapping[str, int] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with its answer. `sources` is all its evidence, also what earlier turns had brought in.

    `reason` says why it was decided so, with a `certainty` of 0 to 1; None where nothing was decided. `recalled` are
    the ids of older turns that its prompt repeats. `budget` is None where no model was asked for an answer; `trace` is
    empty where nobody followed the turn's events.
    `context_docs` names the documents of a turn from elsewhere, whose passages are not known. `place_read` is
    the prompt by which all of a place was read, so that it can be made again as it was, whatever was cited later; empty
    where a search brought the evidence.
    `summary_id` is the summary that its prompt held in place of the turns before `first_turn_in_prompt`, if any.
    `created_at` is when it was stored: at its end.
    """

    turn_id: str
    parent_turn_id: str | None
    session_id: str
    conversation_id: str
    question: str
    generated_question: str
    decision: Decision
    answer: str
    created_at: datetime
    thinking: str = ""
    sources: tuple[Evidence, ...] = ()
    status: TurnStatus = TurnStatus.FINISHED
    message: Message | None = None
    model: str = ""
    usage: Usage = Usage()
    timing: Timing = Timing()
    first_turn_in_prompt: str | None = None
    feedback: Rating = Rating.NONE
    feedback_reason: str = ""
    context_docs: tuple[str, ...] = ()
    reason: Message | None = None
    certainty: float | None = None
    recalled: tuple[str, ...] = ()
    budget: Budget | None = None
    trace: TurnTrace = TurnTrace()
    place_read: str = ""
    summary_id: str | None = None

    @property
    def asked_at(self) -> datetime:
        """When its question was asked."""
        return self.created_at - timedelta(seconds=self.timing.total)

    @property
    def halted(self) -> Message | None:
        """Why the answer is not whole, in a sentence for the page and for exports; None where it is."""
        if self.status is TurnStatus.FINISHED:
            return None
        if self.status is TurnStatus.STOPPED and not self.answer and self.message is None:
            return Message("web.chat.stopped_early")
        return self.message or Message(f"web.chat.{self.status}")


@dataclass(frozen=True, slots=True)
class Conversation:
    """An entry of a session's conversation list, titled by its first question."""

    conversation_id: str
    title: str
    turns: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Summary:
    """What a conversation's turns up to and including `last_turn_id` came to."""

    summary_id: str
    session_id: str
    conversation_id: str
    last_turn_id: str
    text: str
    edited: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Recollection:
    """What the next prompt knows of a conversation: the turns `held` in it, and the summary of those `covered`.

    `tokens` is what it is estimated at before the next question, of `limit`. `trouble` says why older turns could not
    be summarised, where that was tried last and failed.
    """

    summary: Summary | None
    covered: tuple[Turn, ...]
    held: tuple[Turn, ...]
    tokens: int
    limit: int
    trouble: Message | None = None
