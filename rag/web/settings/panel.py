"""What the form of settings shows, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rag.i18n import Language
from rag.llm.served import host_of
from rag.preferences.checks import plain_address
from rag.preferences.effective import Preferences
from rag.preferences.fields import (
    ADDRESS,
    BY_GRADES,
    KEY,
    RERANK,
    Field,
    Value,
    is_locked,
    server_value,
)
from rag.settings import Settings
from rag.types import Message, ModelStatus, OfferedModel


@dataclass(frozen=True, slots=True)
class Panel:
    """A session's preferences beside the server's settings; `embeddings` are the models that make vectors, by id.

    `refused` are values as written that could not be had, or are not to be kept yet: with `has_asked`, the service
    among them has just told its models.
    """

    settings: Settings
    preferences: Preferences
    models: tuple[OfferedModel, ...]
    server_model: ModelStatus
    language: Language
    is_served: bool = False
    refused: Mapping[str, object] = field(default_factory=dict)
    problems: Mapping[str, Message] = field(default_factory=dict)
    has_asked: bool = False
    embeddings: Mapping[str, OfferedModel] = field(default_factory=dict)

    def default(self, field: Field) -> Value:
        """What the server uses."""
        return server_value(self.settings, field, self.is_served)

    def value(self, field: Field) -> object:
        """What stands in the field."""
        if field.path in self.refused:
            return self.refused[field.path]
        return self.preferences.values.get(field.path, self.default(field))

    @property
    def service(self) -> str:
        """The host of the service whose models stand in the choice."""
        written = self.refused.get(ADDRESS, self.preferences.values.get(ADDRESS))
        return host_of(plain_address(written) or self.settings.llm.base_url)

    @property
    def keeps_key(self) -> bool:
        """Whether the session has a key; which one is for nobody to see."""
        return KEY in self.preferences.values

    def choices(self, field: Field) -> tuple[str, ...]:
        """Those of a field that are offered: a model in this process would grade passages for minutes."""
        if field.path != RERANK or self.is_served or BY_GRADES in (self.value(field), self.default(field)):
            return field.choices
        return tuple(choice for choice in field.choices if choice != BY_GRADES)

    def is_locked(self, field: Field) -> bool:
        """Whether the operator keeps it."""
        return is_locked(field, self.settings)
