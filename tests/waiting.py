"""What happens in another thread is waited for, and no longer than that."""

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], bool]) -> bool:
    """Whether it comes true within half a minute: a machine that does other work as well is slow, not wrong."""
    end = time.monotonic() + 30
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()
