"""A session's own choice of what makes its vectors: over real SQLite, with models that only pretend."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from rag.database import open_database
from rag.embeddings import offered
from rag.embeddings.encoder import Encoder
from rag.embeddings.offered import OfferedEmbeddings
from rag.errors import EmbeddingFailed, ModelMissing, ModelUnreachable, StoreUnavailable
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.catalog import Catalog
from rag.knowledge.document_states import DocumentStates
from rag.knowledge.encoders import EmbeddingChoice, Encoders
from rag.knowledge.filler import VectorFiller
from rag.knowledge.local import LocalIndex
from rag.knowledge.request import CHUNK_DENSE, PARENT_CHUNK_DENSE, FusionSpec, SearchRequest, SingleSearchRequest
from rag.knowledge.self_checks import SelfChecks
from rag.knowledge.stored import StoredKnowledgeBase
from rag.preferences.checks import check
from rag.preferences.fields import EMBEDDING, fields_of, is_locked, may_choose_embedding
from rag.settings import Settings
from rag.types import DocumentStatus, OfferedModel, Provider, RetrievalCheck
from tests.fakes import FakeEmbeddings
from tests.knowledge import SETTINGS, TOKENIZER, Store, made_older, search, vectors_of
from tests.model_server import Reply, serving, tags
from tests.preferring import pool_of, profiles_of, settings_with
from tests.waiting import already, wait_for

OTHER, BROKEN = "ollama:bge-m3:latest", "ollama:broken:latest"
TEXTS = ("员工每年有十天年假。", "须提前两周申请。", "服务器每天凌晨备份。")
BY_MEANING = SearchRequest([SingleSearchRequest(CHUNK_DENSE)], FusionSpec(weights=[1.0]))


@dataclass(frozen=True)
class Rig(Store):
    """A knowledge base whose sessions can have other models, and what fills in their vectors."""

    filler: VectorFiller
    choice: EmbeddingChoice
    others: Mapping[str, FakeEmbeddings] = field(default_factory=dict)

    def choose(self, session_id: str, model_id: str) -> None:
        self.choice.choose(session_id, model_id)

    def place(self, session_id: str) -> tuple[DocumentStatus, int]:
        """Where a session's only document stands, and how many of its chunks have their vector."""
        (document,) = self.catalog.documents(session_id)
        return document.status, document.embedded

    def is_ready(self, session_id: str, chunks: int = len(TEXTS)) -> bool:
        return wait_for(lambda: self.place(session_id) == (DocumentStatus.READY, chunks))

    def meant(self, question: str, session_id: str) -> list[str]:
        """What a session's search finds by vectors alone."""
        hits = search(self.knowledge, question, [session_id, SHARED_COLLECTION], BY_MEANING).hits
        return [hit.chunk.passage.text for hit in hits]


class OfferedFakes(OfferedEmbeddings):
    """Offers models that only pretend."""

    def __init__(self, others: Mapping[str, FakeEmbeddings]) -> None:
        super().__init__(SETTINGS)
        self._others = others

    def models(self) -> Mapping[str, OfferedModel]:
        return {key: OfferedModel(Provider.OLLAMA, key.partition(":")[2], present=True) for key in self._others}

    def encoder(self, model_id: str) -> Encoder | None:
        return Encoder(self._others[model_id], model_id) if model_id in self._others else None


def open_rig(folder: Path, others: Mapping[str, FakeEmbeddings]) -> Rig:
    catalog = Catalog(open_database(f"sqlite:///{folder / 'knowledge.db'}"), "fake")
    embeddings, offers = FakeEmbeddings(), OfferedFakes(others)
    encoders = Encoders(catalog.engine, {CHUNK_DENSE: Encoder(embeddings, catalog.model_id)}, offers.encoder)
    index = LocalIndex(catalog.engine, TOKENIZER, SETTINGS.sparse_fields.chunk)
    knowledge = StoredKnowledgeBase(catalog, encoders, TOKENIZER, index)
    filler = VectorFiller(catalog, knowledge, already())
    choice = EmbeddingChoice(offers, encoders, filler.begin_again)
    return Rig(catalog, knowledge, embeddings, filler, choice, others)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    opened = open_rig(tmp_path, {OTHER: FakeEmbeddings(512), BROKEN: FakeEmbeddings()})
    opened.others[BROKEN].refused.add("")
    yield opened
    opened.filler.close()


