"""Pages of PDF files as they look, drawn in a process of its own that stays for the next page."""

import logging
import threading
import time

from loaders import view_wire, wire
from loaders.process import WorkerProcess
from loaders.view_wire import Look, Sight
from rag.errors import ReaderCrashed, ReadingTimedOut

_log = logging.getLogger(__name__)


class Viewer:
    """Looks at one page at a time. Its worker is started when there is something to see, and again when it has died."""

    def __init__(self, time_limit_seconds: float, memory_limit_mb: int) -> None:
        self._time_limit = time_limit_seconds
        self._memory_limit_mb = memory_limit_mb
        self._worker: WorkerProcess | None = None
        self._lock = threading.Lock()

    def see(self, look: Look) -> Sight:
        """A page's image and boxes. Raises PasswordNeeded, DamagedFile, ReadingTimedOut, ReaderCrashed."""
        # Those who wait for others' pages wait no longer than for one of their own.
        if not self._lock.acquire(timeout=self._time_limit):
            raise ReadingTimedOut(name=look.name, seconds=self._time_limit)
        try:
            return self._ask(look)
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the worker; the next look would start another."""
        with self._lock:
            self._end()

    def _ask(self, look: Look) -> Sight:
        worker = self._living()
        deadline = time.monotonic() + self._time_limit
        worker.send(view_wire.encode_look(look, self._memory_limit_mb))
        for message in worker.messages(deadline):
            if "error" in message:
                raise wire.decode_failure(message)
            return view_wire.decode_sight(message)
        late = time.monotonic() >= deadline
        if not late:
            _log.warning("the viewer of %r ended with %s", look.name, worker.last_words())
        self._end()
        raise ReadingTimedOut(name=look.name, seconds=self._time_limit) if late else ReaderCrashed(name=look.name)

    def _living(self) -> WorkerProcess:
        if self._worker is None or not self._worker.alive:
            self._end()
            self._worker = WorkerProcess("loaders.view_worker")
        return self._worker

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None
