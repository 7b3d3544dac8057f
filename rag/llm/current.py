"""Who answers, and how models begin their answers, as these have shown."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from cachetools import LRUCache
from langchain_core.language_models import BaseChatModel

from rag.types import Message, ModelState, ModelStatus, Provider

# Names come from visitors: what is remembered of them has an end.
_KEPT = 256


class Answering(NamedTuple):
    """Who answers."""

    provider: Provider
    name: str
    model: BaseChatModel


CurrentModel = Callable[[], Answering]


@dataclass(frozen=True, slots=True)
class Choice:
    """Who answers, and why."""

    provider: Provider
    name: str
    model: BaseChatModel
    reason: Message

    @property
    def answering(self) -> Answering:
        """Who answers."""
        return Answering(self.provider, self.name, self.model)

    def status(self, state: ModelState) -> ModelStatus:
        """What is told of it while a better one is in some state."""
        return ModelStatus(self.provider, self.name, state, self.reason)


class Habits:
    """Which models, by name, begin inside their thoughts, without a tag that opens them, and which have these beside
    their answers. All sessions share it.

    One that has answered without thoughts has to do so twice in a row: a document or a visitor can have it say the tag
    that closes them.
    """

    def __init__(self) -> None:
        self._begins_inside: LRUCache[str, bool] = LRUCache(_KEPT)
        self._thinks_beside: LRUCache[str, bool] = LRUCache(_KEPT)
        self._lock = threading.Lock()

    def __reduce__(self) -> "tuple[type[Habits], tuple[()]]":
        """A copy of whoever has them, here or in another process, finds out for itself."""
        return Habits, ()

    def begins_inside(self, model: str) -> bool:
        """Whether a model's next answer is expected to begin inside its thoughts."""
        with self._lock:
            return self._begins_inside.get(model, False)

    def began_inside(self, model: str) -> None:
        """What a model said first turned out to be thoughts; of one that answered plainly before, twice in a row."""
        with self._lock:
            if self._begins_inside.get(model) is False:
                del self._begins_inside[model]
            else:
                self._begins_inside[model] = True

    def answered_plainly(self, model: str) -> None:
        """A whole answer of a model had no thoughts."""
        with self._lock:
            self._begins_inside[model] = False

    def thinks_beside(self, model: str) -> bool:
        """Whether a model is known to think beside its answers, which takes of the same tokens."""
        with self._lock:
            return self._thinks_beside.get(model, False)

    def thought_beside(self, model: str) -> None:
        """Thoughts of a model came, or took all that it may say."""
        with self._lock:
            self._thinks_beside[model] = True
