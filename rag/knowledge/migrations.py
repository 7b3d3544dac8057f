"""What the knowledge store's rows are given when a newer program opens them. Columns and indexes come by themselves."""

import secrets

from sqlalchemy import Connection, func, insert, select, update

from rag.knowledge.schema import OPENING, chunks, documents, pages, parents, stores
from rag.knowledge.texts import index_text, text_hash, to_passage
from rag.types import DocumentStatus


def _hash_parents(connection: Connection) -> None:
    """Parents can be searched by vector too."""
    for row in connection.execute(select(parents).where(parents.c.text_hash == "")).all():
        own = update(parents).where(parents.c.parent_id == row.parent_id)
        connection.execute(own.values(text_hash=text_hash(index_text(to_passage(row)))))


def _search_reread(connection: Connection) -> None:
    """What a document had is searched further where it could not be read anew; older programs said it had failed."""
    searched = (documents.c.status == DocumentStatus.FAILED) & (documents.c.chunks > 0)
    state = {"status": DocumentStatus.EMBEDDING, "reread_failure": documents.c.message, "message": None}
    connection.execute(update(documents).where(searched).values(state))


def _count_page_starts(connection: Connection) -> None:
    """Where a page begins need not be counted over all those before it."""
    length = func.length(pages.c.text) + 1
    up_to = func.sum(length).over(partition_by=pages.c.document_id, order_by=pages.c.number)
    known = select(pages.c.document_id, pages.c.number, (up_to - length).label("start")).subquery()
    own = (pages.c.document_id == known.c.document_id) & (pages.c.number == known.c.number)
    connection.execute(update(pages).where(own).values(start=known.c.start))


def _name_store(connection: Connection) -> None:
    """What is kept elsewhere by the ids of rows must not be taken for another store's."""
    connection.execute(insert(stores).values(store_id=secrets.token_hex(16)))


def _copy_openings(connection: Connection) -> None:
    """What documents are called is looked up without their passages."""
    own = select(func.substr(chunks.c.text, 1, OPENING)).where(chunks.c.document_id == documents.c.document_id)
    first = own.order_by(chunks.c.chunk_id).limit(1).scalar_subquery()
    connection.execute(update(documents).values(opening=func.coalesce(first, "")))


# Versions between these only added columns, tables and indexes.
STEPS = ((3, _hash_parents), (6, _search_reread), (8, _count_page_starts), (11, _name_store), (12, _copy_openings))
