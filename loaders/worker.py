"""The process that reads one file: `python -m loaders.worker`, a job on standard input, messages on standard output.

A file that crashes, hangs or bloats the parser takes only this process with it.
"""

import os
import sys
import threading
from typing import BinaryIO

from loaders import load, wire
from rag.errors import DocumentError

_PROGRESS_EVERY = 10


def main() -> None:
    """Reads the job, then the file, and reports."""
    with os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0) as jobs:
        job = wire.decode_job(jobs.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with _private_output() as output:
        _limit_memory(job.memory_limit_mb)

        def report(done: int, total: int) -> None:
            if done % _PROGRESS_EVERY == 0 or done == total:
                output.write(wire.progress(done, total))
                output.flush()

        try:
            document = load(job.path, name=job.name, password=job.password, max_pages=job.max_pages, on_progress=report)
        except DocumentError as error:
            output.write(wire.failure(error))
            return
        output.writelines(wire.encode_document(document))


def _end_with_parent() -> None:
    """Ends the process when its input does: nobody is left to stop a reading that hangs."""
    # Not through sys.stdin: at its end, the interpreter would wait for the lock of a buffer that is being read.
    while os.read(sys.stdin.fileno(), 1):
        continue
    os._exit(1)


def _private_output() -> BinaryIO:
    """The messages' channel. What libraries print goes to standard error instead."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return output


def _limit_memory(limit_mb: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    limit = limit_mb * 1024 * 1024
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


if __name__ == "__main__":
    main()
