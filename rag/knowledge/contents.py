"""What documents consist of, for their reader: passages in order, and how well they are found."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Engine, Row, func, or_, select
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from rag.database import reading, transaction
from rag.knowledge.schema import CHUNK_ROWS, chunks, documents, self_checks
from rag.knowledge.texts import chunks_by_id, to_chunk
from rag.knowledge.visibility import require_visible, visible_to
from rag.message_json import message_from_json, message_to_json
from rag.types import Chunk, DocumentStatus, RetrievalCheck


class Contents:
    """Passages and checks of the documents that a session can see. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        """`engine` holds the catalog's tables."""
        self._engine = engine

    def chunks(self, session_id: str, document_id: str, first: int = 0, count: int | None = None) -> tuple[Chunk, ...]:
        """A document's passages in their order, `count` from number `first` (from 0) on. Raises UnknownDocument."""
        own = CHUNK_ROWS.where(chunks.c.document_id == document_id)
        page = own.order_by(chunks.c.start, chunks.c.chunk_id).offset(first).limit(count)
        with reading(self._engine) as connection:
            require_visible(connection, session_id, document_id)
            return tuple(to_chunk(row) for row in connection.execute(page))

    def known(self, session_id: str, chunk_ids: Sequence[int]) -> Mapping[int, Chunk]:
        """Those of some chunks that are still there and that the session can see, by id."""
        return chunks_by_id(self._engine, chunk_ids, visible_to(session_id))

    def checks(self, session_id: str) -> Mapping[str, RetrievalCheck]:
        """The newest check of each document that has had one."""
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
