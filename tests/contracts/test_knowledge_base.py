"""What every knowledge base does; each backend beside a brute-force search of the same texts."""

import math
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from rag.database import reading
from rag.errors import UnknownDocument
from rag.knowledge.bm25 import Corpus
from rag.knowledge.contents import Contents
from rag.knowledge.index import CollectionIndex, DenseIndex, IndexCache
from rag.knowledge.local import LocalIndex
from rag.knowledge.postings import build as build_segment
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, FusionSpec, SearchRequest, SingleSearchRequest
from rag.knowledge.search_index import Space
from rag.knowledge.texts import index_text
from rag.knowledge.tokenizer import Tokenizer
from rag.types import EVERYTHING, DocumentStatus, Message, Scope, Section, TermGains
from tests.knowledge import REQUEST, SETTINGS, TOKENIZER, Store, all_of, content, open_store, search
from tests.milvus import open_milvus_store, release
from tests.statements import asked_of

TEXTS = (
    "员工每年有十天年假，须提前两周申请。",
    "病假需要医院证明，当月累计不超过五天。",
    "差旅报销在出差结束后三十天内提交发票。",
    "服务器每天凌晨两点自动备份数据库。",
    "密码至少十二位，每九十天更换一次。",
)


# What opens a store in a folder, by the name of its backend.
Opener = Callable[..., Store]
BACKENDS: dict[str, Opener] = {"local": open_store, "milvus": open_milvus_store}


@pytest.fixture(params=BACKENDS)
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    """What opens the test's store as another process would."""
    yield partial(BACKENDS[request.param], tmp_path)
    release(tmp_path)


@pytest.fixture
def store(reopen: Opener) -> Store:
    return reopen()


def rows(store: Store, table: str) -> int:
    with reading(store.catalog.engine) as connection:
        return int(connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0)


def test_a_question_finds_its_passage_with_page_and_scores(store: Store) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    best = search(store.knowledge, "年假有几天？", ["me"]).hits[0]
    assert best.chunk.passage.text == TEXTS[0]
    assert (best.chunk.document_name, best.chunk.document_id) == ("手册.pdf", document.document_id)
    assert (best.chunk.passage.page, best.chunk.passage.page_label) == (1, "1")
    assert 0 < best.score <= 1
    assert set(best.routes) == {CHUNK_DENSE, CHUNK_SPARSE}


