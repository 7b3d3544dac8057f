"""The rows of pages, parent passages and chunks, and the postings derived from them."""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, replace

import numpy as np
from sqlalchemy import Column, ColumnElement, Connection, Engine, delete, func, insert, select, update

from rag.database import reading, rows_of, transaction
from rag.errors import UnknownDocument
from rag.knowledge.deletions import delete_content, delete_unused_vectors
from rag.knowledge.fields import FIELDS
from rag.knowledge.postings import Ints, Segment
from rag.knowledge.questions import ask_again, asked_of
from rag.knowledge.schema import (
    CHILDREN_OF,
    CHUNK_ROWS,
    OPENING,
    PARENTS_BY_ID,
    begins_on,
    chunks,
    documents,
    one_of,
    pages,
    parents,
    postings,
)
from rag.knowledge.texts import to_passage, to_row, words_text
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.words import cut
from rag.types import DocumentStatus, LoadedDocument, PageHealth, Passage, Scope, Section

_Row = Mapping[str, object]
_Rows = tuple[_Row, Sequence[_Row]]


class Passages:
    """What documents say, in pages, parents and chunks. Every method raises StoreError."""

    def __init__(self, engine: Engine, tokenizer: Tokenizer) -> None:
        self._engine = engine
        self._tokenizer = tokenizer

    def write(
        self,
        document_id: str,
        sections: Sequence[Section],
        loaded: LoadedDocument,
        words: Segment,
        before: Collection[DocumentStatus],
    ) -> Segment:
        """Store a document's content in place of what it had, all or nothing.

        `words` are the postings of its chunks, numbered from 0; returned with their ids. Raises UnknownDocument where
        none stands at one of `before`.
        """
        own = documents.c.document_id == document_id
        # Before the transaction: everybody who writes waits for its end.
        rows = [(to_row(section.parent), list(map(to_row, section.children))) for section in sections]
        with transaction(self._engine) as connection:
            asked, hashes = asked_of(connection, document_id), delete_content(connection, document_id)
            row = update(documents).where(own, documents.c.status.in_(before))
            if not connection.execute(row.values(_state(loaded, sections))).rowcount:
                raise UnknownDocument
            _insert_pages(connection, document_id, loaded)
            keys = _insert_sections(connection, document_id, rows)
            segment = replace(words, chunk_ids=np.asarray(keys, np.int64))
            self._insert_postings(connection, document_id, segment)
            ask_again(connection, document_id, asked)
            delete_unused_vectors(connection, hashes)
        return segment

    def keys(self, document_id: str) -> dict[str, list[int]]:
        """The rows of a document that each dense field searches."""
        with reading(self._engine) as connection:
            return {
                field: list(connection.scalars(select(own.key).where(own.table.c.document_id == document_id)))
                for field, own in FIELDS.items()
            }

    def sections(self, parent_ids: Sequence[int]) -> dict[int, Section]:
        """Parents with their children in order, by the parent's id; those that are gone are left out."""
        children: dict[int, dict[int, Passage]] = defaultdict(dict)
        with reading(self._engine) as connection:
            for row in connection.execute(CHILDREN_OF, {"parent_ids": parent_ids}):
                children[row.parent_id][row.chunk_id] = to_passage(row)
            return {
                row.parent_id: Section(to_passage(row), tuple(known.values()), tuple(known))
                for row in connection.execute(PARENTS_BY_ID, {"parent_ids": parent_ids})
                for known in [children[row.parent_id]]
            }

    def within(self, scope: Scope, collection_ids: Sequence[str]) -> Ints:
        """The chunks of some collections that a scope allows: those with a page in it. Rising."""
        allowed: ColumnElement[bool] = documents.c.collection_id.in_(collection_ids)
        if scope.document_ids is not None:
            allowed &= one_of(chunks.c.document_id, scope.document_ids)
        with reading(self._engine) as connection:
            if scope.pages is None:
                # In one row: a hundred thousand of them take a tenth of a second to be handed over.
                joined = select(func.group_concat(chunks.c.chunk_id)).join_from(chunks, documents).where(allowed)
                found = np.fromstring(connection.scalar(joined) or "", np.int64, sep=",")
            else:
                placed = select(chunks.c.chunk_id, begins_on(chunks), chunks.c.last_page).join_from(chunks, documents)
                rows = connection.execute(placed.where(allowed, chunks.c.last_page >= min(scope.pages, default=0)))
                on_them = (key for key, first, last in rows if not scope.pages.isdisjoint(range(first, last + 1)))
                found = np.fromiter(on_them, np.int64)
        if scope.chunk_ids is not None:
            found = np.intersect1d(found, np.fromiter(scope.chunk_ids, np.int64))
        return np.sort(found)

    def segments(self, collection_id: str) -> Iterator[Segment]:
        """The postings of a collection's documents, oldest first; made anew where the tokenizer has changed."""
        query = (
            select(documents.c.document_id, postings.c.tokenizer, postings.c.segment)
            .join(postings)
            .where(documents.c.collection_id == collection_id)
            .order_by(documents.c.created_at, documents.c.document_id)
        )
        rows = rows_of(self._engine, query)
        for row in rows:
            is_current = row.tokenizer == self._tokenizer.version
            yield Segment.from_bytes(row.segment) if is_current else self._tokenize_again(row.document_id)

    def _tokenize_again(self, document_id: str) -> Segment:
        own = CHUNK_ROWS.where(chunks.c.document_id == document_id)
        stored = rows_of(self._engine, own.order_by(chunks.c.chunk_id))
        words = cut(self._tokenizer, [words_text(to_passage(row), row.name) for row in stored])
        segment = replace(words, chunk_ids=np.asarray([row.chunk_id for row in stored], np.int64))
        known = select(documents.c.document_id).where(documents.c.document_id == document_id)
        with transaction(self._engine) as connection:
            # Nothing is added to a document that was deleted since its postings were read.
            if connection.execute(delete(postings).where(postings.c.document_id.in_(known))).rowcount:
                self._insert_postings(connection, document_id, segment)
        return segment

    def _insert_postings(self, connection: Connection, document_id: str, segment: Segment) -> None:
        row = {"document_id": document_id, "tokenizer": self._tokenizer.version, "segment": segment.to_bytes()}
        connection.execute(insert(postings).values(row))


