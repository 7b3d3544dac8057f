"""Which documents a session's questions may use."""

from dataclasses import dataclass
from typing import Any

import pytest

from rag import events
from rag.engine import Engine
from rag.errors import NoDocumentUsed, UnknownDocument
from rag.knowledge.passages import Passages
from rag.knowledge.selection import Selection
from rag.knowledge.texts import chunks_by_id
from rag.settings import DialogueSettings
from rag.types import EVERYTHING, Decision, Passage, Scope, Section, Turn, TurnOptions
from tests.engine.rig import join_upkeep
from tests.knowledge import TOKENIZER, Store, content, search
from tests.scripted import ScriptedChatModel, retrieval_over, scripted_engine
from tests.statements import asked_of

LEAVE, TRAVEL = "年假为十天，入职满一年后可以使用。", "出差住宿每晚不超过四百元，凭票报销。"


@dataclass
class Desk:
    """An engine whose questions use what is selected."""

    engine: Engine
    model: ScriptedChatModel

    def ask(self, question: str, *, decision: Decision | None = None, **options: Any) -> Turn:
        """The finished turn of a question with options."""
        (*_, last) = self.engine.stream(question, "me", decision=decision, options=TurnOptions(**options))
        assert isinstance(last, events.Finished), last
        return last.turn


def desk(store: Store, selection: Selection | None, *answers: str, **settings: object) -> Desk:
    model = ScriptedChatModel(scripts=[[answer] for answer in answers])
    dialogue = DialogueSettings.model_validate({"decide_by": "rules", **settings})
    chosen: dict[str, Any] = {"scope_of": selection.scope} if selection else {}
    retrieval = retrieval_over(store.knowledge)
    return Desk(scripted_engine(store.catalog.engine, retrieval, model, dialogue=dialogue, **chosen), model)


