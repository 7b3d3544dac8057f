"""How long things are kept: until their session deletes them, or until nobody has used them for some days."""

import logging
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from math import ceil

import sqlalchemy as sa

from rag.background import Background
from rag.conversation.base import ConversationStore, Expired
from rag.conversation.qa_log import QALog
from rag.database import erase_deleted
from rag.engine import Engine
from rag.ingest import Ingest
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.catalog import Catalog
from rag.preferences.store import PreferenceStore
from rag.types import Turn

_DAY_SECONDS = 24 * 60 * 60.0
_log = logging.getLogger(__name__)


def note_turn(turn: Turn, ingest: Ingest, qa_log: QALog | None) -> None:
    """Let a stored turn keep its session's files, whatever becomes of its conversation, and log it where that is on."""
    ingest.use(turn.session_id)
    if qa_log:
        qa_log.write(turn)


class Retention:
    """Deletes for good, from databases, files and logs. Looks once a day, in a thread of its own, for what is old."""

    def __init__(
        self,
        days: int,
        engine: Engine,
        ingest: Ingest,
        conversations: ConversationStore,
        catalog: Catalog,
        preferences: PreferenceStore,
        *,
        databases: Collection[sa.Engine],
        qa_log: QALog,
    ) -> None:
        """`days` of 0 keeps everything until it is deleted. Lines go from the log also where none are added."""
        self._days = days
        self._engine = engine
        self._ingest = ingest
        self._conversations = conversations
        self._catalog = catalog
        self._preferences = preferences
        self._databases = databases
        self._qa_log = qa_log
        self._background = Background("retention", self._look, _DAY_SECONDS)

    def start(self) -> None:
        """Delete what is old, now and every day from now on. Returns at once."""
        if self._days:
            self._background.start()

    def close(self) -> None:
        """Look no more; a deletion that has begun is finished."""
        self._background.close(None)

    def delete_conversation(self, session_id: str, conversation_id: str) -> None:
        """Delete one of a session's conversations, in the log too. Raises StoreError."""
        self._engine.delete_conversation(session_id, conversation_id)
        self._qa_log.forget_conversation(session_id, conversation_id)

    def forget(self, session_id: str) -> None:
        """Delete a session's turns, files, passages and vectors, so that no file holds them. Raises StoreError."""
        self._engine.forget(session_id)
        self._ingest.forget(session_id)
        self._preferences.forget(session_id)
        self._qa_log.forget(session_id)
        self._erase()

    def days_left(self, session_id: str, now: datetime) -> int | None:
        """In how many days a session's files go if nobody uses them; None where it has none, or they stay."""
        last_use = self._catalog.last_use(session_id) if self._days else None
        if last_use is None:
            return None
        latest = self._conversations.conversation(session_id)
        newest = max(last_use, latest.updated_at) if latest else last_use
        # What is due goes with the next look, within a day.
        return max(1, ceil((newest + timedelta(days=self._days) - now) / timedelta(days=1)))

    def expire(self, now: datetime) -> Expired:
        """Delete conversations not spoken in for the days.

        Of sessions that have none left, also files not used for as long, and preferences as old. Raises StoreError.
        """
        before = now - timedelta(days=self._days)
        expired = self._conversations.expire(before)
        for session_id in self._catalog.collections_before(before):
            if session_id != SHARED_COLLECTION and self._is_unused(session_id, before):
                self._ingest.forget(session_id)
        for session_id in self._preferences.before(before):
            if self._is_unused(session_id, before):
                self._preferences.forget(session_id)
        self._qa_log.expire(before)
        self._erase()
        return expired

    def _is_unused(self, session_id: str, before: datetime) -> bool:
        """Asked for each when its turn comes: deleting takes long, and somebody may come back meanwhile."""
        last_use = self._catalog.last_use(session_id)
        return (last_use is None or last_use < before) and self._conversations.conversation(session_id) is None

    def _erase(self) -> None:
        for database in self._databases:
            erase_deleted(database)

    def _look(self) -> None:
        expired = self.expire(datetime.now(UTC))
        if expired.conversations:
            _log.info("%d conversations with %d turns had expired", expired.conversations, expired.turns)
        self._background.rest(_DAY_SECONDS)
