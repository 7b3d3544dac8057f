"""Files read in a process of their own, with limits on time and memory."""

import json
import logging
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from loaders import wire
from rag.errors import ReaderCrashed, ReadingTimedOut
from rag.types import LoadedDocument, Page

_log = logging.getLogger(__name__)
_PROJECT = Path(__file__).resolve().parent.parent
_CANCEL_POLL_SECONDS = 0.2
_LOGGED_BYTES = 2000


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """What reading one file may take."""

    max_pages: int = 3000
    time_limit_seconds: float = 120
    memory_limit_mb: int = 3000


def read_in_worker(
    path: Path,
    name: str,
    password: str | None = None,
    limits: ReaderLimits = ReaderLimits(),
    on_progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> LoadedDocument:
    """The file's pages, read by a worker process that is killed at the time limit or when `cancel` is set.

    Raises DocumentError: what the file deserves, ReadingTimedOut or ReaderCrashed; CancelledError when cancelled.
    """
    job = wire.Job(path.resolve(), name, password, limits.max_pages, limits.memory_limit_mb)
    deadline = time.monotonic() + limits.time_limit_seconds
    pages: list[Page] = []
    with tempfile.TemporaryFile() as stderr, _worker(job, stderr) as process:
        for message in _messages(process, deadline, cancel):
            match message:
                case {"done": done, "total": total}:
                    if on_progress:
                        on_progress(done, total)
                case {"page": _}:
                    pages.append(wire.decode_page(message))
                case {"error": _}:
                    raise wire.decode_failure(message)
                case {"outline": _}:
                    return wire.decode_document(message, pages)
        if time.monotonic() >= deadline:
            raise ReadingTimedOut(name=name, seconds=limits.time_limit_seconds)
        if cancel is not None and cancel.is_set():
            raise CancelledError
        _log.warning("the reader of %r ended with %s: %s", name, process.wait(), _tail(stderr))
        raise ReaderCrashed(name=name)


@contextmanager
def _worker(job: wire.Job, stderr: IO[bytes]) -> Iterator[subprocess.Popen[bytes]]:
    """A worker at its job. It does not outlive the block."""
    command = [sys.executable, "-m", "loaders.worker"]
    with subprocess.Popen(
        command, cwd=_PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr
    ) as process:
        assert process.stdin is not None
        try:
            with suppress(BrokenPipeError):  # it died at its start, which shows when its messages end
                process.stdin.write(wire.encode_job(job))
                process.stdin.flush()
            yield process
        finally:
            process.kill()
            # What a worker that died at its start never read would else fail the closing by Popen itself.
            with suppress(BrokenPipeError):
                process.stdin.close()


def _messages(
    process: subprocess.Popen[bytes], deadline: float, cancel: threading.Event | None
) -> Iterator[dict[str, Any]]:
    """What the worker says, until it ends, time is up or `cancel` is set."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_pump, args=(process, lines), daemon=True).start()
    while (left := deadline - time.monotonic()) > 0 and not (cancel is not None and cancel.is_set()):
        try:
            line = lines.get(timeout=min(left, _CANCEL_POLL_SECONDS))
        except queue.Empty:
            continue
        if not line:
            return
        yield json.loads(line)


def _pump(process: subprocess.Popen[bytes], lines: "queue.SimpleQueue[bytes]") -> None:
    """Moves the worker's lines into a queue, where they can be waited for with a time limit; an empty one ends them."""
    assert process.stdout is not None
    for line in process.stdout:
        if line.endswith(b"\n"):  # a line without its end was cut off by a crash
            lines.put(line)
    lines.put(b"")


def _tail(stderr: IO[bytes]) -> str:
    size = stderr.seek(0, 2)
    stderr.seek(max(0, size - _LOGGED_BYTES))
    return stderr.read().decode("utf-8", "replace")
