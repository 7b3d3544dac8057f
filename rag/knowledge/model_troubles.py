"""What a model that makes vectors has failed at: how long it is left alone, and which texts it does not take."""

import time
from collections.abc import Collection

from rag.background import pause

_LONGEST_PAUSE_SECONDS = 60.0


class ModelTroubles:
    """Those of one model."""

    def __init__(self) -> None:
        # Texts that it does not take, though it takes others.
        self.refused: set[str] = set()
        # Texts after which it took nothing at all.
        self._suspects: set[frozenset[str]] = set()
        self._failures = 0
        self._paused_until = 0.0

    @property
    def left_alone(self) -> float:
        """For how many seconds it is still left alone; 0 or less where it may be asked."""
        return self._paused_until - time.monotonic()

    def suspects_again(self, texts: Collection[str]) -> bool:
        """Remember texts after which it took nothing at all. Whether the same ones were remembered before."""
        suspect = frozenset(texts)
        if suspect in self._suspects:
            return True
        self._suspects.add(suspect)
        return False

    def fail(self) -> None:
        """Leave it alone, twice as long each time."""
        self._paused_until = time.monotonic() + pause(self._failures, _LONGEST_PAUSE_SECONDS)
        self._failures += 1

    def succeed(self) -> bool:
        """It has made a vector. Whether it had failed before."""
        had_failed = self._failures > 0
        if had_failed:
            self._failures = 0
            self._suspects.clear()
        return had_failed
