"""The rows of collections and documents. SQLite is the truth; indexes are derived from it."""

import secrets
from collections.abc import Collection
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from pathlib import PurePath
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, Select, case, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from rag.database import change, migrate, reading, rows_of, transaction, values_of
from rag.errors import UnknownDocument
from rag.files import name_beside
from rag.knowledge.base import SHARED_COLLECTION, collections_seen_by
from rag.knowledge.migrations import STEPS
from rag.knowledge.schema import chunks, collections, documents, metadata, model_wanted, one_of, vectors
from rag.message_json import message_from_json, message_to_json
from rag.types import COMING, Document, DocumentStatus, Message

_DAY = timedelta(days=1)
_last_use = func.coalesce(collections.c.used_at, collections.c.created_at)


class Catalog:
    """Collections and documents. `model_id` names the model whose vectors count, where none is chosen."""

    def __init__(self, engine: Engine, model_id: str) -> None:
        """Bring the schema up to date. Raises StoreError, as every method does."""
        self.engine = engine
        self.model_id = model_id
        migrate(engine, metadata, "knowledge", STEPS)

    def register(self, collection_id: str, name: str, sha256: str, size: int) -> Document:
        """A document to be read. The same content in the same collection is one document: it is returned as it
        stands, unless it had failed: then it is queued again, under the new name. No two documents of a session bear
        one name: a later one is numbered."""
        with transaction(self.engine) as connection:
            ensure_collection(connection, collection_id)
            same = (documents.c.collection_id == collection_id) & (documents.c.sha256 == sha256)
            name = name_beside(_names_like(connection, collection_id, name, sha256), name)
            connection.execute(
                update(documents)
                .where(same & (documents.c.status == DocumentStatus.FAILED))
                .values(name=name, status=DocumentStatus.QUEUED, message=None, attempts=0)
            )
            document_id = connection.scalar(select(documents.c.document_id).where(same))
            if document_id is None:
                document_id = secrets.token_hex(16)
                row = {"document_id": document_id, "collection_id": collection_id, "name": name, "sha256": sha256}
                state = {"size": size, "status": DocumentStatus.QUEUED, "created_at": datetime.now(UTC)}
                connection.execute(insert(documents).values(**row, **state))
        return self.document(document_id)

    def documents(self, collection_id: str) -> tuple[Document, ...]:
        """The documents of a collection, oldest first."""
        return self._select(self._documents().where(documents.c.collection_id == collection_id))

    def unfinished(self) -> tuple[Document, ...]:
        """Documents that wait to be read, or whose reading a killed process left off, oldest first."""
        waiting = documents.c.status.in_((DocumentStatus.QUEUED, DocumentStatus.READING))
        return self._select(self._documents().where(waiting))

    def collections_before(self, moment: datetime) -> tuple[str, ...]:
        """The collections that nothing has been added to, and that `use` was not called for, since a moment."""
        newest = func.max(func.coalesce(documents.c.created_at, collections.c.created_at))
        query = select(collections.c.collection_id).outerjoin(documents).group_by(collections.c.collection_id)
        return tuple(values_of(self.engine, query.where(_last_use < moment).having(newest < moment)))

    def last_use(self, collection_id: str) -> datetime | None:
        """When a collection was last added to, or `use` called for it; None where it has no documents."""
        query = select(_last_use, func.max(documents.c.created_at)).join_from(collections, documents)
        own = query.where(collections.c.collection_id == collection_id).group_by(collections.c.collection_id)
        with reading(self.engine) as connection:
            found = connection.execute(own).first()
        return max(found) if found else None

    def use(self, collection_id: str, now: datetime) -> None:
        """Note that a collection is in use; once a day is enough."""
        due = (collections.c.collection_id == collection_id) & (_last_use < now - _DAY)
        with reading(self.engine) as connection:
            if connection.scalar(select(collections.c.collection_id).where(due)) is None:
                return
        change(self.engine, update(collections).where(due).values(used_at=now))

    def known(self, document_ids: Collection[str]) -> tuple[Document, ...]:
        """Those of some documents that are still there, oldest first."""
        return self._select(self._documents().where(one_of(documents.c.document_id, document_ids)))

    def visible(self, session_id: str, document_id: str) -> Document:
        """A document that a session can see, its own or a shared one. Raises UnknownDocument."""
        found = self._select(self._documents().where(documents.c.document_id == document_id, visible_to(session_id)))
        if not found:
            raise UnknownDocument
        return found[0]

    def document(self, document_id: str) -> Document:
        """A document. Raises UnknownDocument."""
        found = self.known((document_id,))
        if not found:
            raise UnknownDocument
        return found[0]

    def start_attempt(self, document_id: str) -> None:
        """Count one more attempt at reading a document. Raises UnknownDocument."""
        state = {"status": DocumentStatus.READING, "attempts": documents.c.attempts + 1, "message": None}
        if not change(self.engine, update(documents).where(documents.c.document_id == document_id).values(state)):
            raise UnknownDocument

    def fail(self, document_id: str, message: Message) -> None:
        """Note why a document could not be taken in. What it had from an earlier reading is searched still."""
        told = message_to_json(message)
        searched = documents.c.chunks > 0
        row = update(documents).where(documents.c.document_id == document_id, documents.c.status.in_(COMING))
        with transaction(self.engine) as connection:
            state = {"status": DocumentStatus.EMBEDDING, "message": None, "reread_failure": told}
            connection.execute(row.where(searched).values(state))
            connection.execute(row.where(~searched).values(status=DocumentStatus.FAILED, message=told))

    def requeue(self, document_id: str, before: Collection[DocumentStatus]) -> bool:
        """Queue a document again that stood at one of `before`, its attempts forgotten. Whether it stood there."""
        row = update(documents).where(documents.c.document_id == document_id, documents.c.status.in_(before))
        state = {"status": DocumentStatus.QUEUED, "message": None, "reread_failure": None, "attempts": 0}
        return change(self.engine, row.values(state)) > 0

    def storage_used(self, collection_id: str, besides: str = "", *, in_all: bool = False) -> int:
        """Bytes of the files of a collection, or of all of them; its own with the hash `besides` is left out."""
        total = select(func.coalesce(func.sum(documents.c.size), 0))
        others, counted = documents.c.collection_id != collection_id, documents.c.sha256 != besides
        which = others | counted if in_all else ~others & counted
        with reading(self.engine) as connection:
            return int(connection.execute(total.where(which)).scalar_one())

    def count_by_status(self) -> dict[str, int]:
        """How many documents there are of each status, whatever their collection."""
        count = select(documents.c.status, func.count()).group_by(documents.c.status)
        return {status: number for status, number in rows_of(self.engine, count)}

    def document_ids(self) -> frozenset[str]:
        """The ids of all documents, whatever their collection."""
        return frozenset(values_of(self.engine, select(documents.c.document_id)))

    def _documents(self) -> Select[Any]:
        own = (
            select(chunks.c.chunk_id)
            .select_from(chunks.join(vectors, chunks.c.text_hash == vectors.c.text_hash))
            .where(chunks.c.document_id == documents.c.document_id, vectors.c.model_id == model_wanted(self.model_id))
        )
        # A ready document has all its vectors, if any is of its model: to count a hundred thousand takes half a second.
        ready = (documents.c.status == DocumentStatus.READY) & own.exists()
        embedded = case((ready, documents.c.chunks), else_=own.with_only_columns(func.count()).scalar_subquery())
        told = (documents.c[field.name] for field in fields(Document) if field.name in documents.c)
        query = select(*told, embedded.label("embedded")).select_from(documents).join(collections)
        return query.order_by(documents.c.created_at, documents.c.document_id)

    def _select(self, query: Select[Any]) -> tuple[Document, ...]:
        return tuple(_to_document(row) for row in rows_of(self.engine, query))


