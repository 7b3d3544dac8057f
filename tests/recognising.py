"""A recogniser of text in images that knows it, and what else stands in for the package."""

import threading
from collections.abc import Mapping
from concurrent.futures import CancelledError
from pathlib import Path

from loaders import load
from loaders.ocr import OcrJob
from rag.types import Box, LoadedDocument, Message, PageGroup, RecognisedLine, RecognisedPage

# Longer than what the splitter would join with the next page.
TEXT = "年假为十天，入职满一年后可以使用；当年没有用完的可以顺延到次年三月底，过期作废，不再折算成工资。"
BLANK = RecognisedPage(595, 842, (), blank=True)


def pages_told(group: PageGroup) -> str:
    """The numbers of the pages that a group of a report is about."""
    which = group.sentence.values["which"]
    assert isinstance(which, Message)
    return str(which.values["pages"])


class FakeRecogniser:
    """Knows what is on each page; pages can be held back, and fail."""

    def __init__(self, pages: Mapping[int, str | RecognisedPage | Exception], hold_at: int = 0) -> None:
        self._pages = pages
        self.asked: list[tuple[int, str | None]] = []
        self.held = threading.Event()
        self.go_on = threading.Event()
        self.hold_at = hold_at

    def __call__(self, job: OcrJob, cancel: threading.Event) -> RecognisedPage:
        self.asked.append((job.page, job.password))
        if job.page == self.hold_at:
            self.held.set()
            while not self.go_on.wait(0.01):
                if cancel.is_set():
                    raise CancelledError
        page = self._pages[job.page]
        if isinstance(page, Exception):
            raise page
        return page if isinstance(page, RecognisedPage) else line(page)


def read_here(path: Path, *, name: str, password: str | None, **_: object) -> LoadedDocument:
    """Reads in this process: what is tested here comes after that."""
    return load(path, name=name, password=password)


def line(text: str) -> RecognisedPage:
    return RecognisedPage(595, 842, (RecognisedLine(text, Box(0.1, 0.2, 0.9, 0.22)),))
