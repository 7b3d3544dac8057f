import errno
import sqlite3
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from rag.database import UtcDateTime, erase_deleted, migrate, open_database, reading, store_errors, transaction
from rag.errors import DiskFull, StoreDamaged, StoreError, StoreUnavailable
from rag.i18n import Language, sentence


@pytest.fixture
def engine(tmp_path: Path) -> sa.Engine:
    return open_database(f"sqlite:///{tmp_path / 'x.db'}")


def test_a_sqlite_file_is_made_with_its_folder_in_wal_mode_with_foreign_keys(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'a' / 'b.db'}")
    with reading(engine) as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "foreign_keys")]
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar() == 1
    assert found == ["wal", 1]


def test_who_writes_waits_for_as_long_as_the_largest_file_takes_to_be_stored(engine: sa.Engine) -> None:
    with reading(engine) as connection:
        # 11 s of one core for 100 MB of Chinese, three times that for Latin letters.
        assert int(connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()) >= 60_000


def test_steps_run_once_each_and_by_name(tmp_path: Path) -> None:
    engine, tables = open_database(f"sqlite:///{tmp_path / 'x.db'}"), sa.MetaData()
    ran: list[str] = []
    first, second, other = (lambda _, name=name: ran.append(name) for name in ("first", "second", "other"))
    migrate(engine, tables, "a", [(3, first)])
    migrate(engine, tables, "a", [(3, first), (7, second)])
    migrate(engine, tables, "b", [(1, other)])
    migrate(engine, tables, "a", [(3, first), (7, second)])
    assert ran == ["first", "second", "other"]


def test_the_program_of_an_older_version_leaves_a_newer_one_as_it_is(tmp_path: Path) -> None:
    engine, ran = open_database(f"sqlite:///{tmp_path / 'x.db'}"), list[int]()
    newer = [(1, lambda _: ran.append(1)), (2, lambda _: ran.append(2))]
    for steps in (newer, newer[:1], newer):
        migrate(engine, sa.MetaData(), "a", steps)
    assert ran == [1, 2]


def test_an_older_table_gets_the_columns_and_indexes_that_it_lacks_before_any_step(engine: sa.Engine) -> None:
    with transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (a INTEGER)")
        connection.exec_driver_sql("INSERT INTO numbers VALUES (1)")
    b = sa.Column("b", sa.Integer, nullable=False, server_default="2", index=True)
    numbers = sa.Table("numbers", sa.MetaData(), sa.Column("a", sa.Integer), b)
    read: list[tuple[int, int]] = []
    migrate(engine, numbers.metadata, "a", [(1, lambda open_: read.extend(open_.execute(sa.select(numbers)).tuples()))])
    assert read == [(1, 2)]
    assert [index["name"] for index in sa.inspect(engine).get_indexes("numbers")] == ["ix_numbers_b"]


def test_a_step_that_fails_leaves_nothing_of_the_migration(engine: sa.Engine) -> None:
    kept = sa.Table("kept", sa.MetaData(), sa.Column("a", sa.Integer))

    def fail(_: sa.Connection) -> None:
        raise RuntimeError

    with pytest.raises(RuntimeError):
        migrate(engine, kept.metadata, "a", [(1, fail)])
    assert not sa.inspect(engine).has_table("kept")


def test_a_transaction_that_fails_is_undone(engine: sa.Engine) -> None:
    with transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (a)")
    with pytest.raises(KeyError), transaction(engine) as connection:
        connection.exec_driver_sql("INSERT INTO numbers VALUES (1)")
        raise KeyError
    with reading(engine) as connection:
        assert connection.scalar(text("SELECT count(*) FROM numbers")) == 0