def _state(loaded: LoadedDocument, sections: Sequence[Section]) -> dict[str, object]:
    """What a document's row says of its content; without any passage, there are only images of pages."""
    health = Counter(page.health for page in loaded.pages)
    texts = [child.text for section in sections for child in section.children]
    return {
        "status": DocumentStatus.EMBEDDING if texts else DocumentStatus.RECOGNISING,
        "message": None,
        "chunks": len(texts),
        "opening": texts[0][:OPENING] if texts else "",
        "outline": json.dumps([asdict(heading) for heading in loaded.outline], ensure_ascii=False),
        "pages": len(loaded.pages),
        **{f"{kind}_pages": health[kind] for kind in PageHealth},
    }


def _insert_pages(connection: Connection, document_id: str, loaded: LoadedDocument) -> None:
    rows = [
        {
            "document_id": document_id,
            "start": start,
            **asdict(page),
            "lines": json.dumps([asdict(line) for line in page.lines]),
        }
        for page, start in zip(loaded.pages, loaded.starts, strict=False)
    ]
    if rows:
        connection.execute(insert(pages), rows)


def _insert_sections(connection: Connection, document_id: str, rows: Sequence[_Rows]) -> list[int]:
    """Store parents, each with its children; the ids of these, in their order."""
    own: _Row = {"document_id": document_id}
    parent_ids = _insert_rows(connection, parents.c.parent_id, [{**own, **parent} for parent, _ in rows])
    below = zip(parent_ids, (children for _, children in rows), strict=True)
    chunk_rows = [{**own, "parent_id": parent_id, **child} for parent_id, children in below for child in children]
    return _insert_rows(connection, chunks.c.chunk_id, chunk_rows)


def _insert_rows(connection: Connection, key: Column[int], rows: Sequence[_Row]) -> list[int]:
    """Add rows to a table that has none of their document; their keys, which SQLite gives out in rising order."""
    if not rows:
        return []
    # Returned in order, each would take a statement.
    connection.execute(insert(key.table), rows)
    own = select(key).where(key.table.c.document_id == rows[0]["document_id"])
    return list(connection.scalars(own.order_by(key)))
