"""Models of the sessions' own: what is on its way, and who answers where one cannot be had."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag.database import open_database
from rag.errors import TooManyModelsComing
from rag.llm import ollama
from rag.llm.pool import ModelPool
from rag.model_store import ModelStore, OnProgress
from rag.preferences.checks import usable
from rag.preferences.effective import Preferences
from rag.preferences.store import PreferenceStore
from rag.types import ModelState, Provider
from tests.model_server import serving, tags
from tests.preferring import FixedManager, pool_of, settings_with
from tests.test_profiles import NOWHERE, Place, wait_until


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
        wait_until(lambda: not pool.pulling("mine"))
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
