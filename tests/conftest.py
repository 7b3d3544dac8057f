"""Fixtures of several test files. Importing rag first sets OMP_WAIT_POLICY before any library reads it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rag.language.lexicon import lexicon
from rag.language.segmentation import segmenter
from rag.llm.embedded import EmbeddedChatModel
from rag.model_store import ModelStore
from rag.settings import read_settings
from tests.knowledge import Store, open_store
from tests.prepare import TEST_MODEL

# What else a machine does takes seconds from a promise about them, and from a browser's patience.
_RETRIES = {"browser": 1, "clock": 2}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Try again, after a failure, what hangs on the machine's seconds; browsers come last."""
    # Playwright leaves its event loop running in the thread of the tests, where no async test can begin then.
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
    for item in items:
        for name, retries in _RETRIES.items():
            if item.get_closest_marker(name):
                item.add_marker(pytest.mark.flaky(reruns=retries))


@pytest.fixture(scope="session", autouse=True)
def _dictionaries() -> None:
    """Reads them before any test: they take seconds, which are none of the first test's that looks at its own."""
    segmenter().initialize()
    lexicon()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A knowledge base in a folder of its own."""
    return open_store(tmp_path)


@pytest.fixture(scope="session")
def embedded_model() -> Iterator[EmbeddedChatModel]:
    """The 0.5B model, loaded once for all tests. `python -m tests.prepare` fetches it."""
    path = ModelStore(read_settings().models).path(TEST_MODEL)
    assert path is not None, "run: python -m tests.prepare"
    model = EmbeddedChatModel(model_path=path, n_ctx=2048, cache_ram_mib=256, temperature=0, max_tokens=48)
    model.load()
    yield model
    model.close()
