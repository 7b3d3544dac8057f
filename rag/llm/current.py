"""Who answers: the provider, the model's name and the model."""

from collections.abc import Callable
from typing import NamedTuple

from langchain_core.language_models import BaseChatModel

from rag.types import Provider


class Answering(NamedTuple):
    """Who answers."""

    provider: Provider
    name: str
    model: BaseChatModel


CurrentModel = Callable[[], Answering]
