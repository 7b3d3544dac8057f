"""The turns that have not ended yet, and the order of those of one conversation."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from rag.llm.gate import Gate
from rag.turn.draft import Draft


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
