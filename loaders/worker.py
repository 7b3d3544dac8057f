"""The process that reads one file: `python -m loaders.worker`, a job on standard input, messages on standard output.

A file that crashes, hangs or bloats the parser takes only this process with it.
"""

from loaders import load, wire
from loaders.process import limit_memory, private_output, received
from rag.errors import DocumentError

_PROGRESS_EVERY = 10


def main() -> None:
    """Reads the job, then the file, and reports."""
    job = wire.from_line(wire.ReadJob, next(received()))
    with private_output() as output:
        limit_memory(job.memory_limit_mb)

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


if __name__ == "__main__":
    main()
