"""A model service of a session's own: where it can be set, where its key goes, and where it does not."""

import logging
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from rag import i18n
from rag.database import open_database, transaction
from rag.errors import (
    ModelKeyRefused,
    ModelMissing,
    ModelRefused,
    ModelUnreachable,
    OwnKeyRefused,
    StoreError,
    WenquError,
)
from rag.i18n import Language
from rag.llm import build
from rag.preferences.checks import check, usable
from rag.preferences.effective import Preferences, effective
from rag.preferences.fields import ADDRESS, FORGET_KEY, KEY, MODEL, fields_of
from rag.preferences.store import PreferenceStore
from rag.settings import Settings
from rag.types import Provider
from rag.web.settings.form import form, read_form
from rag.web.settings.panel import Panel
from tests.model_server import ModelServer, Reply, completion, service_models, serving
from tests.preferring import FixedManager, Place, pool_of, settings_with

CHAT, MODELS = "/v1/chat/completions", "/v1/models"
SECRET = "sk-own-0123456789abcdef"
SERVICE = "https://models.example/v1"


def private(**llm: object) -> Settings:
    return settings_with(llm={"provider": "embedded", **llm}, rerank={"kind": "none"}, server={"locked": ()})


def public(**llm: object) -> Settings:
    return settings_with(llm={"provider": "embedded", **llm}, server={"host": "0.0.0.0", "locked": ()})


def operators(url: str, **server: object) -> Settings:
    """The operator's own provider is a service."""
    llm = {"provider": "openai", "base_url": f"{url}/v1", "model": "theirs", "api_key": "sk-operator-0123456789"}
    return settings_with(llm=llm, rerank={"kind": "none"}, server={"locked": (), **server})


def problems(asked: dict[str, object], settings: Settings) -> dict[str, str]:
    """The names of what is wrong, by field."""
    found = check(asked, settings, {}).problems
    return {path: message.key.rpartition(".")[2] for path, message in found.items()}


@dataclass
class Rig:
    server: ModelServer
    place: Place

    def own(self, **changes: object) -> dict[str, object]:
        """What a form sends of a service."""
        written = {"address": f"{self.server.url}/v1", "key": SECRET, "model": "openai:deep"} | changes
        return {ADDRESS: written["address"], KEY: written["key"], MODEL: written["model"]}


@pytest.fixture
def replies() -> dict[str, Reply]:
    return {MODELS: service_models("deep", "deeper"), CHAT: completion({"content": "十天[1]。"})}


@pytest.fixture
def rig(tmp_path: Path, replies: dict[str, Reply]) -> Iterator[Rig]:
    with serving(replies) as server:
        place = Place(tmp_path, private())
        yield Rig(server, place)
        place.pool.close()


@pytest.mark.parametrize("lock", ["llm", "llm.provider", "llm.model", "llm.base_url", "llm.api_key"])
def test_a_lock_on_any_part_of_who_answers_takes_the_fields_away(lock: str) -> None:
    settings = settings_with(server={"locked": (lock,)})
    assert not {ADDRESS, KEY} & {field.path for field in fields_of(settings)}


@pytest.mark.parametrize(("host", "space"), [("0.0.0.0", False), ("192.168.1.7", False), ("127.0.0.1", True)])
def test_where_others_reach_the_server_no_service_can_be_set_whatever_is_locked(
    host: str, space: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if space:
        monkeypatch.setenv("SPACE_ID", "someone/wenqu")
    settings = settings_with(server={"host": host, "locked": ()})
    assert not {ADDRESS, KEY} & {field.path for field in fields_of(settings)}
    asked: dict[str, object] = {ADDRESS: "http://169.254.169.254/", KEY: "k", MODEL: "openai:m"}
    assert problems(asked, settings) == {ADDRESS: "not_settable", KEY: "not_settable", MODEL: "no_such_model"}
    assert usable(asked, settings) == Preferences()


def test_a_public_server_asks_no_address_that_is_sent_to_it_all_the_same(tmp_path: Path) -> None:
    with serving({MODELS: service_models("deep")}) as server:
        place = Place(tmp_path, public())
        told = place.profiles.ask_service("mine", {ADDRESS: f"{server.url}/v1", KEY: ""})
        assert told[ADDRESS].key == "preference.problem.not_settable"
        assert place.profiles.change("mine", {ADDRESS: f"{server.url}/v1", MODEL: "openai:deep"}).problems
        assert server.asked == []
        place.pool.close()


@pytest.mark.parametrize(
    "address",
    [
        "ftp://models.example/v1",
        "file:///etc/passwd",
        "models.example/v1",
        "https://",
        "https://user:password@models.example/v1",
        "https://user@models.example/v1",
        "https://models.example/v1?key=1",
        "https://models.example/v1#part",
        "https://models.example:99999/v1",
        "https://models.example:0/v1",
        "https://models example/v1",
        "https://models.example\\@evil.example/v1",
        "https://[::1/v1",
        "https://[zz]/v1",
        "https://models.example/\r\nHost: evil.example",
        f"https://{'a' * 300}.example",
        7,
        None,
        ["https://models.example"],
    ],
)
def test_an_address_is_http_with_a_host_and_nothing_secret_in_it(address: object) -> None:
    assert problems({ADDRESS: address}, private()) == {ADDRESS: "address"}


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1234/v1", "https://models.example/v1/ ", "http://[::1]:8000/v1", "HTTP://lan-7:80"]
)
def test_an_address_is_kept_without_what_stands_around_it(address: str) -> None:
    kept = check({ADDRESS: address}, private(), {}).preferences
    assert kept.values == {ADDRESS: address.strip().rstrip("/")}


