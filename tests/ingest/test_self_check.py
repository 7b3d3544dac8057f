"""The check of retrieval by a document's own sentences."""

import threading
from collections.abc import Iterator

import pytest

from rag.embeddings.encoder import Encoder
from rag.errors import KnowledgeUnavailable, UnknownDocument
from rag.ingest.self_check import SelfCheck, cloze, clozes
from rag.knowledge.contents import Contents
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, FusionSpec, SearchRequest, SingleSearchRequest
from rag.knowledge.self_checks import SelfChecks, State
from rag.types import DocumentStatus, Message
from tests.knowledge import TOKENIZER, Store, content
from tests.waiting import already, wait_for

TOPICS = ("年假", "病假", "婚假", "产假", "加班", "出差", "报销", "培训", "考勤", "奖金", "借款", "合同")
TEXTS = tuple(
    f"{topic}的第{place}条规定由人事部门解释，员工申请{topic}时应当提前{place + 3}天填写{topic}登记表并交给主管。"
    for place, topic in enumerate(TOPICS)
)
SEARCH = SearchRequest()


@pytest.fixture
def check(store: Store) -> Iterator[SelfCheck]:
    checker = over(store)
    yield checker
    checker.close()


def over(store: Store, request: SearchRequest = SEARCH) -> SelfCheck:
    contents, checks = Contents(store.catalog.engine), SelfChecks(store.catalog.engine)
    return SelfCheck(contents, checks, store.knowledge, lambda: request, TOKENIZER.pieces, already())


def test_a_question_is_a_sentence_without_every_third_word() -> None:
    assert cloze("年假 需要 提前 申请 ， 由 主管 批准", str.split) == "年假 提前 申请 主管 批准"
    assert cloze("甲 乙 丙", str.split) == ""


def test_questions_are_spread_over_the_document_and_never_a_whole_sentence() -> None:
    asked = clozes(TEXTS, TOKENIZER.pieces, count=4)
    assert [TEXTS.index(sentence) for sentence in asked] == [0, 3, 6, 9]
    assert all(question not in sentence for sentence, question in asked.items())


def test_sentences_that_are_repeated_are_asked_about_once() -> None:
    assert len(clozes((TEXTS[0],) * 5, TOKENIZER.pieces)) == 1


def test_both_routes_find_a_document_that_is_searched_as_it_should_be(store: Store, check: SelfCheck) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    result = check.check("me", document.document_id)
    assert result is not None
    assert (result.questions, result.among) == (12, 3)
    assert (result.dense, result.sparse, result.fused) == (12, 12, 12)
    assert result.note is None


def test_an_embedder_that_refuses_leaves_the_words(store: Store, check: SelfCheck) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    store.embeddings.refused = {" "}
    result = check.check("me", document.document_id)
    assert result is not None
    assert (result.dense, result.sparse, result.fused) == (0, 12, 12)
    assert result.note is not None and result.note.key == "search.words_only"


def test_why_a_route_could_not_search_and_when_are_kept_as_they_were(store: Store, check: SelfCheck) -> None:
    document, checks = store.put("me", "手册.pdf", *TEXTS), SelfChecks(store.catalog.engine)
    store.embeddings.refused = {" "}
    result = check.check("me", document.document_id)
    assert result is not None and result.note is not None
    assert isinstance(result.note.values["reason"], Message)
    checks.keep(result, checks.state(document.document_id))
    assert checks.seen("me")[document.document_id] == result


def test_vectors_of_other_texts_are_noticed(store: Store, check: SelfCheck) -> None:
    document = store.put("me", "手册.pdf", *TEXTS, embed=False)
    pending = store.pending()
    vectors = Encoder(store.embeddings, "fake").passages([text.text for text in pending])
    shifted = zip(pending, vectors[4:] + vectors[:4], strict=True)
    store.knowledge.add_vectors({text.text_hash: vector for text, vector in shifted}, "fake")
    result = check.check("me", document.document_id)
    assert result is not None
    assert result.dense is not None and result.dense <= 3
    assert result.sparse == 12


def test_a_route_that_is_off_is_not_counted(store: Store) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    words = SearchRequest((SingleSearchRequest(CHUNK_SPARSE),), FusionSpec("rrf"))
    result = over(store, words).check("me", document.document_id)
    assert result is not None
    assert (result.dense, result.sparse, result.fused) == (None, 12, 12)
    assert CHUNK_DENSE not in [route.anns_field for route in words.requests]


