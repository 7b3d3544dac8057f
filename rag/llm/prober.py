"""When a model is looked for: in a thread, one probe at a time, and nothing that takes all cores before its time."""

import threading
import time
from collections.abc import Callable

_CLOSE_SECONDS = 5.0


class Prober:
    """Probes on request; a probe still waiting gives way to a new request."""

    def __init__(self, probe: Callable[[], None]) -> None:
        """`probe` ends soon once `closed` is set, or `may_load` was false."""
        self.closed = threading.Event()
        self._probe = probe
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._load_from = 0.0
        self._waits = False
        self._ended = threading.Event()

    def begin(self, load_after: float = 0.0) -> None:
        """Probe in the background, unless that is going on; `may_load` comes true `load_after` seconds later."""
        with self._lock:
            if self.closed.is_set() or (self._thread is not None and self._thread.is_alive()):
                return
            self._load_from = time.monotonic() + load_after
            self._thread = threading.Thread(target=self._run, name="model-manager", daemon=True)
            self._thread.start()

    def again(self) -> None:
        """Probe once more, at once: somebody waits."""
        with self._lock:
            if self._waits:
                self._load_from = 0.0
                self._ended.set()
        self.begin()

    def may_load(self) -> bool:
        """Of a probe: wait until what takes all cores may begin; False where the end or another probe comes first."""
        with self._lock:
            self._waits = True
        self._ended.wait(max(0.0, self._load_from - time.monotonic()))
        with self._lock:
            self._waits = False
            return not self._ended.is_set()

    def close(self) -> None:
        """End what is going on, and wait for that, at most for some seconds."""
        self.closed.set()
        self._ended.set()
        if self._thread is not None:
            self._thread.join(_CLOSE_SECONDS)

    def _run(self) -> None:
        while True:
            # In this order: who closes sets the one, then the other.
            self._ended.clear()
            if self.closed.is_set():
                return
            self._probe()
            if not self._ended.is_set():
                return
