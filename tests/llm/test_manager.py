"""Who answers, for what reason: over a real Ollama-like server and model files in a folder."""

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from rag import i18n
from rag.errors import ModelFileError
from rag.llm.manager import ModelManager
from rag.model_store import ModelStore, OnProgress
from rag.settings import DialogueSettings, LLMSettings, ModelSettings, Settings
from rag.types import Message, ModelState, ModelStatus, Provider
from tests.knowledge import by_words
from tests.model_server import Reply, serving, tags
from tests.waiting import wait_for

NOWHERE = "http://127.0.0.1:9"
BROKEN_MODEL = b"this is not a model"


def settings(folder: Path, **llm: object) -> Settings:
    digest = hashlib.sha256(BROKEN_MODEL).hexdigest()
    broken = {"name": "broken", "file": "broken.gguf", "size": len(BROKEN_MODEL), "sha256": digest}
    absent = broken | {"name": "absent", "file": "absent.gguf"}
    catalogue = [entry | {"licence": "MIT", "sources": []} for entry in (absent, broken)]
    models = ModelSettings.model_validate({"folder": folder, "default": ["absent"], "catalogue": catalogue})
    return Settings(llm=LLMSettings.model_validate({"ollama_host": NOWHERE} | llm), models=models)


def settled(manager: ModelManager) -> ModelStatus:
    manager.start()
    assert wait_for(lambda: manager.status().state is ModelState.READY)
    return manager.status()


def manager_of(settings: Settings) -> ModelManager:
    return ModelManager(settings, ModelStore(settings.models), by_words)


def said(status: ModelStatus) -> str:
    assert i18n.sentence(i18n.Language.EN, status.reason)
    return i18n.sentence(i18n.Language.ZH, status.reason)


@pytest.fixture
def ollama() -> Iterator[str]:
    with serving({"/api/tags": tags("bge-m3:latest", "qwen2.5:7b", "qwen3:8b")}) as server:
        yield server.url


def test_a_model_file_is_loaded_no_sooner_than_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(BROKEN_MODEL)
    manager = manager_of(settings(tmp_path, provider="embedded", model="broken"))
    begun = time.monotonic()
    manager.start(load_after=0.5)
    settled(manager)
    assert time.monotonic() - begun >= 0.5


def test_what_is_closed_before_its_model_file_is_loaded_loads_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.gguf").write_bytes(BROKEN_MODEL)
    loaded: list[Path] = []
    monkeypatch.setattr("rag.llm.build.build_embedded", lambda _, path: loaded.append(path))
    manager = manager_of(settings(tmp_path, provider="embedded", model="broken"))
    manager.start(load_after=60)
    assert wait_for(lambda: manager.status().state is ModelState.LOADING)
    manager.close()
    assert loaded == []


def test_what_is_done_once_a_model_answers_waits_as_long_as_the_loading_of_a_file(tmp_path: Path) -> None:
    done: list[float] = []
    manager = manager_of(settings(tmp_path, provider="extractive"))
    begun = time.monotonic()
    manager.start(on_ready=lambda: done.append(time.monotonic()), load_after=0.5)
    settled(manager)
    assert wait_for(lambda: bool(done))
    assert done[0] - begun >= 0.5


def test_before_anything_is_found_answers_are_extractive(tmp_path: Path) -> None:
    manager = manager_of(settings(tmp_path))
    assert manager.current().provider is Provider.EXTRACTIVE
    assert manager.status().state is ModelState.PROBING


def test_the_first_chat_model_of_ollama_is_chosen(tmp_path: Path, ollama: str) -> None:
    manager = manager_of(settings(tmp_path, ollama_host=ollama))
    assert settled(manager).provider is Provider.OLLAMA
    assert manager.current()[:2] == (Provider.OLLAMA, "qwen2.5:7b")


def test_the_named_model_of_ollama_is_chosen(tmp_path: Path, ollama: str) -> None:
    manager = manager_of(settings(tmp_path, ollama_host=ollama, model="qwen3:8b"))
    assert settled(manager).model == "qwen3:8b"


def test_without_any_model_answers_stay_extractive_and_say_what_to_do(tmp_path: Path) -> None:
    manager = manager_of(settings(tmp_path))
    status = settled(manager)
    assert status.provider is Provider.EXTRACTIVE
    assert "absent.gguf" in said(status)
    assert "models.folder" in said(status) and str(tmp_path) not in said(status)
    assert status.failed


class HalfwayStore(ModelStore):
    """Brings half of a file, lets `look` see what is told of it, and breaks off."""

    look: Callable[[], None]

    def fetch(self, name: str, on_progress: OnProgress, cancel: threading.Event) -> Path:
        on_progress(100, 1000)
        on_progress(500, 1000)
        self.look()
        raise ModelFileError(file="absent.gguf", detail=Message("model_file.broken"))


