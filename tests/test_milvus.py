"""The knowledge base on Milvus: it finds what the local one finds, and survives that Milvus goes away."""

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from milvus_lite.adapter.grpc.server import start_server_in_thread
from pydantic import ValidationError
from pymilvus import MilvusClient, MilvusException

from rag.database import transaction
from rag.embeddings.encoder import Encoder
from rag.errors import KnowledgeUnavailable, StoreUnavailable
from rag.knowledge.encoders import Encoders
from rag.knowledge.fusion import ranked
from rag.knowledge.index import IndexCache, statistics_of
from rag.knowledge.local import LocalIndex
from rag.knowledge.milvus.connection import Connection
from rag.knowledge.milvus.field import MilvusField, Row, rows_of, tag
from rag.knowledge.milvus.index import MilvusIndex, Reconciler
from rag.knowledge.milvus.words import CollectionTerms, TermStatistics, frequencies_of, shares_of
from rag.knowledge.postings import build
from rag.knowledge.request import (
    ALL_FIELDS,
    CHUNK_DENSE,
    CHUNK_SPARSE,
    PARENT_CHUNK_DENSE,
    QUESTIONS_DENSE,
    FusionSpec,
    SearchRequest,
    SingleSearchRequest,
)
from rag.knowledge.search_index import Space
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.vectors import Vectors
from rag.settings import MilvusSettings
from rag.types import EVERYTHING, Document, Scope
from tests.fakes import FakeEmbeddings
from tests.knowledge import SETTINGS, TOKENIZER, Store, all_of, search
from tests.milvus import open_milvus, release
from tests.waiting import wait_for, within_seconds

TEXTS = (
    "员工每年有十天年假，须提前两周申请。",
    "病假需要医院证明，当月累计不超过五天。",
    "差旅报销在出差结束后三十天内提交发票。",
    "服务器每天凌晨两点自动备份数据库。",
    "密码至少十二位，每九十天更换一次。",
)
OTHERS = (
    "年假的天数随工龄增加，见附表。",
    "病假超过三天时由主管批准，并通知人事。",
    "数据库的备份保留三十天，之后自动删除。",
    "密码不得写在纸上，也不得告诉别人，年假期间也是如此。",
    "食堂每天十一点半开门。",
    "两次年假之间至少隔一周。",
    "发票须写明单位的全称和税号。",
    "服务器维护通常安排在周末，事先会通知。",
    "病假和年假不能连在一起申请。",
)
# What a hostile client may send as the id of a collection or document.
HOSTILE = ('x" or key >= 0 or document_tag == "', "x'] or true or document_tag in ['", "\\", '"', "")


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[tuple[Store, MilvusIndex]]:
    yield open_milvus(tmp_path)
    release(tmp_path)


def stored(index: MilvusIndex) -> dict[str, list[int]]:
    """The keys of the rows that Milvus has, by field."""
    return {field: own.keys().tolist() for field, own in index._fields.items()}


@dataclass(frozen=True)
class Beside:
    """A knowledge base with all fields on Milvus, its index, and a local one over the same rows."""

    remote: StoredKnowledgeBase
    index: MilvusIndex
    local: StoredKnowledgeBase
    local_index: LocalIndex
    chosen: Document


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Beside]:
    store, _ = open_milvus(tmp_path)
    catalog, embeddings = store.catalog, store.embeddings
    encoders = {
        CHUNK_DENSE: Encoder(embeddings, "fake"),
        PARENT_CHUNK_DENSE: Encoder(FakeEmbeddings(dimension=64), "other"),
        QUESTIONS_DENSE: Encoder(embeddings, "fake"),
    }
    milvus = SETTINGS.model_copy(update={"milvus": MilvusSettings(uri=str(tmp_path / "milvus.db"))})
    index = MilvusIndex(catalog.engine, encoders, TOKENIZER, milvus)
    configured = Encoders(catalog.engine, encoders)
    remote = StoredKnowledgeBase(catalog, configured, TOKENIZER, index)
    whole = Store(catalog, remote, embeddings)
    whole.put("me", "甲.pdf", *TEXTS, embed=False)
    chosen = whole.put("me", "乙.pdf", *OTHERS, embed=False)
    whole.put("you", "丙.pdf", "年假另有规定，年假年假。", embed=False)
    remote.add_questions(1, ["年假有几天？", "怎样请年假？"])
    for field, encoder in encoders.items():
        pending = Vectors(catalog.engine, encoder.model_id).pending(0, 100, field)
        made = encoder.passages([text.text for text in pending])
        vectors = {text.text_hash: vector for text, vector in zip(pending, made, strict=True)}
        remote.add_vectors(vectors, encoder.model_id)
    # One that has its vector.
    remote.add_questions(6, ["年假有几天？"])
    # Without vectors as yet.
    whole.put("me", "丁.pdf", "新的年假规定明年起施行。", embed=False)
    local_index = LocalIndex(catalog.engine, TOKENIZER, SETTINGS.sparse_fields.chunk)
    local = StoredKnowledgeBase(catalog, configured, TOKENIZER, local_index)
    yield Beside(remote, index, local, local_index, chosen)
    release(tmp_path)


