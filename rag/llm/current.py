"""Who answers: the provider, the model's name and the model."""

from collections.abc import Callable

from langchain_core.language_models import BaseChatModel

from rag.types import Provider

Answering = tuple[Provider, str, BaseChatModel]
CurrentModel = Callable[[], Answering]
