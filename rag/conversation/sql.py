"""Conversations in SQLite, through SQLAlchemy."""

import json
import uuid
from dataclasses import asdict, fields
from datetime import UTC, datetime

import sqlalchemy as sa

from rag.database import migrate, reading, transaction
from rag.errors import UnknownConversation
from rag.types import Conversation, Decision, Evidence, Message, Timing, Turn, TurnStatus, Usage

_TITLE_LENGTH = 40
_METADATA = sa.MetaData()
_CONVERSATIONS = sa.Table(
    "conversations",
    _METADATA,
    sa.Column("conversation_id", sa.String, primary_key=True),
    sa.Column("session_id", sa.String, nullable=False, index=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("updated_at", sa.DateTime, nullable=False),
)
_TURNS = sa.Table(
    "turns",
    _METADATA,
    # Turns of one moment keep their order by this; their own ids are random.
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("turn_id", sa.String, nullable=False, unique=True),
    sa.Column("parent_turn_id", sa.String),
    sa.Column("session_id", sa.String, nullable=False, index=True),
    sa.Column(
        "conversation_id",
        sa.ForeignKey("conversations.conversation_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("generated_question", sa.Text, nullable=False),
    sa.Column("decision", sa.String, nullable=False),
    sa.Column("answer", sa.Text, nullable=False),
    sa.Column("thinking", sa.Text, nullable=False),
    sa.Column("sources", sa.Text, nullable=False),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("message", sa.Text),
    sa.Column("model", sa.String, nullable=False),
    sa.Column("prompt_tokens", sa.Integer, nullable=False),
    sa.Column("cached_tokens", sa.Integer, nullable=False),
    sa.Column("completion_tokens", sa.Integer, nullable=False),
    sa.Column("first_token_seconds", sa.Float),
    sa.Column("total_seconds", sa.Float, nullable=False),
    sa.Column("first_turn_in_prompt", sa.String),
    sa.Column("created_at", sa.DateTime, nullable=False),
)


def _create_tables(connection: sa.Connection) -> None:
    _METADATA.create_all(connection)


class SqlConversationStore:
    """The ConversationStore over any SQLAlchemy engine; its tables are made on first use."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        migrate(engine, [_create_tables], "conversation")

    def start(self, session_id: str) -> str:
        """A new conversation's id."""
        conversation_id = uuid.uuid4().hex
        with transaction(self._engine) as connection:
            connection.execute(
                _CONVERSATIONS.insert().values(
                    conversation_id=conversation_id, session_id=session_id, title="", updated_at=_now()
                )
            )
        return conversation_id

    def conversations(self, session_id: str) -> tuple[Conversation, ...]:
        """The session's conversations, the one spoken in last first."""
        count = sa.func.count(_TURNS.c.turn_id)
        query = (
            sa.select(_CONVERSATIONS, count.label("turns"))
            .join_from(_CONVERSATIONS, _TURNS, isouter=True)
            .where(_CONVERSATIONS.c.session_id == session_id)
            .group_by(_CONVERSATIONS.c.conversation_id)
            .order_by(_CONVERSATIONS.c.updated_at.desc())
        )
        with reading(self._engine) as connection:
            rows = connection.execute(query).mappings().all()
        return tuple(
            Conversation(
                row["conversation_id"], row["session_id"], row["title"], row["turns"], _aware(row["updated_at"])
            )
            for row in rows
        )

    def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
        """All turns of a conversation, of every branch, oldest first. Raises UnknownConversation."""
        known = sa.select(_CONVERSATIONS.c.conversation_id).where(*_owned(_CONVERSATIONS, session_id, conversation_id))
        query = sa.select(_TURNS).where(*_owned(_TURNS, session_id, conversation_id)).order_by(_TURNS.c.position)
        with reading(self._engine) as connection:
            if connection.execute(known).first() is None:
                raise UnknownConversation()
            return tuple(_turn(row) for row in connection.execute(query).mappings())

    def append(self, turn: Turn) -> None:
        """Store a turn; the first one names its conversation. Raises UnknownConversation, StoreError."""
        with transaction(self._engine) as connection:
            owned = _owned(_CONVERSATIONS, turn.session_id, turn.conversation_id)
            titled = sa.case(
                (_CONVERSATIONS.c.title == "", turn.question[:_TITLE_LENGTH]), else_=_CONVERSATIONS.c.title
            )
            renewed = connection.execute(_CONVERSATIONS.update().where(*owned).values(updated_at=_now(), title=titled))
            if not renewed.rowcount:
                raise UnknownConversation()
            connection.execute(_TURNS.insert().values(**_row(turn)))

    def delete(self, session_id: str, conversation_id: str) -> None:
        """Delete a conversation with its turns."""
        with transaction(self._engine) as connection:
            connection.execute(_CONVERSATIONS.delete().where(*_owned(_CONVERSATIONS, session_id, conversation_id)))

    def forget(self, session_id: str) -> None:
        """Delete all of a session's conversations."""
        with transaction(self._engine) as connection:
            connection.execute(_CONVERSATIONS.delete().where(_CONVERSATIONS.c.session_id == session_id))


def _owned(table: sa.Table, session_id: str, conversation_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return table.c.session_id == session_id, table.c.conversation_id == conversation_id


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


def _aware(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)


def _row(turn: Turn) -> dict[str, object]:
    row = asdict(turn)
    usage, timing = row.pop("usage"), row.pop("timing")
    return row | {
        "sources": json.dumps(row["sources"], ensure_ascii=False),
        "message": json.dumps(row["message"], ensure_ascii=False, default=str) if turn.message else None,
        "prompt_tokens": usage["prompt"],
        "cached_tokens": usage["cached"],
        "completion_tokens": usage["completion"],
        "first_token_seconds": timing["first_token"],
        "total_seconds": timing["total"],
        "created_at": turn.created_at.astimezone(UTC).replace(tzinfo=None),
    }


def _turn(row: sa.RowMapping) -> Turn:
    values = {field.name: row[field.name] for field in fields(Turn) if field.name in row}
    sources = (item | {"heading_path": tuple(item["heading_path"])} for item in json.loads(row["sources"]))
    return Turn(
        **values
        | {
            "decision": Decision(row["decision"]),
            "sources": tuple(Evidence(**source) for source in sources),
            "status": TurnStatus(row["status"]),
            "message": Message(**json.loads(row["message"])) if row["message"] else None,
            "usage": Usage(row["prompt_tokens"], row["cached_tokens"], row["completion_tokens"]),
            "timing": Timing(row["first_token_seconds"], row["total_seconds"]),
            "created_at": _aware(row["created_at"]),
        }
    )
