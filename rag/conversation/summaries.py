"""The running summaries of conversations, in the database that holds their turns."""

from dataclasses import asdict, fields

import sqlalchemy as sa

from rag.conversation.schema import SUMMARIES
from rag.database import reading, transaction
from rag.errors import UnknownSummary
from rag.types import Summary

_OF_A_SUMMARY = [SUMMARIES.c[field.name] for field in fields(Summary)]


class SummaryStore:
    """Summaries by conversation. The store of the turns, opened on the same engine before, has made their table."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def add(self, summary: Summary) -> None:
        """Store a summary. Raises StoreError."""
        with transaction(self._engine) as connection:
            connection.execute(SUMMARIES.insert().values(**asdict(summary)))

    def of_conversation(self, session_id: str, conversation_id: str) -> tuple[Summary, ...]:
        """A conversation's summaries, of every branch, oldest first."""
        query = (
            sa.select(*_OF_A_SUMMARY)
            .where(SUMMARIES.c.session_id == session_id, SUMMARIES.c.conversation_id == conversation_id)
            .order_by(SUMMARIES.c.position)
        )
        with reading(self._engine) as connection:
            return tuple(Summary(**row) for row in connection.execute(query).mappings())

    def holding(self, session_id: str, summary_id: str) -> str:
        """The id of the conversation that has a summary. Raises UnknownSummary."""
        query = sa.select(SUMMARIES.c.conversation_id).where(*_owned(session_id, summary_id))
        with reading(self._engine) as connection:
            conversation_id: str | None = connection.scalar(query)
        if conversation_id is None:
            raise UnknownSummary()
        return conversation_id

    def edit(self, session_id: str, summary_id: str, text: str) -> None:
        """Put the reader's own words in a summary's place. Raises UnknownSummary."""
        change = SUMMARIES.update().where(*_owned(session_id, summary_id)).values(text=text, edited=True)
        with transaction(self._engine) as connection:
            if not connection.execute(change).rowcount:
                raise UnknownSummary()


def _owned(session_id: str, summary_id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return SUMMARIES.c.session_id == session_id, SUMMARIES.c.summary_id == summary_id
