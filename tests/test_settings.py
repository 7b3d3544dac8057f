"""config.yaml: every setting with its default, and one readable message for what is wrong in it."""

import re
from pathlib import Path

import pytest
import yaml

from rag.errors import ConfigError
from rag.settings import Section, Settings, read_settings
from rag.settings.server import store_folder

SHIPPED = Path(__file__).parent.parent / "config.yaml"


def written(tmp_path: Path, old: str, new: str) -> Path:
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "config.yaml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    return path


def test_the_shipped_file_holds_every_setting_with_its_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in re.findall(r"\$\{(\w+):", SHIPPED.read_text(encoding="utf-8")):
        monkeypatch.delenv(name, raising=False)
    shipped = read_settings(SHIPPED)
    models = {"default": shipped.models.default, "catalogue": shipped.models.catalogue}
    assert shipped.model_dump(exclude={"models"}) == Settings.model_validate({"models": models}).model_dump(
        exclude={"models"}
    )

    def keys(section: type[Section], values: dict[str, object]) -> None:
        assert set(values) == set(section.model_fields), section.__name__
        for name, field in section.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
                nested = values[name]
                assert isinstance(nested, dict)
                keys(field.annotation, nested)

    keys(Settings, yaml.safe_load(SHIPPED.read_text(encoding="utf-8")))


def test_every_line_of_the_shipped_file_that_sets_a_value_is_explained_in_chinese() -> None:
    sections = SHIPPED.read_text(encoding="utf-8").split("\n  catalogue:")[0].splitlines()
    assert [line for line in sections if ": " in line and not re.search("#.*[\u4e00-\u9fff]", line)] == []


def test_an_environment_variable_replaces_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WENQU_STORE", "/elsewhere")
    monkeypatch.setenv("GRADIO_SERVER_PORT", "8123")
    settings = read_settings(SHIPPED)
    assert settings.store.path == Path("/elsewhere")
    assert settings.server.port == 8123


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("192.168.1.5:11500", "http://192.168.1.5:11500"),
        ("http://box:11434", "http://box:11434"),
        ("https://ollama.example", "https://ollama.example"),
        ("http://box", "http://box"),
        ("http://proxy:8080/ollama", "http://proxy:8080/ollama"),
        ("box/ollama", "http://box:11434/ollama"),
        (":11500", "http://127.0.0.1:11500"),
        ("10.0.0.0", "http://10.0.0.0:11434"),
        ("[::1]", "http://[::1]:11434"),
        ("::1", "http://[::1]:11434"),
    ],
)
def test_ollama_host_is_understood_as_ollama_does(given: str, meant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", given)
    assert read_settings(SHIPPED).llm.ollama_host == meant


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("method: weighted", "metod: weighted", ["fuse.metod"]),
        ("method: weighted", "method: borda", ["fuse.method", "'weighted' or 'rrf'"]),
        ("weights: [0.7, 0.3]", "weights: [0, 0]", ["fuse.weights", "sum > 0"]),
        ("top_k: 50", "top_k: 0", ["top_k", "greater than 0"]),
        ("overlap: 40 ", "overlap: 400 ", ["splitter", "overlap < max_len"]),
        ("expire_days: 30", "expire_days: -1", ["conversation.expire_days", "greater than or equal to 0"]),
        ("default: [qwen2.5-1.5b-instruct,", "default: [nowhere,", ["models", "nowhere"]),
    ],
)
def test_a_mistake_is_told_by_file_key_and_what_is_allowed(
    old: str, new: str, parts: list[str], tmp_path: Path
) -> None:
    path = written(tmp_path, old, new)
    with pytest.raises(ConfigError) as caught:
        read_settings(path)
    assert str(path) in str(caught.value)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize(
    ("limit", "told"), [(1000, "≥ 1012 = evidence 100 \\+ llm.max_tokens 512"), (16384, "≤ llm.num_ctx 8192")]
)
def test_a_prompt_without_room_or_longer_than_the_models_context_is_refused(
    limit: int, told: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match=f"multi_dialogue_rag.llm_max_token {told}"):
        read_settings(written(tmp_path, "llm_max_token: 8192", f"llm_max_token: {limit}"))


