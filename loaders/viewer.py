"""Pages of PDF files as they look, drawn in a process of its own that stays for the next page."""

import threading

from loaders import view_wire
from loaders.process import StandingWorker
from loaders.view_wire import Look, Sight
from rag.errors import ReadingTimedOut


class Viewer:
    """Looks at one page at a time, for any thread."""

    def __init__(self, time_limit_seconds: float, memory_limit_mb: int) -> None:
        self._time_limit = time_limit_seconds
        self._memory_limit_mb = memory_limit_mb
        self._worker = StandingWorker("loaders.view_worker", time_limit_seconds)
        self._lock = threading.Lock()

    def see(self, look: Look) -> Sight:
        """A page's image and boxes. Raises PasswordNeeded, DamagedFile, ReadingTimedOut, ReaderCrashed."""
        # Those who wait for others' pages wait no longer than for one of their own.
        if not self._lock.acquire(timeout=self._time_limit):
            raise ReadingTimedOut(name=look.name, seconds=self._time_limit)
        try:
            return view_wire.decode_sight(
                self._worker.ask(view_wire.encode_look(look, self._memory_limit_mb), look.name)
            )
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the worker; the next look would start another."""
        with self._lock:
            self._worker.close()
