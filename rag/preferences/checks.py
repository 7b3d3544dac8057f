"""Whether a value that a visitor wants can be had. Every value is hostile until it has come through here."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import isfinite
from string import Formatter

from pydantic import ValidationError

from rag.errors import ConfigError
from rag.knowledge.request import from_settings
from rag.preferences.effective import Preferences, effective
from rag.preferences.fields import MODEL, ROUTES, SERVER_MODEL, Field, Kind, Value, fields_of, is_locked, server_value
from rag.settings import Settings
from rag.types import Message

MAX_PROMPT_LENGTH = 4000
# What a prompt may leave out: small helps for the model, not what it is asked about.
_OPTIONAL = frozenset({"example"})
# What stands around question and evidence in the shortest prompt, and a question of some length.
_OTHER_TOKENS = 400
_ROUND = 6
_WHOLE = re.compile(r"-?\d{1,9}")
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{0,9})?")


@dataclass(frozen=True, slots=True)
class Checked:
    """Preferences that can take effect, or what is wrong with the values, by field."""

    preferences: Preferences = Preferences()
    problems: Mapping[str, Message] = field(default_factory=dict)


class Unfit(ValueError):
    """One value cannot be used; `problem` says why."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.problem = Message(f"preference.problem.{key}", values)


def check(asked: Mapping[str, object], settings: Settings, models: Collection[str], served: bool = False) -> Checked:
    """The values as preferences, holding only what differs from the server's; all of them, or none.

    `models` are those that can be chosen, as `provider:name`; `served` tells that a server answers. What may not be set
    at all is refused, not left out: whoever sends it has not used the form.
    """
    usual = {item.path: server_value(settings, item, served) for item in fields_of(settings)}
    return _checked(asked, settings, models, usual)


def _checked(
    asked: Mapping[str, object], settings: Settings, models: Collection[str], usual: Mapping[str, Value]
) -> Checked:
    """The values as preferences, less those that are the `usual` ones."""
    known = {item.path: item for item in fields_of(settings)}
    values: dict[str, Value] = {}
    problems: dict[str, Message] = {}
    for path, raw in asked.items():
        try:
            if path not in known:
                raise Unfit("not_settable")
            value = admissible(known[path], raw, settings, models)
            if path in usual and value == usual[path]:
                continue
            if is_locked(known[path], settings):
                raise Unfit("locked")
            values[path] = value
        except Unfit as error:
            problems[path] = error.problem
    preferences = Preferences(values)
    problems = problems or _together(settings, preferences)
    return Checked(problems=problems) if problems else Checked(preferences)


def usable(stored: Mapping[str, object], settings: Settings) -> Preferences:
    """What can still be used of stored values: settings and locks may have changed since; none may fail a turn."""
    kept: dict[str, object] = {}
    models = _possible(str(stored.get(MODEL, "")), settings)
    for path, value in stored.items():
        if not _checked({**kept, path: value}, settings, models, {}).problems:
            kept[path] = value
    return _checked(kept, settings, models, {}).preferences


def _possible(model: str, settings: Settings) -> tuple[str, ...]:
    """A model that was chosen once, unless the server no longer has its like. Whether it is there is for the pool."""
    provider, _, name = model.partition(":")
    match provider:
        case "embedded":
            holds = any(known.name == name for known in settings.models.catalogue)
        case "ollama":
            holds = settings.llm.provider in ("auto", "ollama")
        case _:
            holds = provider == "extractive"
    return (model,) if holds else ()


def admissible(field: Field, raw: object, settings: Settings, models: Collection[str]) -> Value:
    """A value of the field's kind and within its bounds, from a form's text or from JSON. Raises Unfit."""
    match field.kind:
        case Kind.SWITCH:
            if not isinstance(raw, bool):
                raise Unfit("choice")
            return raw
        case Kind.CHOICE:
            if not isinstance(raw, str) or raw not in field.choices:
                raise Unfit("choice")
            return raw
        case Kind.MODEL:
            if not isinstance(raw, str) or (raw != SERVER_MODEL and raw not in models):
                raise Unfit("no_such_model")
            return raw
        case Kind.ROUTES:
            return _routes(field, raw)
        case Kind.PROMPT:
            return _prompt(str(server_value(settings, field)), raw)
        case Kind.WHOLE | Kind.NUMBER:
            return _number(field, raw)


