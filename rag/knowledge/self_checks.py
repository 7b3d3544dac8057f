"""The rows of self-checks: how well documents are found by their own sentences."""

from collections.abc import Mapping

from sqlalchemy import Engine, Row, func, or_, select
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from rag.database import reading, transaction
from rag.knowledge.schema import documents, self_checks
from rag.knowledge.visibility import visible_to
from rag.message_json import message_from_json, message_to_json
from rag.types import DocumentStatus, RetrievalCheck


class SelfChecks:
    """The newest check of each document. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        """`engine` holds the catalog's tables."""
        self._engine = engine

    def seen(self, session_id: str) -> Mapping[str, RetrievalCheck]:
        """The newest check of each document that a session can see and that has had one."""
        seen = select(self_checks).join(documents).where(visible_to(session_id))
        with reading(self._engine) as connection:
            found = connection.execute(seen)
            return {row.document_id: _to_check(row) for row in found}

    def unchecked(self) -> tuple[str, str] | None:
        """Collection and id of a document that is to be checked: its vectors are complete, or cannot be made."""
        ready = (documents.c.status == DocumentStatus.READY) & (
            func.coalesce(self_checks.c.embedded, 0) < documents.c.chunks
        )
        failing = (
            (documents.c.status == DocumentStatus.EMBEDDING)
            & documents.c.message.is_not(None)
            & self_checks.c.document_id.is_(None)
        )
        query = select(documents.c.collection_id, documents.c.document_id).outerjoin(self_checks)
        with reading(self._engine) as connection:
            row = connection.execute(
                query.where(documents.c.chunks > 0, or_(ready, failing)).order_by(documents.c.created_at).limit(1)
            ).one_or_none()
        return (row.collection_id, row.document_id) if row else None

    def keep(self, check: RetrievalCheck) -> None:
        """Store a check in the place of an earlier one; nothing where its document is gone."""
        state = select(documents.c.status, documents.c.chunks).where(documents.c.document_id == check.document_id)
        with transaction(self._engine) as connection:
            document = connection.execute(state).one_or_none()
            if document is None:
                return
            row = {
                "document_id": check.document_id,
                "questions": check.questions,
                "among": check.among,
                "dense": check.dense,
                "sparse": check.sparse,
                "fused": check.fused,
                "embedded": document.chunks if document.status == DocumentStatus.READY else 0,
                "note": message_to_json(check.note),
                "checked_at": check.checked_at,
            }
            connection.execute(sqlite_insert(self_checks).values(row).on_conflict_do_update(set_=row))


def _to_check(row: Row[tuple[object, ...]]) -> RetrievalCheck:
    return RetrievalCheck(
        row.document_id,
        row.questions,
        row.among,
        row.dense,
        row.sparse,
        row.fused,
        message_from_json(row.note),
        row.checked_at,
    )
