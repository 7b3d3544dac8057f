"""Documents and collections removed with all that is derived from them."""

import time
from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Engine, Integer, Table, delete, insert, literal_column, select

from rag.database import VALUES_AT_ONCE, batches, change, transaction, transaction_without_cascades, values_of
from rag.knowledge.fields import FIELDS
from rag.knowledge.schema import (
    collections,
    deleted,
    documents,
    left_out,
    metadata,
    one_of,
    pages,
    postings,
    self_checks,
    vectors,
)

# Between two batches: who waits to write looks only now and then whether it can.
_PAUSE_SECONDS = 0.02
_EMBEDDED = tuple(field.table for field in FIELDS.values())
# What refers to others before those.
_OWNED = tuple(
    table
    for table in reversed(metadata.sorted_tables)
    if "document_id" in table.c and table not in (documents, deleted, left_out)
)


class Deletions:
    """Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        """`engine` holds the catalog's tables."""
        self._engine = engine

    def delete(self, document_id: str) -> None:
        """Delete a document; `clear` removes what it leaves, which nobody finds any more."""
        with transaction_without_cascades(self._engine) as connection:
            _delete_documents(connection, documents.c.document_id == document_id)

    def delete_collection(self, collection_id: str) -> None:
        """Delete a collection with its documents, all or nothing; `clear` removes what they leave."""
        with transaction_without_cascades(self._engine) as connection:
            _delete_documents(connection, documents.c.collection_id == collection_id)
            for table in (left_out, collections):
                connection.execute(delete(table).where(table.c.collection_id == collection_id))

    def clear(self) -> None:
        """Remove what deleted documents left, also in an earlier process, and the vectors that no other one needs.

        Some rows at a time: others can write in between.
        """
        gone = values_of(self._engine, select(deleted.c.document_id))
        if not gone:
            return
        for table in _OWNED:
            while self._clear_some(table):
                time.sleep(_PAUSE_SECONDS)
        change(self._engine, delete(deleted).where(one_of(deleted.c.document_id, gone)))

    def _clear_some(self, table: Table) -> bool:
        """Whether a table may have more of them."""
        key = literal_column(f"{table.name}.rowid", Integer)
        columns = [key, table.c.text_hash] if table in _EMBEDDED else [key]
        left = select(*columns).select_from(table).where(table.c.document_id.in_(select(deleted.c.document_id)))
        with transaction(self._engine) as connection:
            rows = connection.execute(left.limit(VALUES_AT_ONCE)).all()
            connection.execute(delete(table).where(key.in_([row[0] for row in rows])))
            delete_unused_vectors(connection, [row[-1] for row in rows] if table in _EMBEDDED else [])
        return len(rows) == VALUES_AT_ONCE


def _delete_documents(connection: Connection, which: ColumnElement[bool]) -> None:
    gone = select(documents.c.document_id).where(which)
    connection.execute(insert(deleted).from_select(["document_id"], gone))
    # Few rows, and each is told as a choice of its session's.
    connection.execute(delete(left_out).where(left_out.c.document_id.in_(gone)))
    connection.execute(delete(documents).where(which))


def delete_content(connection: Connection, document_id: str) -> list[str]:
    """Delete what a document says; the hashes of all texts of its that are embedded."""
    hashes = list[str]()
    for table in _EMBEDDED:
        hashes += connection.scalars(select(table.c.text_hash).where(table.c.document_id == document_id).distinct())
    for table in (postings, self_checks, *_EMBEDDED, pages):
        connection.execute(delete(table).where(table.c.document_id == document_id))
    return hashes


def delete_unused_vectors(connection: Connection, text_hashes: Sequence[str]) -> None:
    """Delete those vectors of some texts that nothing needs."""
    unused = [vectors.c.text_hash.not_in(select(table.c.text_hash)) for table in _EMBEDDED]
    for batch in batches(text_hashes):
        connection.execute(delete(vectors).where(vectors.c.text_hash.in_(batch), *unused))