def placeholders(text: str) -> list[str]:
    """The names that a prompt has filled in, as they follow. Raises ValueError for braces that are none."""
    names: list[str] = []
    for _, name, form, conversion in Formatter().parse(text):
        if name is None:
            continue
        if form or conversion or not name.isidentifier():
            raise ValueError(name)
        names.append(name)
    return names


def _number(field: Field, raw: object) -> int | float:
    whole = field.kind is Kind.WHOLE
    text = "" if isinstance(raw, bool) else str(raw).strip()
    number = float(text) if (_WHOLE if whole else _NUMBER).fullmatch(text) else float("nan")
    if not (isfinite(number) and field.least <= number <= field.most):
        raise Unfit("whole" if whole else "number", least=f"{field.least:g}", most=f"{field.most:g}")
    return int(number) if whole else round(number, _ROUND)


def _routes(field: Field, raw: object) -> dict[str, float]:
    if not isinstance(raw, Mapping) or not set(raw) <= set(field.choices):
        raise Unfit("choice")
    if not raw:
        raise Unfit("no_route")
    weight = Field(field.path, field.group, Kind.NUMBER, field.least, field.most)
    weights = {name: float(_number(weight, raw[name])) for name in field.choices if name in raw}
    if not any(weights.values()):
        raise Unfit("no_weight")
    return weights


def _prompt(shipped: str, raw: object) -> str:
    text = raw.replace("\r\n", "\n").strip() if isinstance(raw, str) else ""
    if not 0 < len(text) <= MAX_PROMPT_LENGTH:
        raise Unfit("prompt_length", limit=MAX_PROMPT_LENGTH, length=len(text))
    wanted = placeholders(shipped)
    if not wanted:
        # Nothing is filled in here: braces are text.
        return text
    try:
        present = placeholders(text)
    except ValueError as error:
        raise Unfit("braces", known=_listed(wanted)) from error
    if missing := [name for name in wanted if name not in present and name not in _OPTIONAL]:
        raise Unfit("placeholder_missing", names=_listed(missing))
    if unknown := [name for name in present if name not in wanted]:
        raise Unfit("placeholder_unknown", names=_listed(list(dict.fromkeys(unknown))), known=_listed(wanted))
    if repeated := [name for name in wanted if present.count(name) > 1]:
        # What is filled in is bounded by itself, the prompt too: many times over they are not.
        raise Unfit("placeholder_repeated", names=_listed(repeated))
    return text


def _listed(names: list[str]) -> str:
    return " ".join(f"{{{name}}}" for name in names)


def _together(settings: Settings, preferences: Preferences) -> dict[str, Message]:
    """What is wrong with values that are right one by one."""
    try:
        wanted = effective(settings, preferences)
        from_settings(wanted)
    except ValidationError as error:
        return {
            ".".join(str(part) for part in problem["loc"]): Message(
                "preference.problem.other", {"detail": problem["msg"]}
            )
            for problem in error.errors(include_url=False, include_input=False)
        }
    except ConfigError as error:
        return {ROUTES: Message("preference.problem.other", {"detail": error.values["problems"]})}
    dialogue = wanted.multi_dialogue_rag
    needed = dialogue.evidence_tokens + settings.llm.max_tokens + _OTHER_TOKENS
    if preferences.values and needed > dialogue.llm_max_token:
        values = {"needed": needed, "answer": settings.llm.max_tokens, "evidence": dialogue.evidence_tokens}
        return {"multi_dialogue_rag.llm_max_token": Message("preference.problem.too_little_room", values)}
    return {}
