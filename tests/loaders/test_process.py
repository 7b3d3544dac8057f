"""What becomes of a worker that does wrong, and of who asks it."""

import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from loaders import process
from loaders.process import StandingWorker, WorkerProcess
from rag.errors import ReaderCrashed, ReadingTimedOut

MODULE = "tests.loaders.hostile_worker"


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    with WorkerProcess(MODULE) as worker:
        yield worker


@pytest.fixture
def standing() -> Iterator[StandingWorker]:
    standing = StandingWorker(MODULE, 60)
    yield standing
    standing.close()


@pytest.mark.parametrize(
    "said",
    ["garbage", "other 3", 'other {"error":"unheard","values":{}}', "other " + "[" * 50_000, "mute"],
    ids=["no text", "no object", "no known error", "no end of brackets", "nothing more"],
)
def test_who_asks_a_worker_that_says_what_is_no_message_is_told_of_a_crash_and_the_next_of_another_one(
    said: str, standing: StandingWorker
) -> None:
    assert standing.ask(b"answer 1\n", "甲.pdf") == {"answer": 1}
    with pytest.raises(ReaderCrashed, match="甲"):
        standing.ask(said.encode() + b"\n", "甲.pdf")
    assert standing.ask(b"answer 2\n", "乙.pdf") == {"answer": 2}


def test_half_a_line_is_no_message_and_is_not_waited_for_without_end(worker: WorkerProcess) -> None:
    worker.send([b"half\n"])
    with pytest.raises(ReadingTimedOut):
        next(worker.replies("甲.pdf", 2))


def test_a_line_that_does_not_end_is_not_kept_in_memory(worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_LONGEST_LINE", 2**20)
    worker.send([b"endless\n"])
    with pytest.raises(ReaderCrashed):
        next(worker.replies("甲.pdf", 60))
    assert not worker.alive


def test_two_threads_may_close_a_worker_at_once(worker: WorkerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    meeting, seen = threading.Barrier(2, timeout=1), list[int]()

    def wait() -> int:
        # Both would be here together.
        with suppress(threading.BrokenBarrierError):
            seen.append(meeting.wait())
        return 0

    monkeypatch.setattr(worker._process, "wait", wait)
    closing = [threading.Thread(target=worker.close) for _ in range(2)]
    for thread in closing:
        thread.start()
    for thread in closing:
        thread.join(10)
    assert seen == []


@pytest.mark.clock
def test_a_worker_that_takes_nothing_in_is_given_up_in_time_or_as_soon_as_nobody_waits(worker: WorkerProcess) -> None:
    begun, cancel = time.monotonic(), threading.Event()
    worker.send([b"deaf\n", b"x" * 2**22])
    with pytest.raises(ReadingTimedOut):
        next(worker.replies("甲.pdf", 1, cancel))
    worker.close()
    assert time.monotonic() - begun < 10
