"""Records of other programs become conversations that can be continued."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rag.conversation.backfill import backfill_parents, import_payloads, main, read_payloads
from rag.conversation.shelf import Shelf, path_to
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.errors import InvalidRecord, StoreError
from rag.types import Timing
from tests.samples import turn

ROOT = Path(__file__).parent.parent


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store.sqlite3'}"


@pytest.fixture
def store(url: str) -> SqlConversationStore:
    return SqlConversationStore(open_database(url))


def record(session_id: str, minute: int, **fields: object) -> dict[str, object]:
    return {
        "session_id": session_id,
        "user_query": f"第{minute}问",
        "assistant_response": "答",
        "timestamp": f"2025-10-20T16:{minute:02}:31.386637",
        "turn_id": f"{session_id}-{minute}",
    } | fields


@pytest.fixture
def file(tmp_path: Path) -> Path:
    records = [record("a", 2), record("a", 1), record("b", 1), record("a", 3), record("a", 3)]
    path = tmp_path / "records.jsonl"
    path.write_text("\n".join(json.dumps(one, ensure_ascii=False) for one in records) + "\n\n", encoding="utf-8")
    return path


def imported(url: str, folder: Path, records: list[dict[str, object]]) -> int:
    """Import records from a file; how many were new."""
    path = folder / "some.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return import_payloads(open_database(url), read_payloads(path))


def told(store: SqlConversationStore, session_id: str) -> list[str]:
    """The questions on the newest path of a session's latest conversation."""
    latest = store.conversations(session_id)[0]
    return [item.question for item in path_to(store.turns(session_id, latest.conversation_id), None)]


def test_records_are_imported_in_the_order_of_their_times_once(
    store: SqlConversationStore, url: str, file: Path
) -> None:
    database = open_database(url)
    assert import_payloads(database, read_payloads(file)) == 4
    assert import_payloads(database, read_payloads(file)) == 0
    (conversation,) = store.conversations("a")
    turns = store.turns("a", conversation.conversation_id)
    assert [item.question for item in turns] == ["第1问", "第2问", "第3问"]


def test_linear_records_are_given_the_turn_before_them_as_parent(
    store: SqlConversationStore, url: str, file: Path
) -> None:
    import_payloads(open_database(url), read_payloads(file))
    assert told(store, "a") == ["第3问"]
    assert backfill_parents(open_database(url), "a") == 2
    assert told(store, "a") == ["第1问", "第2问", "第3问"]
    assert backfill_parents(open_database(url), "a") == 0


def test_parents_that_records_have_are_kept(store: SqlConversationStore, url: str, tmp_path: Path) -> None:
    records = [record("a", 1), record("a", 2), record("a", 3, parent_turn_id="a-1")]
    imported(url, tmp_path, records)
    assert backfill_parents(open_database(url), "a") == 1
    assert told(store, "a") == ["第1问", "第3问"]


@pytest.mark.parametrize("parent", ["", "nowhere"])
def test_a_record_whose_parent_is_empty_or_nowhere_follows_the_one_before_it(
    parent: str, store: SqlConversationStore, url: str, tmp_path: Path
) -> None:
    records = [record("a", minute, parent_turn_id=parent) for minute in (1, 2, 3)]
    imported(url, tmp_path, records)
    assert backfill_parents(open_database(url), "a") == 2
    assert told(store, "a") == ["第1问", "第2问", "第3问"]
    (conversation,) = store.conversations("a")
    assert store.turns("a", conversation.conversation_id)[0].parent_turn_id is None
    assert backfill_parents(open_database(url), "a") == 0


def test_the_command_fills_in_parents_that_an_earlier_import_kept_though_they_are_nowhere(
    store: SqlConversationStore, url: str
) -> None:
    conversation = store.start("a")
    for question, parent in (("第1问", None), ("第2问", ""), ("第3问", "nowhere")):
        old = turn(question, "答", session_id="a", conversation_id=conversation, parent_turn_id=parent)
        store.append(replace(old, timing=Timing()))
    assert main(["--url", url]) == 0
    assert told(store, "a") == ["第1问", "第2问", "第3问"]


def test_later_records_go_on_with_the_conversation_of_an_earlier_import(
    store: SqlConversationStore, url: str, tmp_path: Path
) -> None:
    imported(url, tmp_path, [record("a", 1), record("a", 2)])
    imported(url, tmp_path, [record("a", 2), record("a", 3), record("a", 4, parent_turn_id="a-2")])
    assert told(store, "a") == ["第2问", "第4问"]
    assert backfill_parents(open_database(url), "a") == 2
    assert told(store, "a") == ["第1问", "第2问", "第4问"]
    (conversation,) = store.conversations("a")
    parents = {item.turn_id: item.parent_turn_id for item in store.turns("a", conversation.conversation_id)}
    assert parents == {"a-1": None, "a-2": "a-1", "a-3": "a-2", "a-4": "a-2"}


def test_earlier_records_that_are_imported_later_come_before_those_that_are_there(
    store: SqlConversationStore, url: str, tmp_path: Path
) -> None:
    for minutes in ((3, 4), (1, 2)):
        imported(url, tmp_path, [record("a", minute, parent_turn_id=f"a-{minute - 1}") for minute in minutes])
        backfill_parents(open_database(url), "a")
    (conversation,) = store.conversations("a")
    turns = Shelf(store).turns("a", conversation.conversation_id)
    assert [item.question for item in turns] == ["第1问", "第2问", "第3问", "第4问"]


