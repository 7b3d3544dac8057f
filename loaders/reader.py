"""Files read, and what was read split, in processes of their own with limits on time and memory."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from loaders import wire
from loaders.process import WorkerProcess
from loaders.wire import Lengths
from rag.types import LoadedDocument, RecognisedPage, Section


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """What reading one file may take, and then splitting it."""

    max_pages: int
    max_chunks: int
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
    job = wire.ReadJob(path.resolve(), name, password, limits.max_pages, limits.memory_limit_mb)
    with WorkerProcess("loaders.worker") as process:
        process.send([wire.to_line(job)])
        replies = process.replies(name, limits.time_limit_seconds, cancel)
        while "done" in (message := next(replies)):
            if on_progress:
                on_progress(message["done"], message["total"])
        return wire.decode_document(chain([message], replies))


def split_in_worker(
    document: LoadedDocument,
    name: str,
    lengths: Lengths,
    limits: ReaderLimits,
    cancel: threading.Event | None = None,
    recognised: Mapping[int, RecognisedPage] = MappingProxyType({}),
) -> tuple[LoadedDocument, tuple[Section, ...]]:
    """The document `with_recognised` pages, its outline as it was; and its sections, as `split_document` makes them.

    Both in a worker process. Raises as `read_in_worker` does.
    """
    with WorkerProcess("loaders.split_worker") as process:
        job = wire.SplitJob(name, tuple(recognised), lengths, limits.max_chunks, limits.memory_limit_mb)
        process.send(wire.encode_job(job, document, recognised.values()))
        return wire.decode_split(document, process.replies(name, limits.time_limit_seconds, cancel))
