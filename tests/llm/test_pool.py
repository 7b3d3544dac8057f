"""Models of the sessions' own: what is on its way, and who answers where one cannot be had."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag.database import open_database
from rag.errors import TooManyModelsComing
from rag.llm import build, ollama
from rag.llm.pool import ModelPool
from rag.model_store import ModelStore, OnProgress
from rag.preferences.checks import usable
from rag.preferences.effective import Preferences
from rag.preferences.store import PreferenceStore
from rag.types import Message, ModelState, ModelStatus, Provider
from tests.model_server import serving, tags
from tests.preferring import NOWHERE, FixedManager, Place, chosen_of, pool_of, settings_with
from tests.waiting import wait_for


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """An Ollama whose downloads end when this is set."""
    end = threading.Event()

    def pull(_self: object, _name: str, _tell: Callable[[int, int], None], _cancel: threading.Event) -> None:
        end.wait(30)

    monkeypatch.setattr(ollama.OllamaServer, "pull", pull)
    yield end
    end.set()


def test_only_so_many_models_are_on_their_way(held: threading.Event) -> None:
    with serving({"/api/tags": tags("qwen3:8b")}) as server:
        pool = pool_of(settings_with(llm={"ollama_host": server.url}))
        for number in range(8):
            pool.pull("mine", f"name{number}")
        with pytest.raises(TooManyModelsComing):
            pool.pull("mine", "name8")
        pool.pull("theirs", "name7")  # which comes anyway
        assert (len(pool.pulling("mine")), len(pool.pulling("theirs"))) == (8, 1)
        held.set()
        assert wait_for(lambda: not pool.pulling("mine"))
        pool.pull("mine", "name8")
        pool.close()


def test_what_ollama_downloads_keeps_no_model_waiting_that_is_here(held: threading.Event, tmp_path: Path) -> None:
    loading = threading.Event()

    class Here(ModelStore):
        def fetch(self, name: str, on_progress: OnProgress, cancel: threading.Event) -> Path:
            loading.set()
            return tmp_path / name

    with serving({"/api/tags": tags("qwen3:8b")}) as server:
        settings = settings_with(llm={"ollama_host": server.url}, models={"folder": str(tmp_path)})
        pool = ModelPool(settings, Here(settings.models), FixedManager())  # type: ignore[arg-type]
        pool.pull("mine", "large:70b")
        own = {"provider": "embedded", "model": settings.models.catalogue[0].name}
        pool.prepare(settings.llm.model_copy(update=own))
        assert loading.wait(30)
        held.set()
        pool.close()


class Brought(ModelStore):
    """Models that need no download."""

    def fetch(self, name: str, on_progress: OnProgress, cancel: threading.Event) -> Path:
        return Path(name)


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files of the models that were put into memory."""
    names: list[str] = []

    class Model:
        def __init__(self, _settings: object, path: Path) -> None:
            self.name = path.name

        def load(self, _cancel: threading.Event) -> None:
            names.append(self.name)

        def close(self) -> None:
            pass

    monkeypatch.setattr(build, "build_embedded", Model)
    return names


@pytest.mark.parametrize("told", ["", "the same"], ids=["while it still looks", "while it brings it"])
def test_a_chosen_model_that_the_server_gets_for_itself_is_loaded_once(loaded: list[str], told: str) -> None:
    settings = settings_with(llm={"ollama_host": NOWHERE})
    own = chosen_of(settings, 0)
    coming = ModelStatus(
        Provider.EXTRACTIVE,
        "extractive",
        ModelState.LOADING,
        Message("model.extractive_loading"),
        coming=told and own.model,
    )
    ready = ModelStatus(Provider.EMBEDDED, own.model, ModelState.READY, Message("model.own"))
    manager = FixedManager(told=lambda: coming)
    pool = ModelPool(settings, Brought(settings.models), manager)  # type: ignore[arg-type]
    pool.prepare(own)
    assert pool.status(own).state is ModelState.LOADING
    manager.own = manager.own._replace(name=own.model)
    manager.told = lambda: ready
    assert wait_for(lambda: not pool.pulling("mine"))
    assert loaded == []
    assert pool.current(own) == manager.own
    pool.close()


def test_a_chosen_model_waits_for_no_other_that_the_server_gets(loaded: list[str]) -> None:
    settings = settings_with(llm={"ollama_host": NOWHERE})
    own = chosen_of(settings, 0)
    reason = Message("model.extractive_loading")
    coming = ModelStatus(Provider.EXTRACTIVE, "extractive", ModelState.DOWNLOADING, reason, coming="another")
    pool = ModelPool(settings, Brought(settings.models), FixedManager(told=lambda: coming))  # type: ignore[arg-type]
    pool.prepare(own)
    assert wait_for(lambda: not pool.pulling("mine"))
    assert loaded == [own.model]
    pool.close()


@pytest.mark.usefixtures("loaded")
def test_a_chosen_model_that_comes_to_be_the_servers_own_is_kept_once() -> None:
    settings = settings_with(llm={"ollama_host": NOWHERE})
    own, manager = chosen_of(settings, 0), FixedManager()
    pool = ModelPool(settings, Brought(settings.models), manager)  # type: ignore[arg-type]
    pool.prepare(own)
    assert wait_for(lambda: not pool.pulling("mine"))
    assert pool.current(own).model is not manager.own.model
    manager.own = manager.own._replace(name=own.model)
    assert pool.current(own) == manager.own
    assert pool._embedded is None
    pool.close()


