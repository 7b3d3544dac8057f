"""What the tables hold beside the turns, and what a search in them reads."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import Engine

from rag.conversation.rows import TurnVector
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.types import Message
from tests.samples import turn
from tests.samples_web import searched
from tests.statements import asked_of


@pytest.fixture
def database(tmp_path: Path) -> Engine:
    return open_database(f"sqlite:///{tmp_path / 'new.sqlite3'}")


@pytest.fixture
def store(database: Engine) -> SqlConversationStore:
    return SqlConversationStore(database)


def test_how_an_answer_came_about_is_kept_with_it(store: SqlConversationStore) -> None:
    told = Message("search.words_only", {"reason": Message("error.embedding_failed", {"model": "m", "detail": "d"})})
    stored = turn("问", "答", conversation_id=store.start("session"), trace=replace(searched(), notes=(told,)))
    stored = replace(stored, place_read="read")
    store.append(stored)
    assert store.turns("session", stored.conversation_id) == (stored,)


def test_a_search_among_a_sessions_conversations_reads_nobody_elses_turns(
    database: Engine, store: SqlConversationStore
) -> None:
    with asked_of(database) as asked:
        store.conversations("session", "年假 病假")
    assert asked.steps and not any("SCAN" in step for step in asked.steps)


@pytest.mark.parametrize("named", [None, "one"])
def test_one_conversation_is_read_without_the_others(
    named: str | None, database: Engine, store: SqlConversationStore
) -> None:
    with asked_of(database) as asked:
        store.conversation("session", named)
    first, *_ = asked.steps
    assert "conversations" in first and "(conversation_id=?)" in first


def test_of_the_turns_that_are_compared_only_those_asked_for_are_read(
    database: Engine, store: SqlConversationStore
) -> None:
    with asked_of(database) as asked:
        store.cosines("session", TurnVector("m", np.ones(1, np.float32)), {"a", "b"})
    assert asked.statements[0].count("?") == 5 and "(turn_id=?)" in asked.steps[0]
