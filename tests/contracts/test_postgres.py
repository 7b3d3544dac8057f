"""What a real PostgreSQL must be asked to do otherwise than SQLite."""

import sys
import threading
from datetime import UTC, datetime

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, text

from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.database import erase_deleted, migrate, open_database, reading, transaction
from rag.errors import DatabaseUnavailable, PackageMissing, WenquError
from rag.i18n import Language, sentence
from rag.preferences.effective import Preferences
from rag.preferences.store import PreferenceStore
from rag.types import Summary
from tests.postgres import Postgres


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


def test_replicas_that_start_together_migrate_once(url: str) -> None:
    together = threading.Barrier(4)
    errors: list[WenquError] = []

    numbers = Table("numbers", MetaData(), Column("a", Integer))
    ran: list[int] = []

    def start() -> None:
        engine = open_database(url)
        together.wait()
        try:
            migrate(engine, numbers.metadata, "numbers", [(1, lambda _: ran.append(1))])
        except WenquError as error:
            errors.append(error)

    replicas = [threading.Thread(target=start) for _ in range(4)]
    for replica in replicas:
        replica.start()
    for replica in replicas:
        replica.join()
    assert (errors, ran) == ([], [1])


def test_summaries_are_kept_with_their_conversation_and_go_with_it(url: str) -> None:
    engine = open_database(url)
    conversations, summaries = SqlConversationStore(engine), SummaryStore(engine)
    conversation = conversations.start("session")
    summary = Summary("id", "session", conversation, "turn", "问过年假。", False, datetime.now(UTC))
    summaries.add(summary)
    assert summaries.of_conversation("session", conversation) == (summary,)
    conversations.delete("session", conversation)
    assert summaries.of_conversation("session", conversation) == ()


def test_settings_that_are_saved_twice_at_once_are_saved(url: str) -> None:
    store, together = PreferenceStore(open_database(url)), threading.Barrier(8)
    errors: list[WenquError] = []

    def keep(number: int) -> None:
        together.wait()
        try:
            store.keep("session", Preferences({"top_k": number}))
        except WenquError as error:
            errors.append(error)

    for _ in range(5):
        savers = [threading.Thread(target=keep, args=(number,)) for number in range(8)]
        for saver in savers:
            saver.start()
        for saver in savers:
            saver.join()
        store.forget("session")
    assert errors == []


def test_what_a_row_holds_is_not_told(url: str, caplog: pytest.LogCaptureFixture) -> None:
    engine = open_database(url)
    with pytest.raises(DatabaseUnavailable) as raised, transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE keys (session_id TEXT PRIMARY KEY)")
        for _ in range(2):
            connection.exec_driver_sql("INSERT INTO keys VALUES ('a session''s key')")
    assert "unique" in str(raised.value) and "a session's key" not in str(raised.value) + caplog.text


def test_a_reader_sees_one_state_throughout(url: str) -> None:
    engine = open_database(url)
    with transaction(engine) as connection:
        connection.exec_driver_sql("CREATE TABLE numbers (a INTEGER)")
    count = text("SELECT count(*) FROM numbers")
    with reading(engine) as reader:
        assert reader.scalar(count) == 0
        with transaction(engine) as writer:
            writer.exec_driver_sql("INSERT INTO numbers VALUES (1)")
        assert reader.scalar(count) == 0
    with reading(engine) as reader:
        assert reader.scalar(count) == 1


def test_a_connection_that_the_server_has_ended_is_opened_anew(url: str) -> None:
    engine = open_database(url)
    with reading(engine) as connection:
        connection.scalar(text("SELECT 1"))
    killer = open_database(url)
    with transaction(killer) as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
    with reading(engine) as connection:
        assert connection.scalar(text("SELECT 1")) == 1


def test_a_server_that_does_not_answer_is_told_in_one_line_without_the_password(postgres: Postgres) -> None:
    with pytest.raises(DatabaseUnavailable) as caught:
        open_database(f"postgresql+psycopg://me:hush-hush@/nowhere?host={postgres.folder / 'no'}")
    assert "hush-hush" not in str(caught.value) and "\n" not in str(caught.value)
    assert "nowhere" in str(caught.value) and str(postgres.folder) in str(caught.value)


def test_where_a_server_is_that_does_not_answer_is_told_no_reader(postgres: Postgres) -> None:
    with pytest.raises(DatabaseUnavailable) as caught:
        open_database(f"postgresql+psycopg://me:hush-hush@/nowhere?host={postgres.folder / 'no'}")
    for language in Language:
        told = sentence(language, caught.value.message)
        assert "nowhere" in told and "/tmp" not in told and "connection" not in told


def test_there_is_no_log_to_erase(url: str) -> None:
    engine = open_database(url)
    erase_deleted(engine)
    with reading(engine) as connection:
        assert connection.scalar(text("SELECT 1")) == 1


def test_without_its_driver_the_pip_line_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(PackageMissing, match=r"pip install.*psycopg\[binary\]"):
        open_database("postgresql+psycopg://me@127.0.0.1/wenqu")
