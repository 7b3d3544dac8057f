"""Text recognised in images of pages (OCR), in a process of its own that stays for the next page."""

import logging
import threading
import time
from concurrent.futures import CancelledError
from importlib.util import find_spec

from loaders import ocr_wire, wire
from loaders.ocr_wire import OcrJob
from loaders.process import WorkerProcess
from rag.errors import ReaderCrashed, ReadingTimedOut
from rag.types import RecognisedPage

OCR_COMMAND = 'pip install "rapidocr>=3.10,<3.11" onnxruntime'
_log = logging.getLogger(__name__)


def ocr_installed() -> bool:
    """Whether the packages that recognise text are there."""
    return all(find_spec(package) is not None for package in ("rapidocr", "onnxruntime"))


class PageRecogniser:
    """Recognises one page at a time, for one thread. Its worker is started when needed, and again when it has died."""

    def __init__(self, time_limit_seconds: float) -> None:
        self._time_limit = time_limit_seconds
        self._worker: WorkerProcess | None = None

    def __call__(self, job: OcrJob, cancel: threading.Event) -> RecognisedPage:
        """What stands on a page.

        Raises PasswordNeeded, WrongPassword, DamagedFile, ReadingTimedOut, ReaderCrashed, CancelledError.
        """
        if self._worker is None or not self._worker.alive:
            self.close()
            self._worker = WorkerProcess("loaders.ocr_worker")
        worker, deadline = self._worker, time.monotonic() + self._time_limit
        worker.send(ocr_wire.encode_job(job))
        for message in worker.messages(deadline, cancel):
            if "error" in message:
                raise wire.decode_failure(message)
            return ocr_wire.decode_page(message)
        late = time.monotonic() >= deadline
        if not late and not cancel.is_set():
            _log.warning("the recogniser of page %d of %r ended with %s", job.page, job.name, worker.last_words())
        # Whatever it is at, the next page needs a worker that answers.
        self.close()
        if cancel.is_set():
            raise CancelledError
        raise ReadingTimedOut(name=job.name, seconds=self._time_limit) if late else ReaderCrashed(name=job.name)

    def close(self) -> None:
        """End the worker, which takes several hundred megabytes; the next page would start another."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None
