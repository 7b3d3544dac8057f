"""Keeps Milvus at what SQLite holds, whatever came between."""

import logging
from threading import Event, Thread

from rag.errors import StoreError
from rag.knowledge.milvus.index import MilvusIndex

_LONGEST_PAUSE_SECONDS = 15.0
_CLOSE_SECONDS = 5.0
_log = logging.getLogger(__name__)


class Reconciler:
    """A thread that compares at the start, and after anything that could not be written or searched."""

    def __init__(self, index: MilvusIndex) -> None:
        self._index = index
        self._closed = Event()
        self._thread = Thread(target=self._run, name="milvus-reconciler", daemon=True)

    def start(self) -> None:
        """Begin. Returns at once, also while Milvus is down."""
        self._index.behind.set()
        self._thread.start()

    def close(self) -> None:
        """Stop, and let go of Milvus."""
        self._closed.set()
        self._index.behind.set()
        if self._thread.is_alive():
            self._thread.join(_CLOSE_SECONDS)
        self._index.close()

    def _run(self) -> None:
        failures = 0
        while not self._closed.is_set():
            self._index.behind.wait()
            if self._closed.is_set():
                return
            try:
                self._index.reconcile()
                failures = 0
            except StoreError as error:
                _log.warning("%s", error)
                self._index.behind.set()
                self._closed.wait(min(2.0**failures, _LONGEST_PAUSE_SECONDS))
                failures += 1