@pytest.mark.parametrize("key", ["two words", "钥匙", "a\nb", "a\x00", "k" * 2001, 7, None])
def test_a_key_is_what_a_header_can_hold(key: object) -> None:
    assert problems({ADDRESS: SERVICE, KEY: key}, private()) == {KEY: "key"}


def test_a_key_or_a_model_of_a_service_needs_its_address() -> None:
    assert problems({ADDRESS: "", KEY: SECRET}, private()) == {ADDRESS: "no_address"}
    assert problems({ADDRESS: "", MODEL: "openai:deep"}, private()) == {ADDRESS: "no_address"}
    assert problems({ADDRESS: SERVICE, MODEL: "openai:"}, private()) == {MODEL: "no_model_name"}
    assert problems({ADDRESS: SERVICE, MODEL: f"openai:{'m' * 201}"}, private()) == {MODEL: "no_such_model"}


def test_a_name_that_is_written_stands_for_the_model_that_is_chosen() -> None:
    sent = {f"set:{MODEL}": "openai:", f"set:{MODEL}.typed": " deep "}
    assert read_form(sent, frozenset()) == {MODEL: "openai:deep"}
    sent[f"set:{MODEL}"] = "ollama:qwen3:8b"
    assert read_form(sent, frozenset()) == {MODEL: "ollama:qwen3:8b"}


def test_a_session_is_answered_by_its_service_with_its_key_and_others_are_not(rig: Rig) -> None:
    rig.place.answers(["五天[1]。"])
    assert not rig.place.profiles.change("mine", rig.own()).problems
    turn = rig.place.engine.ask("年假有几天？", "mine")
    assert (turn.answer, turn.model) == ("十天[1]。", "deep")
    assert (rig.server.asked[-1][1]["model"], rig.server.keys[-1]) == ("deep", SECRET)
    assert rig.place.engine.ask("年假有几天？", "theirs").model == "scripted"
    status = rig.place.profiles.status("mine")
    assert (status.provider, status.model, status.answers) == (Provider.OPENAI, "deep", True)
    assert rig.server.url.removeprefix("http://") in i18n.sentence(Language.ZH, status.reason)
    assert rig.place.profiles.is_served("mine")


def test_a_service_stays_after_a_restart(rig: Rig, tmp_path: Path) -> None:
    rig.place.profiles.change("mine", rig.own())
    again = Place(tmp_path, private())
    assert again.engine.ask("年假有几天？", "mine").model == "deep"
    assert rig.server.keys[-1] == SECRET
    again.pool.close()


def test_a_client_is_kept_for_the_next_turn_and_not_for_other_settings(rig: Rig) -> None:
    rig.place.profiles.change("mine", rig.own())
    first = rig.place.profiles.of("mine").current_model().model
    assert rig.place.profiles.of("mine").current_model().model is first
    rig.place.profiles.change("mine", rig.own(key="sk-another-0123456789"))
    assert rig.place.profiles.of("mine").current_model().model is not first
    for number in range(40):
        rig.place.profiles.change("mine", rig.own(model=f"openai:m{number}"))
        rig.place.profiles.of("mine").current_model()
    assert len(rig.place.pool.served._clients) == 16


