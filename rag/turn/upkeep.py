"""Work while nobody waits for an answer: turns embedded, summaries made, prefixes read ahead, questions thought of."""

import logging
import threading
from contextlib import suppress
from typing import Any

from cachetools import LRUCache

from rag.errors import ModelGaveNothing, WenquError
from rag.language.lexicon import lexicon
from rag.llm.gate import Gate, Work
from rag.llm.replier import Replier, read_questions
from rag.llm.stream import stream_parts
from rag.llm.think import said
from rag.memory import Memory
from rag.profile import Profile
from rag.transcript import Transcript
from rag.types import EVERYTHING, Message, Provider, Scope, Turn

_KEPT_TROUBLES = 1024
_KEPT_SUGGESTIONS, _MOST_SUGGESTED, _SUGGESTION_TOKENS = 256, 3, 150
_log = logging.getLogger(__name__)


class Upkeep:
    """Does its work in threads of its own, behind the gate like everybody; a question ends what is before it."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._begun: dict[threading.Event, str] = {}
        self._closed = False
        self._troubles: LRUCache[tuple[str, str], Message] = LRUCache(_KEPT_TROUBLES)
        # In memory only: they are cheap to do without.
        self._suggested: LRUCache[tuple[str, str], tuple[str, ...]] = LRUCache(_KEPT_SUGGESTIONS)
        self._lock = threading.Lock()

    def interrupt(self, session_id: str | None = None) -> None:
        """End what is done for a session, or for all: it gives way to a question that has its place at the gate.

        What begins from now on stands behind that. What was not finished is begun again after the next turn.
        """
        with self._lock:
            for cancel, own in self._begun.items():
                if session_id in (None, own):
                    cancel.set()

    def close(self) -> None:
        """End all of it, also what is still to begin."""
        self._closed = True
        self.interrupt()

    def warm(self, profile: Profile) -> None:
        """Load what the first search and the first answer need; let the model read what every prompt begins with."""
        try:
            profile.retrieval.warm()
        except WenquError as error:
            _log.warning("the first search will take longer: %s", error)
        lexicon()
        self._run((), profile, self._begin())

    def after_turn(self, path: tuple[Turn, ...], profile: Profile, scope: Scope = EVERYTHING) -> None:
        """In the background: embed the newest turn, summarise a path that is full, read the next prompt ahead.

        What was said without the model, or shortened, it has not read yet.
        """
        arguments = (path, profile, self._begin(path[-1].session_id), scope)
        threading.Thread(target=self._run, args=arguments, name="upkeep", daemon=True).start()

    def after_edit(self, path: tuple[Turn, ...], profile: Profile, scope: Scope = EVERYTHING) -> None:
        """In the background: read ahead a path's prompt with the summary as its reader has put it.

        What is under way for the session ends: it may be making the next summary from the words before.
        """
        self.interrupt(path[-1].session_id)
        self.after_turn(path, profile, scope)

    def summary_trouble(self, session_id: str, conversation_id: str) -> Message | None:
        """Why a conversation's older turns could not be summarised, until they are; its messages are all kept."""
        with self._lock:
            return self._troubles.get((session_id, conversation_id))

    def suggestions(self, session_id: str, turn_id: str) -> tuple[str, ...]:
        """The questions that the model has thought of after a turn, at most three; none before it has."""
        with self._lock:
            return self._suggested.get((session_id, turn_id), ())

    def forget(self, session_id: str) -> None:
        """End what is done for a session, and drop what is known of its summaries and suggestions."""
        self.interrupt(session_id)
        with self._lock:
            kept: LRUCache[tuple[str, str], Any]
            for kept in (self._troubles, self._suggested):
                for key in [key for key in kept if key[0] == session_id]:
                    del kept[key]

    def _begin(self, session_id: str = "") -> threading.Event:
        cancel = threading.Event()
        with self._lock:
            self._begun[cancel] = session_id
            if self._closed:
                cancel.set()
        return cancel

    def _run(
        self, path: tuple[Turn, ...], profile: Profile, cancel: threading.Event, scope: Scope = EVERYTHING
    ) -> None:
        memory = profile.memory
        try:
            self._remember(path, memory)
            self._prepare(path, profile, memory.transcript(path, scope=scope), cancel)
        except WenquError as error:
            # Nothing is lost: the turns are still there, and the next turn tries again.
            _log.warning("the conversation could not be prepared for its next turn: %s", error)
        except Exception:  # noqa: BLE001 - as little is lost, but somebody must know of it
            _log.exception("the conversation could not be prepared for its next turn")
        finally:
            with self._lock:
                del self._begun[cancel]

    def _remember(self, path: tuple[Turn, ...], memory: Memory) -> None:
        """Embed the newest turn. Without that it is only not recalled: the conversation is summarised all the same."""
        try:
            for turn in path[-1:]:
                memory.remember(turn)
        except WenquError as error:
            _log.warning("a turn could not be embedded, and will not be recalled: %s", error)

    def _prepare(
        self, path: tuple[Turn, ...], profile: Profile, transcript: Transcript, cancel: threading.Event
    ) -> None:
        memory = profile.memory
        replier = profile.replier()
        provider = replier.provider
        if provider is Provider.EXTRACTIVE:
            return
        reads_ahead, summarises = provider is Provider.EMBEDDED, memory.wants_summary(transcript, provider)
        writes = summarises or _suggests(path, profile, transcript)
        if not (writes or reads_ahead):
            return
        with self._gate.ticket(Work.YIELDING if writes else Work.BACKGROUND) as ticket:
            if not ticket.wait(cancel):
                return
            if summarises and self._compress(path, profile, transcript, replier, cancel):
                transcript = memory.transcript(path, scope=transcript.scope)
            if _suggests(path, profile, transcript) and not cancel.is_set():
                # This reads the prefix as well.
                self._suggest(transcript, replier, cancel)
            elif reads_ahead and not cancel.is_set():
                with suppress(ModelGaveNothing):  # of one that begins with its thoughts
                    for _ in stream_parts(replier.model, transcript.read_ahead(), cancel, max_tokens=1):
                        continue

    def _suggest(self, transcript: Transcript, replier: Replier, cancel: threading.Event) -> None:
        """Ask the model for questions, on top of the prefix that the next question stands on. Raises ModelError."""
        reply = said(replier.parts([*transcript.prefix(), transcript.suggest()], cancel, _SUGGESTION_TOKENS))
        if not cancel.is_set():
            turn, asked = transcript.turns[-1], {earlier.question for earlier in transcript.turns}
            found = [question for question in read_questions(reply) if question not in asked]
            with self._lock:
                self._suggested[turn.session_id, turn.turn_id] = tuple(found[:_MOST_SUGGESTED])

    def _compress(
        self,
        path: tuple[Turn, ...],
        profile: Profile,
        transcript: Transcript,
        replier: Replier,
        cancel: threading.Event,
    ) -> bool:
        """Whether older turns are in a new summary; a failure is kept for the reader, and raised."""
        conversation = path[-1].session_id, path[-1].conversation_id
        try:
            summary = profile.memory.compress(transcript, replier, cancel)
        except WenquError as error:
            with self._lock:
                self._troubles[conversation] = Message("web.memory.trouble", {"reason": error.message})
            raise
        if summary is None:
            return False
        with self._lock:
            self._troubles.pop(conversation, None)
        return True


def _suggests(path: tuple[Turn, ...], profile: Profile, following: Transcript) -> bool:
    """Whether questions are wanted, and the path ends with an answer from evidence that they may follow."""
    wanted = profile.settings.suggest_questions
    return bool(wanted and path and path[-1] in following.turns and following.used(path[-1]))
