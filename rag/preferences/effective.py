"""A session's own values, and the settings that they make of the server's."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rag.preferences.fields import (
    ADDRESS,
    EMBEDDING,
    KEY,
    LIMITS,
    MODEL,
    OPENAI,
    PROMPTS,
    PROVIDER,
    ROUTES,
    SERVED,
    Value,
    limits_of,
    weights_of,
)
from rag.settings import Settings


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a session wants otherwise than the server, by the keys of config.yaml; nothing else."""

    values: Mapping[str, Value] = field(default_factory=dict, repr=False)

    def prompts(self) -> dict[str, str]:
        """Its own texts of prompts, by name."""
        start = f"{PROMPTS}."
        return {path.removeprefix(start): str(text) for path, text in self.values.items() if path.startswith(start)}


def effective(settings: Settings, preferences: Preferences) -> Settings:
    """The settings that hold for a session. Its prompts are apart. Raises pydantic's ValidationError."""
    own = {path: value for path, value in preferences.values.items() if not path.startswith(f"{PROMPTS}.")}
    own.pop(EMBEDDING, None)  # which is its collection's
    service = {ADDRESS: own.pop(ADDRESS, ""), KEY: own.pop(KEY, "")}
    if not own:
        return settings
    merged = settings.model_dump()
    routes, limits = own.pop(ROUTES, None), own.pop(LIMITS, None)
    for path, value in own.items():
        if path == MODEL:
            provider, _, name = str(value).partition(":")
            _put(merged, PROVIDER, provider)
            _put(merged, MODEL, name)
            if provider == OPENAI and service[ADDRESS]:
                # Both, even an empty key: the operator's is not for an address of a visitor's.
                for part, written in service.items():
                    _put(merged, part, written)
        else:
            _put(merged, path, value)
            if path in SERVED:
                _put(merged, SERVED[path], value)
    if isinstance(routes, dict) or isinstance(limits, dict):
        weights = routes if isinstance(routes, dict) else weights_of(settings)
        limits = limits if isinstance(limits, dict) else limits_of(settings)
        # A route without a limit of its own has the common one.
        merged["requests"] = [{"anns_field": name, "limit": limits.get(name, merged["top_k"])} for name in weights]
        merged["fuse"]["weights"] = list(weights.values())
    return Settings.model_validate(merged)


def _put(merged: dict[str, Any], path: str, value: object) -> None:
    *sections, name = path.split(".")
    for section in sections:
        merged = merged[section]
    merged[name] = value
