"""A fair queue: before the model, and before each conversation."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from itertools import islice

_CANCEL_POLL_SECONDS = 0.1
# Who waits hears so often that they still do: a connection on which nothing comes is taken for dead.
_TOLD_AGAIN_SECONDS = 5.0


class Work(Enum):
    """What a caller is let in for: a turn in the FOREGROUND, or one that stands ASIDE to wait for the background.

    What is YIELDING or in the BACKGROUND ends where it keeps somebody waiting. Beside the latter, other work in the
    background goes on as if nobody were inside.
    """

    FOREGROUND = auto()
    ASIDE = auto()
    YIELDING = auto()
    BACKGROUND = auto()


class Gate:
    """Lets as many in at once as there are slots, in the order they came.

    `idle` is set while the background may work: nobody waits or is inside but what is itself in the background, or all
    who are inside stand aside for it.
    """

    def __init__(self, slots: Callable[[], int] = lambda: 1) -> None:
        """`slots` is how many may be inside at once: asked each time, as the model may change."""
        self.idle = threading.Event()
        self.idle.set()
        self._slots = slots
        self._changed = threading.Condition()
        self._line: deque[Ticket] = deque()

    def length(self) -> int:
        """How many wait or are inside."""
        with self._changed:
            return len(self._line)

    @contextmanager
    def ticket(self, work: Work = Work.FOREGROUND) -> Iterator["Ticket"]:
        """A place at the end of the queue; leaving the context gives it up, from the queue or from inside.

        What gives way ends where it keeps somebody waiting, who need not be told of it.
        """
        ticket = Ticket(self, work)
        with self._changed:
            self._line.append(ticket)
            self._tell()
        try:
            yield ticket
        finally:
            with self._changed:
                self._line.remove(ticket)
                self._tell()
                self._changed.notify_all()

    def _tell(self) -> None:
        inside = islice(self._line, self._slots())
        is_unhindered = all(ticket.work in (Work.BACKGROUND, Work.ASIDE) for ticket in self._line)
        if is_unhindered or all(ticket.work is Work.ASIDE for ticket in inside):
            self.idle.set()
        else:
            self.idle.clear()

    def _become(self, ticket: "Ticket", work: Work) -> None:
        with self._changed:
            ticket.work = work
            self._tell()

    def _wait_for_change(self, ticket: "Ticket", known: int | None, cancel: threading.Event) -> int:
        """How many must still leave before `ticket` may enter: once that differs from `known`, or after a while."""
        end = time.monotonic() + _TOLD_AGAIN_SECONDS
        with self._changed:
            while (position := self._ahead(ticket)) == known and not cancel.is_set() and time.monotonic() < end:
                self._changed.wait(_CANCEL_POLL_SECONDS)
            return position

    def _ahead(self, ticket: "Ticket") -> int:
        return max(0, self._line.index(ticket) - self._slots() + 1)

    def _staying_ahead(self, ticket: "Ticket") -> int:
        with self._changed:
            before = self._line.index(ticket)
            return sum(self._line[place].work in (Work.FOREGROUND, Work.ASIDE) for place in range(before))


class Ticket:
    """A place in the queue of a Gate."""

    def __init__(self, gate: Gate, work: Work) -> None:
        self._gate = gate
        self.work = work

    @property
    def is_inside(self) -> bool:
        """Whether nobody is ahead any more."""
        with self._gate._changed:
            return self._gate._ahead(self) == 0

    def keeps_others(self) -> bool:
        """Whether somebody waits behind it, other than what gives way."""
        with self._gate._changed:
            behind = list(self._gate._line)[self._gate._line.index(self) + 1 :]
            return any(ticket.work is Work.FOREGROUND for ticket in behind)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let the background go on from inside, which is waited for."""
        own = self.work
        try:
            self._gate._become(self, Work.ASIDE)
            yield
        finally:
            self._gate._become(self, own)

    def positions(self, cancel: threading.Event) -> Iterator[int]:
        """Waits for the turn to enter: yields how many are ahead, at each change and every few seconds; ends inside, or
        when cancelled.

        Where only what gives way is ahead, nothing is told.
        """
        position: int | None = None
        while not cancel.is_set():
            position = self._gate._wait_for_change(self, position, cancel)
            if position == 0:
                return
            ahead = min(position, self._gate._staying_ahead(self))
            if ahead and not cancel.is_set():
                yield ahead

    def wait(self, cancel: threading.Event) -> bool:
        """Wait for the turn to enter. Whether it has come: False when cancelled."""
        for _ in self.positions(cancel):
            pass
        return not cancel.is_set()