def test_a_download_is_told_while_extractive_answers_go_on(tmp_path: Path) -> None:
    store = HalfwayStore(settings(tmp_path).models)
    manager = ModelManager(settings(tmp_path), store, by_words)
    seen: list[ModelStatus] = []
    store.look = lambda: seen.append(manager.status())
    settled(manager)
    assert (seen[0].provider, seen[0].state) == (Provider.EXTRACTIVE, ModelState.DOWNLOADING)
    assert (seen[0].done, seen[0].total, seen[0].coming) == (500, 1000, "absent")
    assert seen[0].speed > 0
    assert "absent" in said(seen[0])


def test_a_file_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(BROKEN_MODEL)
    status = settled(manager_of(settings(tmp_path, provider="embedded", model="broken")))
    assert status.provider is Provider.EXTRACTIVE
    assert "无法加载" in said(status)


def test_an_absent_ollama_that_was_asked_for_is_named(tmp_path: Path) -> None:
    status = settled(manager_of(settings(tmp_path, provider="ollama")))
    assert status.provider is Provider.EXTRACTIVE
    assert NOWHERE in said(status)


def test_a_missing_model_is_pulled_when_ollama_was_asked_for(tmp_path: Path) -> None:
    replies = {"/api/tags": tags("other:1b"), "/api/pull": Reply(('{"status": "success"}',))}
    with serving(replies) as server:
        manager = manager_of(settings(tmp_path, provider="ollama", ollama_host=server.url, model="qwen3:8b"))
        assert settled(manager).model == "qwen3:8b"
        assert [path for path, _ in server.asked] == ["/api/tags", "/api/pull"]


def test_an_ollama_without_chat_models_is_told_which_to_get(tmp_path: Path) -> None:
    with serving({"/api/tags": tags("bge-m3:latest")}) as server:
        status = settled(manager_of(settings(tmp_path, provider="ollama", ollama_host=server.url)))
    assert "ollama pull qwen2.5:7b" in said(status)


def test_extractive_is_a_choice_too(tmp_path: Path) -> None:
    status = settled(manager_of(settings(tmp_path, provider="extractive")))
    assert status.reason.key == "model.extractive_chosen"


def test_an_openai_compatible_server_is_used_as_set(tmp_path: Path) -> None:
    manager = manager_of(settings(tmp_path, provider="openai", base_url="http://127.0.0.1:9/v1", model="deepseek"))
    assert settled(manager).provider is Provider.OPENAI
    assert "deepseek" in said(manager.status())


