"""The configuration: `config.yaml` as frozen, validated sections. The only reader of YAML."""

import os
import re
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from rag.errors import ConfigError
from rag.i18n import Language

_DATABASE_URL = re.compile(r"sqlite:///.+|postgresql\+psycopg://(.+@)?(\[.+\]|[^/:@]*)(:\d+)?/[^/?]+(\?.*)?")
_VARIABLE = re.compile(r"\$\{(\w+)(?::([^}]*))?\}")
Port = Annotated[int, Field(ge=0, le=65535)]
Positive = Annotated[int, Field(gt=0)]
Share = Annotated[float, Field(gt=0, le=1)]


class Section(BaseModel):
    """A part of the configuration: unknown keys are refused, values do not change after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ServerSettings(Section):
    host: str = "127.0.0.1"
    port: Port = 7860
    language: Language = Language.ZH
    max_waiting: Positive = 32
    concurrency: Positive = 16


class StoreSettings(Section):
    path: Path = Path("data/store")
    session_quota_mb: Positive = 500


class LoaderSettings(Section):
    max_file_mb: Positive = 100
    max_pages: Positive = 3000
    time_limit_seconds: Positive = 120
    memory_limit_mb: Positive = 3000


class SplitterSettings(Section):
    max_len: Annotated[int, Field(ge=20)] = 200
    overlap: Annotated[int, Field(ge=0)] = 40
    parent_max_len: Positive = 800

    @model_validator(mode="after")
    def _nested(self) -> "SplitterSettings":
        if not self.overlap < self.max_len <= self.parent_max_len:
            raise ValueError("overlap < max_len ≤ parent_max_len")
        return self


class MilvusSettings(Section):
    uri: Literal[""] = ""
    collection_name: str = "wenqu"


class DenseFieldSettings(Section):
    provider: Literal["auto", "embedded", "ollama", "openai"] = "auto"
    model: str = ""
    base_url: str = ""
    dimension: Annotated[int, Field(ge=0)] = 0
    api_key: str = Field(default="", repr=False)

    @model_validator(mode="after")
    def _named(self) -> "DenseFieldSettings":
        if self.provider in ("ollama", "openai") and not self.model:
            raise ValueError(f"provider {self.provider}: model ≠ ''")
        if self.provider == "openai" and not self.base_url:
            raise ValueError("provider openai: base_url ≠ ''")
        return self


class SparseFieldSettings(Section):
    provider: Literal["self"] = "self"
    algorithm: Literal["BM25"] = "BM25"
    k1: Annotated[float, Field(ge=0)] = 1.5
    b: Annotated[float, Field(ge=0, le=1)] = 0.75


class DenseFields(Section):
    chunk: DenseFieldSettings = DenseFieldSettings()


class SparseFields(Section):
    chunk: SparseFieldSettings = SparseFieldSettings()


class FuseSettings(Section):
    method: Literal["weighted", "rrf"] = "weighted"
    weights: tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]] = (0.7, 0.3)
    k: Positive = 60

    @field_validator("weights")
    @classmethod
    def _some_weight(cls, weights: tuple[float, float]) -> tuple[float, float]:
        if sum(weights) <= 0:
            raise ValueError("sum > 0")
        return weights


class LLMSettings(Section):
    provider: Literal["auto", "ollama", "openai", "embedded", "extractive"] = "auto"
    model: str = ""
    base_url: str = ""
    ollama_host: str = "http://127.0.0.1:11434"
    api_key: str = Field(default="", repr=False)
    temperature: Annotated[float, Field(ge=0, le=2)] = 0.1
    max_tokens: Positive = 512
    num_ctx: Annotated[int, Field(ge=512)] = 8192
    keep_alive: str = "30m"
    reasoning: bool = False
    threads: Annotated[int, Field(ge=0)] = 0
    cache_ram_mib: Annotated[int, Field(ge=0)] = 384
    concurrency: Positive = 1

    @field_validator("ollama_host")
    @classmethod
    def _with_scheme(cls, host: str) -> str:
        # Ollama itself accepts "host", "host:port" and the listening address 0.0.0.0 in OLLAMA_HOST.
        url = host if "://" in host else f"http://{host}"
        url = url if re.search(r":\d+/?$", url) or url.startswith("https") else f"{url.rstrip('/')}:11434"
        return url.replace("//0.0.0.0", "//127.0.0.1")

    @model_validator(mode="after")
    def _addressed(self) -> "LLMSettings":
        if self.provider == "openai" and not (self.base_url and self.model):
            raise ValueError("provider openai: base_url ≠ '', model ≠ ''")
        return self


class ConversationSettings(Section):
    url: str = Field(default="", repr=False)
    expire_days: Annotated[int, Field(ge=0)] = 30
    qa_log: bool = False

    @field_validator("url")
    @classmethod
    def _database(cls, url: str) -> str:
        if url and not _DATABASE_URL.fullmatch(url):
            raise ValueError("'' | sqlite:///path | postgresql+psycopg://user:password@host:port/database")
        return url


class DialogueSettings(Section):
    estimate_token_fun: str = "avg"
    llm_max_token: Annotated[int, Field(ge=512)] = 8192
    cut_dialogue_scale: Annotated[int, Field(ge=2)] = 2
    max_token_threshold: Annotated[float, Field(gt=0, le=2)] = 0.9
    evidence_tokens: Positive = 360
    decide_by: Literal["auto", "rules", "llm"] = "auto"
    max_question_length: Positive = 2000
    console_debug: bool = False
    thinking_in_context: bool = False


class HubSource(Section):
    kind: Literal["huggingface", "modelscope"]
    repository: str


class PackageSource(Section):
    """A file carried in parts by Python packages `<package>1` … `<package>N`, each holding `data/partNN.bin`."""

    kind: Literal["packages"]
    package: str
    version: str
    parts: Positive


class ModelFile(Section):
    name: str
    file: Annotated[str, Field(pattern=r"^[\w.-]+\.gguf$")]
    size: Positive
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    licence: str
    sources: tuple[Annotated[HubSource | PackageSource, Field(discriminator="kind")], ...]


class ModelSettings(Section):
    folder: Path = Path("~/.cache/wenqu/models")
    offline: bool = False
    source_timeout_seconds: Annotated[float, Field(gt=0)] = 5
    default: tuple[str, ...]
    catalogue: tuple[ModelFile, ...]

    @field_validator("folder")
    @classmethod
    def _home(cls, folder: Path) -> Path:
        return folder.expanduser()

    @model_validator(mode="after")
    def _known(self) -> "ModelSettings":
        names = {model.name for model in self.catalogue}
        if unknown := [name for name in self.default if name not in names]:
            raise ValueError(f"default: {', '.join(unknown)} ∉ catalogue ({', '.join(sorted(names))})")
        return self


class Settings(Section):
    """The whole of config.yaml."""

    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    loaders: LoaderSettings = LoaderSettings()
    splitter: SplitterSettings = SplitterSettings()
    milvus: MilvusSettings = MilvusSettings()
    dense_fields: DenseFields = DenseFields()
    sparse_fields: SparseFields = SparseFields()
    fuse: FuseSettings = FuseSettings()
    top_k: Positive = 50
    limit: Positive = 5
    llm: LLMSettings = LLMSettings()
    conversation: ConversationSettings = ConversationSettings()
    multi_dialogue_rag: DialogueSettings = DialogueSettings()
    models: ModelSettings


def read_settings(path: Path = Path("config.yaml")) -> Settings:
    """The settings in a YAML file, `${VAR:default}` taken from the environment. Raises ConfigError."""
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(file=path, problems=str(error)) from error
    if not isinstance(values, dict):
        raise ConfigError(file=path, problems="section: value")
    try:
        return Settings.model_validate(_substitute(values))
    except ValidationError as error:
        raise ConfigError(file=path, problems=_describe(error)) from error


def _substitute(value: object) -> object:
    if isinstance(value, dict):
        return {key: _substitute(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_substitute(item) for item in value]
    if isinstance(value, str):
        return _VARIABLE.sub(lambda match: os.environ.get(match[1]) or match[2] or "", value)
    return value


def _describe(error: ValidationError) -> str:
    """Each problem as `key.path: what is allowed (what was found)`, without the values of secrets."""
    problems = []
    for problem in error.errors(include_url=False):
        path = ".".join(str(part) for part in problem["loc"]) or "config"
        name = path.rsplit(".", 1)[-1]
        found = "" if "key" in name or name == "url" else f" ({problem['input']!r})"
        problems.append(f"{path}: {problem['msg']}{found[:80]}")
    return "; ".join(problems)
