"""Where the chunks of documents stand: what is read by its place instead of being searched."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Engine, Select, bindparam, func, select

from rag.database import reading, rows_of, values_of
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.schema import begins_on, chunks, documents, one_of, pages
from rag.knowledge.texts import chunks_by_id
from rag.types import COMING, EVERYTHING, Chunk, DocumentStatus, Scope

# As much of a chunk as may hold the lines of its headings.
_OPENING = func.substr(chunks.c.text, 1, 160)
# Of so many documents it may be looked up for each search what they are called, and whether it calls them so: 0.03 ms
# each. Of 123 questions that name one of 142 documents, .90 find their page first so, without .70.
_MOST_NAMED = 1000


@dataclass(frozen=True, slots=True)
class PlacedDocument:
    """A document, and how far it has been read: one of no chunks cannot be asked about."""

    document_id: str
    name: str
    pages: int
    chunks: int
    is_shared: bool
    status: DocumentStatus
    created_at: datetime

    @property
    def is_coming(self) -> bool:
        """Whether it will be possible to ask about it, which it is not yet."""
        return self.status in COMING and not self.chunks


@dataclass(frozen=True, slots=True)
class PlacedChunk:
    """Where a chunk stands in its document, and how its text begins."""

    chunk_id: int
    page: int
    last_page: int
    heading_path: tuple[str, ...]
    opening: str

    @property
    def pages(self) -> range:
        """The pages that it stands on."""
        return range(self.page, self.last_page + 1)


_COLLECTIONS = documents.c.collection_id.in_(bindparam("collections", expanding=True))
# What is being read anew has its chunks still.
_CAN_BE_READ = documents.c.chunks > 0
# Not the headings of all: of long documents they are pages of text.
_PLACED = select(
    documents.c.document_id,
    documents.c.name,
    documents.c.pages,
    documents.c.chunks,
    (documents.c.collection_id == SHARED_COLLECTION).label("is_shared"),
    documents.c.status,
    documents.c.created_at,
).where(_COLLECTIONS)
# Put together once: every search runs it.
_NAMED = (
    select(documents.c.document_id, documents.c.name, documents.c.opening, documents.c.pages)
    .where(_COLLECTIONS, _CAN_BE_READ)
    .limit(bindparam("most"))
)


def _in_scope(own: Select[Any], scope: Scope) -> Select[Any]:
    """A selection of documents, of those that a scope has."""
    if scope.document_ids is None:
        return own
    return own.where(one_of(documents.c.document_id, scope.document_ids))


class ReadingOrder:
    """Documents and their chunks in the order of reading. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def documents(self, collections: Sequence[str], scope: Scope = EVERYTHING) -> tuple[PlacedDocument, ...]:
        """What a scope has of some collections, the newest first."""
        return self._placed(_in_scope(_PLACED.where(_CAN_BE_READ), scope), collections)

    def in_any_state(self, collections: Sequence[str]) -> tuple[PlacedDocument, ...]:
        """All that some collections have, also what cannot be read or not yet, the newest first."""
        return self._placed(_PLACED, collections)

    def left_of(self, document_ids: Collection[str]) -> frozenset[str]:
        """Those of some documents that have not been deleted."""
        own = select(documents.c.document_id).where(one_of(documents.c.document_id, document_ids))
        return frozenset(values_of(self._engine, own))

    def _placed(self, own: Select[Any], collections: Sequence[str]) -> tuple[PlacedDocument, ...]:
        with reading(self._engine) as connection:
            in_order = own.order_by(documents.c.created_at.desc(), documents.c.document_id)
            rows = connection.execute(in_order, {"collections": collections}).all()
        return tuple(PlacedDocument(**{**row._mapping, "status": DocumentStatus(row.status)}) for row in rows)

    def openings(
        self, collections: Sequence[str], scope: Scope = EVERYTHING, most: int = _MOST_NAMED
    ) -> dict[str, str]:
        """What each document is called: its file, and how it begins; nothing of more than `most`.

        One of a single page has no cover: what follows its first line is what it tells.
        """
        wanted = {"collections": collections, "most": most + 1}
        found = rows_of(self._engine, _in_scope(_NAMED, scope), wanted)
        # Not by a path: of a thousand names that takes milliseconds, in every search.
        stems = [row.name.rpartition(".")[0] or row.name for row in found]
        begins = [row.opening if row.pages > 1 else row.opening.partition("\n")[0] for row in found]
        told = {row.document_id: f"{stem}\n{own}" for row, stem, own in zip(found, stems, begins, strict=True)}
        return told if len(found) <= most else {}

    def chunks(self, document_id: str, scope: Scope) -> tuple[PlacedChunk, ...]:
        """What a scope has of a document's chunks, from its beginning to its end.

        One with its first words at the end of a page stands there too, though most of it is on the next.
        """
        columns = (chunks.c.chunk_id, begins_on(chunks), chunks.c.last_page, chunks.c.heading_path, _OPENING)
        own = select(*columns).where(chunks.c.document_id == document_id).order_by(chunks.c.chunk_id)
        rows = rows_of(self._engine, own)
        placed = (
            PlacedChunk(chunk_id, page, last, tuple(json.loads(path)), opening)
            for chunk_id, page, last, path, opening in rows
        )
        return tuple(chunk for chunk in placed if scope.pages is None or not scope.pages.isdisjoint(chunk.pages))

    def holding(self, document_id: str, pattern: str) -> dict[int, str]:
        """The texts of a document's chunks that are like a pattern of SQL's, by their ids."""
        own = select(chunks.c.chunk_id, chunks.c.text).where(chunks.c.document_id == document_id)
        return {chunk_id: text for chunk_id, text in rows_of(self._engine, own.where(chunks.c.text.like(pattern)))}

    def printed(self, document_id: str, numbers: Collection[int]) -> frozenset[int]:
        """The pages of a document that bear these numbers in print."""
        bears = (pages.c.document_id == document_id) & one_of(pages.c.label, set(map(str, numbers)))
        return frozenset(values_of(self._engine, select(pages.c.number).where(bears)))

    def texts(self, chunk_ids: Sequence[int]) -> tuple[Chunk, ...]:
        """Chunks by their ids, in the order of these; those that are gone are left out."""
        found = chunks_by_id(self._engine, chunk_ids)
        return tuple(found[chunk_id] for chunk_id in chunk_ids if chunk_id in found)
