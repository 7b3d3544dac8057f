"""config.yaml: every setting with its default, and one readable message for what is wrong in it."""

import re
from collections.abc import Iterator
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from unicodedata import east_asian_width

import pytest
import yaml
from pydantic import ValidationError

from rag import i18n
from rag.errors import ConfigError
from rag.settings import Section, Settings, language_of, read_settings
from rag.settings.faults import faults
from rag.settings.server import is_ephemeral, store_folder

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
    assert shipped.store.path == SHIPPED.parent / "data" / "store"
    models = {"default": shipped.models.default, "catalogue": shipped.models.catalogue}
    default = Settings.model_validate({"models": models, "store": {"path": shipped.store.path}})
    assert shipped.model_dump(exclude={"models"}) == default.model_dump(exclude={"models"})

    def keys(section: type[Section], values: dict[str, object]) -> None:
        assert set(values) == set(section.model_fields), section.__name__
        for name, field in section.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, Section):
                nested = values[name]
                assert isinstance(nested, dict)
                keys(field.annotation, nested)

    keys(Settings, yaml.safe_load(SHIPPED.read_text(encoding="utf-8")))


def test_offline_is_what_the_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    for said, is_offline in (("true", True), ("false", False)):
        monkeypatch.setenv("WENQU_OFFLINE", said)
        assert read_settings(SHIPPED).models.offline is is_offline


def test_every_line_of_the_shipped_file_that_sets_a_value_is_explained_in_chinese() -> None:
    # Of the catalogue, the first model explains all. A long explanation stands in the lines above.
    lines = "- name:".join(SHIPPED.read_text(encoding="utf-8").split("- name:")[:2]).splitlines()[:-1]
    chinese = re.compile("#.*[\u4e00-\u9fff]")
    bare = [
        line
        for above, line in pairwise(["", *lines])
        if ": " in line and not line.lstrip().startswith("#") and not chinese.search(line)
        if not (above.lstrip().startswith("#") and chinese.search(above))
    ]
    assert bare == []


def test_no_line_of_the_shipped_file_is_too_wide_to_be_read_at_once() -> None:
    def width(line: str) -> int:
        return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)

    assert [line for line in SHIPPED.read_text(encoding="utf-8").splitlines() if width(line) > 140] == []


def test_an_environment_variable_replaces_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WENQU_STORE", "/elsewhere")
    monkeypatch.setenv("GRADIO_SERVER_PORT", "8123")
    settings = read_settings(SHIPPED)
    assert settings.store.path == Path("/elsewhere")
    assert settings.server.port == 8123


def test_paths_are_from_where_the_file_is_and_a_tilde_is_the_users_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, home = written(tmp_path, "mcp: false", "mcp: true"), tmp_path / "home"
    monkeypatch.chdir("/")
    monkeypatch.setenv("HOME", str(home))
    for given, folder in (("there", tmp_path / "there"), ("~/there", home / "there"), ("/there", Path("/there"))):
        monkeypatch.setenv("WENQU_STORE", given)
        monkeypatch.setenv("WENQU_MODELS", given)
        monkeypatch.setenv("WENQU_MILVUS_URI", f"{given}/milvus.db")
        settings = read_settings(path)
        assert (settings.store.path, settings.models.folder) == (folder, folder)
        assert settings.milvus.uri == str(folder / "milvus.db")
    monkeypatch.setenv("WENQU_MILVUS_URI", "http://milvus:19530")
    assert read_settings(path).milvus.uri == "http://milvus:19530"


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


@pytest.mark.parametrize(("given", "meant"), [("-1", "-1s"), ("'-1'", "-1s"), ("0", "0s"), ("1h30m", "1h30m")])
def test_how_long_ollama_keeps_a_model_may_be_a_number_of_seconds(given: str, meant: str, tmp_path: Path) -> None:
    assert read_settings(written(tmp_path, "keep_alive: 30m", f"keep_alive: {given}")).llm.keep_alive == meant


@pytest.mark.parametrize("variable", ["WENQU_LLM_API_KEY", "WENQU_EMBEDDING_API_KEY", "WENQU_RERANK_API_KEY"])
def test_a_key_out_of_a_file_is_had_without_its_line_end_and_shown_to_nobody(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "sk-hush\r\n")
    settings = read_settings(SHIPPED)
    assert "sk-hush" in (settings.llm.api_key, settings.dense_fields.chunk.api_key, settings.rerank.api_key)
    assert "hush" not in repr(settings)


def refused(path: Path, language: i18n.Language = i18n.Language.ZH) -> str:
    """What is said of a file that is refused."""
    with pytest.raises(ConfigError) as caught:
        read_settings(path)
    said = i18n.sentence(language, caught.value.message)
    assert str(path) in said and "\n" not in said
    return said


