"""What documents consist of, for their reader."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Engine

from rag.database import reading
from rag.knowledge.catalog import collections_seen_by, require_visible
from rag.knowledge.schema import CHUNK_ROWS, chunks
from rag.knowledge.texts import chunks_by_id, to_chunk
from rag.types import Chunk


class Contents:
    """Passages of the documents that a session can see. Every method raises StoreError."""

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
        return chunks_by_id(self._engine, chunk_ids, collections_seen_by(session_id))