def test_a_chosen_model_whose_place_was_taken_is_said_to_be_gone_until_it_is_chosen_again(loaded: list[str]) -> None:
    settings = settings_with(llm={"ollama_host": NOWHERE})
    first, second = chosen_of(settings, 0), chosen_of(settings, 1)
    pool = ModelPool(settings, Brought(settings.models), FixedManager())  # type: ignore[arg-type]
    for own in (first, second):
        pool.prepare(own)
        assert wait_for(lambda: not pool.pulling("mine"))
    status = pool.status(first)
    assert (status.model, status.state, status.failed) == ("server-model", ModelState.READY, True)
    assert status.reason == Message("model.own_displaced", {"model": first.model})
    pool.prepare(first)
    assert wait_for(lambda: not pool.pulling("mine"))
    assert pool.status(first).reason.key == "model.own"
    assert loaded == [first.model, second.model, first.model]
    pool.close()


def test_a_look_at_who_answers_displaces_no_model_that_is_on_its_way(loaded: list[str]) -> None:
    go_on = threading.Event()

    class Waits(Brought):
        def fetch(self, name: str, on_progress: OnProgress, cancel: threading.Event) -> Path:
            go_on.wait(30)
            return super().fetch(name, on_progress, cancel)

        def is_there(self, name: str) -> bool:
            return True

    settings = settings_with(llm={"ollama_host": NOWHERE})
    pool = ModelPool(settings, Waits(settings.models), FixedManager())  # type: ignore[arg-type]
    first, second = chosen_of(settings, 0), chosen_of(settings, 1)
    pool.prepare(first)
    assert pool.status(second).reason == Message("model.own_displaced", {"model": second.model})
    go_on.set()
    assert wait_for(lambda: not pool.pulling("mine"))
    assert loaded == [first.model]
    assert pool.status(first).reason.key == "model.own"
    pool.close()


def test_a_model_that_can_answer_at_once_is_had_by_its_name(tmp_path: Path) -> None:
    with serving({"/api/tags": tags("qwen3:8b")}) as server:
        settings = settings_with(llm={"ollama_host": server.url}, models={"folder": str(tmp_path)})
        pool = pool_of(settings, FixedManager())
        names = ("qwen3:8b", "server-model", "extractive", settings.models.catalogue[0].name, "gpt-9", "")
        found = [pool.named(name) for name in names]
        assert [model and model[:2] for model in found] == [
            (Provider.OLLAMA, "qwen3:8b"),
            (Provider.EMBEDDED, "server-model"),
            (Provider.EXTRACTIVE, "extractive"),
            None,
            None,
            None,
        ]
        pool.close()


def test_a_turn_that_names_no_model_asks_no_server_what_it_has() -> None:
    with serving({"/api/tags": tags("qwen3:8b")}) as server:
        pool = pool_of(settings_with(llm={"ollama_host": server.url}), FixedManager())
        assert pool.named("") is None
        assert server.asked == []
        pool.close()


@pytest.mark.parametrize("model", ["embedded:of-last-year", "ollama:gone:7b"])
@pytest.mark.parametrize("listed", [(), ("qwen3:8b",)], ids=["no Ollama", "an Ollama without it"])
def test_a_chosen_model_that_is_gone_fails_no_turn(tmp_path: Path, model: str, listed: tuple[str, ...]) -> None:
    with serving({"/api/tags": tags(*listed)}) as server:
        host = server.url if listed else NOWHERE
        place = Place(tmp_path, settings_with(llm={"ollama_host": host}, server={"locked": ()}))
        stored = PreferenceStore(open_database(f"sqlite:///{tmp_path / 'preferences.sqlite3'}"))
        stored.keep("mine", Preferences({"llm.model": model}))
        place.answers(["十天[1]。"])
        assert place.engine.ask("年假有几天？", "mine").model == "scripted"
        status = place.profiles.status("mine")
        assert (status.model, status.state) == ("scripted", ModelState.READY)
        if model.startswith("ollama"):
            assert (status.reason.key, status.failed) == ("model.own_failed", True)
        assert not place.profiles.change("mine", {"limit": 3}).problems
        place.pool.close()


@pytest.mark.parametrize(
    ("model", "provider", "kept"),
    [
        ("embedded:of-last-year", "auto", False),
        (f"embedded:{settings_with().models.catalogue[0].name}", "extractive", True),
        ("ollama:qwen3:8b", "auto", True),
        ("ollama:qwen3:8b", "embedded", False),
        ("openai:gpt", "auto", False),
        ("extractive:extractive", "embedded", True),
    ],
)
def test_a_stored_model_is_kept_where_the_server_still_has_its_like(model: str, provider: str, kept: bool) -> None:
    settings = settings_with(llm={"provider": provider}, server={"locked": ()})
    assert usable({"llm.model": model, "limit": 3}, settings).values == {"limit": 3} | (
        {"llm.model": model} if kept else {}
    )
