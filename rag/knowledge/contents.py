"""What documents consist of: pages, where each begins in its document's text, and passages."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Engine, Row, select

from loaders.wire import from_line
from rag.database import reading, rows_of
from rag.errors import UnknownDocument
from rag.knowledge.base import collections_seen_by
from rag.knowledge.catalog import require_visible
from rag.knowledge.schema import CHUNK_ROWS, chunks, documents, pages
from rag.knowledge.texts import chunks_by_id, to_chunk
from rag.types import Chunk, Heading, LoadedDocument, Page, PageHealth, PlacedLine


class Contents:
    """Pages and passages as they are stored. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        """`engine` holds the catalog's tables."""
        self._engine = engine

    def placed(self, document_id: str, number: int) -> tuple[int, Page]:
        """Where a page begins in the document's text, and the page, by its physical number. Raises UnknownDocument."""
        with reading(self._engine) as connection:
            query = select(pages).where(pages.c.document_id == document_id, pages.c.number == number)
            row = connection.execute(query).one_or_none()
        if row is None:
            raise UnknownDocument
        return row.start, _to_page(row)

    def around(self, document_id: str, number: int) -> tuple[int, LoadedDocument]:
        """Where a page and its neighbours begin in the document's text, and they; none of an unknown document."""
        near = (pages.c.document_id == document_id) & pages.c.number.between(number - 1, number + 1)
        rows = rows_of(self._engine, select(pages).where(near).order_by(pages.c.number))
        return rows[0].start if rows else 0, LoadedDocument(tuple(map(_to_page, rows)))

    def content(self, document_id: str) -> LoadedDocument:
        """All pages of a document, and its headings. Raises UnknownDocument."""
        own = select(pages).where(pages.c.document_id == document_id).order_by(pages.c.number)
        with reading(self._engine) as connection:
            outline = connection.scalar(select(documents.c.outline).where(documents.c.document_id == document_id))
            rows = connection.execute(own).all()
        if outline is None:
            raise UnknownDocument
        return LoadedDocument(tuple(map(_to_page, rows)), from_line(tuple[Heading, ...], outline))

    def health(self, document_id: str) -> dict[int, PageHealth]:
        """What the text of each page of a document is worth, by number."""
        own = pages.c.document_id == document_id
        with reading(self._engine) as connection:
            rows = connection.execute(select(pages.c.number, pages.c.health).where(own).order_by(pages.c.number))
            return {number: PageHealth(health) for number, health in rows}

    def at(self, document_id: str, places: Iterable[int]) -> tuple[int, ...]:
        """The pages that some places in a document's text stand on. Raises UnknownDocument."""
        own = select(pages.c.number, pages.c.start).where(pages.c.document_id == document_id).order_by(pages.c.number)
        rows = rows_of(self._engine, own)
        if not rows:
            raise UnknownDocument
        starts = [row.start for row in rows]
        return tuple(rows[max(0, bisect_right(starts, place) - 1)].number for place in places)

    def chunks(self, session_id: str, document_id: str, first: int = 0, count: int | None = None) -> tuple[Chunk, ...]:
        """The passages, `count` from number `first` (from 0) on, of a document that a session can see, in their order.

        Raises UnknownDocument.
        """
        own = CHUNK_ROWS.where(chunks.c.document_id == document_id)
        page = own.order_by(chunks.c.start, chunks.c.chunk_id).offset(first).limit(count)
        with reading(self._engine) as connection:
            require_visible(connection, session_id, document_id)
            return tuple(to_chunk(row) for row in connection.execute(page))

    def known(self, session_id: str, chunk_ids: Sequence[int]) -> Mapping[int, Chunk]:
        """Those of some chunks that are still there and that the session can see, by id."""
        return chunks_by_id(self._engine, chunk_ids, collections_seen_by(session_id))


def _to_page(row: Row[Any]) -> Page:
    lines = from_line(tuple[PlacedLine, ...], row.lines)
    return Page(row.number, row.label, row.text, PageHealth(row.health), lines, row.separator)
