"""pypdf as a second reader, for the pages that pdfium reads badly: it also finds text that is drawn without a width."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

from loaders.cleaning import clean_line
from loaders.health import page_health
from rag.types import PageHealth

_log = logging.getLogger(__name__)
# pypdf is ten times slower than pdfium, and one strange page may hold it up for ever.
_SECONDS = 20.0


def read_again(path: Path, password: str | None, numbers: Sequence[int], seconds: float = _SECONDS) -> dict[int, str]:
    """The text of those pages (by number, from 1) that pypdf can read in time; the others are left out."""
    readable: dict[int, str] = {}
    # A thread, because nothing else can be left behind in the middle of a page; it ends with the reading process.
    reader = Thread(target=_read, args=(path, password, numbers, readable), name="second-reader", daemon=True)
    reader.start()
    reader.join(seconds)
    return dict(readable)


def _read(path: Path, password: str | None, numbers: Sequence[int], readable: dict[int, str]) -> None:
    from pypdf import PdfReader

    with _giving_up(path.name):
        reader = PdfReader(path, password=password)
        for number in numbers:
            with _giving_up(f"page {number} of {path.name}"):
                text = _clean(reader.pages[number - 1].extract_text())
                if page_health(text) is PageHealth.TEXT:
                    readable[number] = text


@contextmanager
def _giving_up(on: str) -> Iterator[None]:
    """Notes what goes wrong, and lets the rest go on."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - damaged files make pypdf raise almost anything; pdfium's reading stands
        _log.info("pypdf gave up on %s: %r", on, error)


def _clean(text: str) -> str:
    return "\n".join(clean for line in text.split("\n") if (clean := clean_line(line)))
