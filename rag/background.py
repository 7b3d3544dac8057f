"""Work in the background that no error ends."""

import logging
import threading
from collections.abc import Callable

from rag.errors import WenquError

_LONGEST_PAUSE_SECONDS = 60.0
_CLOSE_SECONDS = 5.0
_POLL_SECONDS = 0.2
_MOST_DOUBLINGS = 30
_log = logging.getLogger(__name__)


class Background:
    """A thread that does one round of work after the other, and goes on after any error, after a pause that grows."""

    def __init__(
        self,
        name: str,
        work: Callable[[], object],
        longest_pause: float = _LONGEST_PAUSE_SECONDS,
        interrupt: Callable[[], object] = lambda: None,
    ) -> None:
        """`work` is one round, which rests where there is nothing to do; `longest_pause` is in seconds.

        `interrupt` is called when the end comes, to break off what the round waits for.
        """
        self.closed = threading.Event()
        self._name = name
        self._work = work
        self._longest_pause = longest_pause
        self._interrupt = interrupt
        self._awake = threading.Event()
        self._starting = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin, unless that was done, or the end has come. Returns at once."""
        with self._starting:
            if self._thread.ident is None and not self.closed.is_set():
                self._thread.start()

    def wake(self) -> None:
        """End the rest of a round, or keep the next one from resting."""
        self._awake.set()

    def rest(self, seconds: float | None = None) -> None:
        """Of a round: wait until somebody wakes it, at most for some seconds."""
        self._awake.wait(seconds)

    def wait_for(self, event: threading.Event) -> bool:
        """Of a round: wait until an event is set; False where the end comes first."""
        while not self.closed.is_set() and not event.wait(_POLL_SECONDS):
            pass
        return not self.closed.is_set()

    def close(self, seconds: float | None = _CLOSE_SECONDS) -> None:
        """End after the round in hand, and wait for that, at most for some seconds."""
        with self._starting:
            self.closed.set()
        self._interrupt()
        self._awake.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        failures = 0
        while True:
            # In this order: who closes sets the one, then the other.
            self._awake.clear()
            if self.closed.is_set():
                return
            try:
                self._work()
            except WenquError as error:
                _log.warning("%s: %s", self._name, error)
            except Exception:  # noqa: BLE001 - the work of everybody else must still be done
                _log.exception("%s", self._name)
            else:
                failures = 0
                continue
            self.closed.wait(pause(failures, self._longest_pause))
            failures += 1


def pause(failures: int, longest: float) -> float:
    """Seconds to wait after a failure, given the failures in a row before it: twice as long each time."""
    # No float holds the 1024th power: work that fails for a day is to go on after it.
    return min(2.0 ** min(failures, _MOST_DOUBLINGS), longest)
