"""When a model is looked for: in a thread, one probe at a time, and nothing that takes all cores before its time."""

import logging
import threading
import time
from collections.abc import Callable

_CLOSE_SECONDS = 5.0
_log = logging.getLogger(__name__)


class Prober:
    """Probes on request; a probe still waiting gives way to a new request, any other is followed by it."""

    def __init__(self, probe: Callable[[], None]) -> None:
        """`probe` ends soon once `closed` is set, or `may_load` was false."""
        self.closed = threading.Event()
        self._probe = probe
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._following: threading.Thread | None = None
        self._load_from = 0.0
        self._is_on = False
        self._waits = False
        self._once_more = False
        self._ended = threading.Event()
        self._later: threading.Timer | None = None

    def begin(self, load_after: float = 0.0) -> None:
        """Probe in the background, unless that is going on; `may_load` comes true `load_after` seconds later."""
        with self._lock:
            if self.closed.is_set() or self._is_on:
                return
            self._is_on = True
            self._load_from = time.monotonic() + load_after
            self._thread = threading.Thread(target=self._run, name="model-manager", daemon=True)
            self._thread.start()

    def again(self) -> None:
        """Probe once more, as soon as can be: somebody waits."""
        with self._lock:
            self._once_more = self._is_on
            if self._waits:
                self._load_from = 0.0
                self._ended.set()
        self.begin()

    def later(self, seconds: float, may_find: Callable[[], bool]) -> None:
        """Of a probe: begin another once some seconds have passed and `may_find`, asked every so often, says yes."""

        def look() -> None:
            is_worth_it = may_find()
            with self._lock:
                is_due = self._later is timer
            if is_due and is_worth_it:
                self.begin()
            elif is_due:
                self.later(seconds, may_find)

        timer = threading.Timer(seconds, look)
        timer.daemon = True
        with self._lock:
            if not self.closed.is_set():
                self._later = timer
                timer.start()

    def may_load(self) -> bool:
        """Of a probe: wait until what takes all cores may begin; False where the end or another probe comes first."""
        with self._lock:
            self._waits = True
        self._ended.wait(max(0.0, self._load_from - time.monotonic()))
        with self._lock:
            self._waits = False
            return not self._ended.is_set()

    def follow(self, work: Callable[[], None]) -> None:
        """Of a probe, at its end: begin what may take minutes, for which no other probe waits."""

        def do() -> None:
            try:
                work()
            except Exception:  # noqa: BLE001 - answers come without it, later
                _log.exception("nothing could be prepared for the first question")

        self._following = threading.Thread(target=do, name="model-ready", daemon=True)
        self._following.start()

    def close(self) -> None:
        """End what is going on, and wait for that, at most for some seconds."""
        self.closed.set()
        self._ended.set()
        self._call_off()
        end = time.monotonic() + _CLOSE_SECONDS
        for thread in filter(None, (self._thread, self._following)):
            thread.join(max(0.0, end - time.monotonic()))

    def _call_off(self) -> None:
        """End what was to come later."""
        with self._lock:
            later, self._later = self._later, None
        if later is not None:
            later.cancel()

    def _run(self) -> None:
        while True:
            # In this order: who closes sets the one, then the other.
            self._ended.clear()
            if self.closed.is_set():
                return
            self._call_off()
            self._probe()
            with self._lock:
                self._is_on, self._once_more = self._once_more, False
                if not self._is_on:
                    return
