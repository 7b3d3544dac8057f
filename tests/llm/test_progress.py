"""How fast something comes."""

import time

import pytest

from rag.model_store import with_speed


def test_speed_is_counted_from_the_first_that_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    told: list[tuple[int, int, float]] = []
    on_progress = with_speed(lambda *step: told.append(step))
    now += 60  # as long as it waits for its turn
    on_progress(500, 1000)
    now += 2
    on_progress(700, 1000)
    assert told == [(500, 1000, 0), (700, 1000, pytest.approx(100))]
