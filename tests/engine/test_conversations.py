"""Whose conversations, branches and titles are whose."""

import threading
from pathlib import Path

import pytest

from rag import events
from rag.conversation.shelf import Shelf, View
from rag.conversation.sql import SqlConversationStore
from rag.database import open_database
from rag.errors import OutdatedSummary, UnfitTitle, UnknownConversation, UnknownSummary, UnknownTurn
from rag.types import Turn
from tests.engine.rig import Build, join_upkeep, model
from tests.samples import turn
from tests.waiting import wait_for


def test_a_session_reaches_no_other_session(build: Build) -> None:
    engine = build(model(["十天[1]。"], ["十天[1]。"]))
    theirs = engine.ask("年假有几天？", "theirs")
    assert engine.store.conversations("mine") == ()
    with pytest.raises(UnknownConversation):
        engine.turns("mine", theirs.conversation_id)
    with pytest.raises(UnknownConversation):
        engine.ask("年假有几天？", "mine", conversation_id=theirs.conversation_id)
    with pytest.raises(UnknownTurn):
        engine.ask("年假有几天？", "mine", theirs.turn_id)


def test_a_branch_that_is_shown_stays_in_view_and_the_next_question_follows_it(build: Build) -> None:
    engine = build(model(["一"], ["二"], ["三"], ["四"]))
    root = engine.ask("员工手册的年假有几天？", "s")
    old = engine.ask("员工手册的病假有几天？", "s")
    new = engine.ask("员工手册的婚假有几天？", "s", root.turn_id)
    conversation = root.conversation_id
    assert engine.view("s", conversation).branches == {
        root.turn_id: (root.turn_id,),
        new.turn_id: (old.turn_id, new.turn_id),
    }
    assert engine.turns("s", conversation) == (root, new)
    engine.store.show("s", old.turn_id)
    assert engine.turns("s", conversation) == (root, old)
    following = engine.ask("员工手册的产假有几天？", "s")
    assert following.parent_turn_id == old.turn_id
    engine.store.show("s", root.turn_id)
    assert engine.turns("s", conversation) == (root, old, following)


def test_turns_that_are_not_of_the_conversation_are_refused(build: Build) -> None:
    engine = build(model(["一"]))
    turn = engine.ask("员工手册的年假有几天？", "s")
    (failed,) = engine.stream("员工手册的病假有几天？", "s", "unknown")
    assert isinstance(failed, events.Failed)
    assert (type(failed.error), failed.turn) == (UnknownTurn, None)
    with pytest.raises(UnknownTurn):
        engine.store.show("other", turn.turn_id)
    assert engine.turns("s", turn.conversation_id) == (turn,)


def test_a_question_that_names_no_conversation_stands_in_that_of_the_turn_it_follows(build: Build) -> None:
    engine = build(model(["一"], ["二"], ["三"]))
    first = engine.ask("员工手册的年假有几天？", "s")
    latest = engine.ask("员工手册的病假有几天？", "s", conversation_id=engine.store.start("s"))
    following = engine.ask("员工手册的婚假有几天？", "s", first.turn_id)
    assert engine.turns("s", first.conversation_id) == (first, following)
    assert engine.turns("s", latest.conversation_id) == (latest,)


def test_a_question_that_is_refused_leaves_no_empty_conversation_in_a_new_session(build: Build) -> None:
    engine = build(model(["一"]))
    with pytest.raises(UnknownTurn):
        engine.ask("员工手册的年假有几天？", "s", "unknown")
    assert engine.store.conversations("s") == ()


def test_words_for_a_summary_that_is_not_in_use_any_more_are_refused(build: Build) -> None:
    engine = build(model(["一"], ["二"], ["摘要一。"], ["三"], ["摘要二。"]), max_recent_turns=2)
    seen, linked = [], []
    for question in ("员工手册的年假有几天？", "员工手册的病假有几天？", "员工手册的婚假有几天？"):
        turn = engine.ask(question, "s")
        conversation = turn.conversation_id
        linked.append(turn.summary_id)
        join_upkeep()
        seen.append(engine.recollection("s", conversation).summary)
    _, first, second = seen
    assert first is not None and second is not None and first.summary_id != second.summary_id
    # A turn is linked to the summary that its prompt held, not to the one made after it.
    assert linked == [None, None, first.summary_id]
    with pytest.raises(OutdatedSummary):
        engine.edit_summary("s", first.summary_id, "我的说法。")
    with pytest.raises(UnknownSummary):
        engine.edit_summary("other", second.summary_id, "我的说法。")
    engine.edit_summary("s", second.summary_id, "我的说法。")
    join_upkeep()
    edited = engine.recollection("s", conversation).summary
    assert edited is not None and (edited.summary_id, edited.text) == (second.summary_id, "我的说法。")