def test_a_record_stands_in_the_conversation_of_its_parent_whichever_that_is(
    store: SqlConversationStore, url: str, tmp_path: Path
) -> None:
    said = turn("年假？", "十天。", session_id="a", conversation_id=store.start("a"))
    store.append(said)
    records = [record("a", 1), record("a", 2, parent_turn_id=said.turn_id), record("a", 3, parent_turn_id="a-2")]
    imported(url, tmp_path, records)
    assert [item.question for item in store.turns("a", said.conversation_id)] == ["年假？", "第2问", "第3问"]
    assert sorted(conversation.turns for conversation in store.conversations("a")) == [1, 3]


def test_turns_that_each_session_numbers_anew_are_all_imported_once(
    store: SqlConversationStore, url: str, tmp_path: Path
) -> None:
    numbered = [("a", "1", None), ("b", "1", None), ("b", "2", "1"), ("a", "2", "1"), ("b", "3", "2")]
    lines = [
        json.dumps(record(session, place, turn_id=turn_id, parent_turn_id=parent))
        for place, (session, turn_id, parent) in enumerate(numbered)
    ]
    whole, rest = tmp_path / "whole", tmp_path / "rest"
    whole.write_text("\n".join(lines), encoding="utf-8")
    rest.write_text("\n".join(lines[3:]), encoding="utf-8")
    database = open_database(url)
    assert [import_payloads(database, read_payloads(path)) for path in (whole, whole, rest)] == [5, 0, 0]
    assert told(store, "a") == ["第0问", "第3问"] and told(store, "b") == ["第1问", "第2问", "第4问"]
    assert [len(store.conversations(session)) for session in "ab"] == [1, 1]


def test_a_conversation_that_cannot_be_stored_whole_is_not_stored(
    store: SqlConversationStore, url: str, file: Path
) -> None:
    database = open_database(url)
    with database.begin() as connection:
        refuse = "BEFORE INSERT ON turns WHEN NEW.question = '第3问' BEGIN SELECT RAISE(ABORT, 'full'); END"
        connection.exec_driver_sql(f"CREATE TRIGGER refuse {refuse}")
    for _ in range(2):
        with pytest.raises(StoreError):
            import_payloads(database, read_payloads(file))
    assert store.conversations("a") == ()


def test_a_process_that_is_killed_half_way_leaves_no_half_of_a_conversation(
    store: SqlConversationStore, url: str, file: Path
) -> None:
    killed = """
import os, sys
from pathlib import Path
import sqlalchemy as sa
from rag.conversation.backfill import import_payloads, read_payloads
from rag.database import open_database
database = open_database(sys.argv[1])
sa.event.listen(database, "before_cursor_execute", lambda *at: "第3问" in str(at[3]) and os._exit(9))
import_payloads(database, read_payloads(Path(sys.argv[2])))
"""
    assert subprocess.run([sys.executable, "-c", killed, url, str(file)], cwd=ROOT, check=False).returncode == 9
    assert store.conversations("a") == ()
    import_payloads(open_database(url), read_payloads(file))
    assert [conversation.turns for conversation in store.conversations("a")] == [3]


def test_branches_of_our_own_turns_are_left_alone(store: SqlConversationStore, url: str) -> None:
    conversation = store.start("session")
    for question in ("年假？", "年假有几天？"):
        store.append(turn(question, "答", conversation_id=conversation))
    assert backfill_parents(open_database(url), "session") == 0
    assert told(store, "session") == ["年假有几天？"]


@pytest.mark.parametrize("line", ["not json", '{"session_id": "a"}', "[]", '{"timestamp": "yesterday"}'])
def test_a_line_that_is_no_record_is_told_by_its_number_and_nothing_is_imported(
    line: str, store: SqlConversationStore, url: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(file.read_text(encoding="utf-8") + line, encoding="utf-8")
    with pytest.raises(InvalidRecord, match="第 7 行"):
        read_payloads(file)
    assert main(["--url", url, "--records", str(file)]) == 1
    assert "第 7 行" in capsys.readouterr().err
    assert store.conversations("a") == ()


@pytest.mark.parametrize("time", ["0001-01-01T00:00:00+08:00", "9999-12-31T23:00:00-05:00"])
def test_a_time_out_of_range_is_told_by_the_line_it_is_in(time: str, file: Path) -> None:
    file.write_text(json.dumps(record("a", 1, timestamp=time)), encoding="utf-8")
    with pytest.raises(InvalidRecord, match=r"第 1 行.*timestamp"):
        read_payloads(file)


def test_the_command_imports_and_fills_in_all_sessions_or_the_one_named(
    store: SqlConversationStore, url: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--url", url, "--records", str(file), "--session", "b"]) == 0
    assert told(store, "a") == ["第3问"]
    assert main(["--url", url]) == 0
    assert told(store, "a") == ["第1问", "第2问", "第3问"]
    assert capsys.readouterr().out.splitlines() == ["导入 4 轮，补上 0 个父轮。", "导入 0 轮，补上 2 个父轮。"]


@pytest.mark.usefixtures("store")
def test_a_file_or_a_database_that_is_not_there_is_told_in_a_sentence(
    url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--url", url, "--records", str(tmp_path / "nothing.jsonl")]) == 1
    assert "nothing.jsonl" in capsys.readouterr().err
    assert main(["--url", "no url"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_database_whose_name_is_mistyped_is_not_made(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mistyped = tmp_path / "stroe" / "store.sqlite3"
    assert main(["--url", f"sqlite:///{mistyped}", "--records", str(file)]) == 1
    assert str(mistyped) in capsys.readouterr().err
    assert not mistyped.parent.exists()
