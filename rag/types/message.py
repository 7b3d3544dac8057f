"""Sentences for the reader, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for the reader, by its key in the locale files and the values it is filled with."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)
