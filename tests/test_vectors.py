"""The rows of vectors."""

import sqlite3
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import event, insert

from rag.database import open_database, transaction
from rag.embeddings.encoder import Encoder
from rag.errors import StoreUnavailable
from rag.knowledge.catalog import Catalog
from rag.knowledge.document_states import Recognitions
from rag.knowledge.request import CHUNK_DENSE, PARENT_CHUNK_DENSE
from rag.knowledge.schema import vectors
from rag.knowledge.search_index import Space
from rag.knowledge.vectors import Vectors, VectorsByKey
from rag.types import Scope
from tests.fakes import FakeEmbeddings
from tests.knowledge import Store, local_knowledge, open_store, search
from tests.statements import asked_of

_INSTRUCTIONS_AT_ONCE = 1000


def narrow(connection: Any, *_: object) -> None:
    """Let a connection take few values in a statement."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 1100)


def test_after_a_change_of_model_the_vectors_of_the_one_before_are_not_looked_through_again(store: Store) -> None:
    engine, new, done = store.catalog.engine, Vectors(store.catalog.engine, "new"), []
    store.put("me", "手册.txt", "年假为十天。", "病假为五天。", embed=False)
    first, second = store.pending()
    old = [{"text_hash": str(number), "model_id": "old", "vector": b"\0" * 4} for number in range(20_000)]
    with transaction(engine) as connection:
        connection.execute(insert(vectors), old)
    new.add({first.text_hash: np.ones(1, np.float32)})

    def count(connection: Any, *_: object) -> None:
        connection.set_progress_handler(lambda: done.append(1), _INSTRUCTIONS_AT_ONCE)

    event.listen(engine, "checkout", count)
    new.add({second.text_hash: np.ones(1, np.float32)})
    assert len(done) * _INSTRUCTIONS_AT_ONCE < len(old)


def test_a_text_may_stand_in_more_passages_than_a_statement_takes_values(store: Store) -> None:
    store.put("me", "清单.txt", *["同上，见前页。"] * 1500, embed=False)
    event.listen(store.catalog.engine, "checkout", narrow)
    store.fill()
    assert store.pending() == ()
    assert len(store.found("同上", "me")) == 5


def test_more_documents_may_be_chosen_than_a_statement_takes_values(store: Store) -> None:
    document, _ = (store.put("me", name, f"{name}的年假为十天。") for name in ("甲.txt", "乙.txt"))
    chosen = frozenset({document.document_id, *map(str, range(1500))})
    recognitions = Recognitions(store.catalog.engine)
    recognitions.expect(document.document_id, [1])
    event.listen(store.catalog.engine, "checkout", narrow)
    found = search(store.knowledge, "年假", ["me"], scope=Scope(chosen)).hits
    assert {hit.chunk.document_id for hit in found} == {document.document_id}
    assert [placed.document_id for placed in store.order.documents(["me"], Scope(chosen))] == [document.document_id]
    assert store.order.left_of(chosen) == {document.document_id}
    assert store.catalog.known(chosen) == (store.catalog.document(document.document_id),)
    assert recognitions.counts(chosen) == {document.document_id: (0, 1)}


def test_where_the_store_refuses_one_collection_the_others_have_their_vectors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, present, asked = open_store(tmp_path), Vectors.present, []
    for session in ("me", "you"):
        store.put(session, "手册.txt", "年假为十天。", embed=False)
        store.found("年假", session)

    def refuse_once(*own: Any) -> set[int]:
        asked.append(own)
        if len(asked) == 1:
            raise StoreUnavailable(path="knowledge.db", reason="locked")
        return present(*own)

    monkeypatch.setattr(Vectors, "present", refuse_once)
    with pytest.raises(StoreUnavailable):
        store.fill()
    for session in ("me", "you"):
        assert CHUNK_DENSE in search(store.knowledge, "年假", [session]).hits[0].routes


def test_what_was_deleted_while_its_vectors_were_stored_is_not_searched_by_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, space = open_store(tmp_path), Space(CHUNK_DENSE, "fake")
    store.put("me", "留.txt", "病假为五天。")
    document = store.put("me", "删.txt", "年假为十天。", embed=False)
    store.found("年假", "me")
    gone, add = store.pending()[0].key, Vectors.add

    def then_delete(*own: Any) -> dict[tuple[str, str], VectorsByKey]:
        owned = add(*own)
        store.knowledge.delete(document.document_id)
        return owned

    monkeypatch.setattr(Vectors, "add", then_delete)
    store.fill()
    assert store.knowledge._index.covered(space, ["me"], [gone]) == set()


def test_a_vector_made_for_another_field_is_found_in_all_that_are_kept_of_its_model(tmp_path: Path) -> None:
    catalog, other = Catalog(open_database(f"sqlite:///{tmp_path / 'knowledge.db'}"), "fake"), FakeEmbeddings()
    store = Store(catalog, local_knowledge(catalog, other, more={PARENT_CHUNK_DENSE: Encoder(other, "other")}), other)
    store.put("me", "手册.txt", "年假为十天。")
    space, (pending,) = Space(CHUNK_DENSE, "other"), Vectors(catalog.engine, "other").pending(0, 9, PARENT_CHUNK_DENSE)
    # Somebody had chosen the model, and does no longer.
    assert store.knowledge._index.covered(space, ["me"], [1]) == set()
    store.knowledge.add_vectors({pending.text_hash: np.full(4, 0.5, np.float32)}, "other")
    assert store.knowledge._index.covered(space, ["me"], [1]) == {1}


def test_the_vectors_of_a_collection_are_reached_by_its_chunks(store: Store) -> None:
    with asked_of(store.catalog.engine) as asked:
        list(Vectors(store.catalog.engine, "fake").of_collection("me", "chunk_dense"))
    assert "(collection_id=?)" in asked.steps[0]


def test_how_far_a_file_is_filled_is_told_without_reading_its_passages(store: Store) -> None:
    store.put("me", "手册.pdf", "年假为十天。", "病假为五天。", embed=False)
    with asked_of(store.catalog.engine) as asked:
        (document,) = store.catalog.documents("me")
    assert (document.chunks, document.embedded) == (2, 0)
    of_passages = [step for step in asked.steps if "chunks" in step]
    assert of_passages and all("COVERING INDEX" in step for step in of_passages)
