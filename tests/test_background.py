"""Work in the background, and what it lives through."""

import threading
import time
from itertools import pairwise

import pytest

from rag.background import Background, pause
from rag.errors import KnowledgeUnavailable
from tests.waiting import within_seconds


@pytest.mark.parametrize("error", [ZeroDivisionError("a mistake"), KnowledgeUnavailable(address="a mistake")])
def test_work_goes_on_after_an_error_which_is_in_the_log(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    again = threading.Event()
    rounds: list[Exception] = [error]

    def work() -> None:
        if rounds:
            raise rounds.pop()
        again.set()
        background.rest()

    background = Background("worker", work, longest_pause=0.01)
    background.start()
    assert again.wait(30)
    background.close()
    assert "a mistake" in caplog.text


def test_after_each_error_there_is_a_pause() -> None:
    begun: list[float] = []
    many = threading.Event()

    def work() -> None:
        begun.append(time.monotonic())
        if len(begun) == 4:
            many.set()
        raise ZeroDivisionError

    background = Background("worker", work, longest_pause=0.05)
    background.start()
    assert many.wait(30)
    background.close()
    pauses = [later - earlier for earlier, later in pairwise(begun)]
    assert min(pauses) >= 0.05


def test_the_pause_is_the_longest_one_however_long_work_has_failed() -> None:
    assert [pause(failures, 60) for failures in (0, 1, 5, 6, 5000)] == [1, 2, 32, 60, 60]


def test_what_a_round_waits_for_is_broken_off_when_the_end_comes() -> None:
    waiting, arrived = threading.Event(), threading.Event()
    ends: list[bool] = []

    def work() -> None:
        waiting.set()
        arrived.wait(30)
        ends.append(background.closed.is_set())

    background = Background("worker", work, interrupt=arrived.set)
    background.start()
    assert waiting.wait(30)
    background.close()
    assert ends == [True]


def test_who_rests_is_woken_and_ends_when_closed() -> None:
    rounds = threading.Semaphore(0)

    def work() -> None:
        rounds.release()
        background.rest()

    background = Background("worker", work)
    background.start()
    assert rounds.acquire(timeout=30)
    assert not rounds.acquire(timeout=0.1)
    background.wake()
    assert rounds.acquire(timeout=30)
    background.close()
    assert "worker" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.clock
def test_closing_does_not_wait_for_a_round_that_never_ends() -> None:
    begun, never = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        never.wait(30)

    background = Background("worker", work)
    background.start()
    assert begun.wait(30)
    with within_seconds(2):
        background.close(0.1)
    never.set()


def test_what_was_closed_does_not_begin() -> None:
    begun = threading.Event()
    background = Background("worker", begun.set)
    background.close()
    background.start()
    assert not begun.wait(0.1)
