"""Preferences in the database that holds the conversations: a row per session that has any."""

import json
from datetime import UTC, datetime

import sqlalchemy as sa

from rag.conversation.schema import StoredText
from rag.database import UtcDateTime, erase_deleted, migrate, one_at_a_time, reading, transaction
from rag.preferences.effective import Preferences
from rag.preferences.fields import KEY

_METADATA = sa.MetaData()
_PREFERENCES = sa.Table(
    "preferences",
    _METADATA,
    sa.Column("session_id", sa.String, primary_key=True),
    sa.Column("values", StoredText, nullable=False),
    sa.Column("updated_at", UtcDateTime, nullable=False),
)


class PreferenceStore:
    """Keeps what sessions have set. What comes out has still to be checked: settings change between starts."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        migrate(engine, _METADATA, "preferences")

    def of(self, session_id: str) -> dict[str, object]:
        """A session's values; none where it has none. Raises StoreError."""
        query = sa.select(_PREFERENCES.c["values"]).where(_PREFERENCES.c.session_id == session_id)
        with reading(self._engine) as connection:
            return dict(json.loads(connection.scalar(query) or "{}"))

    def keep(self, session_id: str, preferences: Preferences) -> None:
        """Store a session's values in place of what it had. Raises StoreError."""
        key_before = self.of(session_id).get(KEY)
        with transaction(self._engine) as connection:
            one_at_a_time(connection, session_id)
            connection.execute(_PREFERENCES.delete().where(_PREFERENCES.c.session_id == session_id))
            if preferences.values:
                text = json.dumps(preferences.values, ensure_ascii=False)
                now = datetime.now(UTC)
                connection.execute(_PREFERENCES.insert().values(session_id=session_id, values=text, updated_at=now))
        if key_before not in (None, preferences.values.get(KEY)):
            erase_deleted(self._engine)

    def forget(self, session_id: str) -> None:
        """Delete what a session has set. Raises StoreError."""
        self.keep(session_id, Preferences())

    def before(self, moment: datetime) -> tuple[str, ...]:
        """The sessions that have changed nothing since a moment. Raises StoreError."""
        old = _PREFERENCES.c.updated_at < moment
        with reading(self._engine) as connection:
            return tuple(connection.scalars(sa.select(_PREFERENCES.c.session_id).where(old)))
