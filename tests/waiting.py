"""What happens in another thread is waited for, and no longer than that; what something may take."""

import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def wait_for(condition: Callable[[], bool]) -> bool:
    """Whether it comes true within half a minute: a machine that does other work as well is slow, not wrong.

    Once true, it is not asked again: to ask may be to do something.
    """
    end = time.monotonic() + 30
    while not (is_true := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return is_true


def already() -> threading.Event:
    """An event that nobody has to wait for."""
    event = threading.Event()
    event.set()
    return event


@contextmanager
def within_cpu_seconds(most: float) -> Iterator[None]:
    """What this thread does meanwhile keeps it busy for less; no garbage is collected then.

    Late in a run one collection of all that the tests have imported takes longer than most of what is timed.
    """
    gc.disable()
    begun = time.thread_time()
    try:
        yield
        spent = time.thread_time() - begun
    finally:
        gc.enable()
    assert spent < most


@contextmanager
def within_seconds(most: float) -> Iterator[None]:
    """What happens meanwhile is over earlier."""
    begun = time.monotonic()
    yield
    assert time.monotonic() - begun < most
