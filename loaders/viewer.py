"""Pages of PDF files as they look, drawn in a process of its own that stays for the next page."""

import threading
from dataclasses import dataclass
from pathlib import Path

from loaders.process import StandingWorker
from loaders.wire import from_json, to_line
from rag.errors import ReadingTimedOut
from rag.types import Box, PageImage


@dataclass(frozen=True, slots=True)
class Look:
    """What is to be seen: a page, counted from 1, as an image `width` pixels wide (None: no image is needed),
    and where each span `[start, end)` of its cleaned text stands."""

    path: Path
    name: str
    page: int
    width: int | None
    text: str = ""
    spans: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen: the page's image, and the boxes of each span."""

    image: PageImage | None
    boxes: tuple[tuple[Box, ...], ...]


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
            request = to_line({"look": look, "memory_limit_mb": self._memory_limit_mb})
            return from_json(Sight, self._worker.ask(request, look.name))
        finally:
            self._lock.release()

    def close(self) -> None:
        """End the worker; the next look would start another."""
        with self._lock:
            self._worker.close()
