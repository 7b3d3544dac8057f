"""How fast something comes."""

import time
from collections.abc import Callable

from rag.model_store import OnProgress


def with_speed(tell: Callable[[int, int, float], None]) -> OnProgress:
    """Tells bytes done, bytes in all, and bytes a second since the first it was told of."""
    begun = time.monotonic()
    first: int | None = None

    def on_progress(done: int, total: int) -> None:
        nonlocal first
        first = done if first is None else first
        tell(done, total, max(0, done - first) / max(time.monotonic() - begun, 1e-3))

    return on_progress
