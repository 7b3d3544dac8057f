"""The migrations that make the knowledge store's tables, and bring those of older programs up to date."""

import secrets

from sqlalchemy import Connection, func, insert, select, update

from rag.database import add_columns
from rag.knowledge.schema import (
    OPENING,
    chunks,
    collections,
    documents,
    left_out,
    metadata,
    pages,
    parents,
    questions,
    recognitions,
    self_checks,
    stores,
)
from rag.knowledge.texts import index_text, text_hash, to_passage
from rag.types import DocumentStatus


def _create_tables(connection: Connection) -> None:
    metadata.create_all(connection)


def _add_context(connection: Connection) -> None:
    """What a passage's table says above it. The first migration makes new tables with it."""
    for table in (parents, chunks):
        add_columns(connection, table, "context")


def _add_fields(connection: Connection) -> None:
    """Parents and questions can be searched by vector too."""
    add_columns(connection, parents, "text_hash")
    add_columns(connection, chunks, "questioned")
    questions.create(connection, checkfirst=True)
    for index in parents.indexes:
        index.create(connection, checkfirst=True)
    for row in connection.execute(select(parents).where(parents.c.text_hash == "")).all():
        own = update(parents).where(parents.c.parent_id == row.parent_id)
        connection.execute(own.values(text_hash=text_hash(index_text(to_passage(row)))))


def _add_files_tab(connection: Connection) -> None:
    """Files can be left out of the chat, and checked."""
    for table in (left_out, self_checks):
        table.create(connection, checkfirst=True)


def _add_recognition(connection: Connection) -> None:
    """Text can be recognised in images of pages."""
    add_columns(connection, documents, "ocr_pages", "outline")
    add_columns(connection, pages, "lines")
    recognitions.create(connection, checkfirst=True)


def _add_reread(connection: Connection) -> None:
    """What a document had is searched further where it could not be read anew; older programs said it had failed."""
    add_columns(connection, documents, "reread_failure")
    searched = (documents.c.status == DocumentStatus.FAILED) & (documents.c.chunks > 0)
    state = {"status": DocumentStatus.EMBEDDING, "reread_failure": documents.c.message, "message": None}
    connection.execute(update(documents).where(searched).values(state))


def _add_use(connection: Connection) -> None:
    """Files that are only searched by a program are in use too."""
    add_columns(connection, collections, "used_at")


def _add_page_starts(connection: Connection) -> None:
    """Where a page begins need not be counted over all those before it."""
    add_columns(connection, pages, "start")
    length = func.length(pages.c.text) + 1
    up_to = func.sum(length).over(partition_by=pages.c.document_id, order_by=pages.c.number)
    known = select(pages.c.document_id, pages.c.number, (up_to - length).label("start")).subquery()
    own = (pages.c.document_id == known.c.document_id) & (pages.c.number == known.c.number)
    connection.execute(update(pages).where(own).values(start=known.c.start))


def _add_index_of_unquestioned(connection: Connection) -> None:
    """The chunks that wait for questions are found without a look at all others."""
    for index in chunks.indexes:
        index.create(connection, checkfirst=True)


def _add_model_of_vectors(connection: Connection) -> None:
    """A session can have its vectors made by another model than the server's own."""
    add_columns(connection, collections, "model_id")


def _add_store_id(connection: Connection) -> None:
    """What is kept elsewhere by the ids of rows must not be taken for another store's."""
    stores.create(connection, checkfirst=True)
    connection.execute(insert(stores).values(store_id=secrets.token_hex(16)))


def _add_opening(connection: Connection) -> None:
    """What documents are called is looked up without their passages."""
    add_columns(connection, documents, "opening")
    own = select(func.substr(chunks.c.text, 1, OPENING)).where(chunks.c.document_id == documents.c.document_id)
    first = own.order_by(chunks.c.chunk_id).limit(1).scalar_subquery()
    connection.execute(update(documents).values(opening=func.coalesce(first, "")))


MIGRATIONS = (
    _create_tables,
    _add_context,
    _add_fields,
    _add_files_tab,
    _add_recognition,
    _add_reread,
    _add_use,
    _add_page_starts,
    _add_index_of_unquestioned,
    _add_model_of_vectors,
    _add_store_id,
    _add_opening,
)
