import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag import background
from rag.errors import DiskFull, EmbeddingFailed, KnowledgeUnavailable, ModelStreamBroken, ModelUnreachable
from rag.knowledge import filler as filling
from rag.knowledge.document_states import DocumentStates
from rag.knowledge.filler import ModelTroubles, VectorFiller
from rag.knowledge.vectors import PendingText, Vectors
from rag.types import DocumentStatus
from tests.knowledge import Store, open_store, search
from tests.statements import asked_of
from tests.waiting import already, wait_for, within_seconds

TEXTS = [f"第{i}页写的是第{i}件事。" for i in range(1, 10)]


@pytest.fixture
def idle() -> threading.Event:
    return already()


@pytest.fixture
def filler(store: Store, idle: threading.Event) -> Iterator[VectorFiller]:
    filler = VectorFiller(store.catalog, store.knowledge, idle)
    yield filler
    filler.close()


def embedded(store: Store) -> list[int]:
    return [document.embedded for document in store.catalog.documents("me")]


def test_what_has_no_vector_is_embedded_and_the_document_becomes_ready(store: Store, filler: VectorFiller) -> None:
    store.put("me", "甲.txt", *TEXTS, embed=False)
    filler.wake()
    assert wait_for(lambda: store.catalog.documents("me")[0].status is DocumentStatus.READY)
    assert embedded(store) == [9]
    assert "chunk_dense" in search(store.knowledge, "第三件事", ["me"]).hits[0].routes


def test_new_chunks_are_embedded_when_it_is_woken(store: Store, filler: VectorFiller) -> None:
    filler.wake()
    store.put("me", "甲.txt", *TEXTS, embed=False)
    filler.wake()
    assert wait_for(lambda: embedded(store) == [9])


def test_of_a_document_that_is_stored_no_other_is_looked_at(store: Store) -> None:
    store.put("me", "甲.txt", *TEXTS, embed=False)
    with asked_of(store.catalog.engine) as asked:
        store.put("me", "乙.txt", TEXTS[0], embed=False)
    assert "SCAN documents" not in asked.steps


