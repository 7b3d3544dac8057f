"""Files read in a process of their own, with limits on time and memory."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path

from loaders import wire
from loaders.process import WorkerProcess
from rag.errors import ReaderCrashed, ReadingTimedOut
from rag.types import LoadedDocument, Page

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """What reading one file may take."""

    max_pages: int
    time_limit_seconds: float
    memory_limit_mb: int


def read_in_worker(
    path: Path,
    name: str,
    limits: ReaderLimits,
    password: str | None = None,
    on_progress: Callable[[int, int], None] | None = None,
    cancel: threading.Event | None = None,
) -> LoadedDocument:
    """The file's pages, read by a worker process that is killed at the time limit or when `cancel` is set.

    Raises DocumentError: what the file deserves, ReadingTimedOut or ReaderCrashed; CancelledError when cancelled.
    """
    job = wire.Job(path.resolve(), name, password, limits.max_pages, limits.memory_limit_mb)
    deadline = time.monotonic() + limits.time_limit_seconds
    pages: list[Page] = []
    with WorkerProcess("loaders.worker") as process:
        process.send(wire.encode_job(job))
        for message in process.messages(deadline, cancel):
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
        _log.warning("the reader of %r ended with %s", name, process.last_words())
        raise ReaderCrashed(name=name)
