"""Which documents a session's questions may use."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from rag.conversation.sql import SqlConversationStore
from rag.conversation.summaries import SummaryStore
from rag.decision.rules import RulesDecider
from rag.engine import Engine
from rag.errors import UnknownDocument
from rag.knowledge.selection import Selection
from rag.llm.gate import ModelGate
from rag.memory import Memory
from rag.prompts import Prompts
from rag.settings import DialogueSettings
from rag.types import Decision, Provider, Scope
from tests.knowledge import Store, open_store
from tests.scripted import ScriptedChatModel, retrieval_over

LEAVE, TRAVEL = "年假为十天，入职满一年后可以使用。", "出差住宿每晚不超过四百元，凭票报销。"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path)


@dataclass
class Desk:
    """An engine whose questions use what is selected."""

    engine: Engine
    model: ScriptedChatModel


def desk(store: Store, selection: Selection, *answers: str) -> Desk:
    model = ScriptedChatModel(scripts=[[answer] for answer in answers])
    dialogue = DialogueSettings.model_validate({"decide_by": "rules"})
    engine = Engine(
        dialogue,
        retrieval_over(store.knowledge),
        SqlConversationStore(store.catalog.engine),
        lambda: (Provider.OLLAMA, "scripted", model),
        ModelGate(),
        Memory(dialogue, SummaryStore(store.catalog.engine), Prompts()),
        decider=RulesDecider(),
        scope_of=selection.scope,
    )
    return Desk(engine, model)


def test_all_that_a_session_can_see_is_used_until_it_leaves_something_out(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    leave, sample = store.put("me", "手册.pdf", LEAVE), store.put("shared", "指南.md", TRAVEL)
    assert selection.scope("me") is None
    selection.choose("me", sample.document_id, used=False)
    assert selection.scope("me") == Scope(frozenset({leave.document_id}))
    assert selection.left_out("me") == {sample.document_id}
    selection.choose("me", sample.document_id, used=True)
    assert selection.scope("me") is None


def test_a_file_that_comes_later_is_used(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    selection.choose("me", store.put("me", "手册.pdf", LEAVE).document_id, used=False)
    later = store.put("me", "出差.pdf", TRAVEL)
    assert selection.scope("me") == Scope(frozenset({later.document_id}))


def test_the_choice_of_one_session_is_not_that_of_another(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    sample = store.put("shared", "指南.md", TRAVEL)
    selection.choose("me", sample.document_id, used=False)
    assert selection.scope("you") is None
    with pytest.raises(UnknownDocument):
        selection.choose("you", store.put("me", "手册.pdf", LEAVE).document_id, used=False)


def test_a_choice_goes_with_the_session_and_with_the_document(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    own, sample = store.put("me", "手册.pdf", LEAVE), store.put("shared", "指南.md", TRAVEL)
    for document in (own, sample):
        selection.choose("me", document.document_id, used=False)
    store.knowledge.delete(own.document_id)
    assert selection.left_out("me") == {sample.document_id}
    store.knowledge.delete_collection("me")
    assert selection.left_out("me") == frozenset()


def test_a_file_left_out_is_neither_found_nor_kept_in_the_prompt(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    leave = store.put("me", "手册.pdf", LEAVE)
    store.put("me", "出差.pdf", TRAVEL)
    talk = desk(store, selection, "十天[1]。", "不知道。", "不知道。")
    assert LEAVE in talk.engine.ask("年假有几天？", "me").sources[0].text
    selection.choose("me", leave.document_id, used=False)
    asked_again = talk.engine.ask("年假有几天？入职多久可以用？", "me")
    assert {item.document_name for item in asked_again.sources} == {"出差.pdf"}
    assert not any(LEAVE in str(message.content) for message in talk.model.calls[-1])


def test_what_was_found_in_a_file_left_out_is_not_used_again(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    leave = store.put("me", "手册.pdf", LEAVE)
    talk = desk(store, selection, "十天[1]。", "不知道。")
    first = talk.engine.ask("年假有几天？", "me")
    selection.choose("me", leave.document_id, used=False)
    (*_, ended) = talk.engine.stream("再说一遍。", "me", first.turn_id, decision=Decision.REUSE)
    assert ended.turn.decision is Decision.RETRIEVE  # type: ignore[union-attr]
    assert ended.turn.sources == ()  # type: ignore[union-attr]


def test_numbers_of_evidence_left_out_are_not_given_out_again(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    leave = store.put("me", "手册.pdf", LEAVE)
    talk = desk(store, selection, "十天[1]。", "四百元[2]。")
    assert [item.number for item in talk.engine.ask("年假有几天？", "me").sources] == [1]
    store.put("me", "出差.pdf", TRAVEL)
    selection.choose("me", leave.document_id, used=False)
    assert [item.number for item in talk.engine.ask("出差住宿每晚多少钱？", "me").sources] == [2]
