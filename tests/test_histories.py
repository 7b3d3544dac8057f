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
    shelf = Shelf(SqlConversationStore(database))
    histories, said = Histories(shelf), [Exchange("年假有几天？", "十天。")]  # type: ignore[arg-type]
    known = histories.position("session", said)
    with asked_of(database) as asked:
        assert histories.position("session", said) == known
    assert asked.statements and not any("turns.answer" in statement for statement in asked.statements)
    shelf.delete_conversation("session", known.conversation_id)
    assert histories.position("session", said).conversation_id != known.conversation_id