@pytest.mark.parametrize("provider", ["ollama", "auto", "openai"])
@pytest.mark.parametrize("runs", [True, False])
def test_what_is_told_of_a_server_holds_no_password(
    provider: str, runs: bool, tmp_path: Path, ollama: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.gguf").write_bytes(BROKEN_MODEL)
    monkeypatch.setattr("rag.llm.build.build_embedded", lambda *_: Loads())
    url = (ollama if runs else NOWHERE).replace("//", "//admin:geheim@")
    where = {"base_url": f"{url}/v1?key=geheim", "model": "m"} if provider == "openai" else {"ollama_host": url}
    configured = settings(tmp_path, provider=provider, **where)
    models = configured.models.model_copy(update={"default": ("broken",)})
    reason = said(settled(manager_of(configured.model_copy(update={"models": models}))))
    assert "127.0.0.1" in reason and "geheim" not in reason and "admin" not in reason


@pytest.mark.parametrize(
    ("llm", "why", "better"),
    [
        ({}, "已在运行", "ollama pull"),
        ({"model": "qwen3:8b"}, "按设置", "ollama pull"),
        ({"provider": "ollama", "model": "qwen3:8b"}, "按设置", "WENQU_LLM_MODEL"),
        ({"provider": "openai", "base_url": "http://127.0.0.1:9/v1", "model": "m"}, "按设置", "WENQU_LLM_MODEL"),
        ({"provider": "embedded", "model": "broken"}, "按设置", "ollama pull qwen2.5:7b"),
        ({"provider": "auto", "model": "broken"}, "按设置", "WENQU_LLM_MODEL 设为 qwen2.5:7b"),
    ],
)
def test_whoever_answers_it_is_told_why_and_how_to_do_better(
    llm: dict[str, object], why: str, better: str, tmp_path: Path, ollama: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.gguf").write_bytes(BROKEN_MODEL)
    monkeypatch.setattr("rag.llm.build.build_embedded", lambda *_: Loads())
    reason = said(settled(manager_of(settings(tmp_path, ollama_host=ollama, **llm))))
    assert why in reason and "想要更好的回答" in reason and better in reason


class Loads:
    """A model file that can be loaded."""

    def load(self, _cancel: threading.Event) -> None:
        """Nothing to do."""


def test_where_there_is_no_model_each_that_was_looked_for_is_told(tmp_path: Path) -> None:
    own = settings(tmp_path)
    second = own.models.catalogue[0].model_copy(update={"name": "second", "file": "second.gguf"})
    update = {"catalogue": (*own.models.catalogue, second), "default": ("absent", "second")}
    own = own.model_copy(update={"models": own.models.model_copy(update=update)})
    told = said(settled(manager_of(own)))
    assert NOWHERE in told and "absent.gguf" in told and "second.gguf" in told


def test_a_model_whose_file_cannot_be_read_leaves_the_next_one_to_be_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Unreadable(ModelStore):
        def path(self, name: str) -> Path | None:
            if name == "absent":
                raise ModelFileError(file="absent.gguf", detail="Permission denied")
            return super().path(name)

    for name in ("absent.gguf", "broken.gguf"):
        (tmp_path / name).write_bytes(BROKEN_MODEL)
    monkeypatch.setattr("rag.llm.build.build_embedded", lambda *_: Loads())
    own = settings(tmp_path)
    own = own.model_copy(update={"models": own.models.model_copy(update={"default": ("absent", "broken")})})
    assert settled(ModelManager(own, Unreadable(own.models), by_words)).model == "broken"


def test_a_retry_finds_an_ollama_that_was_started_meanwhile(tmp_path: Path) -> None:
    with serving({"/api/tags": tags("qwen2.5:7b")}) as server:
        url = server.url
    manager = manager_of(settings(tmp_path, ollama_host=url))
    assert settled(manager).provider is Provider.EXTRACTIVE
    port = int(url.rsplit(":", 1)[1])
    with serving({"/api/tags": tags("qwen2.5:7b")}, port):
        manager.retry()
        assert wait_for(lambda: manager.current().provider is Provider.OLLAMA)


def before_ollama_is_there(folder: Path, **chosen: object) -> tuple[ModelManager, str]:
    """A manager that has looked for Ollama several times in vain, and where that will be."""
    with serving({"/api/tags": tags("qwen2.5:7b")}) as server:
        url = server.url
    manager = manager_of(settings(folder, ollama_host=url, **chosen))
    assert settled(manager).failed
    manager.retry()
    time.sleep(0.2)
    return manager, url


def test_an_ollama_that_was_asked_for_answers_by_itself_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("rag.llm.manager._AGAIN_SECONDS", 0.02)
    caplog.set_level(logging.INFO)
    manager, url = before_ollama_is_there(tmp_path, provider="ollama")
    told = [record.getMessage() for record in caplog.records if "answers come from" in record.getMessage()]
    assert len(told) == 1 and url in told[0]
    with serving({"/api/tags": tags("qwen2.5:7b")}, int(url.rsplit(":", 1)[1])):
        assert wait_for(lambda: manager.current().provider is Provider.OLLAMA)
        assert not manager.status().failed
    manager.close()


def test_where_nothing_else_answers_an_ollama_does_so_by_itself_once_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("rag.llm.manager._AGAIN_SECONDS", 0.02)
    caplog.set_level(logging.INFO)
    manager, url = before_ollama_is_there(tmp_path)
    # Nothing is brought from afar each time.
    assert len([record for record in caplog.records if ".gguf" in record.getMessage()]) <= 4
    with serving({"/api/tags": tags("qwen2.5:7b")}, int(url.rsplit(":", 1)[1])) as server:
        assert wait_for(lambda: manager.current().provider is Provider.OLLAMA)
        asked = len(server.asked)
        time.sleep(0.2)
        assert len(server.asked) == asked
    manager.close()


def looked_again(manager: ModelManager) -> ModelStatus:
    manager.retry()
    assert manager._prober._thread is not None
    manager._prober._thread.join(30)
    return manager.status()


@pytest.mark.parametrize("kept_back", ["a model file", "the first reading of the prompt"])
def test_a_retry_does_not_wait_for_what_is_only_kept_back_for_the_page(tmp_path: Path, kept_back: str) -> None:
    with serving({"/api/tags": tags("qwen2.5:7b")}) as server:
        url = server.url
    if kept_back == "a model file":
        (tmp_path / "absent.gguf").write_bytes(BROKEN_MODEL)
    manager, ready = manager_of(settings(tmp_path, ollama_host=url)), threading.Event()
    manager.start(on_ready=ready.set, load_after=60)
    assert wait_for(lambda: manager._prober._waits)
    assert manager.status().state is (ModelState.LOADING if kept_back == "a model file" else ModelState.READY)
    port = int(url.rsplit(":", 1)[1])
    with serving({"/api/tags": tags("qwen2.5:7b")}, port):
        manager.retry()
        assert wait_for(lambda: manager.current().provider is Provider.OLLAMA)
    assert ready.wait(30)
    manager.close()


def test_a_retry_does_not_wait_for_what_is_done_once_a_model_answers(tmp_path: Path) -> None:
    with serving({"/api/tags": tags("qwen2.5:7b")}) as server:
        url = server.url
    begun, go_on = threading.Event(), threading.Event()

    def prepare() -> None:
        begun.set()
        go_on.wait(60)

    manager = manager_of(settings(tmp_path, ollama_host=url))
    manager.start(on_ready=prepare)
    assert begun.wait(30)
    assert manager.current().provider is Provider.EXTRACTIVE
    port = int(url.rsplit(":", 1)[1])
    with serving({"/api/tags": tags("qwen2.5:7b")}, port):
        manager.retry()
        assert wait_for(lambda: manager.current().provider is Provider.OLLAMA)
    go_on.set()
    manager.close()


def test_a_retry_at_the_very_end_of_a_look_is_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replies = {"/api/tags": tags("qwen2.5:7b")}
    with serving(replies) as server:
        manager = manager_of(settings(tmp_path, provider="ollama", ollama_host=server.url))

        def retry_at_once(*_: object) -> None:
            if not manager.status().model.startswith("qwen3"):
                replies["/api/tags"] = tags("qwen3:8b")
                manager.retry()

        monkeypatch.setattr("rag.llm.manager._log.info", retry_at_once)
        manager.start()
        assert wait_for(lambda: manager.current().name == "qwen3:8b")


def test_whatever_fails_once_a_model_answers_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise ValueError("a model's own code")

    manager = manager_of(settings(tmp_path, provider="extractive"))
    manager.start(on_ready=fail)
    assert wait_for(lambda: "a model's own code" in caplog.text)
    assert manager.status().state is ModelState.READY


def test_whoever_gave_a_key_without_naming_the_service_is_told_that_it_is_not_used(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settled(manager_of(settings(tmp_path, api_key="sk-something")))
    assert "WENQU_LLM_PROVIDER" in caplog.text and "sk-something" not in caplog.text


@pytest.mark.parametrize("provider", ["auto", "ollama"])
def test_who_answers_stays_where_a_further_look_fails(tmp_path: Path, provider: str) -> None:
    replies = {"/api/tags": tags("qwen2.5:7b")}
    with serving(replies) as server:
        manager = manager_of(settings(tmp_path, provider=provider, ollama_host=server.url))
        settled(manager)
        replies["/api/tags"] = Reply(('{"error": "busy"}',), status=503)
        status = looked_again(manager)
    assert (status.model, status.state, manager.current().name) == ("qwen2.5:7b", ModelState.READY, "qwen2.5:7b")
    assert (status.reason.key, "503" in said(status)) == ("model.kept", True)


def test_a_model_that_ollama_no_longer_has_answers_no_more(tmp_path: Path) -> None:
    replies = {"/api/tags": tags("qwen2.5:7b")}
    with serving(replies) as server:
        manager = manager_of(settings(tmp_path, provider="ollama", ollama_host=server.url))
        settled(manager)
        replies["/api/tags"] = tags("bge-m3:latest")
        assert looked_again(manager).provider is Provider.EXTRACTIVE


def test_an_ollama_that_was_ended_answers_no_more(tmp_path: Path) -> None:
    with serving({"/api/tags": tags("qwen2.5:7b")}) as server:
        manager = manager_of(settings(tmp_path, ollama_host=server.url))
        settled(manager)
    assert looked_again(manager).provider is Provider.EXTRACTIVE


@pytest.mark.model
def test_the_embedded_model_is_loaded_from_the_folder_and_says_how_to_do_better() -> None:
    from rag.settings import read_settings
    from tests.prepare import TEST_MODEL

    models = read_settings().models.model_copy(update={"default": (TEST_MODEL,), "offline": True})
    small = LLMSettings(ollama_host=NOWHERE, num_ctx=2048)
    manager = manager_of(Settings(llm=small, multi_dialogue_rag=DialogueSettings(llm_max_token=2048), models=models))
    try:
        status = settled(manager)
        assert (status.provider, status.model) == (Provider.EMBEDDED, TEST_MODEL)
        assert NOWHERE in said(status)
    finally:
        manager.close()