def test_all_fields_scopes_and_fusions_find_what_the_local_index_finds(beside: Beside) -> None:
    routes = [SingleSearchRequest(field) for field in ALL_FIELDS]
    scopes = (
        EVERYTHING,
        Scope(frozenset({beside.chosen.document_id}), frozenset({2, 3, 4, 9})),
        Scope(pages=frozenset({1})),
    )
    for fuse in (FusionSpec(weights=[0.4, 0.2, 0.2, 0.2]), FusionSpec("rrf")):
        for scope in scopes:
            request = SearchRequest(routes, fuse, limit=20)
            questions, collections = ["年假有几天", "备份与密码"], ["me", "you"]
            theirs, ours = (
                own.search(questions, collections, request, scope).hits for own in (beside.local, beside.remote)
            )
            expected = {hit.chunk.chunk_id: hit.routes for hit in theirs}
            assert {hit.chunk.chunk_id for hit in ours} == set(expected)
            for hit in ours:
                assert hit.routes == pytest.approx(expected[hit.chunk.chunk_id], abs=1e-5)
            # Cosines that differ by rounding alone may change their ranks.
            assert [hit.score for hit in ours] == pytest.approx([hit.score for hit in theirs], abs=0.01)


def test_a_scope_of_chunks_holds_in_every_field_before_any_limit(beside: Beside) -> None:
    scope = Scope(chunk_ids=frozenset({1}))
    for field in ALL_FIELDS:
        request = SearchRequest([SingleSearchRequest(field, 1)], FusionSpec("rrf"), top_k=1)
        for own in (beside.local, beside.remote):
            found = own.search(["病假和年假"], ["me", "you"], request, scope).hits
            assert [hit.chunk.chunk_id for hit in found] == [1]


def test_of_several_collections_no_more_keys_are_found_than_asked_for(beside: Beside) -> None:
    asked, bounds = FakeEmbeddings().embed_query("年假另有规定"), all_of("me", "you")
    for own in (beside.local_index, beside.index):
        (found,) = own.nearest(Space(CHUNK_DENSE, "fake"), [np.array(asked, np.float32)], 2, bounds)
        assert [key for key, _ in ranked(found)][:1] == [15] and len(found) == 2


