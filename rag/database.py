"""SQL databases through SQLAlchemy Core: opened safely, brought up to date, errors in our own terms."""

import errno
import logging
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Dialect,
    Engine,
    Integer,
    MetaData,
    Select,
    String,
    Table,
    TypeDecorator,
    UpdateBase,
    create_engine,
    event,
    func,
    insert,
    inspect,
    select,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.schema import CreateColumn

from rag.errors import DatabaseUnavailable, DiskFull, PackageMissing, StoreDamaged, StoreError, StoreUnavailable

Step = Callable[[Connection], None]
_Value = TypeVar("_Value")

# SQLite takes a bounded number of values in one statement.
VALUES_AT_ONCE = 1000

# A file of a hundred megabytes is stored in one transaction, and whoever has an answer to keep meanwhile waits for it.
_BUSY_MILLISECONDS = 60_000
_SQLITE_PRAGMAS = (
    "journal_mode=WAL",
    "foreign_keys=ON",
    f"busy_timeout={_BUSY_MILLISECONDS}",
    # In WAL mode this cannot corrupt the file; a power cut may only undo the last commits.
    "synchronous=NORMAL",
    # What a reader deletes must not stay readable in the file.
    "secure_delete=ON",
)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_versions = Table(
    "schema_versions", MetaData(), Column("name", String, primary_key=True), Column("version", Integer, nullable=False)
)
_log = logging.getLogger(__name__)


class UtcDateTime(TypeDecorator[datetime]):
    """A moment, stored in UTC without its zone, which SQLite cannot keep."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """What is sent to the database."""
        return None if value is None else value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        """What comes from it."""
        return None if value is None else value.replace(tzinfo=UTC)


def open_database(url: str, *, must_exist: bool = False) -> Engine:
    """An engine for a database URL; a SQLite file is made with its folder, unless it `must_exist`.

    Raises StoreError, PackageMissing.
    """
    with store_errors(url.partition(":")[0]):
        address = make_url(url)
    sqlite = address.get_backend_name() == "sqlite"
    with store_errors(address.database or address.host):
        if sqlite and address.database:
            file = Path(address.database)
            if must_exist:
                file.stat()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
        engine = _create_engine(address)
        if sqlite:
            event.listen(engine, "connect", _prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        engine.connect().close()
    return engine


def migrate(engine: Engine, metadata: MetaData, name: str, steps: Sequence[tuple[int, Step]] = ()) -> None:
    """Make the tables of the schema `name`, or add what those of an older program lack; then run the steps, each with
    the version it leads to, that its data have not had. All or nothing. Raises StoreError."""
    with transaction(engine) as connection:
        # Replicas that start together would otherwise make the same tables.
        one_at_a_time(connection, "migration")
        _complete(connection, metadata)
        _versions.create(connection, checkfirst=True)
        done = connection.scalar(select(_versions.c.version).where(_versions.c.name == name))
        if done is None:
            connection.execute(insert(_versions).values(name=name, version=0))
        for version, step in steps:
            if version > (done or 0):
                step(connection)
                connection.execute(update(_versions).where(_versions.c.name == name).values(version=version))


def _complete(connection: Connection, metadata: MetaData) -> None:
    """Make tables, and add the columns and indexes that those made by an older program lack."""
    metadata.create_all(connection)
    for table in metadata.tables.values():
        present = {column["name"] for column in inspect(connection).get_columns(table.name)}
        for column in table.c:
            if column.name not in present:
                definition = CreateColumn(column).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {definition}")
        for index in table.indexes:
            index.create(connection, checkfirst=True)


@contextmanager
def transaction(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes, committed at its end. SQLite's write lock is taken at once. Raises StoreError."""
    with (
        store_errors(engine.url.database),
        engine.connect().execution_options(writing=True) as connection,
        connection.begin(),
    ):
        yield connection


