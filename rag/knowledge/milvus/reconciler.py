"""Keeps Milvus at what SQLite holds, whatever came between."""

from rag.background import Background
from rag.knowledge.milvus.index import MilvusIndex

_LONGEST_PAUSE_SECONDS = 15.0


class Reconciler:
    """A thread that compares at the start, and after anything that could not be written or searched."""

    def __init__(self, index: MilvusIndex) -> None:
        self._index = index
        self._background = Background("milvus-reconciler", self._compare, _LONGEST_PAUSE_SECONDS, index.behind.set)

    def start(self) -> None:
        """Begin. Returns at once, also while Milvus is down."""
        self._index.behind.set()
        self._background.start()

    def close(self) -> None:
        """Stop, and let go of Milvus."""
        self._background.close()
        self._index.close()

    def _compare(self) -> None:
        self._index.behind.wait()
        if self._background.closed.is_set():
            return
        try:
            self._index.reconcile()
        except Exception:
            self._index.behind.set()
            raise
