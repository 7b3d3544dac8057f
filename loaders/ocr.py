"""Text recognised in images of pages (OCR), in a process of its own that stays for the next page."""

import threading
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from loaders.process import StandingWorker
from loaders.wire import from_json, to_line
from rag.types import RecognisedPage

OCR_COMMAND = 'pip install "rapidocr>=3.10,<3.11" onnxruntime'


@dataclass(frozen=True, slots=True)
class OcrJob:
    """The page to recognise, counted from 1. The password travels here, never on a command line."""

    path: Path
    name: str
    password: str | None
    page: int
    dpi: int
    memory_limit_mb: int


def ocr_installed() -> bool:
    """Whether the packages that recognise text are there."""
    return all(find_spec(package) is not None for package in ("rapidocr", "onnxruntime"))


class PageRecogniser:
    """Recognises one page at a time, for one thread."""

    def __init__(self, time_limit_seconds: float) -> None:
        self._worker = StandingWorker("loaders.ocr_worker", time_limit_seconds)

    def __call__(self, job: OcrJob, cancel: threading.Event) -> RecognisedPage:
        """What stands on a page.

        Raises PasswordNeeded, WrongPassword, DamagedFile, ReadingTimedOut, ReaderCrashed, CancelledError.
        """
        return from_json(RecognisedPage, self._worker.ask(to_line(job), job.name, cancel))

    def close(self) -> None:
        """End the worker, which takes several hundred megabytes; the next page would start another."""
        self._worker.close()