def test_what_has_its_vectors_is_looked_through_once(
    store: Store, filler: VectorFiller, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("me", "甲.txt", *TEXTS)
    looked, real = list[int](), Vectors.pending

    def pending(own: Vectors, after: int, limit: int, field: str) -> tuple[PendingText, ...]:
        looked.append(after)
        return real(own, after, limit, field)

    monkeypatch.setattr(Vectors, "pending", pending)
    with asked_of(store.catalog.engine) as asked:
        filler.wake()
        assert wait_for(lambda: bool(looked))
        filler.wake()
        assert wait_for(lambda: len(looked) > 1)
    assert looked[0] == 0 and 0 not in looked[1:]
    assert sum(statement.startswith("DELETE FROM self_checks") for statement in asked.statements) == 1
    store.put("me", "乙.txt", "还有一句。", embed=False)
    filler.wake()
    assert wait_for(lambda: embedded(store) == [9, 1])


def test_what_an_earlier_process_left_is_embedded_also_where_the_store_refused_at_first(
    store: Store, filler: VectorFiller, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = store.put("me", "甲.txt", *TEXTS)
    with store.catalog.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM vectors")
    refusals, real = [KnowledgeUnavailable(address="")], DocumentStates.reopen

    def reopen(own: DocumentStates) -> None:
        if refusals:
            raise refusals.pop()
        real(own)

    monkeypatch.setattr(DocumentStates, "reopen", reopen)
    assert document.status is DocumentStatus.READY
    filler.wake()
    assert wait_for(lambda: embedded(store) == [9])
    assert not refusals


def test_it_rests_while_somebody_waits_for_an_answer(store: Store, filler: VectorFiller, idle: threading.Event) -> None:
    store.put("me", "甲.txt", *TEXTS, embed=False)
    idle.clear()
    filler.wake()
    time.sleep(0.3)
    assert store.embeddings.embedded == []
    idle.set()
    assert wait_for(lambda: embedded(store) == [9])


def test_the_same_text_is_embedded_once(store: Store, filler: VectorFiller) -> None:
    store.put("me", "甲.txt", *TEXTS, embed=False)
    store.put("you", "甲.txt", *TEXTS, "还有一句。", embed=False)
    filler.wake()
    assert wait_for(lambda: len(store.embeddings.embedded) == 10)
    assert wait_for(lambda: store.catalog.documents("you")[0].status is DocumentStatus.READY)


def test_a_text_that_fails_keeps_no_other_from_its_vector_and_is_tried_again(
    store: Store, filler: VectorFiller
) -> None:
    store.embeddings.refused.add("第2件事")
    store.put("me", "甲.txt", *TEXTS, embed=False)
    filler.wake()
    assert wait_for(lambda: embedded(store) == [8])
    document = store.catalog.documents("me")[0]
    assert (document.status, document.searchable) == (DocumentStatus.EMBEDDING, True)
    assert wait_for(lambda: getattr(store.catalog.documents("me")[0].message, "key", "") == "error.embedding_failed")
    store.embeddings.refused.clear()
    assert wait_for(lambda: store.catalog.documents("me")[0].status is DocumentStatus.READY)
    document = store.catalog.documents("me")[0]
    assert (document.embedded, document.message) == (9, None)


@pytest.mark.clock
def test_refused_texts_of_one_keep_no_other_waiting_and_are_told_of_their_document_alone(
    store: Store, filler: VectorFiller
) -> None:
    store.embeddings.refused.add("毒")
    store.put("bob", "毒.txt", *(f"第{i}页有毒。" for i in range(40)), embed=False)
    store.embeddings.refused.add("图片")
    store.put("me", "页.txt", *TEXTS, "图片上的字。", embed=False)
    store.put("you", "丙.txt", "婚假为三天。", embed=False)
    with within_seconds(20):
        filler.wake()
        assert wait_for(lambda: store.catalog.documents("you")[0].status is DocumentStatus.READY)
        store.put("you", "丁.txt", "年假为十天。", embed=False)
        filler.wake()
        assert wait_for(lambda: store.catalog.documents("you")[1].status is DocumentStatus.READY)
    told = {name: store.catalog.documents(name)[0].message for name in ("bob", "me", "you")}
    assert told["bob"] is not None and told["me"] is not None and told["you"] is None
    assert embedded(store) == [9]


def test_a_store_that_takes_no_vectors_is_asked_less_and_less_often_though_the_model_is_well(
    store: Store, filler: VectorFiller, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = list[int]()

    def pause(before: int, _longest: float) -> float:
        failures.append(before)
        return 0.01

    def full(*_: object) -> None:
        raise DiskFull(path="x")

    with monkeypatch.context() as broken:
        broken.setattr(background, "pause", pause)
        broken.setattr(filling, "pause", lambda *_: 0.01)
        broken.setattr(store.knowledge, "add_vectors", full)
        store.put("me", "甲.txt", *TEXTS, embed=False)
        filler.wake()
        assert wait_for(lambda: failures[:4] == [0, 1, 2, 3])
        assert getattr(store.catalog.documents("me")[0].message, "key", "") == "error.disk_full"
    assert wait_for(lambda: store.catalog.documents("me")[0].status is DocumentStatus.READY)
    assert store.catalog.documents("me")[0].message is None


def test_a_text_that_takes_the_server_down_for_a_while_keeps_no_other_waiting_for_ever(
    store: Store, filler: VectorFiller, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed, down = store.embeddings.embed_documents, [False]

    def falls(texts: list[str]) -> list[list[float]]:
        was_down, down[0] = down[0], any("毒" in text for text in texts)
        if was_down or down[0]:
            raise ModelStreamBroken(model="fake")
        return embed(texts)

    monkeypatch.setattr(store.embeddings, "embed_documents", falls)
    store.put("bob", "毒.txt", "这一页有毒。", embed=False)
    store.put("you", "丙.txt", "婚假为三天。", "年假为十天。", embed=False)
    filler.wake()
    assert wait_for(lambda: store.catalog.documents("you")[0].status is DocumentStatus.READY)
    assert wait_for(lambda: store.catalog.documents("bob")[0].message is not None)


def test_a_vector_without_direction_keeps_no_other_text_from_its_own(
    store: Store, filler: VectorFiller, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed = store.embeddings.embed_query

    def zero(text: str) -> list[float]:
        return [0.0] * store.embeddings.dimension if "第2件" in text else embed(text)

    monkeypatch.setattr(store.embeddings, "embed_query", zero)
    store.put("me", "甲.txt", *TEXTS, embed=False)
    filler.wake()
    assert wait_for(lambda: embedded(store) == [8])
    assert wait_for(lambda: store.catalog.documents("me")[0].message is not None)


def test_a_model_that_fails_at_everything_is_not_asked_for_one_text_after_the_other(
    store: Store, filler: VectorFiller
) -> None:
    asked: list[int] = []

    def crash(texts: list[str]) -> list[list[float]]:
        asked.append(len(texts))
        raise ModelUnreachable(base_url="x")

    store.embeddings.embed_documents = crash  # type: ignore[method-assign]
    store.put("me", "甲.txt", *TEXTS, embed=False)
    filler.wake()
    assert wait_for(lambda: getattr(store.catalog.documents("me")[0].message, "key", "") == "error.model_unreachable")
    assert len(asked) <= 4


def test_another_models_documents_are_embedded_anew(tmp_path: Path, store: Store, idle: threading.Event) -> None:
    store.put("me", "甲.txt", *TEXTS)
    other = open_store(tmp_path, model_id="other")
    filler = VectorFiller(other.catalog, other.knowledge, idle)
    filler.wake()
    assert wait_for(lambda: embedded(other) == [9])
    filler.close()
    assert len(other.embeddings.embedded) == 9


@pytest.mark.clock
def test_closing_while_an_answer_is_waited_for_does_not_hang(
    store: Store, filler: VectorFiller, idle: threading.Event
) -> None:
    store.put("me", "甲.txt", *TEXTS, embed=False)
    idle.clear()
    filler.wake()
    with within_seconds(2):
        filler.close()


def test_a_model_that_raises_anything_does_not_end_the_filling_in(
    store: Store, filler: VectorFiller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(_texts: list[str]) -> list[list[float]]:
        raise RuntimeError("out of memory")

    with monkeypatch.context() as broken:
        broken.setattr(store.embeddings, "embed_documents", crash)
        store.put("me", "甲.txt", *TEXTS, embed=False)
        filler.wake()
        assert wait_for(
            lambda: getattr(store.catalog.documents("me")[0].message, "key", "") == "error.embedding_failed"
        )
    assert wait_for(lambda: embedded(store) == [9])


def test_a_model_of_another_dimension_under_the_same_name_is_refused_and_words_still_find(
    tmp_path: Path, store: Store
) -> None:
    store.put("me", "甲.txt", *TEXTS)
    store.embeddings.dimension = 7
    with pytest.raises(EmbeddingFailed):
        store.put("me", "乙.txt", "婚假为三天。")
    assert store.found("婚假", "me")[0] == "婚假为三天。"
    again = open_store(tmp_path)
    assert again.found("第三件事", "me") != []


def pauses(troubles: ModelTroubles, count: int) -> list[int]:
    """The pauses after failures in a row, in whole seconds."""
    found = []
    for _ in range(count):
        troubles.fail()
        found.append(round(troubles.left_alone))
    return found


def test_a_model_that_fails_at_once_is_left_alone_for_a_minute_at_most() -> None:
    assert pauses(ModelTroubles(), 8) == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_model_that_makes_a_vector_has_its_pauses_begin_anew() -> None:
    troubles = ModelTroubles()
    pauses(troubles, 3)
    assert (troubles.suspects_again(["a", "b"]), troubles.suspects_again(["b", "a"])) == (False, True)
    assert (troubles.succeed(), troubles.succeed()) == (True, False)
    assert not troubles.suspects_again(["a", "b"])
    assert pauses(troubles, 1) == [1]
