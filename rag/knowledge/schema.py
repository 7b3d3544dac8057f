"""The knowledge store's tables."""

import json
from collections.abc import Collection

from sqlalchemy import (
    BindParameter,
    Boolean,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    func,
    select,
    text,
)

from rag.database import VALUES_AT_ONCE, UtcDateTime

metadata = MetaData()

# As many characters of a beginning as name its document: company, title, year.
OPENING = 80


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
    Column("created_at", UtcDateTime, nullable=False),
    # The last turn, or search that left no conversation behind, to the day.
    Column("used_at", UtcDateTime),
    # The model of its chunks' vectors, where its session has chosen one.
    Column("model_id", String),
)


def model_wanted(own_id: str) -> ColumnElement[str]:
    """The model whose vectors a collection's chunks are to have; `own_id` is the server's own."""
    return func.coalesce(collections.c.model_id, own_id)


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
    # The file's own headings, as JSON: pages that are recognised later are split by them and by those found on them.
    Column("outline", Text, nullable=False, default="[]", server_default="[]"),
    # How its first passage begins: each search looks up what all documents are called.
    Column("opening", Text, nullable=False, default="", server_default=""),
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("collection_id", "sha256"),
)

pages = Table(
    "pages",
    metadata,
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("label", String, nullable=False),
    # Where it begins in the document's text, which is the pages' texts with their separators.
    Column("start", Integer, nullable=False, default=0, server_default="0"),
    Column("text", Text, nullable=False),
    Column("health", String, nullable=False),
    # The lines of recognised text with their boxes, as JSON.
    Column("lines", Text, nullable=False, default="[]", server_default="[]"),
    # What stands between its text and the next page's.
    Column("separator", String, nullable=False, default="\n", server_default="\n"),
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


def begins_on(table: Table) -> ColumnElement[int]:
    """The page that a row's passage begins on: often its `page`, where most of it stands, or one before that."""
    up_to = (pages.c.number <= table.c.page) & (pages.c.start <= table.c.start)
    own = select(pages.c.number).where(pages.c.document_id == table.c.document_id, up_to)
    return func.coalesce(own.order_by(pages.c.number.desc()).limit(1).scalar_subquery(), table.c.page)


def one_of(column: Column[str], values: Collection[str]) -> ColumnElement[bool]:
    """Whether a row has one of some values, be they more than one statement takes: as many files may be chosen."""
    if len(values) <= VALUES_AT_ONCE:
        return column.in_(values)
    return column.in_(select(func.json_each(json.dumps(list(values))).table_valued("value").c.value))


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
    # To count the vectors of a file that fills, for each page that shows it, its passages need not be read.
    Index("chunks_by_document_and_text", "document_id", "text_hash"),
    Index("chunks_by_parent", "parent_id"),
    Index("chunks_by_text", "text_hash"),
    Index("chunks_not_questioned", "chunk_id", sqlite_where=text("questioned = 0")),
    sqlite_autoincrement=True,
)

# Chunks beside the name and the collection of their documents: what `to_chunk` reads.
CHUNK_ROWS = select(chunks, documents.c.name, documents.c.collection_id).join(documents)
# Every search runs these: put together each time, one takes half as long again.
CHUNKS_BY_ID = CHUNK_ROWS.where(chunks.c.chunk_id.in_(bindparam("chunk_ids", expanding=True)))
_PARENT_IDS: BindParameter[int] = bindparam("parent_ids", expanding=True)
CHILDREN_OF = select(chunks).where(chunks.c.parent_id.in_(_PARENT_IDS)).order_by(chunks.c.chunk_id)
PARENTS_BY_ID = select(parents).where(parents.c.parent_id.in_(_PARENT_IDS))

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

# Documents that are deleted, and may have left something in the other tables: to remove many rows takes seconds, in
# which nobody else could write.
deleted = Table("deleted_documents", metadata, Column("document_id", String, primary_key=True))

# Documents that the questions of a session (a collection) are not to use.
left_out = Table(
    "left_out",
    metadata,
    Column("collection_id", ForeignKey("collections.collection_id", ondelete="CASCADE"), primary_key=True),
    Column("document_id", ForeignKey("documents.document_id", ondelete="CASCADE"), primary_key=True),
)

# One row: which store this is, among all that were ever begun. Ids of rows begin again in each.
stores = Table("stores", metadata, Column("store_id", String, primary_key=True))

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
    Column("checked_at", UtcDateTime, nullable=False),
)
