"""How much of a model comes how fast."""

import time
from collections.abc import Callable

from rag.model_store import OnProgress

# Models are offered by decimal megabytes, also in the read-mes; only uploads are limited in binary ones.
DECIMAL_MEGABYTE = 1_000_000


def with_speed(tell: Callable[[int, int, float], None]) -> OnProgress:
    """Tells bytes done, bytes in all, and bytes a second since the first it was told of."""
    first: tuple[int, float] | None = None

    def on_progress(done: int, total: int) -> None:
        nonlocal first
        now = time.monotonic()
        first = first or (done, now)
        tell(done, total, max(0, done - first[0]) / max(now - first[1], 1e-3))

    return on_progress
