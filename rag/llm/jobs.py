"""Models that are brought in the background, one after another."""

import logging
import math
import queue
import threading
from collections.abc import Callable

from cachetools import LRUCache

from rag.background import Background
from rag.errors import ModelNotLoaded, WenquError
from rag.llm.http import Connections
from rag.types import Message, ModelStatus

# Names come from visitors: what waits, and what is remembered of failures, has an end.
_KEPT_FAILURES = 8
_log = logging.getLogger(__name__)


class ModelJobs:
    """Brings one model after the other, and tells how far each is, or why it did not come."""

    def __init__(self, name: str, most: float = math.inf) -> None:
        """At most `most` are taken on at a time."""
        self._most = most
        self._lock = threading.Lock()
        self._asked: queue.Queue[Callable[[], None]] = queue.Queue()
        self._background = Background(name, self._next, interrupt=self._interrupt)
        self._connections = Connections()
        self._coming: dict[str, ModelStatus] = {}
        self._failed: LRUCache[str, Message] = LRUCache(_KEPT_FAILURES)

    @property
    def closed(self) -> threading.Event:
        """Set when what is on its way has to end."""
        return self._background.closed

    def begin(self, key: str, name: str, waiting: ModelStatus, bring: Callable[[], None]) -> bool:
        """Have a model brought, unless it is on its way; False where too many are."""
        with self._lock:
            if key in self._coming or self.closed.is_set():
                return True
            if len(self._coming) >= self._most:
                return False
            self._failed.pop(key, None)
            self._coming[key] = waiting
        self._background.start()
        self._asked.put(lambda: self._bring(key, name, bring))
        return True

    def tell(self, key: str, status: ModelStatus) -> None:
        """How far a model is that is on its way."""
        with self._lock:
            self._coming[key] = status

    def coming(self) -> dict[str, ModelStatus]:
        """What is on its way, by key."""
        with self._lock:
            return dict(self._coming)

    def failed(self) -> dict[str, Message]:
        """Why what was asked for last did not come, by key."""
        with self._lock:
            return dict(self._failed)

    def close(self) -> None:
        """End what is on its way."""
        self._background.close()

    def _interrupt(self) -> None:
        self._asked.put(lambda: None)
        self._connections.break_off()

    def _next(self) -> None:
        self._asked.get()()

    def _bring(self, key: str, name: str, bring: Callable[[], None]) -> None:
        error: WenquError | None = None
        try:
            with self._connections.watched():
                bring()
        except WenquError as failure:
            _log.warning("%s", failure)
            error = failure
        except Exception as failure:  # noqa: BLE001 - the worker would keep it, and the page would wait for ever
            _log.exception("%s could not be brought", name)
            error = ModelNotLoaded(model=name, detail=str(failure) or type(failure).__name__)
        with self._lock:
            if error is not None:
                self._failed[key] = error.message
            del self._coming[key]
