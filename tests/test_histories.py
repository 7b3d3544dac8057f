"""Histories that clients send, led to what the store has of them."""

from pathlib import Path

from rag.conversation.shelf import Shelf
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.types import Exchange
from rag.web.http.histories import Histories
from tests.statements import asked_of


def test_whether_a_history_is_still_there_is_told_without_reading_its_turns(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'conversations.sqlite3'}")
    store = SqlConversationStore(database)
    histories, said = Histories(store, 8192), [Exchange("年假有几天？", "十天。")]
    known = histories.position("session", said)
    with asked_of(database) as asked:
        assert histories.position("session", said) == known
    assert asked.statements and not any("turns.answer" in statement for statement in asked.statements)
    store.delete("session", known.conversation_id)
    assert histories.position("session", said).conversation_id != known.conversation_id


def test_a_question_that_was_stored_without_what_nobody_sees_in_it_is_known_again(tmp_path: Path) -> None:
    histories = Histories(SqlConversationStore(open_database(f"sqlite:///{tmp_path / 'conversations.sqlite3'}")), 512)
    stored = histories.position("session", [Exchange("年假有几天？", "十天。")])
    assert histories.position("session", [Exchange("年\u200b假有几天\u202c？", "十天。")]) == stored


def test_of_an_unknown_history_no_more_is_stored_than_prompts_could_hold(tmp_path: Path) -> None:
    shelf = Shelf(SqlConversationStore(open_database(f"sqlite:///{tmp_path / 'conversations.sqlite3'}")))
    histories = Histories(shelf.store, 512)
    long = [Exchange(f"{number}" + "问" * 999, "答" * 1000) for number in range(9)]
    position = histories.position("session", [*long, Exchange("最后的", "好。")])
    path = shelf.path("session", position.conversation_id, position.turn_id)
    assert [turn.question[0] for turn in path] == ["7", "8", "最"]
    assert path[0].question == "7" + "问" * 999 and path[0].answer == "答" * 1000

    giant = [Exchange("问" * 10_000, "答" * 10_000)]
    before = histories.position("session", giant)
    (turn,) = shelf.path("session", before.conversation_id, before.turn_id)
    assert (len(turn.question), len(turn.answer)) == (4096, 4096)
    assert histories.position("session", giant) == before
