"""Where the chunks of documents stand: what is read by its place instead of being searched."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, func, select

from rag.database import reading
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.schema import CHUNK_ROWS, chunks, documents
from rag.knowledge.texts import to_chunk
from rag.types import Chunk, DocumentStatus, Scope

# As much of a chunk as may hold the lines of its headings.
_OPENING = func.substr(chunks.c.text, 1, 160)


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A document that can be read."""

    document_id: str
    name: str
    pages: int


@dataclass(frozen=True, slots=True)
class PlacedChunk:
    """Where a chunk stands in its document, and how its text begins."""

    chunk_id: int
    page: int
    last_page: int
    heading_path: tuple[str, ...]
    opening: str


class Places:
    """Documents and their chunks in the order of reading. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def documents(self, collections: Sequence[str], scope: Scope | None) -> tuple[PlacedDocument, ...]:
        """What a scope has of some collections, the newest first; shared documents only where there are no others."""
        own = select(documents).where(
            documents.c.collection_id.in_(collections),
            documents.c.status.in_((DocumentStatus.EMBEDDING, DocumentStatus.READY)),
        )
        if scope is not None and scope.document_ids is not None:
            own = own.where(documents.c.document_id.in_(scope.document_ids))
        with reading(self._engine) as connection:
            rows = connection.execute(own.order_by(documents.c.created_at.desc(), documents.c.document_id)).all()
        rows = [row for row in rows if row.collection_id != SHARED_COLLECTION] or rows
        return tuple(PlacedDocument(row.document_id, row.name, row.pages) for row in rows)

    def chunks(self, document_id: str, scope: Scope | None) -> tuple[PlacedChunk, ...]:
        """What a scope has of a document's chunks, from its beginning to its end."""
        columns = (chunks.c.chunk_id, chunks.c.page, chunks.c.last_page, chunks.c.heading_path, _OPENING)
        own = select(*columns).where(chunks.c.document_id == document_id).order_by(chunks.c.chunk_id)
        pages = None if scope is None else scope.pages
        with reading(self._engine) as connection:
            return tuple(
                PlacedChunk(chunk_id, first, last, tuple(json.loads(path)), opening)
                for chunk_id, first, last, path, opening in connection.execute(own)
                if pages is None or not pages.isdisjoint(range(first, last + 1))
            )

    def texts(self, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """Chunks by their ids, in the order of these; those that are gone are left out."""
        with reading(self._engine) as connection:
            found = {
                row.chunk_id: row for row in connection.execute(CHUNK_ROWS.where(chunks.c.chunk_id.in_(chunk_ids)))
            }
        return tuple(to_chunk(found[chunk_id]) for chunk_id in chunk_ids if chunk_id in found)