def test_a_services_models_are_offered_once_it_was_asked_for_them(rig: Rig) -> None:
    offered = rig.place.profiles.offered
    assert Provider.OPENAI not in {model.provider for model in offered("mine", rig.own())}
    assert rig.place.profiles.ask_service("mine", rig.own()) == {}
    assert [model.key for model in offered("mine", rig.own())][:2] == ["openai:deep", "openai:deeper"]
    assert rig.server.keys == [SECRET]
    assert Provider.OPENAI not in {model.provider for model in offered("theirs")}
    rig.place.profiles.change("mine", rig.own())
    assert "openai:deeper" in {model.key for model in offered("mine")}


@pytest.mark.parametrize(("status", "path"), [(401, KEY), (404, ADDRESS)])
def test_why_a_service_tells_no_models_stands_at_what_is_to_be_mended(
    rig: Rig, replies: dict[str, Reply], status: int, path: str
) -> None:
    replies[MODELS] = Reply(("{}",), status=status)
    assert list(rig.place.profiles.ask_service("mine", rig.own())) == [path]


def test_a_key_is_kept_until_it_is_replaced_or_removed(rig: Rig) -> None:
    profiles = rig.place.profiles
    for written, kept in ((SECRET, SECRET), ("", SECRET), ("sk-new", "sk-new"), ("", "sk-new"), (FORGET_KEY, None)):
        assert not profiles.change("mine", rig.own(key=written)).problems
        assert profiles.preferences("mine").values.get(KEY) == kept


def test_a_key_does_not_go_to_an_address_that_it_was_not_written_for(rig: Rig) -> None:
    rig.place.profiles.change("mine", rig.own())
    with serving({MODELS: service_models("deep")}) as other:
        asked = rig.own(address=f"{other.url}/v1", key="")
        assert rig.place.profiles.ask_service("mine", asked) == {}
        assert other.keys == [""]
    assert not rig.place.profiles.change("mine", asked).problems
    assert KEY not in rig.place.profiles.preferences("mine").values


def test_the_operators_key_goes_to_no_address_of_a_session() -> None:
    settings = operators("https://theirs.example")
    own = effective(settings, check({ADDRESS: SERVICE, MODEL: "openai:deep"}, settings, {}).preferences).llm
    assert (own.base_url, own.api_key, own.model) == (SERVICE, "", "deep")
    # What is kept and not chosen changes nothing.
    assert effective(settings, Preferences({ADDRESS: SERVICE, KEY: SECRET})).llm == settings.llm


def test_what_was_kept_of_a_service_is_left_out_once_the_server_is_public_or_locked() -> None:
    stored = {MODEL: "openai:deep", KEY: SECRET, ADDRESS: SERVICE, "limit": 3}
    assert usable(stored, private()).values == stored
    for settings in (public(), settings_with(server={"locked": ("llm.api_key",)}), operators("http://x", host="::")):
        assert usable(stored, settings).values == {"limit": 3}


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_models_of_the_operators_service_are_offered_and_answer_with_its_key(
    tmp_path: Path, replies: dict[str, Reply], host: str
) -> None:
    with serving(replies) as server:
        settings = operators(server.url, host=host)
        place = Place(tmp_path, settings)
        assert "openai:deeper" in {model.key for model in place.profiles.offered("mine")}
        assert not place.profiles.change("mine", {MODEL: "openai:deeper"}).problems
        assert place.engine.ask("年假有几天？", "mine").model == "deeper"
        assert set(server.keys) == {"sk-operator-0123456789"}
        assert place.pool.named("deep")[:2] == (Provider.OPENAI, "deep")  # type: ignore[index]
        assert place.pool.named("unheard-of") is None
        assert [path for path, _ in server.asked].count(MODELS) == 1
        place.pool.close()


def test_on_a_public_server_only_what_the_operators_service_lists_can_be_chosen(tmp_path: Path) -> None:
    with serving({MODELS: service_models("deep")}) as server:
        locked = Place(tmp_path, operators(server.url, host="0.0.0.0", locked=("llm.model",)))
        assert locked.profiles.offered("mine") == ()
        assert set(locked.profiles.change("mine", {MODEL: "openai:deep"}).problems) == {MODEL}
        assert server.asked == []
        place = Place(tmp_path, operators(server.url, host="0.0.0.0"))
        refused = place.profiles.change("mine", {MODEL: "openai:costly"}).problems
        assert refused[MODEL].key == "preference.problem.no_such_model"
        for one in (place, locked):
            one.pool.close()


