"""Fetches what the tests need beforehand: the small model, verified, into the shared cache."""

import logging
import sys
import threading
import time

from rag.errors import WenquError
from rag.model_store import ModelStore
from rag.settings import read_settings

TEST_MODEL = "qwen2.5-coder-0.5b-instruct"
_LINE_SECONDS = 5
_log = logging.getLogger(__name__)


def main() -> int:
    """Returns 1, having told the reason, where the model cannot be had."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)
    store = ModelStore(read_settings().models)
    told = 0.0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told >= _LINE_SECONDS:
            told = time.monotonic()
            _log.info("%s: %.0f%% of %.0f MB", TEST_MODEL, 100 * done / total, total / 1e6)

    try:
        path = store.fetch(TEST_MODEL, tell, threading.Event())
    except WenquError as error:
        _log.error("%s", error)
        return 1
    _log.info("%s: %s", TEST_MODEL, path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
