"""The knowledge store's tables, and the migrations that make them."""

from sqlalchemy import (
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
    inspect,
)

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
    Column("pages", Integer, nullable=False, default=0),
    Column("text_pages", Integer, nullable=False, default=0),
    Column("empty_pages", Integer, nullable=False, default=0),
    Column("garbled_pages", Integer, nullable=False, default=0),
    Column("chunks", Integer, nullable=False, default=0),
    Column("attempts", Integer, nullable=False, default=0),
    Column("created_at", DateTime(timezone=True), nullable=False),
    UniqueConstraint("collection_id", "sha256"),
)

pages = Table(
    "pages",
    metadata,
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("label", String, nullable=False),
    Column("text", Text, nullable=False),
    Column("health", String, nullable=False),
)

parents = Table(
    "parents",
    metadata,
    Column("parent_id", Integer, primary_key=True),
    _owned_by_document(),
    *_passage_columns(),
    Index("parents_by_document", "document_id"),
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
    Index("chunks_by_document", "document_id"),
    Index("chunks_by_parent", "parent_id"),
    Index("chunks_by_text", "text_hash"),
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


def _create_tables(connection: Connection) -> None:
    metadata.create_all(connection)


def _add_context(connection: Connection) -> None:
    """What a passage's table says above it. The first migration makes new tables with it."""
    for table in (parents, chunks):
        if "context" not in {column["name"] for column in inspect(connection).get_columns(table.name)}:
            connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN context TEXT NOT NULL DEFAULT ''")


MIGRATIONS = (_create_tables, _add_context)