@pytest.mark.parametrize(
    ("old", "new", "chinese", "english"),
    [
        ("method: weighted", "method: borda", "fuse.method：只能是 weighted、rrf，现在写的是“borda”", "weighted, rrf"),
        ("weights: [0.7, 0.3]", "weights: [0, 0]", "fuse.weights：至少一个权重要大于 0", "above 0"),
        ("weights: [0.7, 0.3]", "weights: []", "fuse.weights：至少要有 1 项", "at least 1"),
        ("top_k: 50", "top_k: 0", "top_k：应大于 0，现在写的是“0”", 'above 0, not "0"'),
        ("overlap: 40 ", "overlap: 400 ", "splitter：应满足 overlap < max_len", "has to hold"),
        ("expire_days: 30", "expire_days: -1", "conversation.expire_days：应不小于 0", "at least 0"),
        ("expire_days: 30", "expire_days: 10001", "conversation.expire_days：应不大于 10000", "at most 10000"),
        (":7860}", ":99999}", "server.port：应不大于 65535", "at most 65535"),
        ("temperature: 0.1", "temperature: hot", "llm.temperature：应为数字，", "has to be a number"),
        ("enabled: true", "enabled: maybe", "ocr.enabled：应为 true 或 false", "true or false"),
        ("timeout: 10 ", "timeout: .inf ", "rerank.timeout：应为数字，", "has to be a number"),
        ("requests: []", "requests: chunk_dense", "requests：应为列表", "a list"),
        ("fuse:\n", "fuse: rrf\nfusion:\n", "fuse：应为一节", "fuse: has to be a section"),
        (
            "default: [qwen2.5-1.5b-instruct,",
            "default: [nowhere,",
            "models.default：models.catalogue 里没有 nowhere",
            "",
        ),
        ("kind: modelscope", "kind: ftp", "sources.1.kind：只能是 huggingface、modelscope、packages", "packages"),
        ("package: pandas", "pack: pandas", "catalogue.2.sources.2.package：缺少这个键", "this key is missing"),
        ("${WENQU_LLM_PROVIDER:auto}", "openai", "provider: openai 时还要填写 base_url、model", "base_url, model"),
        ("${OLLAMA_HOST:http://127.0.0.1:11434}", "http://a:b", "llm.ollama_host：应为服务的地址", "address"),
        ("${OLLAMA_HOST:http://127.0.0.1:11434}", "ftp://box", "llm.ollama_host：应为服务的地址", "address"),
        ("${WENQU_LLM_API_KEY:}", "sk-你的密钥", "llm.api_key：应为服务给出的密钥", "as the service gave it"),
        (
            'model: ""                             #',
            "model: bge-m3  #",
            "dense_fields.chunk：provider: auto 时用的是内置模型",
            "set",
        ),
        ("keep_alive: 30m", "keep_alive: soon", "llm.keep_alive：应为时长，如 30m", "0 frees the memory"),
        ("${WENQU_MILVUS_URI:}", "ftp://x", "milvus.uri：应留空，或是 http://", ".db"),
        ("file: qwen2.5-1.5b", "file: ../qwen", "catalogue.0.file：应为以 .gguf 结尾", "without folders"),
        (
            "llm_max_token: 8192",
            "llm_max_token: 900",
            "llm_max_token：至少要有 1000 个词元：资料 100",
            "answer (llm.max",
        ),
        (
            "llm_max_token: 8192",
            "llm_max_token: 16384",
            "llm_max_token：应不大于 llm.num_ctx（8192）",
            "at most llm.num",
        ),
    ],
)
def test_a_mistake_is_told_by_file_key_and_what_is_allowed(
    old: str, new: str, chinese: str, english: str, tmp_path: Path
) -> None:
    path = written(tmp_path, old, new)
    assert chinese in refused(path)
    assert english in refused(path, i18n.Language.EN)


def test_a_key_that_is_not_known_is_told_with_those_that_are_and_the_one_that_was_meant(tmp_path: Path) -> None:
    said = refused(written(tmp_path, "method: weighted", "metod: weighted"))
    assert "fuse.metod：没有这个键，是不是想写 method？这里可用的是 method、weights、k" in said
    assert "weighted" not in said
    said = refused(written(tmp_path, "kind: modelscope, repository", "kind: modelscope, xyz: 1, repository"))
    assert "sources.1.xyz：没有这个键，这里可用的是 kind、repository" in said