def test_no_more_is_asked_of_milvus_than_it_gives(
    opened: tuple[Store, MilvusIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, asked, plain = opened[0], list[int](), MilvusClient.search
    store.put("me", "手册.pdf", *TEXTS)

    def noted(client: MilvusClient, name: str, *, limit: int, **named: object) -> object:
        asked.append(limit)
        return plain(client, name, limit=limit, **named)

    monkeypatch.setattr(MilvusClient, "search", noted)
    routes = [SingleSearchRequest(field, 20_000) for field in (CHUNK_DENSE, CHUNK_SPARSE)]
    assert search(store.knowledge, "年假几天", ["me"], SearchRequest(routes, top_k=20_000)).hits
    # Milvus refuses more than 16,384; Milvus Lite does not.
    assert len(asked) == 2 and max(asked) <= 16_384


def test_statistics_are_kept_until_words_change_and_count_for_what_they_take() -> None:
    segments = [build([1], [["年假"]]), build([2], [["病假"]])]
    index = IndexCache(lambda _: CollectionTerms(lambda: segments))
    first = statistics_of(index, ["mine", "shared"], TermStatistics)
    assert statistics_of(index, ["mine", "shared"], TermStatistics) is first
    with index.open("mine") as own:
        before = own.nbytes
        own.forget()
        assert own.nbytes < before
    assert statistics_of(index, ["mine", "shared"], TermStatistics) is not first


@settings(max_examples=200)
@given(st.integers(1, 2000), st.integers(0, 3000))
def test_how_often_a_term_occurs_can_be_read_from_32_bits_of_its_share(frequency: int, others: int) -> None:
    length = np.array([float(frequency + others)])
    share = shares_of(np.array([float(frequency)]), length).astype(np.float32).astype(np.float64)
    assert frequencies_of(share[None, :], length).tolist() == [[frequency]]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_from_a_client_cannot_change_a_filter(opened: tuple[Store, MilvusIndex], name: str) -> None:
    store, _ = opened
    store.put("me", "手册.pdf", *TEXTS)
    assert set(tag(name)) <= set("0123456789abcdef")
    assert search(store.knowledge, "年假几天", [name]).hits == ()
    assert search(store.knowledge, "年假几天", ["me"], scope=Scope(frozenset({name}))).hits == ()
    store.knowledge.delete(name)
    store.knowledge.delete_collection(name)
    assert store.found("年假几天", "me")[0] == TEXTS[0]


def test_pages_stand_in_a_filter_as_runs() -> None:
    expression = rows_of(["me"], Scope(pages=frozenset({3, 4, 5, 9})))
    assert expression is not None
    assert expression.endswith("((page <= 5 and last_page >= 3) or (page <= 9 and last_page >= 9))")
    assert rows_of([], Scope()) is None
    assert rows_of(["me"], Scope(pages=frozenset())) is None


def test_a_deleted_collection_leaves_no_row(opened: tuple[Store, MilvusIndex]) -> None:
    store, index = opened
    store.put("me", "甲.pdf", *TEXTS)
    kept = store.put("you", "乙.pdf", TEXTS[0])
    store.knowledge.delete_collection("me")
    assert stored(index) == {CHUNK_DENSE: [6], CHUNK_SPARSE: [6]}
    store.knowledge.delete(kept.document_id)
    assert stored(index) == {CHUNK_DENSE: [], CHUNK_SPARSE: []}


def test_what_a_killed_process_did_not_write_or_delete_is_made_up_for(opened: tuple[Store, MilvusIndex]) -> None:
    store, index = opened
    gone = store.put("me", "甲.pdf", *TEXTS[:2])
    # From here on nothing reaches Milvus, as when a process ends between the two.
    index.behind.set()
    store.knowledge.delete(gone.document_id)
    store.put("me", "乙.pdf", *TEXTS[2:])
    assert stored(index) == {CHUNK_DENSE: [1, 2], CHUNK_SPARSE: [1, 2]}
    assert store.found("差旅报销发票", "me") == []
    index.reconcile()
    assert stored(index) == {CHUNK_DENSE: [3, 4, 5], CHUNK_SPARSE: [3, 4, 5]}
    assert store.found("差旅报销发票", "me")[0] == TEXTS[2]


def test_what_the_store_refuses_in_the_middle_of_a_change_is_made_up_for(
    opened: tuple[Store, MilvusIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, index = opened

    def refuse(*_: object) -> None:
        raise StoreUnavailable(path="knowledge.db", reason="locked")

    with monkeypatch.context() as refusing:
        refusing.setattr(index._rows, "places", refuse)
        with pytest.raises(StoreUnavailable):
            store.put("me", "甲.pdf", *TEXTS)
    assert index.behind.is_set()
    index.reconcile()
    assert stored(index)[CHUNK_SPARSE] == [1, 2, 3, 4, 5]


class Comer(threading.Thread):
    """Somebody who comes while the first rows of a field are written, and has to wait for the collection."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, index: MilvusIndex, field: str, work: Callable[[], object]):
        super().__init__(target=work)
        self.had_waited = False
        self._field = index._fields[field]
        self._upsert = self._field.upsert
        monkeypatch.setattr(self._field, "upsert", self.write)

    def write(self, rows: Sequence[Row]) -> None:
        if self.ident is None:
            self.start()
            self.join(0.2)
            self.had_waited = self.is_alive()
        self._upsert(rows)


def put_behind_milvus(store: Store, index: MilvusIndex) -> list[Document]:
    """Documents that are in SQLite alone."""
    index.behind.set()
    return [store.put("me", f"{place}.pdf", text) for place, text in enumerate(TEXTS)]


def test_words_are_searched_while_a_large_collection_is_written(
    opened: tuple[Store, MilvusIndex], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, index = opened
    put_behind_milvus(store, index)
    comer = Comer(monkeypatch, index, CHUNK_SPARSE, lambda: store.found("年假", "me"))
    waited: list[bool] = []
    write = index._fields[CHUNK_SPARSE].upsert

    def noted(rows: Sequence[Row]) -> None:
        write(rows)
        waited.append(comer.is_alive())

    monkeypatch.setattr(index._fields[CHUNK_SPARSE], "upsert", noted)
    index.reconcile()
    comer.join(30)
    assert comer.had_waited
    assert (waited[0], waited[-1]) == (True, False)


@pytest.mark.parametrize("tokenizer", [TOKENIZER.version, "of-last-year"])
def test_a_document_that_is_deleted_while_its_collection_is_written_leaves_no_row(
    opened: tuple[Store, MilvusIndex], monkeypatch: pytest.MonkeyPatch, tokenizer: str
) -> None:
    store, index = opened
    last = put_behind_milvus(store, index)[-1].document_id
    with transaction(store.catalog.engine) as connection:
        connection.exec_driver_sql("UPDATE postings SET tokenizer = ?", (tokenizer,))
    comer = Comer(monkeypatch, index, CHUNK_SPARSE, lambda: store.knowledge.delete(last))
    index.reconcile()
    comer.join(30)
    assert comer.had_waited
    assert stored(index) == {CHUNK_DENSE: [1, 2, 3, 4], CHUNK_SPARSE: [1, 2, 3, 4]}


def test_who_compares_while_a_collection_is_made_does_not_index_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = MilvusClient.list_indexes

    def slow(client: MilvusClient, name: str, *rest: object, **named: object) -> object:
        indexes = listed(client, name, *rest, **named)
        time.sleep(0.3)
        return indexes

    monkeypatch.setattr(MilvusClient, "list_indexes", slow)
    server, database, port = start_server_in_thread(data_dir=str(tmp_path / "server"), host="127.0.0.1", port=0)
    field = MilvusField(Connection(MilvusSettings(uri=f"http://127.0.0.1:{port}")), "made")
    row = {"key": 1, "collection_tag": "a", "document_tag": "b", "page": 1, "last_page": 1, "vector": [1.0, 0.0]}
    writer = threading.Thread(target=field.upsert, args=([row],))
    writer.start()
    while writer.is_alive():
        field.keys()
    assert field.keys().tolist() == [1]
    server.stop(0).wait()
    database.close()


def test_what_another_model_had_is_dropped(tmp_path: Path, opened: tuple[Store, MilvusIndex]) -> None:
    store, index = opened
    store.put("me", "甲.pdf", *TEXTS)
    other, other_index = open_milvus(tmp_path, model_id="other")
    other_index.reconcile()
    other.fill()
    index.reconcile()
    # The same file, and each brings back only what is its own.
    assert stored(index)[CHUNK_DENSE] == [1, 2, 3, 4, 5]
    other_index._fields[CHUNK_DENSE].forget()
    assert stored(other_index)[CHUNK_DENSE] == []


def test_a_store_that_begins_anew_takes_no_row_of_the_one_before_for_its_own(
    tmp_path: Path, opened: tuple[Store, MilvusIndex]
) -> None:
    opened[0].put("me", "甲.pdf", TEXTS[0])
    (tmp_path / "new").mkdir()
    new, index = open_milvus(tmp_path / "new", uri=str(tmp_path / "milvus.db"))
    index.behind.set()  # Milvus is away while the key of that row is given out again
    new.put("you", "乙.pdf", OTHERS[0])
    index.reconcile()
    assert new.found("年假几天", "me") == []
    assert new.found("年假几天", "you") == [OTHERS[0]]


def test_a_row_that_names_another_sessions_chunk_does_not_show_it(opened: tuple[Store, MilvusIndex]) -> None:
    store, index = opened
    store.put("me", "甲.pdf", TEXTS[0])
    with transaction(store.catalog.engine) as connection:
        connection.exec_driver_sql("INSERT INTO collections (collection_id, created_at) VALUES ('you', '2026-01-01')")
        connection.exec_driver_sql("UPDATE documents SET collection_id = 'you'")
    assert stored(index)[CHUNK_SPARSE] == [1]
    assert store.found("年假几天", "me") == []


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A port where somebody listens and never answers."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(8)
        yield silent.getsockname()[1]


@pytest.mark.parametrize("silent", [False, True])
def test_a_server_that_does_not_answer_is_told_of_soon_and_nothing_is_lost(
    tmp_path: Path, silent_port: int, silent: bool, caplog: pytest.LogCaptureFixture
) -> None:
    # Port 9 is closed.
    uri = f"http://me:secret@127.0.0.1:{silent_port if silent else 9}"
    store, _ = open_milvus(tmp_path, uri=uri)
    with within_seconds(30):
        document = store.put("me", "手册.pdf", *TEXTS)
        with pytest.raises(KnowledgeUnavailable) as raised:
            store.found("年假", "me")
    told = f"检索服务 Milvus（http://127.0.0.1:{silent_port if silent else 9}）现在无法使用，请检查它是否在运行。"
    assert str(raised.value).startswith(told)
    # What it said, in English, is for who runs the server.
    assert "Milvus at http://127.0.0.1" in caplog.text and "secret" not in caplog.text
    assert (document.chunks, document.embedded) == (5, 5)
    store.knowledge.delete(document.document_id)
    assert store.catalog.documents("me") == ()


def test_readers_are_told_the_name_of_a_file_that_fails_and_not_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "broken.db"
    with pytest.raises(KnowledgeUnavailable) as raised, Connection(MilvusSettings(uri=str(file))).open():
        raise MilvusException(message="broken")
    assert "broken.db" in str(raised.value) and str(tmp_path) not in str(raised.value)


def test_work_goes_on_by_itself_when_the_server_is_back(tmp_path: Path) -> None:
    server, database, port = start_server_in_thread(data_dir=str(tmp_path / "server"), host="127.0.0.1", port=0)
    store, index = open_milvus(tmp_path, uri=f"http://127.0.0.1:{port}")
    reconciler = Reconciler(index)
    reconciler.start()
    store.put("me", "甲.pdf", TEXTS[0])
    assert wait_for(lambda: store.found("年假", "me") == [TEXTS[0]])
    server.stop(0).wait()
    database.close()
    with pytest.raises(KnowledgeUnavailable):
        store.found("年假", "me")
    store.put("me", "乙.pdf", TEXTS[1])
    server, database, _ = start_server_in_thread(data_dir=str(tmp_path / "server"), host="127.0.0.1", port=port)

    def found() -> bool:
        try:
            return store.found("病假证明", "me")[:1] == [TEXTS[1]]
        except KnowledgeUnavailable:
            return False

    assert wait_for(found)
    reconciler.close()
    server.stop(0).wait()
    database.close()


def test_a_server_that_goes_away_is_noticed_though_nobody_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rag.knowledge.milvus.index._LOOK_SECONDS", 0.1)
    server, database, port = start_server_in_thread(data_dir=str(tmp_path / "server"), host="127.0.0.1", port=0)
    store, index = open_milvus(tmp_path, uri=f"http://127.0.0.1:{port}")
    reconciler = Reconciler(index)
    reconciler.start()
    store.put("me", "甲.pdf", TEXTS[0])
    assert wait_for(lambda: store.found("年假", "me") == [TEXTS[0]])
    assert reconciler.trouble is None
    server.stop(0).wait()
    database.close()
    assert wait_for(lambda: reconciler.trouble is not None)
    assert reconciler.trouble and str(port) in str(reconciler.trouble.values["address"])
    server, database, _ = start_server_in_thread(data_dir=str(tmp_path / "server"), host="127.0.0.1", port=port)
    assert wait_for(lambda: reconciler.trouble is None)
    assert store.found("年假", "me") == [TEXTS[0]]
    reconciler.close()
    server.stop(0).wait()
    database.close()


@pytest.mark.parametrize("uri", ["ftp://host", "host:19530", "data/milvus", "http://a b"])
def test_an_address_that_is_none_is_refused(uri: str) -> None:
    with pytest.raises(ValidationError):
        MilvusSettings(uri=uri)


@pytest.mark.parametrize(
    ("uri", "is_lite"),
    [("", False), ("http://host:19530", False), ("data/milvus.db", True), ("http://host/x.db", False)],
)
def test_a_file_is_opened_in_this_process(uri: str, is_lite: bool) -> None:
    assert MilvusSettings(uri=uri).is_lite is is_lite