def test_all_that_a_session_can_see_is_used_until_it_leaves_something_out(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    leave, sample = store.put("me", "手册.pdf", LEAVE), store.put("shared", "指南.md", TRAVEL)
    assert selection.scope("me") == EVERYTHING
    selection.choose("me", sample.document_id, used=False)
    assert selection.scope("me") == Scope(frozenset({leave.document_id}))
    assert selection.left_out("me") == {sample.document_id}
    selection.choose("me", sample.document_id, used=True)
    assert selection.scope("me") == EVERYTHING


def test_a_file_that_comes_later_is_used(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    selection.choose("me", store.put("me", "手册.pdf", LEAVE).document_id, used=False)
    later = store.put("me", "出差.pdf", TRAVEL)
    assert selection.scope("me") == Scope(frozenset({later.document_id}))


def test_the_choice_of_one_session_is_not_that_of_another(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    sample = store.put("shared", "指南.md", TRAVEL)
    selection.choose("me", sample.document_id, used=False)
    assert selection.scope("you") == EVERYTHING
    with pytest.raises(UnknownDocument):
        selection.choose("you", store.put("me", "手册.pdf", LEAVE).document_id, used=False)


def test_all_files_are_left_out_or_used_at_once_those_of_other_sessions_apart(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    own = {store.put("me", f"{number}.txt", f"{LEAVE}{number}").document_id for number in range(3)}
    shared = store.put("shared", "指南.md", TRAVEL)
    store.put("you", "出差.pdf", f"{TRAVEL}。")
    selection.choose("you", shared.document_id, used=False)
    with asked_of(store.catalog.engine) as asked:
        selection.choose_all("me", used=False)
    assert len(asked.statements) == 2
    selection.choose_all("me", used=False)
    assert selection.left_out("me") == {*own, shared.document_id}
    selection.choose_all("me", used=True)
    assert selection.left_out("me") == frozenset()
    assert selection.left_out("you") == {shared.document_id}


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


def test_where_all_is_left_out_no_model_is_asked_and_small_talk_goes_on(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    selection.choose("me", store.put("me", "手册.pdf", LEAVE).document_id, used=False)
    talk = desk(store, selection, "你好！")
    (*_, ended) = talk.engine.stream("年假有几天？", "me")
    assert isinstance(ended, events.Failed) and ended.turn is not None
    assert isinstance(ended.error, NoDocumentUsed)
    assert (ended.turn.question, ended.turn.answer, talk.model.calls) == ("年假有几天？", "", [])
    assert talk.ask("你好").answer == "你好！"


def test_a_turn_may_name_the_documents_that_it_uses_though_they_are_left_out(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    leave, travel = store.put("me", "手册.pdf", LEAVE), store.put("shared", "出差.pdf", TRAVEL)
    selection.choose("me", leave.document_id, used=False)
    assert selection.scope("me", frozenset({leave.document_id})) == Scope(frozenset({leave.document_id}))
    assert selection.scope("me", frozenset({travel.document_id})) == Scope(frozenset({travel.document_id}))
    talk = desk(store, selection, "十天[1]。")
    turn = talk.ask("年假有几天？", documents=frozenset({leave.document_id}))
    assert {item.document_id for item in turn.sources} == {leave.document_id}


def test_a_document_of_another_session_cannot_be_named_and_nothing_is_kept_of_the_question(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    own, theirs = store.put("me", "手册.pdf", LEAVE), store.put("you", "出差.pdf", TRAVEL)
    talk = desk(store, selection)
    for named in ({theirs.document_id}, {own.document_id, theirs.document_id}, {"nobody's"}, {"\ud800"}):
        (failed,) = talk.engine.stream("住宿多少钱？", "me", options=TurnOptions(documents=frozenset(named)))
        assert isinstance(failed, events.Failed)
        assert (type(failed.error), failed.turn) == (UnknownDocument, None)
    assert talk.engine.store.conversations("me") == ()
    assert talk.model.calls == []


def test_without_a_selection_no_document_of_another_session_is_reached_either(store: Store) -> None:
    own, theirs = store.put("me", "手册.pdf", LEAVE), store.put("you", "出差.pdf", TRAVEL)
    talk = desk(store, None, "不知道。")
    turn = talk.ask("年假和出差住宿？", documents=frozenset({own.document_id, theirs.document_id}))
    assert {item.document_id for item in turn.sources} == {own.document_id}


def test_a_turn_may_say_which_pages_it_uses_and_the_next_one_uses_all_again(store: Store) -> None:
    store.put("me", "手册.pdf", LEAVE, TRAVEL)
    talk = desk(store, Selection(store.catalog.engine), "十天[1]。", "四百元[2]。", "十天[1]。")
    assert [item.page for item in talk.ask("年假有几天？").sources] == [1, 2]
    second = talk.ask("再说一遍。", decision=Decision.REUSE, pages=frozenset({2}))
    assert [item.page for item in second.sources] == [2]
    assert not any(LEAVE in str(message.content) for message in talk.model.calls[-1])
    third = talk.ask("再说一遍，年假有几天？", decision=Decision.REUSE)
    assert 1 in {item.page for item in third.sources}
    assert any(LEAVE in str(message.content) for message in talk.model.calls[-1])


def test_a_summary_is_made_of_all_that_was_found_though_the_last_turn_used_less(store: Store) -> None:
    store.put("me", "手册.pdf", LEAVE, TRAVEL)
    talk = desk(store, Selection(store.catalog.engine), "十天[1]。", "四百元[2]。", "摘要。", max_recent_turns=2)
    talk.ask("年假有几天？")
    talk.ask("再说一遍。", decision=Decision.REUSE, pages=frozenset({2}))
    join_upkeep()
    assert len(talk.model.calls) == 3
    assert any(LEAVE in str(message.content) for message in talk.model.calls[-1])


def test_a_passage_is_not_widened_beyond_the_pages_asked_for(store: Store) -> None:
    text = LEAVE + TRAVEL
    places = [(0, len(LEAVE), 1), (len(LEAVE), len(text), 2)]
    children = tuple(Passage(text[start:end], start, end, page, page, str(page)) for start, end, page in places)
    section = Section(Passage(text, 0, len(text), 1, 2, "1"), children)
    document = store.catalog.register("me", "手册.pdf", "hash", 10)
    store.knowledge.add(document.document_id, (section,), content(LEAVE, TRAVEL)[0])
    retrieval = retrieval_over(store.knowledge)
    (whole,) = retrieval.find(["年假"], ["me"]).hits
    assert whole.chunk.passage.text == text
    (narrow,) = retrieval.find(["年假"], ["me"], scope=Scope(pages=frozenset({1}))).hits
    assert narrow.chunk.passage.text == LEAVE


def test_pages_of_all_documents_are_looked_for_in_the_collections_that_are_searched_only(store: Store) -> None:
    own, _ = store.put("me", "手册.pdf", LEAVE, TRAVEL), store.put("you", "出差.pdf", TRAVEL, LEAVE)
    passages = Passages(store.catalog.engine, TOKENIZER)
    with asked_of(store.catalog.engine) as asked:
        (chunk_id,) = passages.within(Scope(pages=frozenset({2})), ["me", "shared"]).tolist()
    assert chunks_by_id(store.catalog.engine, [chunk_id])[chunk_id].document_id == own.document_id
    assert not any("SCAN" in step for step in asked.steps)


def test_what_some_documents_allow_is_read_once_for_all_routes(store: Store) -> None:
    chosen = [store.put("me", name, text).document_id for name, text in (("甲.pdf", LEAVE), ("乙.pdf", TRAVEL))]
    store.put("me", "丙.pdf", TRAVEL + LEAVE)
    passages, scope = Passages(store.catalog.engine, TOKENIZER), Scope(frozenset(chosen))
    allowed = passages.within(scope, ["me"]).tolist()
    assert {chunk.document_id for chunk in chunks_by_id(store.catalog.engine, allowed).values()} == set(chosen)
    assert allowed == sorted(allowed)
    with asked_of(store.catalog.engine) as asked:
        search(store.knowledge, "年假", ["me"], scope=scope)
    assert sum("group_concat" in statement for statement in asked.statements) == 1


def test_numbers_of_evidence_left_out_are_not_given_out_again(store: Store) -> None:
    selection = Selection(store.catalog.engine)
    leave = store.put("me", "手册.pdf", LEAVE)
    talk = desk(store, selection, "十天[1]。", "四百元[2]。")
    assert [item.number for item in talk.engine.ask("年假有几天？", "me").sources] == [1]
    store.put("me", "出差.pdf", TRAVEL)
    selection.choose("me", leave.document_id, used=False)
    assert [item.number for item in talk.engine.ask("出差住宿每晚多少钱？", "me").sources] == [2]