def test_reads_go_on_while_somebody_writes(engine: sa.Engine) -> None:
    with transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (a)")
    with transaction(engine) as writer:
        writer.exec_driver_sql("INSERT INTO numbers VALUES (1)")
        with reading(engine) as reader:
            assert reader.scalar(text("SELECT count(*) FROM numbers")) == 0


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), DiskFull),
        (OperationalError("INSERT", {}, sqlite3.OperationalError("database or disk is full")), DiskFull),
        (sqlite3.OperationalError("database or disk is full"), DiskFull),
        (OperationalError("SELECT", {}, sqlite3.OperationalError("database is locked")), StoreUnavailable),
        (PermissionError(errno.EACCES, "Permission denied"), StoreUnavailable),
    ],
)
def test_errors_of_disk_and_database_become_store_errors(error: Exception, expected: type[Exception]) -> None:
    with pytest.raises(expected) as caught, store_errors("data"):
        raise error
    assert caught.value.__cause__ is error


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EACCES])
def test_where_the_store_is_stands_in_the_log_and_in_no_sentence_for_readers(
    number: int, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(StoreError) as caught, store_errors(Path("/srv/private/store/files")):
        raise OSError(number, "it does not go", "/srv/private/store/files/x")
    for language in Language:
        told = sentence(language, caught.value.message)
        assert "files" in told and "private" not in told
    assert "/srv/private/store/files" in caplog.text and "/srv/private/store/files" in str(caught.value)


def test_a_file_that_is_no_database_is_reported_as_such(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"not a database" * 100)
    with pytest.raises(StoreDamaged, match="not a database"):
        open_database(f"sqlite:///{tmp_path / 'x.db'}")


def test_a_database_that_is_damaged_is_told_to_be_and_what_helps(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    engine = open_database(f"sqlite:///{file}")
    with transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (a TEXT)")
        connection.execute(text("INSERT INTO numbers VALUES (:a)"), [{"a": "x" * 500}] * 100)
    engine.dispose()
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(StoreDamaged) as caught, reading(open_database(f"sqlite:///{file}")) as connection:
        connection.exec_driver_sql("SELECT sum(length(a)) FROM numbers").all()
    for language, helps in ((Language.ZH, "备份"), (Language.EN, "backup")):
        assert helps in sentence(language, caught.value.message)


def test_what_was_deleted_is_in_no_file_of_the_folder(engine: sa.Engine, tmp_path: Path) -> None:
    marker = "一句不该留下的话"
    with transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE said (a TEXT)")
        connection.execute(text("INSERT INTO said VALUES (:a)"), {"a": marker * 3000})
    with transaction(engine) as connection:
        connection.exec_driver_sql("DELETE FROM said")

    def holding() -> list[str]:
        return [path.name for path in tmp_path.iterdir() if marker.encode() in path.read_bytes()]

    assert holding() == ["x.db-wal"]
    erase_deleted(engine)
    assert holding() == []


def test_a_log_that_is_being_read_is_told_of_and_emptied_the_next_time(
    engine: sa.Engine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (a)")
    event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=10"))
    engine.dispose()
    with reading(engine) as reader:
        reader.scalar(text("SELECT count(*) FROM numbers"))
        with transaction(engine) as connection:
            connection.exec_driver_sql("INSERT INTO numbers VALUES (1)")
        erase_deleted(engine)
    assert "is in use" in caplog.text
    erase_deleted(engine)
    assert (tmp_path / "x.db-wal").stat().st_size == 0


def test_a_moment_is_stored_in_utc_without_its_zone_and_comes_back_with_it(tmp_path: Path) -> None:
    engine = open_database(f"sqlite:///{tmp_path / 'moments.sqlite3'}")
    table = sa.Table("moments", sa.MetaData(), sa.Column("at", UtcDateTime))
    noon = datetime(2026, 5, 1, 12, 0, tzinfo=timezone(timedelta(hours=8)))
    with transaction(engine) as connection:
        table.create(connection)
        connection.execute(table.insert().values(at=noon))
        assert connection.exec_driver_sql("SELECT at, typeof(at) FROM moments").one() == (
            "2026-05-01 04:00:00.000000",
            "text",
        )
        kept = connection.scalar(sa.select(sa.func.max(table.c.at)).where(table.c.at <= noon))
    assert kept == noon and kept.tzinfo is UTC
