"""What is wrong with a configuration, as sentences for whoever wrote it: the key's path, and what is allowed there."""

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from rag.settings.base import OWN, Section
from rag.types import Message

_SECRET = re.compile(r"key|token$|(^|\.)ur[il]$")
_MOST_FOUND = 60
_QUOTED = re.compile(r"'([^']*)'")
_LIMITS = ("gt", "ge", "le", "min_length", "max_length")
# What pydantic calls a mistake, by the name of its sentence under `config`.
_KINDS = {
    "missing": ("missing",),
    "switch": ("bool_type", "bool_parsing"),
    "text": ("string_type", "path_type"),
    "list": ("tuple_type", "list_type", "frozen_set_type"),
    "items": ("too_short",),
    "most_items": ("too_long",),
    "length": ("string_too_short",),
    "most_length": ("string_too_long",),
    "whole": ("int_type", "int_parsing", "int_parsing_size", "int_from_float"),
    "number": ("float_type", "float_parsing", "finite_number"),
    "above": ("greater_than",),
    "least": ("greater_than_equal",),
    "most": ("less_than_equal",),
    "choice": ("literal_error", "enum"),
    "section": ("model_type", "model_attributes_type"),
}
_SENTENCES = {kind: sentence for sentence, kinds in _KINDS.items() for kind in kinds}
_UNKNOWN_KEY = ("extra_forbidden", "invalid_key")
_NO_KIND = ("union_tag_not_found", "union_tag_invalid")


class GivenTwice(yaml.MarkedYAMLError):
    """A key stands twice in one section; `problem` is the key."""


def faults(error: ValidationError, root: type[Section]) -> Message:
    """Each problem with its path and with what was found there, but for what may be a secret."""
    lines = []
    for details in error.errors(include_url=False):
        path, problem = explained(details, root)
        # What was found in the place of a section may hold its secrets, and an address a password.
        told = isinstance(details["input"], str | int | float) and not _SECRET.search(path)
        told = told and details["type"] not in _UNKNOWN_KEY
        found = str(details["input"])
        if told and "@" not in found:
            problem = Message("config.found", {"problem": problem, "found": found[:_MOST_FOUND]})
        lines.append(Message("config.line", {"path": path, "problem": problem}) if path else problem)
    return _joined(lines)


def explained(details: ErrorDetails, root: type[Section]) -> tuple[str, Message]:
    """One problem: its path as in config.yaml, and the sentence."""
    steps, kind, context = details["loc"], details["type"], details.get("ctx", {})
    if kind in _UNKNOWN_KEY:
        before, sections = _walk(steps[:-1], root)
        names = [name for section in sections for name in section.model_fields]
        return ".".join([*before, str(steps[-1])]), _unknown(str(steps[-1]), names)
    names, sections = _walk(steps, root)
    path = ".".join(names)
    if kind in _NO_KIND:
        key = context["discriminator"].strip("'")
        kinds = [kind for section in sections for kind in _choices(section, key)]
        return f"{path}.{key}", Message("config.choice", {"choices": _listed(kinds)})
    if kind == "string_pattern_mismatch":
        return path, Message(f"config.form_{names[-1]}")
    if kind.startswith(OWN):
        return context.get("path", path), Message(kind, context)
    return path, plain(details) or Message("config.other", {"detail": details["msg"]})


def plain(details: ErrorDetails) -> Message | None:
    """The sentence of a problem of a common kind; None of any other."""
    name = _SENTENCES.get(details["type"])
    return Message(f"config.{name}", _values(details.get("ctx", {}))) if name else None


def unreadable(error: Exception) -> Message:
    """Why a file is no configuration at all. What stands in it is not told: it may be a secret."""
    if isinstance(error, OSError):
        return Message("config.unreadable", {"reason": error.strerror or str(error)})
    mark = error.problem_mark if isinstance(error, yaml.MarkedYAMLError) else None
    if mark is None:
        return Message("config.no_text")
    if isinstance(error, GivenTwice):
        return Message("config.twice", {"line": mark.line + 1, "name": str(error.problem)[:_MOST_FOUND]})
    return Message("config.no_yaml", {"line": mark.line + 1, "column": mark.column + 1})


def _walk(steps: Iterable[int | str], root: type[Section]) -> tuple[list[str], list[type[Section]]]:
    """The keys of a path, and the sections that may stand at its end. pydantic's steps name kinds of sections too."""
    names: list[str] = []
    sections = [root]
    for step in steps:
        fields = [section.model_fields[step] for section in sections if step in section.model_fields]
        if fields:
            sections = _sections(fields[0].annotation)
        elif isinstance(step, str):
            sections = [section for section in sections if step in _choices(section, "kind")]
            continue
        names.append(str(step))
    return names, sections


def _sections(annotation: Any) -> list[type[Section]]:
    """The sections that a type speaks of."""
    if isinstance(annotation, type) and issubclass(annotation, Section):
        return [annotation]
    return [section for part in get_args(annotation) for section in _sections(part)]


def _choices(section: type[Section], key: str) -> tuple[str, ...]:
    return get_args(section.model_fields[key].annotation) if key in section.model_fields else ()


def _unknown(key: str, known: Sequence[str]) -> Message:
    values = {"known": _listed(known)}
    if near := get_close_matches(key, known, 1):
        return Message("config.unknown_near", values | {"near": near[0]})
    return Message("config.unknown", values)


def _values(context: Mapping[str, Any]) -> dict[str, object]:
    """What is allowed, by one name whatever pydantic calls it."""
    if "expected" in context:
        return {"choices": _listed(_QUOTED.findall(context["expected"]))}
    limits = [context[name] for name in _LIMITS if name in context]
    return {"limit": int(limit) if (limit := limits[0]) == int(limit) else limit} if limits else {}


def _listed(names: Iterable[str]) -> str:
    return "、".join(names)


def _joined(messages: Sequence[Message]) -> Message:
    first, *rest = messages
    return Message("config.both", {"first": first, "rest": _joined(rest)}) if rest else first
