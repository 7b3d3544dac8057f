"""Work on hostile files in a process of its own: one JSON object a line, in both directions, with limits.

The first half is for the parent, the second for the worker. A file that crashes, hangs or bloats a parser takes only
the worker with it.
"""

import json
import logging
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from loaders import wire
from rag.errors import DocumentError, ReaderCrashed, ReadingTimedOut

_PROJECT = Path(__file__).resolve().parent.parent
_CANCEL_POLL_SECONDS = 0.2
_LOGGED_BYTES = 2000
_LAST_SECONDS = 5.0
# The largest file of text in one line, each of its characters an escape, has 300 MB.
_LONGEST_LINE = 2**29
_log = logging.getLogger(__name__)


class WorkerProcess:
    """A module of this project that runs as a process. As a context manager, it does not outlive the block."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._process = subprocess.Popen(
            [sys.executable, "-m", module],
            cwd=_PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            # Ctrl-C in a terminal is for the app: a worker that it ended would look as if its file had crashed it.
            process_group=0,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._closing = threading.Lock()
        threading.Thread(target=self._pump, name=module, daemon=True).start()

    def __enter__(self) -> "WorkerProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self._process.poll() is None

    def send(self, lines: Iterable[bytes]) -> None:
        """Give it something to do; what it wrote to standard error until then is forgotten."""
        self._stderr.seek(0)
        self._stderr.truncate()
        # Beside this thread: one that takes nothing in is to be given up in time as well.
        threading.Thread(target=self._write, args=(lines,), name=self._module, daemon=True).start()

    def replies(self, name: str, seconds: float, cancel: threading.Event | None = None) -> Iterator[dict[str, Any]]:
        """What it says of the file with that name, as long as it is listened to.

        Raises DocumentError: what the file deserves; ReadingTimedOut or ReaderCrashed where it says nothing more, in
        time or at all; CancelledError once `cancel` is set.
        """
        deadline = time.monotonic() + seconds
        while not (cancel is not None and cancel.is_set()):
            if (left := deadline - time.monotonic()) <= 0:
                raise ReadingTimedOut(name=name, seconds=seconds)
            try:
                line = self._lines.get(timeout=min(left, _CANCEL_POLL_SECONDS))
            except queue.Empty:
                continue
            if line:
                yield _told(line, name)
            elif cancel is None or not cancel.is_set():
                _log.warning("%s ended over %r with %s", self._module, name, self.last_words())
                raise ReaderCrashed(name=name)
        raise CancelledError

    def last_words(self) -> str:
        """How it ended, and the end of what it wrote to standard error; one that fell silent is ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_SECONDS)
        self._process.kill()
        status = self._process.wait()
        size = self._stderr.seek(0, 2)
        self._stderr.seek(max(0, size - _LOGGED_BYTES))
        return f"{status}: {self._stderr.read().decode('utf-8', 'replace')}"

    def close(self) -> None:
        """End it, whatever it does; several threads may, at once."""
        with self._closing:
            self._process.kill()
            # Otherwise closing would fail on what a worker that died at its start never read.
            with suppress(OSError):
                assert self._process.stdin is not None
                self._process.stdin.close()
            self._process.wait()
            self._stderr.close()

    def _write(self, lines: Iterable[bytes]) -> None:
        assert self._process.stdin is not None
        # It has died or is closed, which shows when its messages end; Windows calls the pipe's argument invalid.
        with suppress(OSError, ValueError):
            for line in lines:
                self._process.stdin.write(line)
            self._process.stdin.flush()

    def _pump(self) -> None:
        """Moves its lines into a queue, where they can be waited for with a time limit; an empty one ends them."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            # A line without its end was cut off by a crash, or has none.
            while (line := lines.readline(_LONGEST_LINE)).endswith(b"\n"):
                self._lines.put(line)
        self._lines.put(b"")


class StandingWorker:
    """A worker that stays for the next question, for one thread. It is started when needed, and again when it died."""

    def __init__(self, module: str, time_limit_seconds: float) -> None:
        self._module = module
        self._time_limit = time_limit_seconds
        self._process: WorkerProcess | None = None

    def ask(self, line: bytes, name: str, cancel: threading.Event | None = None) -> dict[str, Any]:
        """Its reply about the file with that name.

        Raises DocumentError: what the file deserves, ReadingTimedOut or ReaderCrashed; CancelledError when cancelled.
        """
        if self._process is None or not self._process.alive:
            self.close()
            self._process = WorkerProcess(self._module)
        self._process.send([line])
        try:
            return next(self._process.replies(name, self._time_limit, cancel))
        except (ReadingTimedOut, ReaderCrashed, CancelledError):
            # Whatever it is at, the next question needs a worker that answers.
            self.close()
            raise

    def close(self) -> None:
        """End the process; the next question would start another."""
        if self._process is not None:
            self._process.close()
            self._process = None


def _told(line: bytes, name: str) -> dict[str, Any]:
    try:
        message: dict[str, Any] = json.loads(line)
        failure = wire.decode_failure(message) if "error" in message else None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        _log.warning("a worker said of %r: %r", name, line[:_LOGGED_BYTES])
        raise ReaderCrashed(name=name) from error
    if failure is not None:
        raise failure
    return message


def serve(reply: Callable[[bytes], bytes]) -> None:
    """In a worker that stays: a line for each that it is given, a DocumentError told as one, until its input ends."""
    with private_output() as output:
        for line in received():
            try:
                answer = reply(line)
            except DocumentError as error:
                answer = wire.failure(error)
            output.write(answer)
            output.flush()


def received() -> Iterator[bytes]:
    """In a worker: the lines that it is given. The process ends with its input, even in the middle of a line's work."""
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(lines,), daemon=True).start()
    while True:
        yield lines.get()


def _receive(lines: "queue.SimpleQueue[bytes]") -> None:
    """Reads until nobody is left to stop work that hangs."""
    # Not through sys.stdin: at its end, the interpreter would wait for the lock of a buffer that is being read.
    try:
        with os.fdopen(os.dup(sys.stdin.fileno()), "rb") as source:
            for line in source:
                lines.put(line)
    finally:  # also without memory for a line: who sends it waits until it is taken
        os._exit(1)


def private_output() -> BinaryIO:
    """In a worker: the channel for its messages. What libraries print goes to standard error instead."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def limit_memory(limit_mb: int) -> None:
    """In a worker: the most address space that it may take, where the system knows such a limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit = limit_mb * 1024 * 1024
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    with suppress(ValueError, OSError):  # macOS has the limit and refuses to set it
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
