"""The running summaries of conversations, in the database that holds their turns."""

import sqlalchemy as sa

from rag.conversation.schema import StoredText
from rag.database import UtcDateTime, migrate, reading, transaction
from rag.errors import UnknownSummary
from rag.types import Summary

_METADATA = sa.MetaData()
# Named here again, for the key that takes a conversation's summaries with it when it is deleted.
sa.Table("conversations", _METADATA, sa.Column("conversation_id", sa.String, primary_key=True))
_SUMMARIES = sa.Table(
    "summaries",
    _METADATA,
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("summary_id", StoredText, nullable=False, unique=True),
    sa.Column("session_id", sa.String, nullable=False),
    sa.Column(
        "conversation_id",
        sa.ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    sa.Column("last_turn_id", sa.String, nullable=False),
    sa.Column("text", StoredText, nullable=False),
    sa.Column("edited", sa.Boolean, nullable=False),
    sa.Column("created_at", UtcDateTime, nullable=False),
)


def _create_table(connection: sa.Connection) -> None:
    _SUMMARIES.create(connection, checkfirst=True)


class SummaryStore:
    """Summaries by conversation. The store of the turns must have been opened on the same engine before."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        migrate(engine, [_create_table], "summaries")

    def add(self, summary: Summary) -> None:
        """Store a summary. Raises StoreError."""
        row = {name: getattr(summary, name) for name in Summary.__dataclass_fields__}
        with transaction(self._engine) as connection:
            connection.execute(_SUMMARIES.insert().values(**row))

    def of_conversation(self, session_id: str, conversation_id: str) -> tuple[Summary, ...]:
        """A conversation's summaries, of every branch, oldest first."""
        query = (
            sa.select(_SUMMARIES)
            .where(_SUMMARIES.c.session_id == session_id, _SUMMARIES.c.conversation_id == conversation_id)
            .order_by(_SUMMARIES.c.position)
        )
        with reading(self._engine) as connection:
            return tuple(_summary(row) for row in connection.execute(query).mappings())

    def holding(self, session_id: str, summary_id: str) -> str:
        """The id of the conversation that has a summary. Raises UnknownSummary."""
        query = sa.select(_SUMMARIES.c.conversation_id).where(*_owned(session_id, summary_id))
        with reading(self._engine) as connection:
            conversation_id: str | None = connection.scalar(query)
        if conversation_id is None:
            raise UnknownSummary()
        return conversation_id

    def edit(self, session_id: str, summary_id: str, text: str) -> None:
        """Put the reader's own words in a summary's place. Raises UnknownSummary."""
        change = _SUMMARIES.update().where(*_owned(session_id, summary_id)).values(text=text, edited=True)
        with transaction(self._engine) as connection:
            if not connection.execute(change).rowcount:
                raise UnknownSummary()


def _owned(session_id: str, summary_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return _SUMMARIES.c.session_id == session_id, _SUMMARIES.c.summary_id == summary_id


def _summary(row: sa.RowMapping) -> Summary:
    return Summary(**{name: row[name] for name in Summary.__dataclass_fields__})