def test_a_service_with_a_context_of_its_own_may_have_longer_prompts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("PROVIDER", "openai"), ("MODEL", "m"), ("BASE_URL", "http://127.0.0.1:9")):
        monkeypatch.setenv(f"WENQU_LLM_{name}", value)
    path = written(tmp_path, "llm_max_token: 8192", "llm_max_token: 32768")
    assert read_settings(path).multi_dialogue_rag.llm_max_token == 32768


def test_a_mistake_beside_a_secret_does_not_tell_the_secret(tmp_path: Path) -> None:
    path = written(tmp_path, "api_key: ${WENQU_LLM_API_KEY:}", "api_key: [hush-hush]")
    with pytest.raises(ConfigError) as caught:
        read_settings(path)
    assert "llm.api_key" in str(caught.value)
    assert "hush-hush" not in str(caught.value)


def test_a_section_with_a_mistake_does_not_tell_the_secrets_in_it(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("llm: {api_key: hush-hush, provider: openai}\n", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_settings(path)
    assert "base_url" in str(caught.value)
    assert "hush-hush" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "sqlite:////var/lib/wenqu/talk.sqlite3",
        "postgresql+psycopg://me:p%2Fw@db.example:5432/wenqu?sslmode=require",
        "postgresql+psycopg://me@/wenqu?host=/run/postgresql",
        "postgresql+psycopg://[::1]:5432/wenqu",
    ],
)
def test_conversations_are_kept_in_sqlite_or_postgresql(url: str, tmp_path: Path) -> None:
    path = written(tmp_path, "url: ${WENQU_CONVERSATION_URL:}", f"url: '{url}'")
    assert read_settings(path).conversation.url == url


@pytest.mark.parametrize(
    "url",
    [
        "mysql://me:hush-hush@host/wenqu",
        "postgresql+psycopg://me:hush-hush@host:port/wenqu",
        "postgresql+psycopg://me:hush-hush@host",
    ],
)
def test_another_database_is_refused_without_telling_its_password(url: str, tmp_path: Path) -> None:
    path = written(tmp_path, "url: ${WENQU_CONVERSATION_URL:}", f"url: {url}")
    with pytest.raises(ConfigError) as caught:
        read_settings(path)
    assert "conversation.url" in str(caught.value)
    assert "postgresql+psycopg://" in str(caught.value)
    assert "hush-hush" not in str(caught.value)


def test_yaml_that_cannot_be_parsed_is_a_config_error(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("llm: [", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"config\.yaml"):
        read_settings(path)


def test_a_persistent_disk_holds_the_store_where_there_is_one(tmp_path: Path) -> None:
    assert store_folder(tmp_path) == tmp_path / "store"
    assert store_folder(tmp_path / "missing") == Path("data/store")


def test_keys_are_a_comma_list_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WENQU_API_KEYS", "first-key-0123456789, second-key-0123456789,")
    settings = read_settings(SHIPPED)
    assert settings.server.api_keys == ("first-key-0123456789", "second-key-0123456789")
    assert "first-key" not in repr(settings)
    monkeypatch.setenv("WENQU_API_KEYS", "too-short")
    with pytest.raises(ConfigError) as refused:
        read_settings(SHIPPED)
    assert "api_keys" in str(refused.value) and "too-short" not in str(refused.value)


def test_the_containers_set_only_what_the_configuration_reads() -> None:
    known = set(re.findall(r"\$\{(\w+)", SHIPPED.read_text(encoding="utf-8")))
    compose = yaml.safe_load(SHIPPED.with_name("compose.yaml").read_text(encoding="utf-8"))
    image = re.findall(r"\b([A-Z_]+)=", SHIPPED.with_name("Dockerfile").read_text(encoding="utf-8"))
    assert {*compose["services"]["wenqu"]["environment"], *image} <= known
    assert set(compose["volumes"]) == {"wenqu", "ollama"}
