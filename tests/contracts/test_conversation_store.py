"""What every conversation store does, on real databases."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import inspect, text

from rag.conversation.base import Expired
from rag.conversation.rows import TurnVector
from rag.conversation.schema import TURNS
from rag.conversation.shelf import newest_after, path_to
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database, transaction
from rag.errors import UnknownConversation, UnknownTurn
from rag.types import Budget, Decision, Message, Rating, TurnStatus, Use
from tests.postgres import Postgres
from tests.samples import evidence, turn

NEW = (
    "feedback",
    "feedback_reason",
    "context_docs",
    "embedding",
    "embedding_model",
    "reason",
    "certainty",
    "recalled",
    "budget",
    "trace",
    "place_read",
    "summary_id",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'conversations.sqlite3'}"
    server: Postgres = request.getfixturevalue("postgres")
    return server.new_database()


@pytest.fixture
def store(url: str) -> SqlConversationStore:
    return SqlConversationStore(open_database(url))


def vector(*values: float) -> TurnVector:
    return TurnVector("m", np.array(values, np.float32))


def test_a_turn_comes_back_as_it_was_stored_also_after_a_restart(store: SqlConversationStore, url: str) -> None:
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
        feedback=Rating.GOOD,
        feedback_reason="清楚",
        context_docs=("旧文件.pdf",),
        reason=Message("decision.signal.covered"),
        certainty=0.75,
        recalled=("a", "b"),
        budget=Budget(8192, 200, 50, 1200, 60, 300, 40, 512),
        summary_id="def",
    )
    store.append(stored)
    assert store.turns("session", conversation) == (stored,)
    assert SqlConversationStore(open_database(url)).turns("session", conversation) == (stored,)


def test_a_store_of_an_older_program_keeps_its_turns_and_gets_what_it_lacks(
    store: SqlConversationStore, url: str
) -> None:
    stored = turn("问", "答", conversation_id=store.start("session"))
    store.append(stored)
    with transaction(open_database(url)) as connection:
        for name in NEW:
            connection.exec_driver_sql(f"ALTER TABLE turns DROP COLUMN {name}")
        connection.exec_driver_sql("ALTER TABLE conversations DROP COLUMN shown_turn_id")
        connection.exec_driver_sql("DROP INDEX ix_turns_conversation_id")
        connection.exec_driver_sql("DROP TABLE summaries")
    again = SqlConversationStore(open_database(url))
    assert again.turns("session", stored.conversation_id) == (stored,)
    again.rate("session", stored.turn_id, Rating.GOOD)
    assert again.turns("session", stored.conversation_id)[0].feedback is Rating.GOOD
    assert again.shown("session", stored.conversation_id) is None
    known = inspect(open_database(url))
    assert {column["name"] for column in known.get_columns("turns")} == set(TURNS.c.keys())
    assert "ix_turns_conversation_id" in {index["name"] for index in known.get_indexes("turns")}
    assert known.has_table("summaries")


def test_what_a_filter_said_of_evidence_is_kept_and_old_evidence_has_none(
    store: SqlConversationStore, url: str
) -> None:
    conversation = store.start("session")
    kept = replace(evidence(1), use=Use("年假为十天。", "写明了天数"))
    stored = turn("年假有几天？", "十天[1]。", (kept, evidence(2)), conversation_id=conversation)
    store.append(stored)
    assert store.turns("session", conversation) == (stored,)
    with transaction(open_database(url)) as connection:
        (sources,) = connection.scalars(text("SELECT sources FROM turns")).all()
        older = [{name: value for name, value in item.items() if name != "use"} for item in json.loads(sources)]
        connection.execute(text("UPDATE turns SET sources = :sources"), {"sources": json.dumps(older)})
    (read,) = store.turns("session", conversation)
    assert read.sources == (evidence(1), evidence(2))


def test_evidence_stored_before_it_knew_its_chunks_holds_the_one_that_it_was_found_by(
    store: SqlConversationStore, url: str
) -> None:
    conversation = store.start("session")
    store.append(turn("年假有几天？", "十天[1]。", (evidence(1),), conversation_id=conversation))
    with transaction(open_database(url)) as connection:
        (sources,) = connection.scalars(text("SELECT sources FROM turns")).all()
        (stored,) = json.loads(sources)
        del stored["chunk_ids"]
        connection.execute(text("UPDATE turns SET sources = :sources"), {"sources": json.dumps([stored])})
    (kept,) = store.turns("session", conversation)
    assert kept.sources == (evidence(1),)


def test_turns_come_in_the_order_in_which_they_were_stored(store: SqlConversationStore) -> None:
    conversation = store.start("session")
    turns = tuple(turn(f"第{n}问", "答", conversation_id=conversation) for n in range(20))
    for item in turns:
        store.append(item)
    assert store.turns("session", conversation) == turns


def test_a_conversation_is_named_by_its_first_question_and_the_latest_comes_first(store: SqlConversationStore) -> None:
    first, second = store.start("session"), store.start("session")
    store.append(turn("乙", "答", conversation_id=second))
    store.append(turn("甲" * 100, "答", conversation_id=first))
    store.append(turn("丙", "答", conversation_id=first))
    listed = store.conversations("session")
    assert [(item.conversation_id, item.title, item.turns) for item in listed] == [
        (first, "甲" * 40 + "…", 2),
        (second, "乙", 1),
    ]


def test_one_conversation_is_told_of_by_its_id_or_as_the_one_spoken_in_last(store: SqlConversationStore) -> None:
    assert store.conversation("session") is None
    first, second = store.start("session"), store.start("session")
    store.append(turn("乙", "答", conversation_id=second))
    store.append(turn("甲", "答", conversation_id=first))
    latest, other = store.conversations("session")
    assert store.conversation("session") == latest == store.conversation("session", first)
    assert store.conversation("session", second) == other
    assert (latest.title, latest.turns) == ("甲", 1)
    for session, named in (("other", None), ("other", first), ("session", "unknown"), ("session", "")):
        assert store.conversation(session, named) is None


def test_all_who_ask_at_once_for_a_new_sessions_conversation_are_given_the_same(url: str) -> None:
    # As replicas are: each with connections of its own.
    stores = [SqlConversationStore(open_database(url)) for _ in range(4)]
    for number in range(5):
        session, together = f"session {number}", threading.Barrier(len(stores))

        def latest(store: SqlConversationStore, session: str = session, at: threading.Barrier = together) -> str:
            at.wait()
            return store.latest(session)

        with ThreadPoolExecutor(len(stores)) as pool:
            told = list(pool.map(latest, stores))
        assert [entry.conversation_id for entry in stores[0].conversations(session)] == [*set(told)]
    spoken_in, _ = stores[0].start("other"), stores[0].start("other")
    stores[0].append(turn("问", "答", session_id="other", conversation_id=spoken_in))
    assert stores[0].latest("other") == spoken_in


def test_a_turn_tells_its_conversation_to_its_own_session_only(store: SqlConversationStore) -> None:
    first, _ = store.start("session"), store.start("session")
    said = turn("甲", "答", conversation_id=first)
    store.append(said)
    assert store.holding("session", said.turn_id) == first
    for session, turn_id in (("other", said.turn_id), ("session", "unknown")):
        with pytest.raises(UnknownTurn):
            store.holding(session, turn_id)


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("年假\n有几天？", "年假 有几天？"),
        ("How many characters may a line of code have?", "How many characters may a line of code…"),
        ("请" * 41, "请" * 40 + "…"),
        ("x" * 50, "x" * 40 + "…"),
    ],
)
def test_the_first_question_is_the_title_and_a_long_one_ends_with_a_whole_word(
    store: SqlConversationStore, question: str, title: str
) -> None:
    store.append(turn(question, "答", conversation_id=store.start("session")))
    assert [item.title for item in store.conversations("session")] == [title]


def test_a_conversation_keeps_the_title_that_it_was_given(store: SqlConversationStore) -> None:
    conversation = store.start("session")
    store.append(turn("年假有几天？", "十天。", conversation_id=conversation))
    store.rename("session", conversation, "休假")
    store.append(turn("病假呢？", "五天。", conversation_id=conversation))
    assert [item.title for item in store.conversations("session")] == ["休假"]
    with pytest.raises(UnknownConversation):
        store.rename("other", conversation, "我的")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("年假", ["甲"]),
        ("五天", ["乙"]),
        ("手册 api", ["甲"]),
        ("手册 五天", []),
        ("天", ["乙", "甲"]),
        ("100%", ["乙"]),
        ("1_0", []),
        ("", ["乙", "甲"]),
    ],
)
def test_conversations_are_found_by_all_words_of_a_text_taken_as_they_are(
    text: str, found: list[str], store: SqlConversationStore
) -> None:
    first, second = store.start("session"), store.start("session")
    store.append(turn("手册里年假有几天？", "见 API 一节：十天。", conversation_id=first))
    store.append(turn("病假呢？", "五天，工资 100%。", conversation_id=second))
    store.rename("session", first, "甲")
    store.rename("session", second, "乙")
    assert [item.title for item in store.conversations("session", text)] == found
    assert store.conversations("other", text) == ()


def test_the_branch_in_view_is_the_one_spoken_in_or_shown_last(store: SqlConversationStore) -> None:
    conversation = store.start("session")
    assert store.shown("session", conversation) is None
    old, new = (turn(name, "答", conversation_id=conversation) for name in ("旧", "新"))
    store.append(old)
    store.append(new)
    assert store.shown("session", conversation) == new.turn_id
    store.show("session", old.turn_id)
    assert store.shown("session", conversation) == old.turn_id
    assert store.shown("other", conversation) is None
    with pytest.raises(UnknownTurn):
        store.show("other", new.turn_id)
    assert store.shown("session", conversation) == old.turn_id


def test_a_session_sees_and_changes_nothing_of_another(store: SqlConversationStore) -> None:
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


def test_deleting_a_conversation_deletes_its_turns(store: SqlConversationStore) -> None:
    kept, deleted = store.start("session"), store.start("session")
    for conversation in (kept, deleted):
        store.append(turn("问", "答", conversation_id=conversation))
    store.delete("session", deleted)
    with pytest.raises(UnknownConversation):
        store.turns("session", deleted)
    assert [item.conversation_id for item in store.conversations("session")] == [kept]


def test_forgetting_leaves_nothing_of_the_session(store: SqlConversationStore) -> None:
    store.append(turn("问", "答", conversation_id=store.start("session")))
    store.forget("session")
    assert store.conversations("session") == ()


def test_a_text_is_stored_without_what_no_database_holds(store: SqlConversationStore) -> None:
    conversation = store.start("session")
    store.append(turn("年\0假\ud800？", "答\0", (evidence(1, "原\0文\ud800"),), conversation_id=conversation))
    (stored,) = store.turns("session", conversation)
    assert (stored.question, stored.answer) == ("年假?？", "答")
    assert "\ud800" not in stored.sources[0].text
    assert store.conversations("no\0body\ud800") == ()


def test_a_rating_replaces_the_one_before_it_and_is_the_sessions_own(store: SqlConversationStore) -> None:
    stored = turn("问", "答", conversation_id=store.start("session"))
    store.append(stored)
    store.rate("session", stored.turn_id, Rating.GOOD)
    store.rate("session", stored.turn_id, Rating.BAD, "答非所问")
    (rated,) = store.turns("session", stored.conversation_id)
    assert (rated.feedback, rated.feedback_reason) == (Rating.BAD, "答非所问")
    with pytest.raises(UnknownTurn):
        store.rate("other", stored.turn_id, Rating.GOOD)
    with pytest.raises(UnknownTurn):
        store.embed("other", stored.turn_id, vector(1.0))
    assert store.turns("session", stored.conversation_id) == (rated,)


def test_turns_of_the_session_are_compared_by_the_cosine_of_their_vectors(store: SqlConversationStore) -> None:
    conversation, other = store.start("session"), store.start("other")
    near, far, opposite = (turn(name, "答", conversation_id=conversation) for name in ("近", "远", "反"))
    unembedded, of_other_model = (turn(name, "答", conversation_id=conversation) for name in ("无", "别"))
    theirs = turn("他", "答", session_id="other", conversation_id=other)
    for item in (near, far, opposite, unembedded, of_other_model, theirs):
        store.append(item)
    among = {item.turn_id for item in (near, far, opposite, unembedded, of_other_model, theirs)}
    assert store.cosines("session", vector(1, 0), among) == {}
    for item, values in ((opposite, [-1.0, 0.0]), (near, [0.6, 0.8]), (far, [0.0, 1.0])):
        store.embed("session", item.turn_id, vector(*values))
    store.embed("session", of_other_model.turn_id, TurnVector("n", vector(1.0, 0.0).values))
    store.embed("other", theirs.turn_id, vector(1.0, 0.0))
    found = store.cosines("session", vector(1.0, 0.0), among)
    assert found == pytest.approx({near.turn_id: 0.6, far.turn_id: 0.0, opposite.turn_id: -1.0})
    assert store.cosines("session", vector(1, 0), {far.turn_id}).keys() == {far.turn_id}


def test_vectors_of_another_length_are_left_out(store: SqlConversationStore) -> None:
    stored = turn("问", "答", conversation_id=store.start("session"))
    store.append(stored)
    store.embed("session", stored.turn_id, vector(1.0, 0.0))
    assert store.cosines("session", vector(1.0, 0.0, 0.0), [stored.turn_id]) == {}


def test_conversations_that_nobody_spoke_in_expire_with_their_turns(store: SqlConversationStore) -> None:
    old = store.start("session")
    for _ in range(2):
        store.append(turn("旧", "答", conversation_id=old))
    between = datetime.now(UTC)
    young, renewed = store.start("session"), store.start("session")
    store.append(turn("新", "答", conversation_id=young))
    ancient = turn("再", "答", conversation_id=renewed, created_at=between - timedelta(days=400))
    store.append(ancient)
    assert store.expire(between) == Expired(1, 2)
    assert store.expire(between) == Expired(0, 0)
    with pytest.raises(UnknownConversation):
        store.turns("session", old)
    assert len(store.turns("session", young)) == 1
    assert store.turns("session", renewed) == (ancient,)


def test_the_path_follows_the_parents_of_the_newest_turn_or_of_the_one_given() -> None:
    root = turn("一", "答")
    old = turn("二", "答", parent_turn_id=root.turn_id)
    new = turn("二改", "答", parent_turn_id=root.turn_id)
    assert path_to((root, old, new), None) == (root, new)
    assert path_to((root, old, new), old.turn_id) == (root, old)
    assert path_to((root, old, new), "unknown") == ()
    assert path_to((), None) == ()


def test_imported_turns_that_follow_one_another_in_a_circle_are_each_met_once() -> None:
    first = turn("一", "答", turn_id="a", parent_turn_id="b")
    second = turn("二", "答", turn_id="b", parent_turn_id="a")
    assert path_to((first, second), None) == (first, second)
    itself = turn("三", "答", turn_id="a", parent_turn_id="a")
    assert path_to((itself,), "a") == (itself,)


def test_the_newest_turn_after_another_is_of_its_own_branches() -> None:
    root = turn("一", "答")
    old = turn("二", "答", parent_turn_id=root.turn_id)
    after_old = turn("三", "答", parent_turn_id=old.turn_id)
    new = turn("二改", "答", parent_turn_id=root.turn_id)
    turns = (root, old, after_old, new)
    assert newest_after(turns, root.turn_id) == new.turn_id
    assert newest_after(turns, old.turn_id) == after_old.turn_id
    assert newest_after(turns, new.turn_id) == new.turn_id
    assert newest_after(turns, None) is None
