"""Lets as many into the model as it can serve, in the order they came."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_CANCEL_POLL_SECONDS = 0.1


class ModelGate:
    """A fair queue before the model. `idle` is set while nobody waits or is inside but what works in the background."""

    def __init__(self, slots: Callable[[], int] = lambda: 1) -> None:
        """`slots` is how many the model can serve at once: another one may answer by and by."""
        self.idle = threading.Event()
        self.idle.set()
        self._slots = slots
        self._changed = threading.Condition()
        self._line: deque[Place] = deque()

    def length(self) -> int:
        """How many wait or are inside."""
        with self._changed:
            return len(self._line)

    @contextmanager
    def place(self, *, in_background: bool = False) -> Iterator["Place"]:
        """A place at the end of the queue; leaving the context gives it up, from the queue or from inside."""
        place = Place(self, in_background=in_background)
        with self._changed:
            self._line.append(place)
            self._tell()
        try:
            yield place
        finally:
            with self._changed:
                self._line.remove(place)
                self._tell()
                self._changed.notify_all()

    def _tell(self) -> None:
        if all(place.in_background for place in self._line):
            self.idle.set()
        else:
            self.idle.clear()

    def _wait_for_change(self, place: "Place", known: int | None, cancel: threading.Event) -> int:
        """How many must still leave before `place` may enter, as soon as that differs from `known`."""
        with self._changed:
            while (position := self._ahead(place)) == known and not cancel.is_set():
                self._changed.wait(_CANCEL_POLL_SECONDS)
            return position

    def _ahead(self, place: "Place") -> int:
        return max(0, self._line.index(place) - self._slots() + 1)


class Place:
    """A place in the queue of a ModelGate."""

    def __init__(self, gate: ModelGate, *, in_background: bool) -> None:
        self._gate = gate
        self.in_background = in_background

    @property
    def is_inside(self) -> bool:
        """Whether nobody is ahead any more."""
        with self._gate._changed:
            return self._gate._ahead(self) == 0

    def positions(self, cancel: threading.Event) -> Iterator[int]:
        """Waits for the turn to enter: yields how many are ahead, at each change; ends inside, or when cancelled."""
        position: int | None = None
        while not cancel.is_set():
            position = self._gate._wait_for_change(self, position, cancel)
            if position == 0:
                return
            if not cancel.is_set():
                yield position
