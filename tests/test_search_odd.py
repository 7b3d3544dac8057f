"""Searches that have little to go by, or go wrong on the way."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine

from rag import i18n
from rag.knowledge.base import STILL_FILLING
from rag.knowledge.request import CHUNK_SPARSE, FusionSpec, SearchRequest, SingleSearchRequest
from rag.knowledge.texts import chunks_by_id
from rag.types import Chunk, Scope
from tests.knowledge import Store, content, open_store, search


def test_an_empty_corpus_finds_nothing_and_says_so_without_a_note(store: Store) -> None:
    result = search(store.knowledge, "年假", ["me", "shared"])
    assert (result.hits, result.trace.notes) == ((), ())
    assert [route.found for route in result.trace.routes] == [(), ()]
    assert search(store.knowledge, "年假", []).hits == ()


def test_a_single_passage_is_found(store: Store) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。")
    (hit,) = search(store.knowledge, "年假有几天", ["me"]).hits
    assert (hit.chunk.passage.text, hit.score) == ("员工每年有十天年假。", 1.0)


@pytest.mark.parametrize("embed", [True, False])
@pytest.mark.parametrize("question", ["？！。，", "...", "\u3000", "\0", "🙂"])
def test_a_question_without_words_finds_nothing_and_fails_nothing(store: Store, question: str, embed: bool) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。", embed=embed)
    assert search(store.knowledge, question, ["me"]).hits == ()


def test_a_very_long_question_finds_what_it_begins_with(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。", "服务器每天备份。", "密码至少十二位。")
    seen: list[str] = []
    plain = store.embeddings.embed_query

    def embed(text: str) -> list[float]:
        seen.append(text)
        return plain(text)

    monkeypatch.setattr(store.embeddings, "embed_query", embed)
    hits = search(store.knowledge, "员工年假有几天？" + "请说明。" * 2500, ["me"]).hits
    assert hits[0].chunk.passage.text == "员工每年有十天年假。"
    assert max(map(len, seen)) <= 700


def test_a_collection_deleted_while_it_is_searched_leaves_no_hits(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。")

    def after_deletion(engine: Engine, chunk_ids: Sequence[int], collections: Sequence[str]) -> dict[int, Chunk]:
        store.knowledge.delete_collection("me")
        return chunks_by_id(engine, chunk_ids, collections)

    monkeypatch.setattr("rag.knowledge.stored.chunks_by_id", after_deletion)
    assert search(store.knowledge, "年假", ["me"]).hits == ()


def test_a_document_that_is_read_anew_while_it_is_searched_is_found(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = store.put("me", "手册.pdf", "员工每年有十天年假。")
    loaded, sections = content("员工每年有十天年假。", "病假须有证明。")

    def after_reading(engine: Engine, chunk_ids: Sequence[int], collections: Sequence[str]) -> dict[int, Chunk]:
        monkeypatch.undo()
        store.knowledge.add(document.document_id, sections, loaded)
        return chunks_by_id(engine, chunk_ids, collections)

    monkeypatch.setattr("rag.knowledge.stored.chunks_by_id", after_reading)
    assert search(store.knowledge, "年假", ["me"]).hits[0].chunk.passage.text == "员工每年有十天年假。"


def test_a_model_that_has_changed_its_dimension_leaves_the_words_and_the_index(
    tmp_path: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。")
    again = open_store(tmp_path)
    again.embeddings.dimension = 7
    built: list[str] = []
    build = again.knowledge._index._indexes._build  # type: ignore[attr-defined]

    def noted(collection_id: str) -> object:
        built.append(collection_id)
        return build(collection_id)

    monkeypatch.setattr(again.knowledge._index._indexes, "_build", noted)  # type: ignore[attr-defined]
    search(again.knowledge, "年假", ["me"])
    result = search(again.knowledge, "年假", ["me"])
    assert [set(hit.routes) for hit in result.hits] == [{"chunk_sparse"}]
    (note,) = result.trace.notes
    reason: Any = note.values["reason"]
    assert (note.key, reason.key) == ("search.words_only", "error.embedding_replaced")
    assert "现在给出 7 维的向量" in i18n.sentence(i18n.Language.ZH, note)
    assert built == ["me"]


def test_a_vector_that_cannot_be_used_is_told_in_the_readers_language(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.put("me", "手册.pdf", "员工每年有十天年假。")
    monkeypatch.setattr(store.embeddings, "embed_query", lambda _text: [math.nan] * 4)
    result = search(store.knowledge, "年假", ["me"])
    assert [set(hit.routes) for hit in result.hits] == [{"chunk_sparse"}]
    told = [i18n.sentence(language, result.trace.notes[0]) for language in (i18n.Language.ZH, i18n.Language.EN)]
    assert "含有无效的数值" in told[0] and "holds what is no number" in told[1]


def test_a_model_that_raises_anything_leaves_a_question_to_its_words(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_text: str) -> list[float]:
        raise ValueError("a model's own code")

    store.put("me", "手册.pdf", "员工每年有十天年假。")
    monkeypatch.setattr(store.embeddings, "embed_query", fail)
    result = search(store.knowledge, "年假", ["me"])
    assert [hit.chunk.passage.text for hit in result.hits] == ["员工每年有十天年假。"]
    assert len(result.trace.notes) == 1


def test_a_search_says_where_most_of_what_words_find_has_no_vector_yet(store: Store) -> None:
    store.put("me", "1.pdf", "年假为十天。", embed=False)
    store.put("me", "2.pdf", "年假要提前申请。", "年假可以顺延。", embed=False)
    assert search(store.knowledge, "年假几天？", ["me"]).trace.notes == (STILL_FILLING,)
    by_words = SearchRequest([SingleSearchRequest(CHUNK_SPARSE)], fuse=FusionSpec(method="rrf"))
    assert search(store.knowledge, "年假几天？", ["me"], by_words).trace.notes == ()  # nothing else was wanted
    store.fill()
    assert search(store.knowledge, "年假几天？", ["me"]).trace.notes == ()


def test_where_words_find_nothing_a_search_says_that_most_of_what_there_is_has_no_vector_yet(store: Store) -> None:
    store.put("shared", "样例.pdf", "问渠那得清如许。")
    store.put("me", "1.pdf", "年假为十天。", "病假为五天。", embed=False)
    asked = "annual leave"
    assert search(store.knowledge, asked, ["me", "shared"]).trace.notes == (STILL_FILLING,)
    assert search(store.knowledge, asked, ["shared"]).trace.notes == ()
    assert search(store.knowledge, asked, ["nobody"]).trace.notes == ()
    store.fill()
    assert search(store.knowledge, asked, ["me", "shared"]).trace.notes == ()


def test_a_knowledge_base_tells_how_many_passages_have_no_vector_yet(store: Store) -> None:
    store.put("shared", "样例.pdf", "问渠那得清如许。")
    document = store.put("me", "1.pdf", "年假为十天。", "病假为五天。", embed=False)
    assert store.knowledge.lacking(["me", "shared"]) == 2
    assert store.knowledge.lacking(["shared"]) == store.knowledge.lacking(["nobody"]) == 0
    assert store.knowledge.lacking(["me", "shared"], Scope(document_ids=frozenset({document.document_id}))) == 2
    store.fill()
    assert store.knowledge.lacking(["me", "shared"]) == 0