def test_a_document_is_checked_once_its_vectors_are_complete(store: Store, check: SelfCheck) -> None:
    checks = SelfChecks(store.catalog.engine)
    document = store.put("me", "手册.pdf", *TEXTS, embed=False)
    assert checks.unchecked() is None
    store.fill()
    assert checks.unchecked() == ("me", document.document_id)
    check.start()
    assert wait_for(lambda: document.document_id in checks.seen("me"))
    assert checks.unchecked() is None
    assert checks.seen("me")[document.document_id].dense == 12
    assert checks.seen("you") == {}


def test_a_document_without_a_sentence_is_not_looked_at_for_ever(store: Store, check: SelfCheck) -> None:
    document = store.put("me", "数字.txt", "1 2 3")
    check.start()
    checks = SelfChecks(store.catalog.engine)
    assert wait_for(lambda: checks.unchecked() is None)
    assert checks.seen("me")[document.document_id].questions == 0


def test_a_document_is_checked_again_when_it_is_asked_for(store: Store, check: SelfCheck) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    check.start()
    checks = SelfChecks(store.catalog.engine)
    assert wait_for(lambda: document.document_id in checks.seen("me"))
    with store.catalog.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE self_checks SET fused = 0")
    check.request("me", document.document_id)
    assert wait_for(lambda: checks.seen("me")[document.document_id].fused > 0)
    assert wait_for(lambda: not check.checking())


def test_a_check_that_was_asked_for_is_made_after_a_store_that_refused(
    store: Store, check: SelfCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    checks, refused = SelfChecks(store.catalog.engine), threading.Event()

    def refuse(*_: object) -> None:
        refused.set()
        raise KnowledgeUnavailable(address="http://milvus.test")

    result = check.check("me", document.document_id)
    assert result is not None
    checks.keep(result, checks.state(document.document_id))
    with monkeypatch.context() as down:
        down.setattr(store.knowledge, "search", refuse)
        check.request("me", document.document_id)
        check.start()
        assert refused.wait(30)
    assert wait_for(lambda: checks.seen("me")[document.document_id].checked_at > result.checked_at)
    assert wait_for(lambda: not check.checking())


def test_what_was_checked_before_the_vectors_were_complete_does_not_stand_for_the_whole(
    store: Store, check: SelfCheck
) -> None:
    document, checks = store.put("me", "手册.pdf", *TEXTS, embed=False), SelfChecks(store.catalog.engine)
    state = checks.state(document.document_id)
    result = check.check("me", document.document_id)
    assert result is not None
    store.fill()
    assert not checks.keep(result, state)
    assert checks.unchecked() == ("me", document.document_id)


def test_what_was_checked_of_an_earlier_reading_does_not_stand_for_a_later_one(store: Store, check: SelfCheck) -> None:
    document, checks = store.put("me", "手册.pdf", *TEXTS), SelfChecks(store.catalog.engine)
    state = checks.state(document.document_id)
    result = check.check("me", document.document_id)
    assert result is not None
    loaded, sections = content(*TEXTS)
    store.knowledge.add(document.document_id, sections, loaded)
    assert not checks.keep(result, state)
    assert checks.unchecked() == ("me", document.document_id)


def test_a_check_that_was_asked_for_is_made_again_where_its_document_changed_meanwhile(
    store: Store, check: SelfCheck, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, checks = store.put("me", "手册.pdf", *TEXTS), SelfChecks(store.catalog.engine)
    made = check.check("me", document.document_id)
    assert made is not None and checks.keep(made, checks.state(document.document_id))
    outdated: list[State | None] = [(DocumentStatus.EMBEDDING, 12, 12)]
    real = SelfChecks.state
    monkeypatch.setattr(SelfChecks, "state", lambda own, of: outdated.pop() if outdated else real(own, of))
    check.request("me", document.document_id)
    check.start()
    assert wait_for(lambda: checks.seen("me")[document.document_id].checked_at > made.checked_at)
    assert outdated == []


def test_another_sessions_document_is_not_checked(store: Store, check: SelfCheck) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    with pytest.raises(UnknownDocument):
        check.request("you", document.document_id)


def test_a_check_goes_with_its_document(store: Store, check: SelfCheck) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    checks = SelfChecks(store.catalog.engine)
    result = check.check("me", document.document_id)
    assert result is not None
    checks.keep(result, checks.state(document.document_id))
    state = checks.state(document.document_id)
    store.knowledge.delete(document.document_id)
    assert not checks.keep(result, state)
    assert checks.seen("me") == {}
