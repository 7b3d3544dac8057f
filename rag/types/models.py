"""Who answers."""

from dataclasses import dataclass
from enum import StrEnum

from rag.types.message import Message


class Provider(StrEnum):
    """Who answers."""

    OLLAMA = "ollama"
    OPENAI = "openai"
    EMBEDDED = "embedded"
    EXTRACTIVE = "extractive"

    @property
    def is_served(self) -> bool:
        """Whether a server answers, which reads a prompt many times faster than a model in this process."""
        return self in (Provider.OLLAMA, Provider.OPENAI)


class ModelState(StrEnum):
    """Whether a better model than the present one is on its way."""

    READY = "ready"
    PROBING = "probing"
    DOWNLOADING = "downloading"
    LOADING = "loading"


@dataclass(frozen=True, slots=True)
class OfferedModel:
    """A model that can be chosen; one that is not `present` is fetched first, `size` bytes of it."""

    provider: Provider
    name: str
    present: bool
    size: int = 0

    @property
    def key(self) -> str:
        """Its name in preferences."""
        return f"{self.provider}:{self.name}"


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """Who answers now, why, and what is on its way (`done` of `total` bytes at `speed` bytes a second).

    `failed`: another one should, and did not come. `coming`: the name of what is on its way, where that is known.
    """

    provider: Provider
    model: str
    state: ModelState
    reason: Message
    done: int = 0
    total: int = 0
    speed: float = 0.0
    failed: bool = False
    coming: str = ""

    @property
    def answers(self) -> bool:
        """Whether a model answers, and no better one is on its way."""
        return self.state is ModelState.READY and self.provider is not Provider.EXTRACTIVE
