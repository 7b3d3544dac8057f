"""The rows of self-checks: how well documents are found by their own sentences."""

from collections.abc import Mapping
from dataclasses import asdict, fields

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from rag.database import reading, rows_of, transaction
from rag.knowledge.catalog import visible_to
from rag.knowledge.schema import chunks, documents, self_checks
from rag.message_json import message_from_json, message_to_json
from rag.types import DocumentStatus, RetrievalCheck

# How far a document is: its status, how many chunks it has, and the newest, which no two readings have in common.
State = tuple[DocumentStatus, int, int | None]


class SelfChecks:
    """The newest check of each document. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        """`engine` holds the catalog's tables."""
        self._engine = engine

    def seen(self, session_id: str) -> Mapping[str, RetrievalCheck]:
        """The newest check of each document that a session can see and that has had one."""
        told = (self_checks.c[field.name] for field in fields(RetrievalCheck))
        seen = select(*told).join(documents).where(visible_to(session_id))
        return {
            row.document_id: RetrievalCheck(**{**row._mapping, "note": message_from_json(row.note)})
            for row in rows_of(self._engine, seen)
        }

    def unchecked(self) -> tuple[str, str] | None:
        """Collection and id of a document that is to be checked: its vectors are complete, or cannot be made."""
        is_ready, checked = documents.c.status == DocumentStatus.READY, func.coalesce(self_checks.c.embedded, 0)
        fails = (documents.c.status == DocumentStatus.EMBEDDING) & documents.c.message.is_not(None)
        due = (is_ready & (checked < documents.c.chunks)) | (fails & self_checks.c.document_id.is_(None))
        query = select(documents.c.collection_id, documents.c.document_id).outerjoin(self_checks)
        first = query.where(documents.c.chunks > 0, due).order_by(documents.c.created_at).limit(1)
        with reading(self._engine) as connection:
            row = connection.execute(first).one_or_none()
        return (row.collection_id, row.document_id) if row else None

    def state(self, document_id: str) -> State | None:
        """How far a document is now; None where it is gone."""
        with reading(self._engine) as connection:
            return _state(connection, document_id)

    def keep(self, check: RetrievalCheck, state: State | None) -> bool:
        """Store a check of a document that stood at `state` as it began, in the place of an earlier one.

        Whether it holds: it is not stored where the document has changed since, or is gone.
        """
        with transaction(self._engine) as connection:
            if state is None or _state(connection, check.document_id) != state:
                return False
            status, count, _ = state
            embedded = count if status is DocumentStatus.READY else 0
            row = {**asdict(check), "note": message_to_json(check.note), "embedded": embedded}
            connection.execute(sqlite_insert(self_checks).values(row).on_conflict_do_update(set_=row))
            return True


def _state(connection: Connection, document_id: str) -> State | None:
    newest = select(func.max(chunks.c.chunk_id)).where(chunks.c.document_id == document_id).scalar_subquery()
    own = select(documents.c.status, documents.c.chunks, newest).where(documents.c.document_id == document_id)
    row = connection.execute(own).one_or_none()
    return row and (DocumentStatus(row[0]), row[1], row[2])