def test_the_dense_route_is_the_brute_force_order(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    request = SearchRequest((SingleSearchRequest(CHUNK_DENSE),), FusionSpec(weights=(1.0,)))
    question = "备份数据库的密码"
    query = np.asarray(store.embeddings.embed_query(question))
    cosines = {passage: float(query @ np.asarray(store.embeddings.embed_query(passage))) for passage in TEXTS}
    hits = search(store.knowledge, question, ["me"], request).hits
    found = [cosines[hit.chunk.passage.text] for hit in hits]
    assert found == pytest.approx(sorted(cosines.values(), reverse=True), abs=1e-5)
    for hit in hits:
        assert hit.routes[CHUNK_DENSE] == pytest.approx(cosines[hit.chunk.passage.text], abs=1e-5)


def test_a_document_is_found_by_words_before_it_has_vectors(store: Store) -> None:
    document = store.put("me", "手册.pdf", *TEXTS, embed=False)
    assert document.status is DocumentStatus.EMBEDDING
    assert (document.chunks, document.embedded) == (5, 0)
    assert store.found("服务器备份", "me")[0] == TEXTS[3]
    store.fill()
    document = store.catalog.document(document.document_id)
    assert (document.status, document.embedded) == (DocumentStatus.READY, 5)


def test_a_document_without_vectors_is_not_pushed_behind_those_with_vectors(store: Store) -> None:
    store.put("me", "旧.pdf", *TEXTS[1:])
    store.put("me", "新.pdf", TEXTS[0], embed=False)
    assert store.found("年假提前两周申请", "me")[0] == TEXTS[0]


def test_no_collection_sees_another(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    store.put("you", "手册.pdf", "年假另有规定。")
    assert store.found("年假", "you") == ["年假另有规定。"]
    assert store.found("年假") == []
    assert set(store.found("年假", "me", "you")) >= {TEXTS[0], "年假另有规定。"}


def test_statistics_of_words_are_those_of_all_collections_searched(store: Store) -> None:
    store.put("me", "甲.txt", "年假规定", "病假规定", "事假规定")
    store.put("shared", "乙.txt", "年假说明", "备份说明", "密码说明")
    request = SearchRequest((SingleSearchRequest(CHUNK_SPARSE),), FusionSpec(weights=(1.0,)))
    hits = search(store.knowledge, "病假", ["me", "shared"], request).hits
    # Okapi's idf of a term in 1 of 6 chunks, each of them 3 terms long: two words and the bigram between them.
    assert [hit.routes[CHUNK_SPARSE] for hit in hits] == [pytest.approx(math.log(5.5 / 1.5), rel=0.2)]


def test_the_same_file_twice_is_one_document(store: Store) -> None:
    first = store.put("me", "手册.pdf", *TEXTS)
    again = store.catalog.register("me", "副本.pdf", first.sha256, first.size)
    assert again == first
    other = store.catalog.register("you", "手册.pdf", first.sha256, first.size)
    assert other.document_id != first.document_id
    assert len(store.catalog.documents("me")) == 1


def test_the_same_name_with_other_content_is_another_document_with_the_first_free_number(store: Store) -> None:
    for place, name in enumerate(("手册.pdf", "手册 (2).pdf", "手册.pdf", "手册")):
        store.put("me", name, TEXTS[place])
    store.put("you", "手册.pdf", TEXTS[0])
    names = [document.name for document in store.catalog.documents("me")]
    assert names == ["手册.pdf", "手册 (2).pdf", "手册 (3).pdf", "手册"]
    assert [document.name for document in store.catalog.documents("you")] == ["手册.pdf"]


def test_a_failed_document_that_is_queued_again_keeps_its_own_name(store: Store) -> None:
    store.put("me", "手册.pdf", TEXTS[0])
    for _ in range(2):
        second = store.catalog.register("me", "手册.pdf", "1" * 64, 10)
        assert second.name == "手册 (2).pdf"
        store.catalog.fail(second.document_id, Message("error.damaged_file", {"name": second.name}))


def test_a_failed_document_uploaded_again_is_queued_again(store: Store) -> None:
    document = store.catalog.register("me", "坏.pdf", "0" * 64, 10)
    store.catalog.start_attempt(document.document_id)
    message = Message("error.damaged_file", {"name": "坏.pdf", "path": Path("x")})
    store.catalog.fail(document.document_id, message)
    failed = store.catalog.document(document.document_id)
    assert failed.message == Message("error.damaged_file", {"name": "坏.pdf", "path": "x"})
    assert (failed.attempts, store.catalog.unfinished()) == (1, ())
    again = store.catalog.register("me", "好.pdf", "0" * 64, 10)
    assert (again.document_id, again.name) == (document.document_id, "好.pdf")
    assert (again.status, again.message, again.attempts) == (DocumentStatus.QUEUED, None, 0)
    assert store.catalog.unfinished() == (again,)


def test_pages_are_kept_and_counted_by_health(store: Store) -> None:
    document = store.put("me", "手册.pdf", TEXTS[0], "", TEXTS[1])
    assert (document.pages, document.text_pages, document.empty_pages, document.garbled_pages) == (3, 2, 1, 0)
    assert Contents(store.catalog.engine).placed(document.document_id, 3)[1].text == TEXTS[1]
    assert store.catalog.storage_used("me") == document.size
    with pytest.raises(UnknownDocument):
        Contents(store.catalog.engine).placed(document.document_id, 4)


def test_a_deleted_document_leaves_nothing(store: Store) -> None:
    kept = store.put("me", "留.pdf", TEXTS[0], TEXTS[1])
    gone = store.put("me", "删.pdf", TEXTS[1], TEXTS[2])
    store.knowledge.delete(gone.document_id)
    store.knowledge.clear_deleted()
    assert store.catalog.documents("me") == (kept,)
    assert store.found("差旅报销发票", "me") in ([], [TEXTS[0], TEXTS[1]], [TEXTS[1], TEXTS[0]])
    # The text that both had keeps its vector.
    assert (rows(store, "chunks"), rows(store, "vectors"), rows(store, "postings")) == (2, 2, 1)
    store.knowledge.delete(gone.document_id)
    store.knowledge.clear_deleted()


def test_a_deleted_collection_leaves_nothing(store: Store) -> None:
    store.put("me", "甲.pdf", *TEXTS)
    store.put("me", "乙.pdf", TEXTS[0], "别的内容。")
    store.put("you", "丙.pdf", TEXTS[0])
    store.knowledge.delete_collection("me")
    store.knowledge.clear_deleted()
    assert (store.found("年假", "me"), store.found("年假", "you")) == ([], [TEXTS[0]])
    assert [rows(store, table) for table in ("collections", "documents", "chunks", "vectors")] == [1, 1, 1, 1]


def test_what_a_deleted_document_left_is_removed_some_rows_at_a_time_so_that_others_can_write_meanwhile(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.knowledge.deletions.VALUES_AT_ONCE", 2)
    store.put("you", "乙.pdf", TEXTS[0])
    store.knowledge.delete(store.put("me", "甲.pdf", *TEXTS).document_id)
    assert rows(store, "documents") == 1 and rows(store, "chunks") == 1 + len(TEXTS)
    assert store.found(TEXTS[1], "me") == []
    with asked_of(store.catalog.engine) as asked:
        store.knowledge.clear_deleted()
    assert len([each for each in asked.statements if each.startswith("DELETE FROM chunks")]) == 3
    tables = ("chunks", "parents", "pages", "postings", "vectors", "deleted_documents")
    assert [rows(store, table) for table in tables] == [1, 1, 1, 1, 1, 0]
    assert store.found(TEXTS[0], "you") == [TEXTS[0]]


def test_what_is_deleted_while_that_of_another_is_removed_is_removed_with_the_next_look(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (store.put("me", f"{number}.pdf", TEXTS[number]).document_id for number in range(2))

    def delete_the_second(_: float) -> None:
        if rows(store, "documents") and rows(store, "chunks") == rows(store, "pages") == 1:
            store.knowledge.delete(second)

    monkeypatch.setattr("rag.knowledge.deletions.VALUES_AT_ONCE", 1)
    monkeypatch.setattr("rag.knowledge.deletions.time.sleep", delete_the_second)
    store.knowledge.delete(first)
    store.knowledge.clear_deleted()
    assert rows(store, "documents") == 0 and rows(store, "deleted_documents") == 1
    store.knowledge.clear_deleted()
    assert [rows(store, table) for table in ("chunks", "pages", "vectors", "deleted_documents")] == [0] * 4


def test_a_collection_of_many_documents_is_deleted_in_as_few_statements_as_one_of_few(store: Store) -> None:
    counts = []
    for documents in (1, 5):
        for number in range(documents):
            store.put("me", f"{number}.pdf", f"第{number}份。", embed=False)
        with asked_of(store.catalog.engine) as asked:
            store.knowledge.delete_collection("me")
            store.knowledge.clear_deleted()
        counts.append(len(asked.statements))
    assert counts[0] == counts[1]


def test_content_written_again_replaces_what_was_there(store: Store) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    loaded, sections = content(TEXTS[0], "新的一页谈的是食堂。")
    store.knowledge.add(document.document_id, sections, loaded)
    again = store.catalog.document(document.document_id)
    assert (again.pages, again.chunks, again.embedded) == (2, 2, 1)
    assert store.found("食堂", "me")[0] == "新的一页谈的是食堂。"
    assert TEXTS[3] not in store.found("服务器备份", "me")


def test_a_document_deleted_while_it_was_read_is_unknown(store: Store) -> None:
    document = store.catalog.register("me", "手册.pdf", "0" * 64, 10)
    store.knowledge.delete(document.document_id)
    store.knowledge.clear_deleted()
    loaded, sections = content(*TEXTS)
    with pytest.raises(UnknownDocument):
        store.knowledge.add(document.document_id, sections, loaded)
    assert rows(store, "chunks") == 0


def test_a_new_process_finds_the_same(store: Store, reopen: Opener) -> None:
    store.put("me", "甲.pdf", *TEXTS[:2])
    store.put("me", "乙.pdf", *TEXTS[2:])
    store.knowledge.delete(store.put("me", "丙.pdf", "没有人会记得的一页。").document_id)
    before, after = (search(which.knowledge, "两天的假", ["me"]).hits for which in (store, reopen()))
    assert before == after


def test_another_model_embeds_anew_and_never_mixes(store: Store, reopen: Opener) -> None:
    document = store.put("me", "手册.pdf", *TEXTS)
    other = reopen(model_id="other")
    assert other.catalog.document(document.document_id).embedded == 0
    assert all(CHUNK_DENSE not in hit.routes for hit in search(other.knowledge, "年假", ["me"]).hits)
    other.fill()
    assert other.catalog.document(document.document_id).embedded == 5
    assert (rows(store, "vectors"), len(store.embeddings.embedded)) == (10, 5)


def test_another_dictionary_makes_the_words_anew(tmp_path: Path, store: Store, reopen: Opener) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    dictionary = tmp_path / "words.txt"
    dictionary.write_text("凌晨两点", encoding="utf-8")
    again = reopen(tokenizer=Tokenizer(tmp_path / "cache", dictionary))
    assert again.found("凌晨两点", "me")[0] == TEXTS[3]
    with reading(store.catalog.engine) as connection:
        versions = connection.scalars(text("SELECT tokenizer FROM postings")).all()
    assert versions != [TOKENIZER.version]


def test_words_are_searched_where_the_question_cannot_be_embedded(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    store.embeddings.refused.add("年假")
    result = search(store.knowledge, "年假申请", ["me"])
    assert result.hits[0].chunk.passage.text == TEXTS[0]
    assert [note.key for note in result.trace.notes] == ["search.words_only"]
    assert "not searched by vector" in caplog.text


def test_several_phrasings_are_searched_together(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    hits = store.knowledge.search(["密码几位", "", "差旅报销"], ["me"], REQUEST).hits
    assert {hit.chunk.passage.text for hit in hits[:2]} == {TEXTS[4], TEXTS[2]}
    assert store.knowledge.search(["", " "], ["me"], REQUEST).hits == ()


def test_a_request_says_how_many_and_how_they_are_fused(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    by_rank = SearchRequest(fuse=FusionSpec("rrf"), limit=2)
    hits = search(store.knowledge, "年假几天", ["me"], by_rank).hits
    assert (len(hits), hits[0].chunk.passage.text, hits[0].score) == (2, TEXTS[0], 1.0)
    one_each = replace(by_rank, top_k=1, limit=5)
    assert len(search(store.knowledge, "年假几天", ["me"], one_each).hits) <= 2


def test_a_knowledge_base_tells_what_each_word_gave_a_hit(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    store.put("you", "他人.pdf", "忘记密码就找信息部。", "食堂每天开门。")
    question = "密码几位，忘记密码就找谁"
    hits = {hit.chunk.chunk_id: hit for hit in search(store.knowledge, question, ["me", "you"]).hits}
    told = store.knowledge.explain(question, ["me", "you"], list(hits))
    assert set(told) == set(hits) and any("密码" in gains.terms for gains in told.values())
    for chunk_id, gains in told.items():
        assert gains.total == pytest.approx(hits[chunk_id].routes.get(CHUNK_SPARSE, 0.0), abs=1e-5)
        assert all(term in hits[chunk_id].chunk.passage.text for term in gains.terms)
    # What a reader is not told of are pairs of characters from two words, 记密.
    assert any(sum(gains.terms.values()) < gains.total - 1e-3 for gains in told.values())
    theirs = next(chunk for chunk, hit in hits.items() if hit.chunk.collection_id == "you")
    assert store.knowledge.explain("密码几位", ["me"], [theirs]) == {theirs: TermGains()}
    assert store.knowledge.explain("……", ["me"], list(hits)) == dict.fromkeys(hits, TermGains())


def test_a_knowledge_base_tells_how_near_sentences_are_to_a_question(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    texts = ["密码至少要有十二位字符。", "食堂每天开门。"]
    near, far = store.knowledge.similarities("密码至少几位字符", texts, ["me"])
    assert near.total > far.total
    assert list(store.knowledge.similarities("密码", [], ["me"])) == []


def test_a_scope_of_documents_and_pages_is_applied_before_any_limit(store: Store) -> None:
    store.put("me", "甲.pdf", *(f"年假规定的第{i}种说法，年假年假。" for i in range(30)))
    chosen = store.put("me", "乙.pdf", "食堂几点开门。", "年假另有安排，见附录。", "病假须有证明。")
    scope = Scope(frozenset({chosen.document_id}), frozenset({2, 3}))
    request = SearchRequest(top_k=3, limit=3)
    result = search(store.knowledge, "年假规定", ["me"], request, scope)
    assert {hit.chunk.passage.text for hit in result.hits} == {"年假另有安排，见附录。", "病假须有证明。"}
    assert search(store.knowledge, "年假规定", ["you"], request, scope).hits == ()
    assert search(store.knowledge, "年假规定", ["me"], request, Scope(frozenset())).hits == ()


def test_a_passage_whose_first_lines_end_a_page_is_found_on_that_page_too(store: Store) -> None:
    loaded, (first, second) = content("年假规定如下：", "入职满一年的为十天，满十年的为十五天。")
    start, end = first.parent.start, second.parent.end
    passage = replace(second.parent, text=loaded.text[start:end], start=start, end=end)
    document = store.catalog.register("me", "手册.pdf", "sha", len(loaded.text))
    store.knowledge.add(document.document_id, (Section(passage, (passage,)),), loaded)
    store.fill()
    for field in (CHUNK_SPARSE, CHUNK_DENSE):
        request = SearchRequest(requests=(SingleSearchRequest(field),), fuse=FusionSpec("rrf"))
        for page, count in ((1, 1), (2, 1), (3, 0)):
            scope = Scope(pages=frozenset({page}))
            assert len(search(store.knowledge, "年假规定", ["me"], request, scope).hits) == count


def test_a_scope_of_chunks_is_applied_before_any_limit(store: Store) -> None:
    store.put("me", "甲.pdf", *(f"年假规定的第{i}种说法，年假年假。" for i in range(30)), "年假另有安排，见附录。")
    everything = search(store.knowledge, "年假规定", ["me"], SearchRequest(top_k=40, limit=40)).hits
    chosen = {hit.chunk.chunk_id for hit in everything if hit.chunk.passage.page in (17, 31)}
    scope = Scope(chunk_ids=frozenset(chosen))
    for field in (CHUNK_SPARSE, CHUNK_DENSE):
        request = SearchRequest(requests=(SingleSearchRequest(field),), fuse=FusionSpec("rrf"), top_k=3, limit=3)
        found = search(store.knowledge, "年假规定", ["me"], request, scope).hits
        assert {hit.chunk.chunk_id for hit in found} == chosen
    assert search(store.knowledge, "年假规定", ["me"], scope=Scope(chunk_ids=frozenset())).hits == ()


def test_statistics_of_words_do_not_change_with_the_scope(store: Store) -> None:
    chosen = store.put("me", "甲.pdf", *TEXTS)
    store.put("me", "乙.pdf", "年假说明", "备份说明", "密码说明")
    whole, narrow = (
        search(store.knowledge, "年假几天", ["me"], SearchRequest(limit=20), scope).hits
        for scope in (EVERYTHING, Scope(frozenset({chosen.document_id})))
    )
    scores = {hit.chunk.chunk_id: hit.routes.get(CHUNK_SPARSE) for hit in whole}
    assert [hit.routes.get(CHUNK_SPARSE) for hit in narrow] == [scores[hit.chunk.chunk_id] for hit in narrow]


def test_a_search_tells_what_each_route_found_and_the_seconds_it_took(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    result = search(store.knowledge, "年假几天", ["me"])
    dense, sparse = result.trace.routes
    assert (dense.field, sparse.field) == (CHUNK_DENSE, CHUNK_SPARSE)
    assert [score for _, score in dense.found] == sorted((score for _, score in dense.found), reverse=True)
    assert sparse.found[0] == (result.hits[0].chunk.chunk_id, result.hits[0].routes[CHUNK_SPARSE])
    assert dense.seconds > 0 and sparse.seconds > 0
    assert result.trace.seconds["search"] >= dense.seconds + sparse.seconds
    assert result.trace.notes == ()


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SearchRequest(fuse=FusionSpec(weights=(1.0,))),
        lambda: SearchRequest([SingleSearchRequest(CHUNK_DENSE), SingleSearchRequest(CHUNK_DENSE)]),
        lambda: SearchRequest([]),
        lambda: SearchRequest(limit=0),
        lambda: SearchRequest(top_k=2.5),  # type: ignore[arg-type]
        lambda: SingleSearchRequest("chunk"),
        lambda: SingleSearchRequest(CHUNK_DENSE, limit=-1),
        lambda: FusionSpec("mean"),  # type: ignore[arg-type]
        lambda: FusionSpec("rrf", k=0),
        lambda: FusionSpec(weights=[0.0, 0.0]),
        lambda: FusionSpec(weights=[math.nan, 1.0]),
        lambda: FusionSpec(weights=None),  # type: ignore[arg-type]
        lambda: FusionSpec(weights=["half", 1.0]),  # type: ignore[list-item]
        lambda: SearchRequest([CHUNK_SPARSE]),  # type: ignore[list-item]
        lambda: SearchRequest(None),  # type: ignore[arg-type]
    ],
)
def test_a_request_that_makes_no_sense_is_refused(wrong: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"weights|requests|limit|top_k|SearchRequest|FusionSpec"):
        wrong()


def test_vectors_of_deleted_chunks_are_not_kept(store: Store) -> None:
    document = store.put("me", "手册.pdf", TEXTS[0], embed=False)
    pending = store.pending()[0]
    store.knowledge.delete(document.document_id)
    store.knowledge.clear_deleted()
    store.knowledge.add_vectors({pending.text_hash: np.array([1, 0], np.float32)}, "fake")
    assert rows(store, "vectors") == 0


def test_headings_are_searched_with_the_passage(store: Store) -> None:
    loaded, sections = content("须提前两周提出。", "须附上发票。", "须附上证明。", heading="")
    headed = replace(sections[0].children[0], heading_path=("第二章", "年假"))
    sections = (replace(sections[0], children=(headed,)), *sections[1:])
    document = store.catalog.register("me", "手册.pdf", "0" * 64, 10)
    store.knowledge.add(document.document_id, sections, loaded)
    assert index_text(headed) == "第二章 > 年假\n须提前两周提出。"
    hit = search(store.knowledge, "年假", ["me"]).hits[0]
    assert (hit.chunk.passage.heading_path, hit.chunk.passage.text) == (("第二章", "年假"), "须提前两周提出。")


def test_a_document_is_found_by_its_name_and_not_by_its_suffix(store: Store) -> None:
    named = store.put("me", "报销制度.pdf", "须附上发票。", embed=False)
    for name in ("考勤.pdf", "采购.pdf"):
        store.put("me", name, "须提前提出。", embed=False)
    assert [hit.chunk.document_id for hit in search(store.knowledge, "报销制度", ["me"]).hits] == [named.document_id]
    assert not search(store.knowledge, "pdf", ["me"]).hits


@dataclass
class Weighed:
    """An index of some size."""

    nbytes: int


@pytest.mark.parametrize(("nbytes", "kept"), [(100, 10), (200, 8), (10_000, 8)])
def test_collections_used_long_ago_are_forgotten_by_what_they_take_but_not_the_last_few(nbytes: int, kept: int) -> None:
    built: list[str] = []

    def build(collection_id: str) -> Weighed:
        built.append(collection_id)
        return Weighed(nbytes)

    cache, names = IndexCache(build, most_bytes=1000), [str(number) for number in range(kept + 1)]
    for collection_id in (*names[:-1], *names[:-1], names[-1], names[1], names[0]):
        with cache.open(collection_id):
            pass
    assert built == [*names, names[0]]


def test_an_index_that_has_grown_counts_for_what_it_takes_now() -> None:
    cache = IndexCache(lambda _: Weighed(1), most_bytes=1000)
    for number in range(10):
        with cache.open(str(number)) as index:
            index.nbytes = 10_000
    assert len(cache._indexes) == 8


def test_the_statistics_of_words_go_with_the_index_that_they_were_made_of(tmp_path: Path) -> None:
    def build(_: str) -> CollectionIndex:
        return CollectionIndex([build_segment([1], [["年假"]])])

    local = LocalIndex(open_store(tmp_path).catalog.engine, TOKENIZER, SETTINGS.sparse_fields.chunk)
    local._indexes = IndexCache(build, most_bytes=8)
    corpus = weakref.ref(local._corpus(["mine", "shared"]))
    assert corpus() is local._corpus(["mine", "shared"])
    for number in range(8):
        local.words([["年假"]], 1, all_of(str(number)))
    assert corpus() is None


def test_an_index_tells_what_it_takes() -> None:
    index, space = CollectionIndex(()), Space(CHUNK_DENSE, "fake")
    index.dense[space] = DenseIndex()
    empty = index.nbytes
    index.add(build_segment([1, 2], [["年假", "十天"], ["病假"]]))
    with_words = index.nbytes
    index.add_vectors(space, {1: np.ones(384, np.float32)})
    assert empty < with_words < index.nbytes - 384 * 4
    index.statistics["mine",] = index.segments, Corpus(index.segments)
    index.clear()
    assert index.nbytes == empty


def test_nobody_waits_for_the_index_of_another_collection_and_no_lock_is_left() -> None:
    cache = IndexCache(lambda _: CollectionIndex(()))

    def open_many() -> None:
        for number in range(1000):
            with cache.open(f"session {number}"):
                pass

    with ThreadPoolExecutor(1) as pool, cache.open("shared"):
        pool.submit(open_many).result(timeout=60)
        assert len(cache._locks) == 1
    assert len(cache._locks) == 0


def test_searches_and_changes_at_the_same_time_do_not_meet(store: Store) -> None:
    store.put("me", "手册.pdf", *TEXTS)
    done = threading.Event()

    def search() -> bool:
        found = True
        while not done.is_set():
            found = found and TEXTS[0] in store.found("年假十天", "me")
        return found

    with ThreadPoolExecutor(3) as pool:
        searches = [pool.submit(search) for _ in range(3)]
        try:
            for i in range(8):
                store.knowledge.delete(store.put("me", f"{i}.txt", f"第{i}份临时资料，与假期无关。").document_id)
        finally:
            done.set()
        assert [search.result() for search in searches] == [True, True, True]