def test_a_conversation_is_renamed_and_found_by_what_was_said(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    conversation = engine.ask("年假有几天？", "s").conversation_id
    engine.rename_conversation("s", conversation, "  休假\n规定 ")
    assert [item.title for item in engine.store.conversations("s", "十天")] == ["休假 规定"]
    assert engine.store.conversations("s", "病假") == ()
    assert engine.store.conversations("other", "十天") == ()
    with pytest.raises(UnknownConversation):
        engine.rename_conversation("other", conversation, "我的")


@pytest.mark.parametrize("title", ["", " \n", "长" * 81])
def test_a_title_is_neither_empty_nor_longer_than_a_list_has_room_for(title: str, build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    conversation = engine.ask("年假有几天？", "s").conversation_id
    with pytest.raises(UnfitTitle):
        engine.rename_conversation("s", conversation, title)


def test_a_conversation_is_read_once_to_be_seen_with_its_branches(tmp_path: Path) -> None:
    class CountingStore(SqlConversationStore):
        reads = 0

        def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
            self.reads += 1
            return super().turns(session_id, conversation_id)

    store = CountingStore(open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}"))
    said = turn("年假有几天？", "十天。", conversation_id=store.start("session"))
    store.append(said)
    assert Shelf(store).view("session", said.conversation_id) == View((said,), {said.turn_id: (said.turn_id,)})
    assert store.reads == 1


def test_a_turn_that_is_stored_while_a_conversation_is_read_hides_no_other(tmp_path: Path) -> None:
    class BusyStore(SqlConversationStore):
        def turns(self, session_id: str, conversation_id: str) -> tuple[Turn, ...]:
            found = super().turns(session_id, conversation_id)
            following = turn("病假呢？", "五天。", conversation_id=conversation_id, parent_turn_id=found[-1].turn_id)
            self.append(following)
            return found

    store = BusyStore(open_database(f"sqlite:///{tmp_path / 'test.sqlite3'}"))
    said = turn("年假有几天？", "十天。", conversation_id=store.start("session"))
    store.append(said)
    assert Shelf(store).view("session", said.conversation_id).turns[:1] == (said,)
    assert Shelf(store).turns("session", said.conversation_id)[:1] == (said,)


def test_the_model_makes_nothing_more_of_a_conversation_that_is_deleted(build: Build) -> None:
    its_turn = threading.Event()
    scripted = model(["十天[1]。"], [its_turn, "病假有几天？"])
    engine = build(scripted, suggest_questions=True)
    turn = engine.ask("年假有几天？", "s")
    assert wait_for(lambda: len(scripted.calls) == 2)
    engine.delete_conversation("s", turn.conversation_id)
    its_turn.set()
    join_upkeep()
    assert engine.suggestions("s", turn.turn_id) == ()


def test_forgetting_deletes_all_conversations_of_the_session_only(build: Build) -> None:
    engine = build(model(["一"], ["二"]))
    engine.ask("年假有几天？", "mine")
    engine.ask("年假有几天？", "theirs")
    engine.forget("mine")
    assert engine.store.conversations("mine") == ()
    assert len(engine.store.conversations("theirs")) == 1


def test_a_conversation_that_expired_is_told_of_and_nothing_is_stored(build: Build) -> None:
    engine = build(model(["十天[1]。"]))
    conversation = engine.ask("年假有几天？", "s").conversation_id
    engine.delete_conversation("s", conversation)
    (failed,) = engine.stream("那病假呢？", "s", conversation_id=conversation)
    assert isinstance(failed, events.Failed)
    assert (type(failed.error), failed.turn) == (UnknownConversation, None)
    assert engine.store.conversations("s") == ()
