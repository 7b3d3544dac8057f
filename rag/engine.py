"""The engine: one turn of a conversation as a stream of events."""

import logging
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rag import events, trace
from rag.conversation.base import ConversationStore
from rag.conversation.shelf import Shelf
from rag.decision.base import Decider
from rag.errors import InternalError, QuestionCalledOff, QuestionError, WenquError
from rag.evidence import without_deleted
from rag.knowledge.request import SearchRequest, search_request
from rag.llm.gate import Gate, Ticket
from rag.profile import Profile
from rag.turn import STAGES
from rag.turn.context import context_of
from rag.turn.draft import Draft, Running, ScopeOf, checked_question
from rag.turn.upkeep import Upkeep
from rag.types import Decision, Message, Recollection, Scope, Turn, TurnOptions, TurnStatus

ROOT = ""  # passed as parent_turn_id: start a new branch at the root
_log = logging.getLogger(__name__)


class Engine(Shelf):
    """Holds conversations over documents. Safe for many sessions at once; the gate lets their turns in by order."""

    def __init__(
        self,
        profile: Profile,
        conversations: ConversationStore,
        gate: Gate,
        *,
        decider: Decider,
        scope_of: ScopeOf = lambda _, documents: Scope(documents),
        profile_of: Callable[[str], Profile] | None = None,
        on_turn: Callable[[Turn], None] | None = None,
        on_event: Callable[[events.TurnEvent], None] | None = None,
        as_told: Callable[[WenquError], WenquError] = lambda error: error,
    ) -> None:
        """`scope_of` tells what a session may use, `on_turn` is told of each stored turn, `on_event` of all events.
        `profile` is the server's own, `profile_of` tells a session's, where they have any; `as_told` words errors.
        """
        super().__init__(conversations)
        self._profile = profile
        self._profile_of = profile_of or (lambda _: profile)
        self._gate = gate
        self._decider = decider
        self._scope_of = scope_of
        self._on_turn = on_turn
        self._on_event = on_event
        self._as_told = as_told
        self._upkeep = Upkeep(gate)
        self._running = Running()

    def stream(
        self,
        question: str,
        session_id: str,
        parent_turn_id: str | None = None,
        *,
        conversation_id: str | None = None,
        decision: Decision | None = None,
        options: TurnOptions | None = None,
        cancel: threading.Event | None = None,
    ) -> Generator[events.TurnEvent]:
        """The events of one turn; the last one is Finished or Failed. Closing the stream ends the model's work.

        The turn follows `parent_turn_id`, or the branch in view of the conversation; without a conversation, it stands
        in that of its parent, or in the one that the session spoke in last. `decision` overrules what the turn would do
        about evidence; with RETRIEVE the model answers even from what only came nearest. Setting `cancel` ends this
        turn as `stop` ends all of a session's.
        """
        try:
            draft = self._open(question, session_id, parent_turn_id, conversation_id, options or TurnOptions())
            draft.overruled, draft.cancel = decision, cancel or draft.cancel
        except WenquError as error:
            yield events.Failed(error, None)
            return
        with self._running.until_it_ends(draft):
            yield from self._run(draft)

    def ask(
        self, question: str, session_id: str, parent_turn_id: str | None = None, *, conversation_id: str | None = None
    ) -> Turn:
        """The finished turn. Raises WenquError where it failed."""
        for event in self.stream(question, session_id, parent_turn_id, conversation_id=conversation_id):
            match event:
                case events.Finished(turn):
                    return turn
                case events.Failed(error):
                    raise error
        raise AssertionError("a turn ends with Finished or Failed")

    def stop(self, session_id: str, conversation_id: str | None = None) -> None:
        """End the running turns of a session, or of one of its conversations; what they have of an answer is kept."""
        self._running.stop(session_id, conversation_id)

    def is_answering(self, session_id: str, conversation_id: str | None = None) -> bool:
        """Whether a turn of a session, or of one of its conversations, has not ended yet."""
        return self._running.has_any(session_id, conversation_id)

    def delete_conversation(self, session_id: str, conversation_id: str) -> None:
        """Delete a conversation with its turns, including those being answered; the model makes no more of them."""
        self.store.delete(session_id, conversation_id)
        self.stop(session_id, conversation_id)
        self._upkeep.interrupt(session_id)

    def forget(self, session_id: str) -> None:
        """Delete all of a session's conversations."""
        self.stop(session_id)
        self.store.forget(session_id)
        self._upkeep.forget(session_id)

    def update_search_config(self, request: SearchRequest | Mapping[str, Any]) -> None:
        """Search so from the next turn on, but for what a session has set. Raises ValueError for no fit request."""
        self._profile.retrieval.request = search_request(request)

    def warm(self) -> None:
        """Let the model read what every prompt begins with, before the first question comes."""
        self._upkeep.warm(self._profile)

    def close(self) -> None:
        """End the running turns, of which what they have of an answer is kept, and what is done between turns."""
        self._running.stop()
        self._upkeep.close()

    def suggestions(self, session_id: str, turn_id: str) -> tuple[str, ...]:
        """Questions that may follow a turn, once the model has thought of them; none where that is not configured."""
        return self._upkeep.suggestions(session_id, turn_id)

    def recollection(self, session_id: str, conversation_id: str) -> Recollection:
        """What the next prompt knows of the conversation. Raises UnknownConversation."""
        profile = self._profile_of(session_id)
        path = without_deleted(self.turns(session_id, conversation_id), profile.retrieval.left_of)
        known = profile.memory.recollection(path, self._scope_of(session_id, None))
        return replace(known, trouble=self._upkeep.summary_trouble(session_id, conversation_id))

    def edit_summary(self, session_id: str, summary_id: str, text: str) -> None:
        """Put the reader's own words in the place of the summary of the branch in view.

        Raises UnfitSummary, OutdatedSummary, UnknownSummary.
        """
        profile = self._profile_of(session_id)
        turns = self.turns(session_id, profile.memory.holding(session_id, summary_id))
        path = without_deleted(turns, profile.retrieval.left_of)
        profile.memory.edit(path, summary_id, text)
        self._upkeep.after_edit(path, profile, self._scope_of(session_id, None))

    def _open(
        self, question: str, session_id: str, parent: str | None, conversation_id: str | None, options: TurnOptions
    ) -> Draft:
        question = checked_question(question, self._profile.settings.max_question_length)
        draft = Draft(question, session_id, conversation_id or "", parent, options=options)
        draft.bound(self._scope_of)  # a document that is not there is told before anything waits for the turn
        if conversation_id is None:  # last: what is refused leaves no empty conversation
            draft.conversation_id = self.conversation_for(session_id, parent)
        return draft

    def _run(self, draft: Draft) -> Iterator[events.TurnEvent]:
        ending: events.TurnEvent
        with self._running.order(draft).ticket() as ticket:
            yield from self._queued(draft, ticket)
            if ticket.is_inside:
                ending = yield from self._turn(draft)
            else:  # stored now, it would stand beside the turns that it waited for, not behind them
                ending = events.Failed(QuestionCalledOff(), None)
        yield self._told(ending)

    def _queued(self, draft: Draft, ticket: Ticket) -> Iterator[events.TurnEvent]:
        for position in ticket.positions(draft.cancel):
            yield self._told(events.Queued(position))

    def _turn(self, draft: Draft) -> Generator[events.TurnEvent, None, events.TurnEvent]:
        try:
            profile = self._profile_of(draft.session_id)
            draft.path = without_deleted(self._path(draft), profile.retrieval.left_of)
            with self._gate.ticket() as ticket:
                # What is done for others ends only where it keeps this turn waiting.
                goes_beside = ticket.is_inside and profile.answering(draft.options.model).provider.is_served
                self._upkeep.interrupt(draft.session_id if goes_beside else None)
                yield from self._queued(draft, ticket)
                yield from self._stages(draft, profile, ticket)
            turn = self._keep(draft.turn(TurnStatus.STOPPED if draft.cancel.is_set() else draft.ending))
            self._upkeep.after_turn((*draft.path, turn), profile, draft.usual_scope)
            return events.Finished(turn)
        except WenquError as error:
            return self._failed(draft, error)
        except Exception:  # noqa: BLE001 - whatever a strange question brings to light: the reader must not wait for ever
            _log.exception("turn %s broke", draft.turn_id)
            return self._failed(draft, InternalError())
        except GeneratorExit:  # the reader has left: the question and what they saw are there when they come back
            left = Message("web.chat.left" if draft.answer else "web.chat.left_early")
            self._keep_if_possible(draft.turn(TurnStatus.STOPPED, None if draft.cancel.is_set() else left))
            raise

    def _stages(self, draft: Draft, profile: Profile, ticket: Ticket) -> Iterator[events.TurnEvent]:
        draft.bound(self._scope_of)
        profile.memory.check(draft.question)
        transcript = profile.memory.transcript(draft.path, draft.question, draft.scope)
        draft.first_turn_in_prompt = transcript.turns[0].turn_id if transcript.turns else None
        draft.summary_id = transcript.summary.summary_id if transcript.summary else None
        context = context_of(draft, profile, self._decider, transcript, ticket)
        draft.model = context.answering.name
        for stage in STAGES:
            if draft.cancel.is_set():
                return
            for event in stage(draft, context):
                if self._profile.settings.console_debug and not isinstance(event, events.Waiting):
                    _log.info("%s %s", draft.turn_id[:8], event)
                draft.trace = trace.fold(draft.trace, event, draft.elapsed)
                yield self._told(event)

    def _path(self, draft: Draft) -> tuple[Turn, ...]:
        """The turns before this one, the last of which is its parent. Raises UnknownConversation, UnknownTurn."""
        if draft.parent_turn_id is None:
            path = self.turns(draft.session_id, draft.conversation_id)
        else:
            path = self.path(draft.session_id, draft.conversation_id, draft.parent_turn_id)
        draft.parent_turn_id = path[-1].turn_id if path else None
        return path

    def _told(self, event: events.TurnEvent) -> events.TurnEvent:
        if self._on_event:
            self._on_event(event)
        return event

    def _keep(self, turn: Turn) -> Turn:
        self.store.append(turn)
        if self._on_turn:
            self._on_turn(turn)
        return turn

    def _failed(self, draft: Draft, error: WenquError) -> events.Failed:
        if isinstance(error, QuestionError):  # it has no place in any conversation
            return events.Failed(error, None)
        _log.warning("turn %s failed: %s", draft.turn_id, error)
        error = self._as_told(error)
        return events.Failed(error, self._keep_if_possible(draft.turn(TurnStatus.FAILED, error.message)))

    def _keep_if_possible(self, turn: Turn) -> Turn | None:
        try:
            return self._keep(turn)
        except Exception as error:  # noqa: BLE001 - the reader is told of the first trouble, or has left; the log of both
            is_ours = isinstance(error, WenquError)  # which says it all in a line
            _log.error("turn %s could not be stored: %s", turn.turn_id, error, exc_info=not is_ours)
            return None