def visible_to(session_id: str) -> ColumnElement[bool]:
    """The condition that a document is the session's own or a shared one."""
    return documents.c.collection_id.in_(collections_seen_by(session_id))


def require_visible(connection: Connection, session_id: str, document_id: str) -> None:
    """Raises UnknownDocument for a document that is neither."""
    known = select(documents.c.document_id).where(visible_to(session_id), documents.c.document_id == document_id)
    if connection.scalar(known) is None:
        raise UnknownDocument


def ensure_collection(connection: Connection, collection_id: str) -> None:
    """Make a collection where there is none."""
    row = {"collection_id": collection_id, "created_at": datetime.now(UTC)}
    connection.execute(sqlite_insert(collections).values(row).on_conflict_do_nothing())


def _names_like(connection: Connection, collection_id: str, name: str, sha256: str) -> frozenset[str]:
    """What other contents are called that could be taken for one of this name."""
    if collection_id == SHARED_COLLECTION:
        # An earlier version is there until the new one takes its place, under the same name.
        return frozenset()
    others = (documents.c.collection_id == collection_id) & (documents.c.sha256 != sha256)
    numbered = documents.c.name.startswith(f"{PurePath(name).stem} (", autoescape=True)
    return frozenset(connection.scalars(select(documents.c.name).where(others, (documents.c.name == name) | numbered)))


def _to_document(row: Row[Any]) -> Document:
    told = {name: message_from_json(row._mapping[name]) for name in ("message", "reread_failure")}
    return Document(**{**row._mapping, **told, "status": DocumentStatus(row.status)})
