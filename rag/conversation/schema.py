"""The tables of conversations, their turns and their summaries."""

from typing import Any

import sqlalchemy as sa

from rag.database import UtcDateTime
from rag.language.folding import encodable

METADATA = sa.MetaData()


class StoredText(sa.types.TypeDecorator[str]):
    """Text without what databases refuse: NUL (PostgreSQL) and lone surrogates, which no encoding has."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:  # noqa: ARG002
        """What is sent to the database."""
        return None if value is None else encodable(value.replace("\0", ""))


def _text(name: str, *arguments: sa.ForeignKey, **options: Any) -> sa.Column[str]:
    return sa.Column(name, StoredText, *arguments, **{"nullable": False} | options)


def _whole(name: str, **options: Any) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, **{"nullable": False} | options)


CONVERSATIONS = sa.Table(
    "conversations",
    METADATA,
    _text("conversation_id", primary_key=True),
    _text("session_id", index=True),
    _text("title"),
    sa.Column("updated_at", UtcDateTime, nullable=False),
    _text("shown_turn_id", nullable=True),
)
TURNS = sa.Table(
    "turns",
    METADATA,
    # Turns of one moment keep their order by this; their own ids are random.
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=True),
    _text("turn_id", unique=True),
    _text("parent_turn_id", nullable=True),
    _text("session_id", index=True),
    _text("conversation_id", sa.ForeignKey("conversations.conversation_id", ondelete="CASCADE"), index=True),
    _text("question"),
    _text("generated_question"),
    _text("decision"),
    _text("answer"),
    _text("thinking"),
    _text("sources"),
    _text("status"),
    _text("message", nullable=True),
    _text("model"),
    _whole("prompt_tokens"),
    _whole("cached_tokens"),
    _whole("completion_tokens"),
    sa.Column("first_token_seconds", sa.Float),
    sa.Column("total_seconds", sa.Float, nullable=False),
    _text("first_turn_in_prompt", nullable=True),
    sa.Column("created_at", UtcDateTime, nullable=False),
    _whole("feedback", server_default="0"),
    _text("feedback_reason", server_default=""),
    _text("context_docs", server_default="[]"),
    _text("reason", nullable=True),
    sa.Column("certainty", sa.Float),
    _text("recalled", server_default="[]"),
    _text("budget", nullable=True),
    _text("trace", nullable=True),
    _text("place_read", nullable=True),
    _text("summary_id", nullable=True),
    sa.Column("embedding", sa.LargeBinary),
    _text("embedding_model", nullable=True),
)

SUMMARIES = sa.Table(
    "summaries",
    METADATA,
    sa.Column("position", sa.Integer, primary_key=True, autoincrement=True),
    _text("summary_id", unique=True),
    _text("session_id"),
    _text("conversation_id", sa.ForeignKey("conversations.conversation_id", ondelete="CASCADE"), index=True),
    _text("last_turn_id"),
    _text("text"),
    sa.Column("edited", sa.Boolean, nullable=False),
    sa.Column("created_at", UtcDateTime, nullable=False),
)
