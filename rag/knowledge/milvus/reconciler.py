"""Keeps Milvus at what SQLite holds, whatever came between."""

from rag.background import Background
from rag.errors import KnowledgeUnavailable
from rag.knowledge.milvus.index import MilvusIndex
from rag.types import Message

_LONGEST_PAUSE_SECONDS = 15.0
_LOOK_SECONDS = 5.0


class Reconciler:
    """A thread that compares at the start, and after anything that could not be written or searched.

    Meanwhile it looks whether Milvus is there; `trouble` is why it cannot be used, until it can.
    """

    def __init__(self, index: MilvusIndex) -> None:
        self.trouble: Message | None = None
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
        is_behind = self._index.behind.wait(_LOOK_SECONDS)
        if self._background.closed.is_set():
            return
        try:
            if is_behind:
                self._index.reconcile()
            else:
                self._index.look()
        except Exception as error:
            self.trouble = error.message if isinstance(error, KnowledgeUnavailable) else None
            self._index.behind.set()
            raise
        self.trouble = None