def test_an_operators_service_that_does_not_answer_offers_nothing_and_is_not_asked_at_every_look() -> None:
    with serving({MODELS: Reply(("no list",), status=500)}) as server:
        pool = pool_of(operators(server.url), FixedManager(Provider.OPENAI, "theirs"))
        for _ in range(3):
            assert Provider.OPENAI not in {model.provider for model in pool.offered()}
        assert len(server.asked) == 1
        pool.close()


@pytest.mark.parametrize(
    ("reply", "error", "told"),
    [
        (Reply((f'{{"error": {{"message": "Incorrect API key: {SECRET}"}}}}',), status=401), OwnKeyRefused, "设置"),
        (Reply((f'{{"error": {{"message": "bad key {SECRET}"}}}}',), status=400), ModelRefused, "bad key …"),
        (Reply(('{"error": {"message": "no such model"}}',), status=404), ModelMissing, "deep"),
    ],
    ids=["key refused", "key repeated", "model missing"],
)
def test_an_error_of_a_service_reaches_the_reader_and_the_key_nobody(
    rig: Rig,
    replies: dict[str, Reply],
    caplog: pytest.LogCaptureFixture,
    reply: Reply,
    error: type[WenquError],
    told: str,
) -> None:
    caplog.set_level(logging.DEBUG)
    replies[CHAT] = reply
    rig.place.profiles.change("mine", rig.own())
    rig.place.profiles.ask_service("mine", rig.own())
    with pytest.raises(error) as caught:
        rig.place.engine.ask("年假有几天？", "mine")
    assert told in str(caught.value)
    assert "WENQU_LLM_API_KEY" not in str(caught.value)
    turns = rig.place.engine.turns("mine", rig.place.engine.store.conversations("mine")[0].conversation_id)
    assert SECRET not in f"{caught.value}{caught.value.values}{turns}{caplog.text}"


def test_a_service_that_is_gone_is_told_by_its_address(rig: Rig) -> None:
    rig.place.profiles.change("mine", rig.own(address="http://127.0.0.1:9/v1"))
    with pytest.raises(ModelUnreachable, match=r"127\.0\.0\.1:9"):
        rig.place.engine.ask("年假有几天？", "mine")


def test_the_operators_key_is_still_told_by_the_variable_that_holds_it() -> None:
    with serving({CHAT: Reply(("{}",), status=401)}) as server:
        settings = operators(server.url)
        pool = pool_of(settings, FixedManager())
        model = pool.served.openai(settings.llm)
        with pytest.raises(ModelKeyRefused, match="WENQU_LLM_API_KEY"):
            model.invoke("你好")
        with pytest.raises(ModelKeyRefused, match="WENQU_LLM_API_KEY"):
            build.build_openai(settings.llm).invoke("你好")
        pool.close()


@pytest.mark.parametrize("language", list(Language))
def test_the_form_says_that_a_key_is_kept_and_never_which(rig: Rig, language: Language) -> None:
    rig.place.profiles.change("mine", rig.own())
    refused = {**rig.own(), "limit": "99"}
    checked = rig.place.profiles.change("mine", refused)
    for changes in ({}, {"refused": refused, "problems": checked.problems}, {"refused": refused, "has_asked": True}):
        panel = Panel(
            private(),
            rig.place.profiles.preferences("mine"),
            rig.place.profiles.offered("mine"),
            FixedManager().status(),
            language,
            **changes,
        )
        html = form(panel)
        assert SECRET not in html and SECRET not in repr(panel.preferences)
        assert i18n.text(language, "preference.service.kept") in html
        assert rig.server.url in html


def test_a_key_that_is_removed_is_in_no_file(rig: Rig, tmp_path: Path) -> None:
    def held() -> bool:
        return any(SECRET.encode() in file.read_bytes() for file in tmp_path.iterdir() if file.is_file())

    profiles = rig.place.profiles
    for remove in (lambda: profiles.change("mine", rig.own(key=FORGET_KEY)), lambda: profiles.reset("mine")):
        profiles.change("mine", rig.own())
        assert held()
        remove()
        assert not held()
        assert KEY not in profiles.preferences("mine").values


def test_an_error_of_the_database_does_not_tell_what_was_to_be_stored(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'preferences.sqlite3'}")
    store = PreferenceStore(database)
    with transaction(database) as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER refuse BEFORE INSERT ON preferences BEGIN SELECT RAISE(ABORT, 'refused'); END"
        )
    with pytest.raises(StoreError) as caught:
        store.keep("mine", Preferences({KEY: SECRET}))
    assert SECRET not in "".join(traceback.format_exception(caught.value))
