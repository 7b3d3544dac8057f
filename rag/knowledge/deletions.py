"""Documents and collections removed with all that is derived from them."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, Engine, delete, select

from rag.database import batches, transaction
from rag.knowledge.fields import FIELDS
from rag.knowledge.schema import collections, documents, pages, postings, self_checks, vectors

_EMBEDDED = tuple(field.table for field in FIELDS.values())


class Deletions:
    """Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        """`engine` holds the catalog's tables."""
        self._engine = engine

    def delete(self, document_id: str) -> None:
        """Remove a document, what it says, and the vectors that no other document needs."""
        own = documents.c.document_id == document_id
        with transaction(self._engine) as connection:
            hashes = clear(connection, own)
            connection.execute(delete(documents).where(own))
            delete_unused_vectors(connection, hashes)

    def delete_collection(self, collection_id: str) -> None:
        """Remove a collection with its documents, all or nothing."""
        with transaction(self._engine) as connection:
            hashes = clear(connection, documents.c.collection_id == collection_id)
            connection.execute(delete(collections).where(collections.c.collection_id == collection_id))
            delete_unused_vectors(connection, hashes)


def clear(connection: Connection, which: ColumnElement[bool]) -> list[str]:
    """Delete what some documents say; the hashes of all texts of theirs that are embedded."""
    of_them, hashes = select(documents.c.document_id).where(which), list[str]()
    for table in _EMBEDDED:
        hashes += connection.scalars(select(table.c.text_hash).where(table.c.document_id.in_(of_them)).distinct())
    for table in (postings, self_checks, *_EMBEDDED, pages):
        connection.execute(delete(table).where(table.c.document_id.in_(of_them)))
    return hashes


def delete_unused_vectors(connection: Connection, text_hashes: Sequence[str]) -> None:
    """Delete those vectors of some texts that nothing needs."""
    unused = [vectors.c.text_hash.not_in(select(table.c.text_hash)) for table in _EMBEDDED]
    for batch in batches(text_hashes):
        connection.execute(delete(vectors).where(vectors.c.text_hash.in_(batch), *unused))