@contextmanager
def transaction_without_cascades(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes to SQLite, where what refers to a deleted row stays for now. Raises StoreError."""
    with store_errors(engine.url.database), engine.connect().execution_options(writing=True) as connection:
        cursor = connection.connection.cursor()
        # Within a transaction, SQLite ignores it.
        cursor.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
        finally:
            cursor.execute("PRAGMA foreign_keys=ON")


def one_at_a_time(connection: Connection, name: str) -> None:
    """Wait until no other transaction, of any replica, is in under this name. SQLite's write lock sees to that."""
    if connection.dialect.name == "postgresql":
        # All replicas take the same number for a name. Two names with one number only wait for each other.
        connection.execute(select(func.pg_advisory_xact_lock(crc32(name.encode("utf-8", "replace")))))


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A connection that sees one state of the database throughout. Raises StoreError."""
    # SQLite's transactions always do.
    options = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name == "postgresql" else {}
    with store_errors(engine.url.database), engine.connect().execution_options(**options) as connection:
        yield connection


def rows_of(engine: Engine, query: Select[Any], given: Mapping[str, object] | None = None) -> Sequence[Any]:
    """The rows that a query finds. Raises StoreError."""
    with reading(engine) as connection:
        return connection.execute(query, given).all()


def values_of(engine: Engine, query: Select[Any], given: Mapping[str, object] | None = None) -> Sequence[Any]:
    """What a query of one column finds. Raises StoreError."""
    return [row[0] for row in rows_of(engine, query, given)]


def change(engine: Engine, statement: UpdateBase) -> int:
    """Run a statement in a transaction of its own; how many rows it changed. Raises StoreError."""
    with transaction(engine) as connection:
        return connection.execute(statement).rowcount


def batches(values: Sequence[_Value], size: int = VALUES_AT_ONCE) -> Iterator[Sequence[_Value]]:
    """Values some at a time, by default as many as one statement may have."""
    return (values[start : start + size] for start in range(0, len(values), size))


def erase_deleted(engine: Engine) -> None:
    """Bring SQLite's log into its file and empty it, so that nothing deleted is left in either. Raises StoreError."""
    if engine.dialect.name != "sqlite":
        return
    with store_errors(engine.url.database), closing(engine.raw_connection()) as connection:
        busy, _, _ = connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        _log.warning("%s is in use: what was deleted stays in its log until the next time", engine.url.database)


@contextmanager
def store_errors(path: object) -> Iterator[None]:
    """Errors of the database and of the file system, raised as a StoreError."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        refused = _refused(path, getattr(error, "orig", None) or error)
        # Who reads of it is not told where the store is, and who keeps the server must find it.
        _log.warning("%s", refused)
        raise refused from error


def _refused(path: object, cause: Exception) -> StoreError:
    """An error of a database or of the file system as one of ours."""
    if getattr(cause, "errno", None) in (errno.ENOSPC, errno.EDQUOT) or "disk is full" in str(cause):
        return DiskFull(path=path)
    # The text of an OSError has its path in it, and PostgreSQL adds the row, with a session's key in it.
    told = (isinstance(cause, OSError) and cause.strerror) or str(cause).partition("DETAIL:")[0]
    kind: type[StoreError] = DatabaseUnavailable
    if isinstance(cause, OSError | sqlite3.Error):
        kind = StoreDamaged if getattr(cause, "sqlite_errorcode", 0) & 0xFF in _DAMAGED else StoreUnavailable
    return kind(path=path, reason=" ".join(told.split()))


def _create_engine(address: URL) -> Engine:
    try:
        # Asking first whether a server is still there costs little and survives its restarts.
        # A session's key is among what is stored, and no error may tell it.
        return create_engine(address, pool_pre_ping=address.get_backend_name() != "sqlite", hide_parameters=True)
    except ModuleNotFoundError as error:
        raise PackageMissing(package="psycopg", command='pip install "psycopg[binary]"') from error


def _prepare_sqlite(connection: object, _record: object) -> None:
    # Python's driver begins transactions late and not before DDL; with None, _begin_sqlite alone begins them.
    connection.isolation_level = None  # type: ignore[attr-defined]
    for pragma in _SQLITE_PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")  # type: ignore[attr-defined]


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that reads first and writes later fails at once when another has written in between.
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
