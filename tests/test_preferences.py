"""What a visitor may set: checked, merged, stored, locked."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from rag import i18n
from rag.database import open_database
from rag.errors import ConfigError
from rag.i18n import Language
from rag.knowledge.request import from_settings
from rag.preferences.checks import MAX_PROMPT_LENGTH, Checked, check, usable
from rag.preferences.effective import Preferences, effective
from rag.preferences.fields import EMBEDDING, PROMPT_NAMES, Value, fields_of, is_locked, server_value
from rag.preferences.store import PreferenceStore
from rag.settings import read_settings
from rag.settings.server import ServerSettings
from rag.web.settings.controls import control
from rag.web.settings.form import form
from rag.web.settings.panel import Panel
from tests.preferring import FixedManager, settings_with

SETTINGS = settings_with()
DIALOGUE = "multi_dialogue_rag"


def problem(path: str, value: object, **sections: object) -> str:
    """The name of what is wrong with a value, by itself."""
    problems = check({path: value}, settings_with(**sections), {}).problems
    return problems[path].key.rpartition(".")[2] if path in problems else ""


def test_only_what_differs_from_the_server_is_kept() -> None:
    asked = {field.path: server_value(SETTINGS, field) for field in fields_of(SETTINGS)}
    assert check(asked, SETTINGS, {}).preferences == Preferences()
    assert check(asked | {"limit": "3", "llm.temperature": "0.10"}, SETTINGS, {}).preferences.values == {"limit": 3}


def test_the_settings_of_a_session_are_the_servers_with_its_own_values_in_place() -> None:
    asked = {"limit": "3", "top_k": "100", "requests": {"chunk_sparse": "2"}, f"{DIALOGUE}.decide_by": "rules"}
    own = effective(SETTINGS, check(asked, SETTINGS, {}).preferences)
    request = from_settings(own)
    assert [(route.anns_field, route.limit) for route in request.requests] == [("chunk_sparse", 100)]
    assert (request.fuse.weights, request.limit, own.multi_dialogue_rag.decide_by) == ((2.0,), 3, "rules")
    assert own.llm == SETTINGS.llm


def limits_with(asked: Mapping[str, object], **sections: object) -> list[tuple[str, int]]:
    """How many chunks each route gives where a session asks for something and the server is set somehow."""
    settings = settings_with(**sections)
    request = from_settings(effective(settings, check(asked, settings, {}).preferences))
    return [(route.anns_field, min(request.top_k, route.limit)) for route in request.requests]


def test_a_session_limits_one_route_and_the_other_goes_on_taking_the_common_number() -> None:
    limits = {"chunk_dense": "", "chunk_sparse": "20"}
    usual = from_settings(SETTINGS).fuse.weights
    own = effective(SETTINGS, check({"request_limits": limits}, SETTINGS, {}).preferences)
    assert from_settings(own).fuse.weights == usual
    assert limits_with({"request_limits": limits, "top_k": "80"}) == [("chunk_dense", 80), ("chunk_sparse", 20)]
    alone = {"requests": {"chunk_sparse": "1"}, "request_limits": limits}
    assert limits_with(alone) == [("chunk_sparse", 20)]


def test_a_limit_of_the_servers_is_shown_kept_and_taken_away() -> None:
    routes = {"requests": [{"anns_field": "chunk_dense", "limit": 30}, {"anns_field": "chunk_sparse", "limit": 50}]}
    settings = settings_with(**routes)
    shown = {field.path: server_value(settings, field) for field in fields_of(settings)}
    assert shown["request_limits"] == {"chunk_dense": 30, "chunk_sparse": 50}
    assert check(shown, settings, {}).preferences == Preferences()
    assert limits_with({"top_k": "40"}, **routes) == [("chunk_dense", 30), ("chunk_sparse", 40)]
    blank = {"chunk_dense": "", "chunk_sparse": ""}
    assert limits_with({"request_limits": blank}, **routes) == [("chunk_dense", 50), ("chunk_sparse", 50)]


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ({"chunk_dense": "0"}, "whole"),
        ({"chunk_dense": "201"}, "whole"),
        ({"chunk_dense": None}, "whole"),
        ({"questions_dense": "1"}, "choice"),
        ("chunk_dense", "choice"),
    ],
)
def test_limits_of_routes_without_sense_are_refused(value: object, key: str) -> None:
    assert problem("request_limits", value) == key


def test_how_many_passages_are_reranked_is_a_visitors_to_set() -> None:
    own = effective(SETTINGS, check({"rerank.input_top_n": "20"}, SETTINGS, {}).preferences)
    assert own.rerank.input_top_n == 20
    assert problem("rerank.input_top_n", "0") == problem("rerank.input_top_n", "201") == "whole"
    assert problem("rerank.input_top_n", "500", rerank={"input_top_n": 500}) == ""


def test_where_a_server_answers_its_own_numbers_are_the_usual_ones() -> None:
    settings = settings_with(multi_dialogue_rag={"limit_served": 10})
    assert check({"limit": "10"}, settings, {}, served=True).preferences == Preferences()
    own = check({"limit": "5"}, settings, {}, served=True).preferences
    assert own.values == {"limit": 5}
    assert usable(own.values, settings) == own
    assert effective(settings, own).multi_dialogue_rag.limit_served == 5


def test_without_preferences_the_settings_are_the_servers_own() -> None:
    assert effective(SETTINGS, Preferences({"prompts.refusal": "没有。"})) is SETTINGS


@pytest.mark.parametrize(
    "path",
    [
        "llm.ollama_host",
        "llm.provider",
        "llm.num_ctx",
        "rerank.base_url",
        "rerank.api_key",
        "dense_fields.chunk.base_url",
        "dense_fields.chunk.provider",
        "store.path",
        "models.folder",
        "conversation.url",
        "server.locked",
        "prompts.insert_block",
        "prompts.../../../etc/passwd",
        "__class__",
        "",
    ],
)
def test_addresses_keys_and_all_that_is_no_field_cannot_be_set(path: str) -> None:
    assert problem(path, "http://169.254.169.254/") == "not_settable"


@pytest.mark.parametrize("value", ["0", "21", "2.5", "", "abc", "1e1", "nan", True, None, ["3"], {"a": 1}, "9" * 99])
def test_a_limit_that_is_no_whole_number_within_its_bounds_is_refused(value: object) -> None:
    assert problem("limit", value) == "whole"


@pytest.mark.parametrize("value", ["-0.1", "2.1", "inf", "nan", "", "0,5", False])
def test_a_temperature_out_of_bounds_is_refused(value: object) -> None:
    assert problem("llm.temperature", value) == "number"


@pytest.mark.parametrize(
    ("value", "key"),
    [
        ({}, "no_route"),
        ({"chunk_dense": "0"}, "no_weight"),
        ({"chunk_dense": "-1"}, "number"),
        ({"questions_dense": "1"}, "choice"),
        ("chunk_dense", "choice"),
    ],
)
def test_routes_without_sense_are_refused(value: object, key: str) -> None:
    assert problem("requests", value) == key


@pytest.mark.parametrize(
    ("name", "text", "key"),
    [
        ("question", "只看 {question}", "placeholder_missing"),
        ("question", "{evidence} {question} {secret}", "placeholder_unknown"),
        ("question", "{evidence} {question.__class__.__mro__}", "braces"),
        ("question", "{evidence} {question!r}", "braces"),
        ("question", "{evidence} {question:>99999999}", "braces"),
        ("question", "{evidence} {question} {", "braces"),
        ("question", "{evidence} {question} {}", "braces"),
        ("question", "{evidence} {0} {question}", "braces"),
        ("question", "{evidence} {question} {question}", "placeholder_repeated"),
        ("answer", " ", "prompt_length"),
        ("answer", "长" * (MAX_PROMPT_LENGTH + 1), "prompt_length"),
        ("answer", None, "prompt_length"),
        ("question", "{evidence}\n{question}", ""),
        ("answer", '用 JSON 回答：{"a": 1}', ""),
    ],
)
def test_prompts_have_their_placeholders_and_nothing_else_in_braces(name: str, text: object, key: str) -> None:
    assert problem(f"prompts.{name}", text) == key


def test_the_shipped_prompts_pass_their_own_check() -> None:
    for name in PROMPT_NAMES:
        field = next(field for field in fields_of(SETTINGS) if field.path == f"prompts.{name}")
        assert problem(field.path, f"{server_value(SETTINGS, field)}\n。") == ""


def test_values_that_do_not_go_together_are_refused_together() -> None:
    small = SETTINGS.model_copy(update={"llm": SETTINGS.llm.model_copy(update={"num_ctx": 2048})})
    checked = check({f"{DIALOGUE}.llm_max_token": "4096", f"{DIALOGUE}.evidence_tokens": "200"}, small, {})
    assert checked.preferences == Preferences()
    problem = i18n.sentence(i18n.Language.ZH, checked.problems[f"{DIALOGUE}.llm_max_token"])
    assert problem.startswith("这样的组合不能用：应不大于 llm.num_ctx（2048）")


@pytest.mark.parametrize(
    ("is_served", "values", "rerank", "offered"),
    [
        (True, {}, {}, True),
        (False, {}, {}, False),
        (False, {"rerank.kind": "llm"}, {}, True),
        (False, {"rerank.kind": "none"}, {"kind": "llm"}, True),
    ],
    ids=["served", "in this process", "chosen already", "the server's own"],
)
def test_grades_of_a_slow_model_are_offered_only_where_they_are_chosen(
    is_served: bool, values: dict[str, Value], rerank: dict[str, str], offered: bool
) -> None:
    settings = settings_with(rerank=rerank)
    panel = Panel(settings, Preferences(values), (), FixedManager().status(), Language.ZH, is_served)
    field = next(field for field in fields_of(settings) if field.path == "rerank.kind")
    assert ('value="llm"' in control(field, panel)) is offered
    assert 'value="features"' in control(field, panel)


@pytest.mark.parametrize(
    ("path", "llm", "dialogue"),
    [
        ("llm.temperature", {"temperature": 0.00002}, {}),
        (f"{DIALOGUE}.llm_max_token", {"num_ctx": 1_048_576}, {"llm_max_token": 1_048_576}),
    ],
)
def test_a_number_of_the_operators_can_be_saved_as_it_is_shown(
    path: str, llm: dict[str, object], dialogue: dict[str, object]
) -> None:
    settings = settings_with(llm=llm, multi_dialogue_rag=dialogue)
    field = next(field for field in fields_of(settings) if field.path == path)
    shown = control(field, Panel(settings, Preferences(), (), FixedManager().status(), Language.ZH))
    written = re.search(' value="(.*?)"', shown)
    assert written and check({field.path: written[1]}, settings, {}) == Checked()


@pytest.mark.parametrize(
    ("chunk", "zh", "en"),
    [
        ({}, "内置的 multilingual-e5-small-q4 · 每段文字变成 384 个数", "multilingual-e5-small-q4, built in"),
        ({"provider": "ollama", "model": "<bge>"}, "Ollama 的 &lt;bge&gt;", "&lt;bge&gt; in Ollama"),
        (
            {"provider": "openai", "model": "v3", "base_url": "http://10.1.2.3/v1", "dimension": 1024},
            "模型服务的 v3 · 每段文字变成 1024 个数",
            "v3 at a model service · each passage becomes 1024 numbers",
        ),
    ],
)
def test_the_form_says_what_makes_the_vectors_and_where_that_is_set(chunk: dict[str, object], zh: str, en: str) -> None:
    settings = settings_with(dense_fields={"chunk": chunk})
    for language, told in ((Language.ZH, zh), (Language.EN, en)):
        html = form(Panel(settings, Preferences(), (), FixedManager().status(), language))
        row = html[html.index(f'data-field="{EMBEDDING}"') :].partition("</fieldset>")[0]
        assert told in " ".join(re.sub("<.*?>", " ", row).split())
        assert "ollama pull" in row and "10.1.2.3" not in row


def test_with_milvus_the_form_says_why_all_have_one_model_for_vectors() -> None:
    settings = settings_with(milvus={"uri": "http://127.0.0.1:9"}, server={"locked": ()})
    for language, told in ((Language.ZH, "存在 Milvus 里"), (Language.EN, "kept in Milvus")):
        html = form(Panel(settings, Preferences(), (), FixedManager().status(), language))
        row = html[html.index(f'data-field="{EMBEDDING}"') :].partition("</fieldset>")[0]
        assert told in row and row.count("radio") == row.count(" disabled") == 1


def test_a_model_is_chosen_only_among_those_offered() -> None:
    assert problem("llm.model", "ollama:evil.example/ns/model") == "no_such_model"
    own = effective(
        SETTINGS, check({"llm.model": "ollama:qwen3:8b"}, SETTINGS, {"llm.model": ["ollama:qwen3:8b"]}).preferences
    )
    assert (own.llm.provider, own.llm.model) == ("ollama", "qwen3:8b")
    assert own.llm.ollama_host == SETTINGS.llm.ollama_host


@pytest.mark.parametrize(
    ("lock", "path", "value"),
    [
        ("llm", "llm.temperature", "1"),
        ("llm.provider", "llm.model", "extractive:extractive"),
        ("fuse.weights", "requests", {"chunk_sparse": "1"}),
        ("requests", "request_limits", {"chunk_sparse": "1"}),
        ("fuse", "fuse.method", "rrf"),
        (DIALOGUE, f"{DIALOGUE}.decide_by", "rules"),
        ("prompts", "prompts.refusal", "没有。"),
        ("prompts.refusal", "prompts.refusal", "没有。"),
    ],
)
def test_a_lock_on_a_key_or_its_section_refuses_what_is_sent_all_the_same(lock: str, path: str, value: object) -> None:
    settings = settings_with(server={"locked": (lock,)})
    checked = check({path: value, "limit": "3"}, settings, {"llm.model": ["extractive:extractive"]})
    assert checked.problems[path].key == "preference.problem.locked"
    assert checked.preferences == Preferences()
    assert usable({path: value, "limit": 3}, settings).values == {"limit": 3}


def test_a_lock_does_not_reach_neighbours_that_begin_alike() -> None:
    settings = settings_with(server={"locked": ("llm",)})
    locked = {field.path for field in fields_of(settings) if is_locked(field, settings)}
    assert locked == {"llm.model", "llm.temperature", "llm.reasoning", EMBEDDING}


def test_a_lock_that_names_nothing_ends_the_start(tmp_path: Path) -> None:
    text = Path("config.yaml").read_text(encoding="utf-8").replace("${WENQU_LOCKED:auto}", "[lm.provider]")
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"lm\.provider"):
        read_settings(tmp_path / "config.yaml")


@pytest.mark.parametrize(
    ("host", "space", "locked"),
    [("127.0.0.1", False, False), ("0.0.0.0", False, True), ("192.168.1.7", False, True), ("127.0.0.1", True, True)],
)
def test_where_others_reach_the_server_the_model_is_locked(
    host: str, space: bool, locked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPACE_ID", raising=False)
    if space:
        monkeypatch.setenv("SPACE_ID", "someone/wenqu")
    assert ServerSettings.model_validate({"host": host, "locked": "auto"}).locked == (
        ("llm.provider", "llm.model") if locked else ()
    )
    assert ServerSettings.model_validate({"host": host, "locked": []}).locked == ()


@pytest.mark.parametrize(
    ("wanted", "locked"),
    [("none", ()), ("", ("llm.provider", "llm.model")), ("llm, rerank.kind", ("llm", "rerank.kind"))],
)
def test_the_environment_says_what_is_locked(
    wanted: str, locked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADIO_SERVER_NAME", "0.0.0.0")
    monkeypatch.setenv("WENQU_LOCKED", wanted)
    assert read_settings().server.locked == locked


def test_in_our_containers_an_installed_model_can_be_chosen_and_no_address_be_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compose = yaml.safe_load(Path("compose.yaml").read_text(encoding="utf-8"))["services"]["wenqu"]
    image = re.findall(r"\b([A-Z_]+)=(\S+)", Path("Dockerfile").read_text(encoding="utf-8"))
    for name, value in (*image, *compose["environment"].items()):
        monkeypatch.setenv(name, re.sub(r"\$\{\w+:-(.*)\}", r"\1", value))
    assert all(port.startswith("127.0.0.1:") for port in compose["ports"])
    settings, model = read_settings(), "ollama:qwen3:8b"
    assert check({"llm.model": model}, settings, {"llm.model": [model]}).preferences.values == {"llm.model": model}
    for path in ("llm.base_url", "llm.ollama_host", "rerank.base_url", "dense_fields.chunk.base_url"):
        assert check({path: "http://10.0.0.1"}, settings, {}).problems[path].key == "preference.problem.not_settable"


def test_stored_values_that_can_no_longer_be_had_are_left_out() -> None:
    stored = {"limit": 500, "gone": 1, "llm.temperature": 0.5, "prompts.question": "{evidence}", "fuse.k": "x"}
    assert usable(stored, SETTINGS).values == {"llm.temperature": 0.5}


def test_settings_are_frozen_for_a_session_too() -> None:
    with pytest.raises(ValidationError):
        effective(SETTINGS, Preferences({"limit": 3})).limit = 9


@pytest.fixture
def store(tmp_path: Path) -> PreferenceStore:
    return PreferenceStore(open_database(f"sqlite:///{tmp_path / 'preferences.sqlite3'}"))


def test_preferences_are_kept_by_session_until_they_are_forgotten(store: PreferenceStore) -> None:
    store.keep("one", Preferences({"limit": 3, "requests": {"chunk_sparse": 1.0}}))
    store.keep("two", Preferences({"limit": 4}))
    assert store.of("one") == {"limit": 3, "requests": {"chunk_sparse": 1.0}}
    store.keep("one", Preferences({"top_k": 9}))
    assert store.of("one") == {"top_k": 9}
    store.forget("one")
    assert (store.of("one"), store.of("two")) == ({}, {"limit": 4})


def test_sessions_that_changed_nothing_for_long_are_found(store: PreferenceStore) -> None:
    store.keep("one", Preferences({"limit": 3}))
    assert store.before(datetime.now(UTC) - timedelta(days=1)) == ()
    assert store.before(datetime.now(UTC) + timedelta(days=1)) == ("one",)


def test_a_prompt_is_stored_without_what_no_database_holds(tmp_path: Path) -> None:
    store = PreferenceStore(open_database(f"sqlite:///{tmp_path / 'preferences.sqlite3'}"))
    store.keep("mine", Preferences({"prompts.answer": "答\ud800案"}))
    assert store.of("mine") == {"prompts.answer": "答?案"}
