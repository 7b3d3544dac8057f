"""The knowledge store's tables, and the migrations that make them."""

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
    inspect,
    select,
    text,
    update,
)

from rag.knowledge.texts import index_text, text_hash, to_passage
from rag.types import DocumentStatus

metadata = MetaData()


def _owned_by_document() -> Column[str]:
    return Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), nullable=False)


def _passage_columns() -> tuple[Column[object], ...]:
    """The fields of a `Passage`; the heading path is a JSON list."""
    return (
        Column("text", Text, nullable=False),
        Column("start", Integer, nullable=False),
        Column("end", Integer, nullable=False),
        Column("page", Integer, nullable=False),
        Column("last_page", Integer, nullable=False),
        Column("page_label", String, nullable=False),
        Column("heading_path", Text, nullable=False),
        Column("context", Text, nullable=False, server_default=""),
    )


collections = Table(
    "collections",
    metadata,
    Column("collection_id", String, primary_key=True),
    Column("created_at", DateTime(timezone=True), nullable=False),
    # The last search that left no conversation behind, to the day.
    Column("used_at", DateTime(timezone=True)),
)

documents = Table(
    "documents",
    metadata,
    Column("document_id", String, primary_key=True),
    Column("collection_id", ForeignKey("collections.collection_id", ondelete="CASCADE"), nullable=False),
    Column("name", String, nullable=False),
    Column("sha256", String, nullable=False),
    Column("size", Integer, nullable=False),
    Column("status", String, nullable=False),
    Column("message", Text),
    Column("reread_failure", Text),
    Column("pages", Integer, nullable=False, default=0),
    Column("text_pages", Integer, nullable=False, default=0),
    Column("ocr_pages", Integer, nullable=False, default=0, server_default="0"),
    Column("empty_pages", Integer, nullable=False, default=0),
    Column("garbled_pages", Integer, nullable=False, default=0),
    Column("chunks", Integer, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    # The headings that the file was split by, as JSON: pages that are recognised later are split by them too.
    Column("outline", Text, nullable=False, default="[]", server_default="[]"),
    Column("created_at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("collection_id", "sha256"),
)

pages = Table(
    "pages",
    metadata,
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("label", String, nullable=False),
    # Where it begins in the document's text, which is the pages' texts joined by a line break.
    Column("start", Integer, nullable=False, default=0, server_default="0"),
    Column("text", Text, nullable=False),
    Column("health", String, nullable=False),
    # The lines of recognised text with their boxes, as JSON.
    Column("lines", Text, nullable=False, default="[]", server_default="[]"),
)

# Pages whose images are to be recognised, and what was recognised of each, as JSON.
recognitions = Table(
    "recognitions",
    metadata,
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("outcome", String, nullable=False),
    Column("page", Text),
    Index("recognitions_by_outcome", "outcome"),
)

parents = Table(
    "parents",
    metadata,
    Column("parent_id", Integer, primary_key=True),
    _owned_by_document(),
    *_passage_columns(),
    Column("text_hash", String, nullable=False, server_default=""),
    Index("parents_by_document", "document_id"),
    Index("parents_by_text", "text_hash"),
    sqlite_autoincrement=True,
)

# Ids are never given out twice: stored turns and indexes in memory refer to them.
chunks = Table(
    "chunks",
    metadata,
    Column("chunk_id", Integer, primary_key=True),
    _owned_by_document(),
    Column("parent_id", ForeignKey("parents.parent_id", ondelete="CASCADE"), nullable=False),
    *_passage_columns(),
    Column("text_hash", String, nullable=False),
    # Whether questions have been written for it: some passages answer none.
    Column("questioned", Boolean, nullable=False, server_default="0"),
    Index("chunks_by_document", "document_id"),
    Index("chunks_by_parent", "parent_id"),
    Index("chunks_by_text", "text_hash"),
    Index("chunks_not_questioned", "chunk_id", sqlite_where=text("questioned = 0")),
    sqlite_autoincrement=True,
)

# Chunks beside the name and the collection of their documents: what `to_chunk` reads.
CHUNK_ROWS = select(chunks, documents.c.name, documents.c.collection_id).join(documents)

# Questions that a chunk answers, written by a model.
questions = Table(
    "questions",
    metadata,
    Column("question_id", Integer, primary_key=True),
    _owned_by_document(),
    Column("chunk_id", ForeignKey("chunks.chunk_id", ondelete="CASCADE"), nullable=False),
    Column("text", Text, nullable=False),
    Column("text_hash", String, nullable=False),
    Index("questions_by_document", "document_id"),
    Index("questions_by_chunk", "chunk_id"),
    Index("questions_by_text", "text_hash"),
    sqlite_autoincrement=True,
)

# Derived from the chunks, and kept so that opening a large collection need not tokenise it again.
postings = Table(
    "postings",
    metadata,
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
    Column("tokenizer", String, nullable=False),
    Column("segment", LargeBinary, nullable=False),
)

vectors = Table(
    "vectors",
    metadata,
    Column("text_hash", String, primary_key=True),
    Column("model_id", String, primary_key=True),
    Column("vector", LargeBinary, nullable=False),
)

# Documents that the questions of a session (a collection) are not to use.
left_out = Table(
    "left_out",
    metadata,
    Column("collection_id", ForeignKey("collections.collection_id", ondelete="CASCADE"), primary_key=True),
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
)

# How well a document is found by questions made of its own sentences; `note` is a message as JSON.
self_checks = Table(
    "self_checks",
    metadata,
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
    Column("questions", Integer, nullable=False),
    Column("among", Integer, nullable=False),
    Column("dense", Integer),
    Column("sparse", Integer),
    Column("fused", Integer, nullable=False),
    Column("embedded", Integer, nullable=False),
    Column("note", Text),
    Column("checked_at", DateTime(timezone=True), nullable=False),
)


def _create_tables(connection: Connection) -> None:
    metadata.create_all(connection)


def _add_context(connection: Connection) -> None:
    """What a passage's table says above it. The first migration makes new tables with it."""
    for table in (parents, chunks):
        _add_column(connection, table, "context TEXT NOT NULL DEFAULT ''")


def _add_fields(connection: Connection) -> None:
    """Parents and questions can be searched by vector too."""
    _add_column(connection, parents, "text_hash VARCHAR NOT NULL DEFAULT ''")
    _add_column(connection, chunks, "questioned BOOLEAN NOT NULL DEFAULT 0")
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
    _add_column(connection, documents, "ocr_pages INTEGER NOT NULL DEFAULT 0")
    _add_column(connection, documents, "outline TEXT NOT NULL DEFAULT '[]'")
    _add_column(connection, pages, "lines TEXT NOT NULL DEFAULT '[]'")
    recognitions.create(connection, checkfirst=True)


def _add_reread(connection: Connection) -> None:
    """What a document had is searched further where it could not be read anew; older programs said it had failed."""
    _add_column(connection, documents, "reread_failure TEXT")
    searched = (documents.c.status == DocumentStatus.FAILED) & (documents.c.chunks > 0)
    state = {"status": DocumentStatus.EMBEDDING, "reread_failure": documents.c.message, "message": None}
    connection.execute(update(documents).where(searched).values(state))


def _add_use(connection: Connection) -> None:
    """Files that are only searched by a program are in use too."""
    _add_column(connection, collections, "used_at DATETIME")


def _add_page_starts(connection: Connection) -> None:
    """Where a page begins need not be counted over all those before it."""
    _add_column(connection, pages, "start INTEGER NOT NULL DEFAULT 0")
    length = func.length(pages.c.text) + 1
    up_to = func.sum(length).over(partition_by=pages.c.document_id, order_by=pages.c.number)
    known = select(pages.c.document_id, pages.c.number, (up_to - length).label("start")).subquery()
    own = (pages.c.document_id == known.c.document_id) & (pages.c.number == known.c.number)
    connection.execute(update(pages).where(own).values(start=known.c.start))


def _add_index_of_unquestioned(connection: Connection) -> None:
    """The chunks that wait for questions are found without a look at all others."""
    for index in chunks.indexes:
        index.create(connection, checkfirst=True)


def _add_column(connection: Connection, table: Table, column: str) -> None:
    """Add a column where an older program made the table."""
    if column.split(maxsplit=1)[0] not in {known["name"] for known in inspect(connection).get_columns(table.name)}:
        connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {column}")


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
)
