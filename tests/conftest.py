"""Fixtures of several test files. Importing rag first sets OMP_WAIT_POLICY before any library reads it."""

from collections.abc import Iterator

import pytest

from rag.llm.embedded import EmbeddedChatModel
from rag.model_store import ModelStore
from rag.settings import read_settings
from tests.prepare import TEST_MODEL


@pytest.fixture(scope="session")
def embedded_model() -> Iterator[EmbeddedChatModel]:
    """The 0.5B model, loaded once for all tests. `python -m tests.prepare` fetches it."""
    path = ModelStore(read_settings().models).path(TEST_MODEL)
    assert path is not None, "run: python -m tests.prepare"
    model = EmbeddedChatModel(model_path=path, n_ctx=2048, cache_ram_mib=256, temperature=0, max_tokens=48)
    model.load()
    yield model
    model.close()
