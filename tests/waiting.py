"""What happens in another thread is waited for, and no longer than that."""

import time
from collections.abc import Callable


def wait_for(condition: Callable[[], bool]) -> bool:
    """Whether it comes true within half a minute: a machine that does other work as well is slow, not wrong.

    Once true, it is not asked again: to ask may be to do something.
    """
    end = time.monotonic() + 30
    while not (is_true := condition()) and time.monotonic() < end:
        time.sleep(0.01)
    return is_true