def _leaves(values: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    inside = values.items() if isinstance(values, dict) else enumerate(values) if isinstance(values, list) else ()
    if path:
        yield path
    for key, value in inside:
        yield from _leaves(value, (*path, key))


def test_no_mistake_is_told_in_the_words_of_a_library() -> None:
    shipped = yaml.safe_load(re.sub(r"\$\{\w+:([^}]*)\}", r"\1", SHIPPED.read_text(encoding="utf-8")))
    for leaf in _leaves(shipped):
        for wrong in (None, "?", "", -1, 1e30, 0.5, True, [], ["?"], {}, {"?": "?"}, {1: 2}):
            values = deepcopy(shipped)
            section = values
            for key in leaf[:-1]:
                section = section[key]
            section[leaf[-1]] = wrong
            try:
                Settings.model_validate(values)
            except ValidationError as error:
                said = [i18n.sentence(language, faults(error, Settings)) for language in i18n.Language]
                assert not re.search(r"Input|Settings|Section|Field|valid |Value error|pydantic", "".join(said)), said


@pytest.mark.parametrize(
    ("inside", "outside", "told"),
    [("en", "", "cannot"), ("fr", "en", "cannot"), ("zh", "en", "有问题"), ("", "en", "cannot")],
)
def test_what_is_wrong_is_told_in_the_language_of_the_interface(
    inside: str, outside: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WENQU_LANGUAGE", outside)
    path = tmp_path / "config.yaml"
    path.write_text(f"server: {{language: {inside}}}\n" if inside else "server: [", encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_settings(path)
    assert told in i18n.sentence(language_of(path), caught.value.message)


def test_a_file_that_is_no_configuration_at_all_is_told_without_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    assert "读不到这个文件" in refused(path)
    path.write_text("llm: [\n  hush-hush: ]: x", encoding="utf-8")
    assert "第 2 行" in refused(path) and "hush-hush" not in refused(path)
    path.write_bytes("名: 值".encode("gb18030"))
    assert "UTF-8" in refused(path)
    path.write_text("- hush-hush", encoding="utf-8")
    assert "应为一节" in refused(path) and "hush-hush" not in refused(path)


def test_a_section_that_stands_twice_is_told_by_its_line_and_does_not_undo_the_first(tmp_path: Path) -> None:
    path = tmp_path / "config.yaml"
    shipped = SHIPPED.read_text(encoding="utf-8")
    path.write_text(f"{shipped}\nllm:\n  provider: ollama\n", encoding="utf-8")
    assert refused(path).endswith(f"第 {shipped.count(chr(10)) + 2} 行的 llm 在同一节里已经写过，请合并成一处")


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


def test_a_spaces_persistent_disk_holds_the_store_unless_a_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Path("data/store")
    monkeypatch.setenv("SPACE_ID", "someone/wenqu")
    assert store_folder(usual, tmp_path) == tmp_path / "store"
    assert store_folder(usual, tmp_path / "missing") == usual
    assert store_folder(Path("elsewhere"), tmp_path) == Path("elsewhere")
    monkeypatch.delenv("SPACE_ID")
    assert store_folder(usual, tmp_path) == usual
    assert read_settings(SHIPPED).store.path == SHIPPED.parent / usual


@pytest.mark.parametrize(
    ("named", "space", "host"),
    [("", True, "0.0.0.0"), ("", False, "127.0.0.1"), ("10.1.2.3", True, "10.1.2.3"), ("10.1.2.3", False, "10.1.2.3")],
)
def test_a_space_listens_to_all_though_its_runtime_says_nothing(
    named: str, space: bool, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADIO_SERVER_NAME", named)
    monkeypatch.setenv("SPACE_ID", "someone/wenqu") if space else monkeypatch.delenv("SPACE_ID", raising=False)
    assert read_settings(SHIPPED).server.host == host


def test_a_space_without_a_persistent_disk_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk, missing = tmp_path, tmp_path / "missing"
    monkeypatch.delenv("SPACE_ID", raising=False)
    assert not is_ephemeral(Path("data/store"), missing)
    monkeypatch.setenv("SPACE_ID", "someone/wenqu")
    assert is_ephemeral(Path("data/store"), missing)
    assert is_ephemeral(Path("data/store"), disk)
    assert is_ephemeral(missing / "store", missing)
    assert not is_ephemeral(disk / "store", disk)


def test_keys_are_a_comma_list_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WENQU_API_KEYS", "first-key-0123456789, second-key-0123456789,")
    settings = read_settings(SHIPPED)
    assert settings.server.api_keys == ("first-key-0123456789", "second-key-0123456789")
    assert "first-key" not in repr(settings)
    monkeypatch.setenv("WENQU_API_KEYS", "too-short")
    with pytest.raises(ConfigError) as refused:
        read_settings(SHIPPED)
    assert "api_keys" in str(refused.value) and "too-short" not in str(refused.value)


def test_the_image_takes_in_the_modules_that_stand_beside_app_py() -> None:
    lines = SHIPPED.with_name(".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "*" and "!*.py" in lines


def test_the_containers_set_only_what_the_configuration_reads() -> None:
    known = set(re.findall(r"\$\{(\w+)", SHIPPED.read_text(encoding="utf-8")))
    compose = yaml.safe_load(SHIPPED.with_name("compose.yaml").read_text(encoding="utf-8"))
    image = re.findall(r"\b([A-Z_]+)=", SHIPPED.with_name("Dockerfile").read_text(encoding="utf-8"))
    assert {*compose["services"]["wenqu"]["environment"], *image} <= known
    assert set(compose["volumes"]) == {"wenqu", "ollama"}
