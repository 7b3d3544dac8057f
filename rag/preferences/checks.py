"""Whether a value that a visitor wants can be had. Every value is hostile until it has come through here."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import isfinite
from urllib.parse import urlsplit

from pydantic import ValidationError

from rag.errors import ConfigError
from rag.knowledge.request import from_settings
from rag.llm.listing import is_name
from rag.preferences.effective import Preferences, effective
from rag.preferences.fields import (
    ADDRESS,
    FORGET_KEY,
    KEY,
    MODEL,
    OPENAI,
    ROUTES,
    SERVER_MODEL,
    Field,
    Kind,
    Value,
    fields_of,
    is_locked,
    may_have_service,
    server_value,
)
from rag.prompts import fault
from rag.settings import Settings, explained
from rag.types import Message

MAX_PROMPT_LENGTH = 4000
_ROUND = 6
_WHOLE = re.compile(r"-?\d{1,9}")
_NUMBER = re.compile(r"-?\d{1,9}(\.\d{0,9})?")
# Neither a name and password nor a query: they would stand where an address is shown.
_ADDRESS = re.compile(r"https?://(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?(/[\w.~%:+/-]*)?", re.ASCII | re.IGNORECASE)
_MOST_ADDRESS = 300
_KEY = re.compile(r"[!-~]{1,2000}")
# Whether a key may be had depends on the address, and whose a model is on both.
_LAST = {KEY: 1, MODEL: 2}
Offered = Mapping[str, Collection[str]]


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


def check(asked: Mapping[str, object], settings: Settings, offered: Offered, served: bool = False) -> Checked:
    """The values as preferences, holding only what differs from the server's; all of them, or none.

    `offered` are the models that can be chosen, by field; `served` tells that a server answers. What may not be set at
    all is refused, not left out: whoever sends it has not used the form.
    """
    usual = {item.path: server_value(settings, item, served) for item in fields_of(settings)}
    models = (*offered.get(MODEL, ()), *_named(asked, settings))
    return _checked(asked, settings, {**offered, MODEL: models}, usual)


def with_kept_key(asked: Mapping[str, object], stored: Preferences) -> dict[str, object]:
    """The values with the key that a session has, unless it wants it gone or has another address for it."""
    if asked.get(KEY) not in ("", FORGET_KEY):
        return dict(asked)
    kept = stored.values.get(KEY, "") if plain_address(asked.get(ADDRESS)) == stored.values.get(ADDRESS) else ""
    return {**asked, KEY: "" if asked[KEY] == FORGET_KEY else kept}


def plain_address(raw: object) -> str:
    """An address as it is kept: people paste it with what stands around it."""
    return raw.strip().rstrip("/") if isinstance(raw, str) else ""


def in_digits(number: float) -> str:
    """A number as a form shows it and takes it back: with all the digits that are kept, and no exponent."""
    return f"{number:.{_ROUND}f}".rstrip("0").rstrip(".")


def _named(asked: Mapping[str, object], settings: Settings) -> tuple[str, ...]:
    """The model of a service that need not be among those offered: services do not list all that they have."""
    model = asked.get(MODEL)
    is_service = isinstance(model, str) and model.startswith(f"{OPENAI}:") and may_have_service(settings)
    return (str(model),) if is_service and is_name(str(model).partition(":")[2]) else ()


def _checked(asked: Mapping[str, object], settings: Settings, offered: Offered, usual: Mapping[str, Value]) -> Checked:
    """The values as preferences, less those that are the `usual` ones."""
    known = {item.path: item for item in fields_of(settings)}
    values: dict[str, Value] = {}
    problems: dict[str, Message] = {}
    for path, raw in asked.items():
        try:
            if path not in known:
                raise Unfit("not_settable")
            value = admissible(known[path], raw, settings, offered.get(path, ()))
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
    for path, value in sorted(stored.items(), key=lambda item: _LAST.get(item[0], 0)):
        if not _checked({**kept, path: value}, settings, _possible(stored, kept, settings), {}).problems:
            kept[path] = value
    return _checked(kept, settings, _possible(stored, kept, settings), {}).preferences


def _possible(stored: Mapping[str, object], kept: Mapping[str, object], settings: Settings) -> Offered:
    """A model that was chosen once, unless the server no longer has its like. Whether it is there is for the pool."""
    model = str(stored.get(MODEL, ""))
    provider, _, name = model.partition(":")
    match provider:
        case "openai":
            # One of a session's own service is not one of the operator's.
            holds = ADDRESS in kept if ADDRESS in stored else settings.llm.provider == OPENAI
        case "embedded":
            holds = any(known.name == name for known in settings.models.catalogue)
        case "ollama":
            holds = settings.llm.provider in ("auto", "ollama")
        case _:
            holds = provider == "extractive"
    return {MODEL: (model,) if holds else ()}


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
                raise Unfit("no_model_name" if raw == f"{OPENAI}:" else "no_such_model")
            return raw
        case Kind.ADDRESS:
            return _address(raw)
        case Kind.SECRET:
            return _key(raw)
        case Kind.ROUTES | Kind.LIMITS:
            return _of_routes(field, raw)
        case Kind.PROMPT:
            return _prompt(str(server_value(settings, field)), raw)
        case Kind.WHOLE | Kind.NUMBER:
            return _number(field, raw)


def _number(field: Field, raw: object) -> int | float:
    whole = field.kind is Kind.WHOLE
    text = "" if isinstance(raw, bool) else str(raw).strip()
    number = float(text) if (_WHOLE if whole else _NUMBER).fullmatch(text) else float("nan")
    if not (isfinite(number) and field.least <= number <= field.most):
        raise Unfit("whole" if whole else "number", least=in_digits(field.least), most=in_digits(field.most))
    return int(number) if whole else round(number, _ROUND)


def _address(raw: object) -> str:
    address = plain_address(raw)
    try:
        fits = not address or (len(address) <= _MOST_ADDRESS and bool(_ADDRESS.fullmatch(address)))
        fits = fits and isinstance(raw, str) and urlsplit(address).port != 0
    except ValueError:  # an invalid port
        fits = False
    if not fits:
        raise Unfit("address")
    return address


def _key(raw: object) -> str:
    key = raw.strip() if isinstance(raw, str) else " "
    if key and not _KEY.fullmatch(key):
        raise Unfit("key")
    return key


def _of_routes(field: Field, raw: object) -> dict[str, float]:
    """The weights of the routes that are on, or the limits of those that have one of their own."""
    if not isinstance(raw, Mapping) or not set(raw) <= set(field.choices):
        raise Unfit("choice")
    weighs = field.kind is Kind.ROUTES
    number = Field(field.path, field.group, Kind.NUMBER if weighs else Kind.WHOLE, field.least, field.most)
    present = [name for name in field.choices if name in raw and (weighs or raw[name] != "")]
    numbers = {name: _number(number, raw[name]) for name in present}
    if weighs and not any(numbers.values()):
        raise Unfit("no_weight" if numbers else "no_route")
    return numbers


def _prompt(shipped: str, raw: object) -> str:
    text = raw.replace("\r\n", "\n").strip() if isinstance(raw, str) else ""
    if not 0 < len(text) <= MAX_PROMPT_LENGTH:
        raise Unfit("prompt_length", limit=MAX_PROMPT_LENGTH, length=len(text))
    if found := fault(shipped, text):
        key, values = found
        raise Unfit(key, **values)
    return text


def _together(settings: Settings, preferences: Preferences) -> dict[str, Message]:
    """What is wrong with values that are right one by one."""
    values = preferences.values
    is_service = str(values.get(MODEL, "")).startswith(f"{OPENAI}:") and settings.llm.provider != OPENAI
    if ADDRESS not in values and (KEY in values or is_service):
        return {ADDRESS: Message("preference.problem.no_address")}
    try:
        from_settings(effective(settings, preferences))
    except ValidationError as error:
        found = (explained(details, Settings) for details in error.errors(include_url=False, include_input=False))
        return {path: Message("preference.problem.other", {"detail": problem}) for path, problem in found}
    except ConfigError as error:
        return {ROUTES: Message("preference.problem.other", {"detail": error.values["problems"]})}
    return {}