def test_a_sessions_files_are_embedded_by_the_model_that_it_chooses_and_nobody_elses(rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    rig.put("you", "乙.txt", "婚假为三天。")
    rig.choose("me", OTHER)
    assert rig.is_ready("me")
    assert (rig.place("you"), vectors_of(rig.catalog, OTHER)) == ((DocumentStatus.READY, 1), 3)
    asked = len(rig.embeddings.embedded)
    assert rig.meant("有十天年假吗", "me")[0] == TEXTS[0]
    assert rig.meant("婚假", "you") == ["婚假为三天。"]
    assert len(rig.embeddings.embedded) == asked


def test_older_files_are_embedded_by_a_model_that_newer_ones_have_already(rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    rig.put("you", "乙.txt", "婚假为三天。")
    for session_id, chunks in (("you", 1), ("me", 3)):
        rig.choose(session_id, OTHER)
        assert rig.is_ready(session_id, chunks)


def test_a_choice_is_seen_at_once_and_words_find_until_its_vectors_are_there(rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    rig.choose("me", BROKEN)
    assert rig.place("me") == (DocumentStatus.EMBEDDING, 0)
    assert wait_for(lambda: getattr(rig.catalog.documents("me")[0].message, "key", "") == "error.embedding_failed")
    result = search(rig.knowledge, "年假", ["me"])
    assert [note.key for note in result.trace.notes] == ["search.words_only"]
    assert result.hits[0].chunk.passage.text == TEXTS[0]


def test_the_shared_files_are_embedded_by_every_model_in_use(rig: Rig) -> None:
    rig.put(SHARED_COLLECTION, "指南.md", "支持四种文件。")
    rig.choose("me", OTHER)
    assert wait_for(lambda: vectors_of(rig.catalog, OTHER) == 1)
    assert rig.place(SHARED_COLLECTION) == (DocumentStatus.READY, 1)
    assert rig.meant("支持哪些文件", "me") == rig.meant("支持哪些文件", "you") == ["支持四种文件。"]
    rig.put(SHARED_COLLECTION, "新.md", "还支持一种。")
    rig.filler.wake()
    assert wait_for(lambda: set(rig.meant("支持", "me")) == {"支持四种文件。", "还支持一种。"})


def test_going_back_costs_nothing_and_neither_does_choosing_again(rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    rig.choose("me", OTHER)
    assert rig.is_ready("me")
    made = [len(rig.embeddings.embedded), len(rig.others[OTHER].embedded)]
    for model_id in ("", OTHER, ""):
        rig.choose("me", model_id)
        assert rig.place("me") == (DocumentStatus.READY, 3)
        assert rig.meant("有十天年假吗", "me")[0] == TEXTS[0]
    assert [len(rig.embeddings.embedded), len(rig.others[OTHER].embedded)] == made


def test_what_was_added_under_another_model_is_found_after_going_back(rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS[:1])
    rig.choose("me", OTHER)
    assert wait_for(lambda: rig.meant("年假", "me") == [TEXTS[0]])
    assert rig.is_ready("me", 1)
    rig.choose("me", "")
    # Another session has made the vectors that this one will want.
    rig.choose("you", OTHER)
    rig.put("you", "乙.txt", TEXTS[2], embed=False)
    rig.filler.wake()
    assert rig.is_ready("you", 1)
    rig.put("me", "乙.txt", TEXTS[2])
    rig.choose("me", OTHER)
    assert wait_for(lambda: set(rig.meant("备份年假", "me")) == {TEXTS[0], TEXTS[2]})


def test_a_choice_holds_though_the_store_refuses_what_follows_from_it(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    assert rig.is_ready("me")

    def refuse(_: str) -> None:
        raise StoreUnavailable(path="knowledge.db", reason="locked")

    with monkeypatch.context() as refusing:
        refusing.setattr(rig.filler._states, "settle", refuse)
        with pytest.raises(StoreUnavailable):
            rig.choose("me", OTHER)
    rig.choose("me", OTHER)
    assert wait_for(lambda: rig.meant("有十天年假吗", "me")[:1] == [TEXTS[0]])
    assert rig.is_ready("me") and vectors_of(rig.catalog, OTHER) == 3


def test_a_chosen_model_that_fails_keeps_nobody_elses_vectors_waiting(rig: Rig) -> None:
    rig.choose("me", BROKEN)
    rig.put("me", "甲.txt", *TEXTS, embed=False)
    rig.filler.wake()
    assert wait_for(lambda: rig.catalog.documents("me")[0].message is not None)
    for number in range(3):
        rig.put("you", f"{number}.txt", f"婚假为{number}天。", embed=False)
        rig.filler.wake()
    assert wait_for(lambda: all(one.status is DocumentStatus.READY for one in rig.catalog.documents("you")))
    assert [one.message for one in rig.catalog.documents("you")] == [None] * 3


def test_a_servers_own_model_that_fails_keeps_no_chosen_one_waiting(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def fail(texts: list[str]) -> list[list[float]]:
        asked.append(len(texts))
        raise ModelUnreachable(base_url="x")

    monkeypatch.setattr(rig.embeddings, "embed_documents", fail)
    rig.put("you", "乙.txt", "婚假为三天。", "产假为百天。", "病假为五天。", embed=False)
    rig.choose("me", OTHER)
    rig.put("me", "甲.txt", *TEXTS, embed=False)
    rig.filler.wake()
    assert rig.is_ready("me")
    assert len(asked) <= 4
    assert wait_for(lambda: rig.catalog.documents("you")[0].message is not None)


def test_what_a_model_fails_at_is_told_of_those_files_that_wait_for_it(rig: Rig) -> None:
    for session_id in ("me", "you"):
        rig.put(session_id, "甲.txt", *TEXTS, embed=False)
    rig.knowledge.encoders.choose("me", OTHER)
    states = DocumentStates(rig.catalog.engine, "fake")
    trouble = ModelUnreachable(base_url="x").message
    for model_id, told in ((OTHER, (trouble, None)), ("fake", (trouble, trouble))):
        states.report(model_id, trouble)
        assert tuple(rig.catalog.documents(name)[0].message for name in ("me", "you")) == told
    rig.knowledge.encoders.choose("me", "")
    states.settle("me")
    assert [rig.catalog.documents(name)[0].message for name in ("me", "you")] == [None, trouble]


def checked(rig: Rig) -> list[str]:
    """The documents of a session whose search was checked."""
    checks = SelfChecks(rig.catalog.engine)
    while due := checks.unchecked():
        checks.keep(RetrievalCheck(due[1], 1, 1, 1, 1, 1, None, datetime.now(UTC)), checks.state(due[1]))
    return list(checks.seen("me"))


def test_how_well_a_document_is_found_is_checked_again_after_another_model_was_chosen(rig: Rig) -> None:
    document = rig.put("me", "甲.txt", *TEXTS)
    other = rig.put("you", "乙.txt", "婚假为三天。")
    assert checked(rig) == [document.document_id]
    checks = SelfChecks(rig.catalog.engine)
    for model_id in (OTHER, ""):
        rig.choose("me", model_id)
        assert (list(checks.seen("me")), list(checks.seen("you"))) == ([], [other.document_id])
        assert rig.is_ready("me")
        assert checked(rig) == [document.document_id]


def test_how_well_documents_are_found_is_checked_again_under_another_model_of_the_server(rig: Rig) -> None:
    document = rig.put("me", "甲.txt", *TEXTS)
    assert checked(rig) == [document.document_id]
    DocumentStates(rig.catalog.engine, "fake").reopen()
    assert checked(rig) == [document.document_id]
    DocumentStates(rig.catalog.engine, "of-this-year").reopen()
    assert checked(rig) == []


def test_a_document_takes_the_vectors_of_all_models_with_it(rig: Rig) -> None:
    document = rig.put("me", "甲.txt", *TEXTS)
    rig.choose("me", OTHER)
    assert rig.is_ready("me")
    rig.knowledge.delete(document.document_id)
    rig.knowledge.clear_deleted()
    assert (vectors_of(rig.catalog, "fake"), vectors_of(rig.catalog, OTHER), rig.meant("年假", "me")) == (0, 0, [])


def test_a_choice_goes_with_everything_that_is_deleted(rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    rig.choose("me", OTHER)
    rig.knowledge.delete_collection("me")
    assert rig.choice.of("me") == ""


def test_a_choice_stays_after_a_restart_as_long_as_the_model_may_be_had(tmp_path: Path, rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    rig.choose("me", OTHER)
    assert rig.is_ready("me")
    again = open_rig(tmp_path, rig.others)
    assert (again.choice.of("me"), again.meant("有十天年假吗", "me")[0]) == (OTHER, TEXTS[0])
    without = open_rig(tmp_path, {})
    assert (without.choice.of("me"), without.place("me")) == ("", (DocumentStatus.READY, 3))
    assert without.meant("有十天年假吗", "me")[0] == TEXTS[0]


def test_a_model_of_another_field_may_not_be_had_for_that(rig: Rig) -> None:
    rig.choose("me", OTHER)
    further = {PARENT_CHUNK_DENSE: Encoder(rig.others[OTHER], OTHER)}
    assert Encoders(rig.catalog.engine, {**rig.knowledge.encoders.configured, **further}).chosen("me") == ""


def test_an_older_store_takes_choices(tmp_path: Path, rig: Rig) -> None:
    rig.put("me", "甲.txt", *TEXTS)
    made_older(rig.catalog.engine, 9, "ALTER TABLE collections DROP COLUMN model_id")
    again = open_rig(tmp_path, rig.others)
    again.choose("me", OTHER)
    assert again.is_ready("me")
    again.filler.close()


def test_a_model_has_to_make_a_vector_before_it_is_chosen(rig: Rig) -> None:
    problem = rig.choice.problem("me", BROKEN)
    assert problem is not None and problem.key == f"error.{EmbeddingFailed.key}"
    assert rig.choice.problem("me", OTHER) is rig.choice.problem("me", "") is None
    gone = rig.choice.problem("me", "ollama:gone")
    assert gone is not None and gone.key == f"error.{ModelMissing.key}"
    rig.choose("me", BROKEN)  # one that failed since keeps nothing else from being saved
    assert rig.choice.problem("me", BROKEN) is None


def locked_by(**sections: object) -> bool:
    """Whether these settings keep the choice from visitors."""
    settings = settings_with(**sections)
    (found,) = (one for one in fields_of(settings) if one.path == EMBEDDING)
    refused = check({EMBEDDING: OTHER}, settings, {EMBEDDING: [OTHER]}).problems
    assert is_locked(found, settings) is (not may_choose_embedding(settings)) is bool(refused)
    assert not refused or refused[EMBEDDING].key == "preference.problem.locked"
    return bool(refused)


@pytest.mark.parametrize("lock", ["dense_fields", "dense_fields.chunk", EMBEDDING, "llm", "llm.provider", "llm.model"])
def test_a_lock_on_its_section_or_on_who_answers_keeps_it(lock: str) -> None:
    assert locked_by(server={"locked": (lock,)})


def test_only_where_others_reach_the_port_it_is_locked_unless_the_operator_says_otherwise() -> None:
    assert not locked_by(server={"locked": ()})
    assert not locked_by(server={"locked": ("fuse", "rerank", "llm.temperature")})
    public = Settings.model_validate(settings_with().model_dump() | {"server": {"host": "0.0.0.0"}})
    assert locked_by(server=public.server.model_dump())


def test_with_milvus_all_have_one_model() -> None:
    assert locked_by(server={"locked": ()}, milvus={"uri": "http://127.0.0.1:9"})


def test_a_sessions_choice_is_kept_with_its_other_settings_and_is_no_others(tmp_path: Path, rig: Rig) -> None:
    settings = settings_with(server={"locked": ()}, llm={"provider": "extractive"})
    pool = pool_of(settings)
    profiles = profiles_of(settings, pool, tmp_path, embedding=rig.choice)
    assert not profiles.change("me", {EMBEDDING: OTHER, "limit": "3"}).problems
    assert profiles.preferences("me").values == {EMBEDDING: OTHER, "limit": 3}
    assert profiles.preferences("you").values == {}
    assert profiles.of("me").retrieval.request.limit == 3
    refused = profiles.change("me", {EMBEDDING: BROKEN, "limit": "4"}).problems
    assert refused[EMBEDDING].key == "error.embedding_failed"
    assert profiles.change("me", {EMBEDDING: "ollama:qwen3:8b"}).problems[EMBEDDING].key.endswith("no_such_model")
    assert profiles.preferences("me").values == {EMBEDDING: OTHER, "limit": 3}
    profiles.reset("me")
    assert (profiles.preferences("me").values, rig.choice.of("me")) == ({}, "")
    pool.close()


def shown(capabilities: list[str] | None) -> Reply:
    return Reply((json.dumps({"model_info": {}} | ({"capabilities": capabilities} if capabilities else {})),))


@pytest.mark.parametrize(
    ("capabilities", "expected"),
    [(["embedding"], {"ollama:odd:1b", OTHER}), (["completion"], set()), (None, {OTHER})],
    ids=["can embed", "can not", "old server"],
)
def test_what_ollama_has_for_it_is_offered(capabilities: list[str] | None, expected: set[str]) -> None:
    with serving({"/api/tags": tags("odd:1b", "bge-m3:latest"), "/api/show": shown(capabilities)}) as server:
        offers = OfferedEmbeddings(settings_with(llm={"provider": "auto", "ollama_host": server.url}))
        assert set(offers.models()) == set(offers.models()) == expected
        assert [path for path, _ in server.asked].count("/api/tags") == 1
        for provider in ("openai", "embedded", "extractive"):
            none = settings_with(llm={"provider": provider, "base_url": server.url, "model": "m"})
            assert (OfferedEmbeddings(none).models(), OfferedEmbeddings(none).encoder(OTHER)) == ({}, None)


def test_what_the_models_of_ollama_can_do_is_not_asked_with_every_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offered, "_LIST_SECONDS", 0.0)
    with serving({"/api/tags": tags("odd:1b", "bge-m3:latest"), "/api/show": shown(["embedding"])}) as server:
        offers = OfferedEmbeddings(settings_with(llm={"provider": "auto", "ollama_host": server.url}))
        assert len(offers.models()) == len(offers.models()) == 2
        assert [path for path, _ in server.asked] == ["/api/tags", "/api/show", "/api/show", "/api/tags"]


def test_the_embedded_model_is_offered_where_it_is_not_the_servers_own_and_the_own_one_is_not() -> None:
    with serving({"/api/tags": tags("nomic:v1", "bge-m3:latest"), "/api/show": shown(["embedding"])}) as server:
        dense = {"chunk": {"provider": "ollama", "model": "bge-m3", "base_url": server.url}}
        offers = OfferedEmbeddings(settings_with(dense_fields=dense, llm={"provider": "extractive"}))
        embedded = next(key for key, model in offers.models().items() if model.provider is Provider.EMBEDDED)
        assert set(offers.models()) == {"ollama:nomic:v1", embedded}
        for model_id in offers.models():
            encoder = offers.encoder(model_id)
            assert encoder is not None and encoder.model_id == model_id


def test_an_ollama_that_does_not_answer_offers_nothing() -> None:
    assert OfferedEmbeddings(settings_with(llm={"ollama_host": "http://127.0.0.1:9"})).models() == {}
