"""`config.yaml` as frozen, validated sections. The only reader of YAML."""

import os
import re
from collections.abc import Hashable
from math import ceil
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError, model_validator

from rag.errors import ConfigError
from rag.i18n import Language
from rag.settings.base import Positive, Section, refusal
from rag.settings.dialogue import LEAST_EVIDENCE, ConversationSettings, DialogueSettings, LLMSettings
from rag.settings.faults import GivenTwice, faults, unreadable
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

_LIMIT = "multi_dialogue_rag.llm_max_token"
# What stands around question and evidence in the shortest prompt, and a question of some 300 characters.
_OTHER_TOKENS = 650
# The greatest share of a prompt's tokens that an answer may take: with few of them no question would fit.
_ANSWER_SHARE = 0.25
# Providers that are not told a length of context.
_CONTEXT_OF_THEIR_OWN = ("openai", "extractive")
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

    @property
    def answer_tokens(self) -> int:
        """The tokens that are kept free for an answer."""
        return min(self.llm.max_tokens, int(_ANSWER_SHARE * self.multi_dialogue_rag.llm_max_token))

    @model_validator(mode="after")
    def _locks_mean_something(self) -> "Settings":
        # A lock with a slip in its name would leave open what the operator believes to be closed.
        sections = [lock for lock in self.server.locked if lock.partition(".")[0] != "prompts"]
        if unknown := [lock for lock in sections if not _names(self, lock)]:
            raise refusal("no_such_lock", path="server.locked", names="、".join(unknown))
        return self

    @model_validator(mode="after")
    def _prompt_has_room(self) -> "Settings":
        # Evidence gives way where the conversation needs the room, down to this.
        evidence = min(LEAST_EVIDENCE, self.multi_dialogue_rag.evidence_tokens)
        answer = min(self.llm.max_tokens, ceil((evidence + _OTHER_TOKENS) * _ANSWER_SHARE / (1 - _ANSWER_SHARE)))
        limit, needed = self.multi_dialogue_rag.llm_max_token, evidence + answer + _OTHER_TOKENS
        if limit < needed:
            parts = {"evidence": evidence, "answer": answer, "other": _OTHER_TOKENS}
            raise refusal("too_little_room", path=_LIMIT, needed=needed, **parts)
        if limit > self.llm.num_ctx and self.llm.provider not in _CONTEXT_OF_THEIR_OWN:
            raise refusal("beyond_context", path=_LIMIT, limit=self.llm.num_ctx)
        return self


def _names(section: Section, path: str) -> bool:
    """Whether a dotted path leads to a section or a value."""
    name, _, rest = path.partition(".")
    if name not in type(section).model_fields:
        return False
    value = getattr(section, name)
    return not rest or (isinstance(value, Section) and _names(value, rest))


def read_settings(path: Path = Path("config.yaml")) -> Settings:
    """The settings in a YAML file, `${VAR:default}` taken from the environment. Raises ConfigError.

    A path that is not absolute is from the file's folder, wherever the process was started; `~` is the user's home.
    """
    try:
        return _located(Settings.model_validate(_values(path)), path.parent.absolute())
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(file=path, problems=unreadable(error)) from error
    except ValidationError as error:
        raise ConfigError(file=path, problems=faults(error, Settings)) from error


def _located(settings: Settings, folder: Path) -> Settings:
    store, models, milvus = settings.store, settings.models, settings.milvus
    store = store.model_copy(update={"path": folder / store.path.expanduser()})
    models = models.model_copy(update={"folder": folder / models.folder.expanduser()})
    if milvus.is_lite:
        milvus = milvus.model_copy(update={"uri": str(folder / Path(milvus.uri).expanduser())})
    return settings.model_copy(update={"store": store, "models": models, "milvus": milvus})


def language_of(path: Path) -> Language:
    """The language in which to tell what is wrong with a file, which may be wrong in this too."""
    try:
        return Language(_values(path)["server"]["language"])  # type: ignore[index]
    except (OSError, yaml.YAMLError, KeyError, TypeError, ValueError):
        wanted = os.environ.get("WENQU_LANGUAGE", "")
        return Language(wanted) if wanted in list(Language) else Language.ZH


class _Loader(yaml.SafeLoader):
    """YAML lets the last of two equal keys win: a section added at the end would undo the one above without a word."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """The values of a section. Raises GivenTwice."""
        seen = set[object]()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in seen:
                raise GivenTwice(problem=key.value, problem_mark=key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _values(path: Path) -> object:
    return _substitute(yaml.load(path.read_text(encoding="utf-8"), _Loader) or {})  # noqa: S506 - a safe one


def _substitute(value: object) -> object:
    if isinstance(value, dict):
        return {key: _substitute(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_substitute(item) for item in value]
    if isinstance(value, str):
        return _VARIABLE.sub(lambda match: os.environ.get(match[1]) or match[2] or "", value)
    return value
