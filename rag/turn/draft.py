"""A turn while it is being made, and all those that have not ended yet, in the order of their conversations."""

import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from weakref import WeakValueDictionary

from loaders.cleaning import without_unseen
from rag.errors import EmptyQuestion, QuestionTooLong
from rag.language import lead
from rag.language.parted import parted
from rag.llm.gate import Gate
from rag.rewriting.condense import Rewrite
from rag.rewriting.prompt_form import prompt_question
from rag.types import (
    EVERYTHING,
    Budget,
    Decision,
    Evidence,
    Message,
    Place,
    Scope,
    Timing,
    Turn,
    TurnOptions,
    TurnStatus,
    TurnTrace,
    Usage,
)

# What a session may use, of all that it can see or of the documents named. Raises UnknownDocument, StoreError.
ScopeOf = Callable[[str, frozenset[str] | None], Scope]


def checked_question(question: str, limit: int) -> str:
    """The question without blanks around it and without what nobody sees, as documents are read.

    Raises EmptyQuestion, QuestionTooLong.
    """
    question = without_unseen(question).strip()
    if not any(map(str.isprintable, question.replace(" ", ""))):
        raise EmptyQuestion()
    if len(question) > limit:
        raise QuestionTooLong(length=len(question), limit=limit)
    return question


@dataclass(slots=True)
class Draft:
    """What the stages have found out so far. `path` are the turns before it; `cancel` ends the model's work at once."""

    question: str
    session_id: str
    conversation_id: str
    parent_turn_id: str | None
    cancel: threading.Event = field(default_factory=threading.Event)
    overruled: Decision | None = None
    options: TurnOptions = TurnOptions()
    turn_id: str = field(default_factory=lambda: uuid.uuid4().hex)
    begun: float = field(default_factory=time.perf_counter)
    # By the engine, before and between the stages:
    path: tuple[Turn, ...] = ()
    usual_scope: Scope = EVERYTHING
    scope: Scope = EVERYTHING  # deciding narrows it to the one document that is meant
    first_turn_in_prompt: str | None = None  # and answering, where the prompt has to be shorter
    summary_id: str | None = None
    model: str = ""
    trace: TurnTrace = TurnTrace()
    # By deciding; the rewrite where it came with a model's opinion:
    decision: Decision = Decision.RETRIEVE
    reason: Message | None = None
    certainty: float | None = None
    names_subject: bool = False
    rewrite: Rewrite | None = None
    # By deciding or condensing, whichever searched: how probably each chunk answers what the question says itself; None
    # where that tells nothing or was not searched.
    found_alone: Mapping[int, float] | None = None
    # By condensing:
    generated_question: str = ""
    # By recalling:
    recalled: tuple[Turn, ...] = ()
    # By retrieving; answering leaves out what has no room, and adds what it cites:
    place: Place | None = None
    place_read: str = ""
    evidence: tuple[Evidence, ...] = ()
    left_out: tuple[Evidence, ...] = ()
    nearly_relevant: frozenset[int] = frozenset()
    compared: tuple[frozenset[str], ...] = ()
    asked_of_each: str = ""
    # By answering:
    budget: Budget | None = None
    answer: str = ""
    thinking: str = ""
    first_token: float | None = None
    trouble: Message | None = None
    ending: TurnStatus = TurnStatus.FINISHED
    # By whatever asks the model:
    usage: Usage = Usage()

    def bound(self, scope_of: ScopeOf) -> None:
        """Settle what the turn may use, and what its session may otherwise. Raises UnknownDocument, StoreError."""
        documents, pages = self.options.documents, self.options.pages
        self.usual_scope = scope_of(self.session_id, None)
        scope = self.usual_scope if documents is None else scope_of(self.session_id, documents)
        self.scope = scope if pages is None else replace(scope, pages=pages)

    @property
    def asked(self) -> str:
        """What the question asks of the documents, without how that is to be answered."""
        return parted(self.question).asked

    @property
    def whole_question(self) -> str:
        """The question as it stands alone."""
        return self.generated_question or self.asked

    @property
    def phrasings(self) -> tuple[str, ...]:
        """The question as it stands alone, and as it was asked."""
        asked = lead.without_lead(self.asked)
        return tuple(dict.fromkeys((self.generated_question or asked, asked)))

    @property
    def prompt_question(self) -> str:
        """The question as it stands in the prompt, behind the conversation."""
        return prompt_question(self.question, self.whole_question, self.decision)

    @property
    def elapsed(self) -> float:
        """Seconds since the question was asked."""
        return time.perf_counter() - self.begun

    def add_usage(self, usage: Usage) -> None:
        """Count a model call's tokens."""
        before = self.usage
        self.usage = Usage(
            before.prompt + usage.prompt, before.cached + usage.cached, before.completion + usage.completion
        )

    def turn(self, status: TurnStatus, message: Message | None = None) -> Turn:
        """The turn as it stands now."""
        return Turn(
            turn_id=self.turn_id,
            parent_turn_id=self.parent_turn_id,
            session_id=self.session_id,
            conversation_id=self.conversation_id,
            question=self.question,
            generated_question=self.whole_question,
            decision=self.decision,
            answer=self.answer.strip(),
            thinking=self.thinking.strip(),
            sources=self.evidence,
            status=status,
            message=message or self.trouble,
            model=self.model,
            usage=self.usage,
            timing=Timing(self.first_token, self.elapsed),
            first_turn_in_prompt=self.first_turn_in_prompt,
            created_at=datetime.now(UTC),
            reason=self.reason,
            certainty=self.certainty,
            recalled=tuple(turn.turn_id for turn in self.recalled),
            budget=self.budget,
            trace=self.trace,
            place_read=self.place_read,
            summary_id=self.summary_id,
        )


class Running:
    """Knows every turn from its first event to its last."""

    def __init__(self) -> None:
        self._drafts: dict[str, Draft] = {}
        self._orders: WeakValueDictionary[tuple[str, str], Gate] = WeakValueDictionary()
        self._lock = threading.Lock()

    @contextmanager
    def until_it_ends(self, draft: Draft) -> Iterator[None]:
        """Count a turn among those that run; what its model still does ends with it."""
        with self._lock:
            self._drafts[draft.turn_id] = draft
        try:
            yield
        finally:
            draft.cancel.set()
            with self._lock:
                del self._drafts[draft.turn_id]

    def order(self, draft: Draft) -> Gate:
        """Lets a conversation's turns through one after the other, each stored before the next one reads them."""
        with self._lock:
            return self._orders.setdefault((draft.session_id, draft.conversation_id), Gate())

    def stop(self, session_id: str | None = None, conversation_id: str | None = None) -> None:
        """End all turns, a session's, or those of one of its conversations."""
        for draft in self._of(session_id, conversation_id):
            draft.cancel.set()

    def has_any(self, session_id: str, conversation_id: str | None) -> bool:
        """Whether a turn of a session, or of one of its conversations, runs."""
        return bool(self._of(session_id, conversation_id))

    def _of(self, session_id: str | None, conversation_id: str | None) -> list[Draft]:
        with self._lock:
            own = [draft for draft in self._drafts.values() if session_id in (None, draft.session_id)]
        return [draft for draft in own if conversation_id in (None, draft.conversation_id)]
