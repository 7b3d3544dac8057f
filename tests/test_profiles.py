"""What a session's preferences do to its turns: on the real engine, with a scripted model and real SQLite."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag.errors import ModelMissing
from rag.knowledge.request import FusionSpec, SearchRequest, SingleSearchRequest
from rag.llm.pool import ModelPool
from rag.model_store import ModelStore, OnProgress
from rag.settings import Settings
from rag.types import ModelState, Provider
from tests.knowledge import Store
from tests.model_server import Reply, serving, tags
from tests.preferring import NOWHERE, FixedManager, Place, pool_of, settings_with
from tests.scripted import ScriptedChatModel, retrieval_over
from tests.waiting import wait_for


@pytest.fixture
def settings() -> Settings:
    return settings_with(llm={"ollama_host": NOWHERE}, rerank={"kind": "none"}, server={"locked": ()})


@pytest.fixture
def place(tmp_path: Path, settings: Settings) -> Iterator[Place]:
    place = Place(tmp_path, settings)
    yield place
    place.pool.close()


def test_a_sessions_limit_holds_for_its_next_answer_and_for_nobody_elses(place: Place) -> None:
    place.answers(["十天[1]。"], ["十天[1]。"])
    assert not place.profiles.change("mine", {"limit": "1"}).problems
    assert len(place.engine.ask("年假有几天？", "mine").sources) == 1
    assert len(place.engine.ask("年假有几天？", "theirs").sources) == 3


def test_a_search_that_is_updated_holds_for_every_session_but_for_what_it_has_set_itself(place: Place) -> None:
    for session, values in (("own", {"fuse.k": "61"}), ("more", {"limit": "2"}), ("before", {"fuse.k": "62"})):
        assert not place.profiles.change(session, values).problems
    assert place.profiles.of("before").retrieval.request.limit == 5
    request = SearchRequest([SingleSearchRequest("chunk_sparse", 9)], FusionSpec(weights=[1]), top_k=30, limit=1)
    place.engine.update_search_config(request)
    assert place.profiles.of("own").retrieval.request == replace(request, fuse=FusionSpec(k=61, weights=[1]))
    assert place.profiles.of("more").retrieval.request == replace(request, limit=2)
    assert place.profiles.of("before").retrieval.request.limit == 1
    place.answers(*[["十天[1]。"]] * 4)
    found = {session: len(place.engine.ask("年假有几天？", session).sources) for session in ("none", "own", "more")}
    assert found == {"none": 1, "own": 1, "more": 2}


def test_a_search_that_is_updated_to_what_it_was_counts_for_every_session(place: Place) -> None:
    served = Provider.OLLAMA
    place.profiles.change("own", {"fuse.k": "61"})
    assert place.profiles.of("own").retrieval.limit(served) == place.profiles.default.retrieval.limit(served) == 10
    place.engine.update_search_config(place.profiles.default.retrieval.request)
    limits = [place.profiles.of(session).retrieval.limit(served) for session in ("own", "none")]
    assert limits == [place.profiles.default.retrieval.request.limit] * 2


def test_routes_that_a_session_has_chosen_stay_when_the_search_is_updated(place: Place) -> None:
    place.profiles.change("mine", {"requests": {"chunk_dense": 2, "chunk_sparse": 1}, "top_k": 20})
    request = SearchRequest([SingleSearchRequest("chunk_sparse")], FusionSpec("rrf", k=9), limit=3)
    place.engine.update_search_config(request)
    mine = place.profiles.of("mine").retrieval.request
    assert [route.anns_field for route in mine.requests] == ["chunk_dense", "chunk_sparse"]
    assert (mine.fuse, mine.top_k, mine.limit) == (FusionSpec("rrf", 9, [2, 1]), 20, 3)


def test_a_limit_that_a_session_has_set_for_a_route_stays_when_the_search_is_updated(place: Place) -> None:
    place.profiles.change("mine", {"request_limits": {"chunk_sparse": 7}})
    place.engine.update_search_config(SearchRequest([SingleSearchRequest("chunk_sparse", 20)], FusionSpec("rrf")))
    assert place.profiles.of("mine").retrieval.request.requests == (SingleSearchRequest("chunk_sparse", 7),)


def test_a_session_that_weighs_finds_weights_where_the_updated_search_goes_by_ranks(place: Place) -> None:
    place.profiles.change("mine", {"fuse.k": 61})
    fields = ("chunk_dense", "parent_chunk_dense", "chunk_sparse")
    place.engine.update_search_config(SearchRequest(list(map(SingleSearchRequest, fields)), FusionSpec("rrf")))
    assert place.profiles.of("mine").retrieval.request.fuse == FusionSpec("rrf", 61, [0.55, 0.15, 0.3])


def test_a_search_is_updated_by_a_mapping_as_by_a_request(place: Place) -> None:
    place.engine.update_search_config({"requests": [{"anns_field": "chunk_sparse"}], "fuse": {"method": "rrf"}})
    request = place.profiles.default.retrieval.request
    assert request == SearchRequest([SingleSearchRequest("chunk_sparse")], FusionSpec("rrf"))


@pytest.mark.parametrize("wrong", [{"limt": 3}, {"fuse": {"methd": "rrf"}}, {"top_k": 0}, {"requests": []}, None])
def test_what_is_no_search_is_refused_and_changes_nothing(place: Place, wrong: Any) -> None:
    before = place.profiles.default.retrieval.request
    with pytest.raises(ValueError, match=r"limt|methd|top_k|requests|SearchRequest"):
        place.engine.update_search_config(wrong)
    assert place.profiles.default.retrieval.request == before


def test_a_search_by_a_field_that_is_off_is_not_taken_over(store: Store) -> None:
    store.put("shared", "手册.pdf", "年假为十天。")
    retrieval = retrieval_over(store.knowledge)
    with pytest.raises(ValueError, match="questions_dense is off"):
        retrieval.request = SearchRequest([SingleSearchRequest("questions_dense")], FusionSpec(weights=[1]))
    assert retrieval.request == SearchRequest()


@pytest.mark.parametrize(("mode", "calls"), [("rules", 2), ("llm", 3)])
def test_a_session_decides_by_the_rules_or_by_the_model_as_it_has_set(place: Place, mode: str, calls: int) -> None:
    place.profiles.change("mine", {"multi_dialogue_rag.decide_by": mode})
    model = place.answers(["十天[1]。"], *([["[REUSE]"]] if mode == "llm" else []), ["五天[2]。"])
    for question in ("年假有几天？", "病假有几天？"):
        place.engine.ask(question, "mine")
    assert len(model.calls) == calls


def test_a_sessions_own_prompt_begins_its_conversations_and_no_others(place: Place) -> None:
    place.profiles.change("mine", {"prompts.answer": "只用一句话回答。"})
    model = place.answers(["十天[1]。"], ["十天[1]。"])
    place.engine.ask("年假有几天？", "mine")
    place.engine.ask("年假有几天？", "theirs")
    assert [str(call[0].content) == "只用一句话回答。" for call in model.calls] == [True, False]


def test_a_sessions_temperature_goes_with_the_call_for_its_answer(place: Place) -> None:
    place.profiles.change("mine", {"llm.temperature": "0.9"})
    assert place.profiles.of("mine").arguments == {"temperature": 0.9}
    assert place.profiles.of("theirs").arguments == {}


def test_a_session_without_preferences_for_the_search_shares_the_servers(place: Place) -> None:
    place.profiles.change("mine", {"llm.temperature": "0.9"})
    assert place.profiles.of("mine").retrieval is place.profiles.default.retrieval
    place.profiles.change("mine", {"rerank.kind": "llm"})
    assert place.profiles.of("mine").retrieval is not place.profiles.default.retrieval


def test_a_session_that_wants_usable_passages_only_has_a_filter_and_others_have_none(place: Place) -> None:
    place.profiles.change("mine", {"rerank.insert_block": True})
    assert place.profiles.of("mine").retrieval.has_insert_block
    assert not place.profiles.default.retrieval.has_insert_block


def test_what_a_session_has_set_is_checked_once_as_long_as_it_stays_the_same(place: Place) -> None:
    place.profiles.change("mine", {"llm.temperature": "0.9"})
    before = place.profiles.settings("mine")
    assert place.profiles.settings("mine") is before
    place.profiles.change("mine", {"llm.temperature": "0.8"})
    assert place.profiles.settings("mine").llm.temperature == 0.8


def test_a_change_that_is_refused_leaves_what_was_there(place: Place) -> None:
    place.profiles.change("mine", {"limit": "2"})
    assert set(place.profiles.change("mine", {"limit": "3", "top_k": "0"}).problems) == {"top_k"}
    assert place.profiles.preferences("mine").values == {"limit": 2}
    place.profiles.reset("mine")
    assert place.profiles.of("mine") is place.profiles.default


def test_quotations_alone_can_be_chosen(place: Place) -> None:
    none = place.manager.none.model
    assert isinstance(none, ScriptedChatModel)
    none.scripts.append(["“年假为十天。”[1]"])
    place.profiles.change("mine", {"llm.model": "extractive:extractive"})
    assert place.engine.ask("年假有几天？", "mine").model == "extractive"


def test_an_installed_model_is_asked_at_the_servers_own_address(tmp_path: Path) -> None:
    with serving({"/api/tags": tags("qwen3:8b", "bge-m3")}) as server:
        settings = settings_with(llm={"ollama_host": server.url}, server={"locked": ()})
        place = Place(tmp_path, settings)
        assert not place.profiles.change("mine", {"llm.model": "ollama:qwen3:8b", "llm.reasoning": True}).problems
        provider, name, model = place.profiles.of("mine").current_model()
        assert (provider, name) == (Provider.OLLAMA, "qwen3:8b")
        assert (model.base_url, model.reasoning) == (server.url, True)  # type: ignore[attr-defined]
        assert place.profiles.of("mine").current_model().model is model
        assert place.profiles.status("mine").reason.key == "model.own"
        assert "bge-m3:latest" not in {offer.name for offer in place.pool.offered()}
        place.pool.close()


@pytest.mark.parametrize(
    "name", ["evil.example/ns/model", "http://10.0.0.1/x", "../x", "a b", "", "x" * 200, "hf.co/a/b"]
)
def test_a_name_that_could_lead_ollama_elsewhere_is_not_pulled(name: str) -> None:
    with serving({"/api/tags": tags("qwen3:8b")}) as server:
        pool = pool_of(settings_with(llm={"ollama_host": server.url}))
        with pytest.raises(ModelMissing):
            pool.pull("mine", name)
        pool.close()
        assert [path for path, _ in server.asked] == ["/api/tags"]


def test_a_model_that_was_pulled_can_be_chosen() -> None:
    replies = {"/api/tags": tags("qwen3:8b"), "/api/pull": Reply(('{"status": "success"}',))}
    with serving(replies) as server:
        pool = pool_of(settings_with(llm={"ollama_host": server.url}))
        pool.pull("mine", "library/new:1b")
        assert wait_for(lambda: not pool.pulling("mine"))
        assert [path for path, _ in server.asked] == ["/api/tags", "/api/pull"]
        assert pool.failures("mine") == ()
        pool.close()


def test_a_name_that_a_session_wrote_is_told_to_no_other() -> None:
    with serving({"/api/tags": tags("qwen3:8b")}) as server:  # it has no /api/pull
        pool = pool_of(settings_with(llm={"ollama_host": server.url}))
        pool.pull("mine", "secret:1b")
        assert pool.pulling("theirs") == ()
        assert wait_for(lambda: bool(pool.failures("mine")))
        assert [message.values["model"] for message in pool.failures("mine")] == ["secret:1b"]
        assert pool.failures("theirs") == ()
        pool.close()


def test_where_an_operator_has_no_ollama_nothing_can_be_pulled() -> None:
    pool = pool_of(settings_with(llm={"provider": "embedded"}))
    assert not pool.may_pull
    assert {offer.provider for offer in pool.offered()} == {Provider.EMBEDDED, Provider.EXTRACTIVE}
    pool.close()


def test_until_a_chosen_model_is_ready_the_servers_own_answers_and_a_failure_is_told(tmp_path: Path) -> None:
    models = {"folder": str(tmp_path / "models"), "offline": True}
    settings = settings_with(llm={"ollama_host": NOWHERE}, models=models, server={"locked": ()})
    (tmp_path / "models").mkdir()
    file = settings.models.catalogue[0]
    with (tmp_path / "models" / file.file).open("wb") as sparse:
        sparse.truncate(file.size)  # what has the right size, and is not the model
    place = Place(tmp_path, settings)
    place.answers(["十天[1]。"])
    assert [offer.name for offer in place.pool.offered() if offer.present] == [file.name, "extractive"]
    assert not place.profiles.change("mine", {"llm.model": f"embedded:{file.name}"}).problems
    assert place.engine.ask("年假有几天？", "mine").model == "scripted"
    assert wait_for(lambda: not place.pool.pulling("mine"))
    status = place.profiles.status("mine")
    assert (status.model, status.reason.key, status.state) == ("scripted", "model.own_failed", ModelState.READY)
    place.pool.close()


def test_whatever_a_model_that_was_asked_for_fails_with_is_told(tmp_path: Path) -> None:
    class Broken(ModelStore):
        def fetch(self, name: str, on_progress: OnProgress, cancel: threading.Event) -> Path:
            raise RuntimeError(f"{name} is broken")

    settings = settings_with(llm={"ollama_host": NOWHERE}, models={"folder": str(tmp_path)})
    pool = ModelPool(settings, Broken(settings.models), FixedManager())  # type: ignore[arg-type]
    name = settings.models.catalogue[0].name
    own = settings.llm.model_copy(update={"provider": "embedded", "model": name})
    pool.prepare(own)
    assert wait_for(lambda: not pool.pulling("mine"))
    assert pool.status(own).reason.key == "model.own_failed"
    assert [message.key for message in pool.failures("mine")] == ["error.model_not_loaded"]
    pool.close()


def test_a_sessions_own_numbers_hold_whoever_answers(place: Place) -> None:
    served = place.profiles.default
    assert (served.memory.evidence_tokens(Provider.OLLAMA), served.retrieval.limit(Provider.OLLAMA)) == (1500, 10)
    checked = place.profiles.change("own", {"limit": 2, "multi_dialogue_rag.evidence_tokens": 700})
    assert checked.problems == {}
    own = place.profiles.of("own")
    assert (own.memory.evidence_tokens(Provider.OLLAMA), own.retrieval.limit(Provider.OLLAMA)) == (700, 2)
    place.manager.own = place.manager.own._replace(provider=Provider.EMBEDDED)
    assert (served.memory.evidence_tokens(Provider.EMBEDDED), served.retrieval.limit(Provider.EMBEDDED)) == (360, 5)
