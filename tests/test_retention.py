"""What is deleted is deleted for good: over a real store folder, with files, passages, vectors, turns and the log."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import text

from rag.build import build_services
from rag.conversation.base import Expired
from rag.conversation.qa_log import QALog
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database, reading, transaction
from rag.errors import UnknownConversation
from rag.events import Searchable
from rag.knowledge.base import SHARED_COLLECTION
from rag.preferences.store import PreferenceStore
from rag.retention import Retention, note_turn
from rag.settings import Settings, read_settings
from rag.shared_parts import DATABASE
from tests.ingesting import Rig
from tests.knowledge import made_older, open_store
from tests.scripted import ScriptedChatModel, retrieval_over, scripted_engine
from tests.waiting import wait_for

MARKER = "青铜海螺"
SENTENCE = f"第七夜，{MARKER}在灯塔下唱歌。"
NOW = datetime.now(UTC)


class Place(Rig):
    """A store folder with all that works in it."""

    def __init__(self, folder: Path, days: int) -> None:
        super().__init__(folder)
        self.folder, self.database, log = folder, self.catalog.engine, QALog(folder / "qa.jsonl")
        self.conversations = SqlConversationStore(self.database)
        self.engine = scripted_engine(
            self.database,
            retrieval_over(self.knowledge),
            ScriptedChatModel(scripts=[[SENTENCE]] * 9),
            on_turn=partial(note_turn, ingest=self.ingest, qa_log=log),
        )
        self.retention = Retention(
            days,
            self.engine,
            self.ingest,
            self.conversations,
            self.catalog,
            PreferenceStore(self.database),
            databases=[self.database],
            qa_log=log,
        )

    def use(self, session_id: str) -> None:
        """Upload a file and ask about it."""
        path = self.folder.parent / f"{session_id}.txt"
        path.write_text(f"{session_id}：{SENTENCE}" * 40, encoding="utf-8")
        assert isinstance(self.take_in(path, session_id)[-1], Searchable)
        self.engine.ask(f"{MARKER}在哪里唱歌？", session_id)

    def age(self, table: str, column: str, days: int) -> None:
        """Make the rows of a table older."""
        moment = (NOW - timedelta(days=days)).strftime("%Y-%m-%d %H:%M:%S.%f")
        with transaction(self.database) as connection:
            connection.execute(text(f"UPDATE {table} SET {column} = :moment"), {"moment": moment})

    def holding(self) -> set[str]:
        """The files that hold the marker."""
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {path.relative_to(self.folder).parts[0] for path in files if MARKER.encode() in path.read_bytes()}

    def close(self) -> None:
        self.retention.close()
        super().close()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path / "store", days=30)
    place.ingest.start()
    yield place
    place.close()


def test_after_deleting_everything_no_file_of_the_store_holds_a_word_of_it(place: Place) -> None:
    place.use("mine")
    assert {"files", "qa.jsonl", "test.sqlite3-wal"} <= place.holding()
    place.retention.forget("mine")
    assert place.holding() == set()
    with reading(place.database) as connection:
        assert connection.scalar(text("SELECT count(*) FROM vectors")) == 0


def test_deleting_everything_leaves_other_sessions_what_they_have(place: Place) -> None:
    for session in ("mine", "theirs", SHARED_COLLECTION):
        place.use(session)
    place.retention.forget("mine")
    assert [len(place.engine.store.conversations(session)) for session in ("mine", "theirs")] == [0, 1]
    assert {document.name for document in place.ingest.documents("theirs")} == {"theirs.txt", "shared.txt"}
    assert place.ingest.documents("mine") == place.ingest.documents("anyone")


def test_a_deleted_conversation_is_gone_from_the_log_and_others_stay(place: Place) -> None:
    place.use("mine")
    gone = place.engine.ask("病假有几天？", "mine", conversation_id=place.engine.store.start("mine"))
    place.retention.delete_conversation("mine", gone.conversation_id)
    logged = (place.folder / "qa.jsonl").read_text(encoding="utf-8")
    assert MARKER in logged and "病假" not in logged
    assert [item.turns for item in place.engine.store.conversations("mine")] == [1]


def test_old_conversations_expire_and_with_the_last_of_them_the_files(place: Place) -> None:
    place.use("mine")
    assert place.retention.expire(NOW) == Expired(0, 0)
    place.age("conversations", "updated_at", 31)
    place.age("documents", "created_at", 31)
    kept = place.engine.ask("员工手册说了什么？", "mine", conversation_id=place.engine.store.start("mine"))
    assert place.retention.expire(NOW) == Expired(1, 1)
    assert [item.conversation_id for item in place.engine.store.conversations("mine")] == [kept.conversation_id]
    assert len(place.ingest.documents("mine")) == 1
    place.age("conversations", "updated_at", 31)
    assert place.retention.expire(NOW + timedelta(days=31)) == Expired(1, 1)
    assert place.ingest.documents("mine") == ()
    assert place.holding() == set()
    with pytest.raises(UnknownConversation, match="过期"):
        place.engine.turns("mine", kept.conversation_id)


def test_files_without_conversations_are_kept_while_one_of_them_is_new(place: Place) -> None:
    place.use("mine")
    place.age("conversations", "updated_at", 31)
    place.age("collections", "created_at", 31)
    place.retention.expire(NOW)
    assert place.engine.store.conversations("mine") == ()
    assert len(place.ingest.documents("mine")) == 1


def test_files_that_are_searched_without_a_conversation_are_kept(place: Place) -> None:
    place.use("mine")
    for table, column in (("conversations", "updated_at"), ("documents", "created_at"), ("collections", "created_at")):
        place.age(table, column, 31)
    place.ingest.use("mine")
    place.retention.expire(NOW)
    assert place.engine.store.conversations("mine") == () and len(place.ingest.documents("mine")) == 1
    place.age("collections", "used_at", 31)
    place.ingest.use("mine")
    place.retention.expire(NOW)
    assert len(place.ingest.documents("mine")) == 1
    place.age("collections", "used_at", 31)
    place.retention.expire(NOW)
    assert place.ingest.documents("mine") == ()


def test_files_that_were_asked_today_outlive_the_conversations_about_them(place: Place) -> None:
    place.use("mine")
    for table in ("documents", "collections"):
        place.age(table, "created_at", 60)
    turn = place.engine.ask(f"{MARKER}在哪里唱歌？", "mine")
    place.engine.delete_conversation("mine", turn.conversation_id)
    place.retention.expire(NOW)
    assert len(place.ingest.documents("mine")) == 1


def shipped_without_model(folder: Path) -> Settings:
    """The settings as they are delivered, over a store of their own and without a model."""
    shipped = read_settings(Path(__file__).parent.parent / "config.yaml")
    store = shipped.store.model_copy(update={"path": folder})
    llm = shipped.llm.model_copy(update={"provider": "extractive"})
    return shipped.model_copy(update={"store": store, "llm": llm})


def test_what_was_logged_before_the_log_was_switched_off_is_deleted_with_the_rest(tmp_path: Path) -> None:
    settings = shipped_without_model(tmp_path)
    logging = settings.conversation.model_copy(update={"qa_log": True})
    with closing(build_services(settings.model_copy(update={"conversation": logging}))) as services:
        for session in ("mine", "theirs"):
            services.engine.ask(f"{session}：你好", session)
    with closing(build_services(settings)) as services:
        services.engine.ask("不再记下", "theirs")
        services.retention.forget("mine")
    logged = (tmp_path / "qa.jsonl").read_text(encoding="utf-8")
    assert [json.loads(line)["user_query"] for line in logged.splitlines()] == ["theirs：你好"]


def test_the_services_that_are_built_note_the_use_at_a_turn(tmp_path: Path) -> None:
    file = tmp_path.with_suffix(".txt")
    file.write_text(SENTENCE, encoding="utf-8")
    with closing(build_services(shipped_without_model(tmp_path))) as services:
        services.ingest.receive("mine", file, "夜歌.txt")
        database = open_database(f"sqlite:///{tmp_path / DATABASE}")
        with transaction(database) as connection:
            connection.execute(text("UPDATE collections SET created_at = '2020-01-01 00:00:00'"))
        services.engine.ask("你好", "mine")
        with reading(database) as connection:
            assert connection.scalar(text("SELECT used_at FROM collections")) is not None


def test_files_that_are_used_again_while_others_are_being_deleted_are_kept(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = {"mine", "theirs"}
    for session in sessions:
        place.use(session)
    for table, column in (("conversations", "updated_at"), ("documents", "created_at"), ("collections", "created_at")):
        place.age(table, column, 31)
    forget, forgotten = place.ingest.forget, list[str]()

    def slow(session_id: str) -> None:
        forgotten.append(session_id)
        forget(session_id)
        for other in sessions - {session_id}:
            place.ingest.use(other)

    monkeypatch.setattr(place.ingest, "forget", slow)
    place.retention.expire(NOW)
    assert [len(place.ingest.documents(session)) for session in sessions - set(forgotten)] == [1]


def test_a_use_is_noted_once_a_day(place: Place) -> None:
    place.use("mine")
    with reading(place.database) as connection:
        assert connection.scalar(text("SELECT used_at FROM collections")) is None
    place.age("collections", "created_at", 2)
    noted = set()
    for _ in range(3):
        place.ingest.use("mine")
        with reading(place.database) as connection:
            noted.add(connection.scalar(text("SELECT used_at FROM collections")))
    assert len(noted) == 1 and None not in noted


def test_the_store_of_an_older_program_notes_uses(tmp_path: Path) -> None:
    before = open_store(tmp_path)
    document = before.put("me", "手册.txt", "年假为十天。")
    made_older(before.catalog.engine, 6, "ALTER TABLE collections DROP COLUMN used_at")
    after = open_store(tmp_path).catalog
    later = NOW + timedelta(days=40)
    assert after.collections_before(later) == ("me",)
    after.use("me", later)
    assert after.collections_before(later) == () and after.documents("me") == (document,)


def test_how_many_days_are_left_is_told_without_listing_the_conversations(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.use("mine")
    listed: list[str] = []
    monkeypatch.setattr(place.conversations, "conversations", listed.append)
    assert place.retention.days_left("mine", NOW) is not None
    place.retention.expire(NOW)
    assert listed == []


def test_the_days_that_are_left_count_from_the_last_use_of_any_kind(place: Place) -> None:
    def left(days: float = 0) -> int | None:
        return place.retention.days_left("mine", NOW + timedelta(days=days))

    assert left() is None
    place.use("mine")
    assert [left(days) for days in (0.5, 29.5, 40)] == [30, 1, 1]
    for table in ("documents", "collections"):
        place.age(table, "created_at", 40)
    assert left(0.5) == 30  # the conversation
    place.age("conversations", "updated_at", 25)
    assert left(-0.5) == 6
    place.ingest.use("mine")
    assert left(0.5) == 30


def test_shared_documents_never_expire(place: Place) -> None:
    place.use(SHARED_COLLECTION)
    place.age("documents", "created_at", 4000)
    place.age("conversations", "updated_at", 4000)
    place.retention.expire(NOW)
    assert len(place.ingest.documents("anyone")) == 1


def test_what_is_old_is_deleted_at_the_start(place: Place) -> None:
    place.use("mine")
    place.age("conversations", "updated_at", 31)
    place.retention.start()
    place.retention.close()
    assert place.engine.store.conversations("mine") == ()


def test_after_a_look_for_what_is_old_the_next_one_waits(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[datetime] = []

    def look(now: datetime) -> Expired:
        looked.append(now)
        return Expired(0, 0)

    monkeypatch.setattr(place.retention, "expire", look)
    place.retention.start()
    assert wait_for(lambda: bool(looked))
    place.retention.close()
    assert len(looked) == 1


def test_with_no_days_nothing_expires(tmp_path: Path) -> None:
    place = Place(tmp_path / "store", days=0)
    place.ingest.start()
    place.use("mine")
    assert place.retention.days_left("mine", NOW) is None
    place.age("conversations", "updated_at", 4000)
    place.retention.start()
    place.close()
    assert len(place.engine.store.conversations("mine")) == 1
