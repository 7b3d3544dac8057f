"""Questions that a reader may ask next, which the model thinks of while they read the answer."""

import threading

from cachetools import LRUCache

from rag.llm.question_lines import read_questions
from rag.llm.replier import Replier
from rag.llm.think import said
from rag.transcript import Transcript

_MOST = 3
_REPLY_TOKENS = 150
_KEPT_TURNS = 256


class Suggestions:
    """Keeps those of the latest turns, in memory only: they are cheap to do without."""

    def __init__(self) -> None:
        self._of: LRUCache[tuple[str, str], tuple[str, ...]] = LRUCache(_KEPT_TURNS)
        self._lock = threading.Lock()

    def of(self, session_id: str, turn_id: str) -> tuple[str, ...]:
        """What was thought of after a turn, at most three; nothing before it is there."""
        with self._lock:
            return self._of.get((session_id, turn_id), ())

    def forget(self, session_id: str) -> None:
        """Drop what was thought of in a session."""
        with self._lock:
            for key in [key for key in self._of if key[0] == session_id]:
                del self._of[key]

    def think(self, transcript: Transcript, replier: Replier, cancel: threading.Event) -> None:
        """Ask the model on top of the prefix that the next question stands on. Raises ModelError."""
        turn = transcript.turns[-1]
        request = [*transcript.prefix(), transcript.suggest()]
        reply = said(replier.parts(request, cancel, _REPLY_TOKENS))
        if not cancel.is_set():
            asked = {earlier.question for earlier in transcript.turns}
            found = [question for question in read_questions(reply) if question not in asked]
            with self._lock:
                self._of[turn.session_id, turn.turn_id] = tuple(found[:_MOST])
