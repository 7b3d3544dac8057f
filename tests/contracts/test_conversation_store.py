"""What every conversation store does, on real databases."""

from pathlib import Path

import pytest

from rag.conversation.base import ConversationStore, path_to
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.errors import UnknownConversation
from rag.types import Decision, Message, TurnStatus
from tests.samples import evidence, turn


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'conversations.sqlite3'}"


@pytest.fixture
def store(url: str) -> ConversationStore:
    return SqlConversationStore(open_database(url))


def test_a_turn_comes_back_as_it_was_stored_also_after_a_restart(store: ConversationStore, url: str) -> None:
    conversation = store.start("session")
    stored = turn(
        "年假有几天？",
        "十天[1]。",
        (evidence(1), evidence(2, "病假。", 4)),
        conversation_id=conversation,
        decision=Decision.REUSE,
        status=TurnStatus.FAILED,
        message=Message("error.model_missing", {"model": "m"}),
        thinking="想",
        first_turn_in_prompt="abc",
    )
    store.append(stored)
    assert store.turns("session", conversation) == (stored,)
    assert SqlConversationStore(open_database(url)).turns("session", conversation) == (stored,)


def test_turns_come_in_the_order_in_which_they_were_stored(store: ConversationStore) -> None:
    conversation = store.start("session")
    turns = tuple(turn(f"第{n}问", "答", conversation_id=conversation) for n in range(20))
    for item in turns:
        store.append(item)
    assert store.turns("session", conversation) == turns


def test_a_conversation_is_named_by_its_first_question_and_the_latest_comes_first(store: ConversationStore) -> None:
    first, second = store.start("session"), store.start("session")
    store.append(turn("乙", "答", conversation_id=second))
    store.append(turn("甲" * 100, "答", conversation_id=first))
    store.append(turn("丙", "答", conversation_id=first))
    listed = store.conversations("session")
    assert [(item.conversation_id, item.title, item.turns) for item in listed] == [
        (first, "甲" * 40, 2),
        (second, "乙", 1),
    ]


def test_a_session_sees_and_changes_nothing_of_another(store: ConversationStore) -> None:
    conversation = store.start("theirs")
    store.append(turn("问", "答", session_id="theirs", conversation_id=conversation))
    assert store.conversations("mine") == ()
    with pytest.raises(UnknownConversation):
        store.turns("mine", conversation)
    with pytest.raises(UnknownConversation):
        store.append(turn("问", "答", session_id="mine", conversation_id=conversation))
    store.delete("mine", conversation)
    store.forget("mine")
    assert len(store.turns("theirs", conversation)) == 1


def test_deleting_a_conversation_deletes_its_turns(store: ConversationStore) -> None:
    kept, deleted = store.start("session"), store.start("session")
    for conversation in (kept, deleted):
        store.append(turn("问", "答", conversation_id=conversation))
    store.delete("session", deleted)
    with pytest.raises(UnknownConversation):
        store.turns("session", deleted)
    assert [item.conversation_id for item in store.conversations("session")] == [kept]


def test_forgetting_leaves_nothing_of_the_session(store: ConversationStore) -> None:
    store.append(turn("问", "答", conversation_id=store.start("session")))
    store.forget("session")
    assert store.conversations("session") == ()


def test_the_path_follows_the_parents_of_the_newest_turn_or_of_the_one_given() -> None:
    root = turn("一", "答")
    old = turn("二", "答", parent_turn_id=root.turn_id)
    new = turn("二改", "答", parent_turn_id=root.turn_id)
    assert path_to((root, old, new)) == (root, new)
    assert path_to((root, old, new), old.turn_id) == (root, old)
    assert path_to((root, old, new), "unknown") == ()
    assert path_to(()) == ()
