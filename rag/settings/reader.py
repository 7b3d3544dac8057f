"""`config.yaml` as frozen, validated sections. The only reader of YAML."""

import os
import re
from pathlib import Path

import yaml
from pydantic import ValidationError, model_validator
from pydantic_core import PydanticCustomError

from rag.errors import ConfigError
from rag.settings.base import Positive, Section
from rag.settings.dialogue import LEAST_EVIDENCE, ConversationSettings, DialogueSettings, LLMSettings
from rag.settings.models import ModelSettings
from rag.settings.retrieval import (
    DenseFields,
    FuseSettings,
    MilvusSettings,
    RerankSettings,
    RouteSettings,
    SparseFields,
)
from rag.settings.server import (
    LoaderSettings,
    OcrSettings,
    PageSettings,
    ServerSettings,
    SplitterSettings,
    StoreSettings,
)

TOO_LITTLE_ROOM = "too_little_room"
# What stands around question and evidence in the shortest prompt, and a question of some length.
_OTHER_TOKENS = 400
# Providers that are not told a length of context.
_CONTEXT_OF_THEIR_OWN = ("openai", "extractive")
_SECRET = ("url", "uri", "token")
_VARIABLE = re.compile(r"\$\{(\w+)(?::([^}]*))?\}")


class Settings(Section):
    """The whole of config.yaml."""

    plugins: tuple[str, ...] = ()
    server: ServerSettings = ServerSettings()
    store: StoreSettings = StoreSettings()
    loaders: LoaderSettings = LoaderSettings()
    ocr: OcrSettings = OcrSettings()
    pages: PageSettings = PageSettings()
    splitter: SplitterSettings = SplitterSettings()
    milvus: MilvusSettings = MilvusSettings()
    dense_fields: DenseFields = DenseFields()
    sparse_fields: SparseFields = SparseFields()
    requests: tuple[RouteSettings, ...] = ()
    fuse: FuseSettings = FuseSettings()
    rerank: RerankSettings = RerankSettings()
    top_k: Positive = 50
    limit: Positive = 5
    llm: LLMSettings = LLMSettings()
    conversation: ConversationSettings = ConversationSettings()
    multi_dialogue_rag: DialogueSettings = DialogueSettings()
    models: ModelSettings

    @model_validator(mode="after")
    def _locks_mean_something(self) -> "Settings":
        # A lock with a slip in its name would leave open what the operator believes to be closed.
        sections = [lock for lock in self.server.locked if lock.partition(".")[0] != "prompts"]
        if unknown := [lock for lock in sections if not _names(self, lock)]:
            raise ValueError(f"server.locked: {', '.join(unknown)} ∉ config.yaml")
        return self

    @model_validator(mode="after")
    def _prompt_has_room(self) -> "Settings":
        # Evidence gives way where the conversation needs the room, down to this.
        evidence, answer = min(LEAST_EVIDENCE, self.multi_dialogue_rag.evidence_tokens), self.llm.max_tokens
        limit, needed = self.multi_dialogue_rag.llm_max_token, evidence + answer + _OTHER_TOKENS
        if limit < needed:
            raise PydanticCustomError(
                TOO_LITTLE_ROOM,
                "multi_dialogue_rag.llm_max_token ≥ {needed} = evidence {evidence} + llm.max_tokens {answer}"
                f" + {_OTHER_TOKENS}",
                {"needed": needed, "evidence": evidence, "answer": answer},
            )
        if limit > self.llm.num_ctx and self.llm.provider not in _CONTEXT_OF_THEIR_OWN:
            raise ValueError(f"multi_dialogue_rag.llm_max_token ≤ llm.num_ctx {self.llm.num_ctx}")
        return self


def _names(section: Section, path: str) -> bool:
    """Whether a dotted path leads to a section or a value."""
    name, _, rest = path.partition(".")
    if name not in type(section).model_fields:
        return False
    value = getattr(section, name)
    return not rest or (isinstance(value, Section) and _names(value, rest))


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
        # What was found in the place of a section may hold its secrets.
        told = isinstance(problem["input"], str | int | float) and "key" not in path and name not in _SECRET
        found = f" ({problem['input']!r})" if told else ""
        problems.append(f"{path}: {problem['msg']}{found[:80]}")
    return "; ".join(problems)
