"""pypdf as a second reader, for the pages that pdfium reads badly."""

import logging
import time
from collections.abc import Sequence
from pathlib import Path

from loaders.cleaning import clean_line
from loaders.health import page_health
from rag.types import PageHealth

_log = logging.getLogger(__name__)
# pypdf is ten times slower than pdfium: no further page is begun after this.
_SECONDS = 20.0


def read_again(path: Path, password: str | None, numbers: Sequence[int]) -> dict[int, str]:
    """The text of those pages (by number, from 1) that pypdf can read; the others are left out."""
    from pypdf import PdfReader

    end = time.monotonic() + _SECONDS
    readable: dict[int, str] = {}
    try:
        reader = PdfReader(path, password=password)
        for number in numbers:
            if time.monotonic() > end:
                break
            text = _clean(reader.pages[number - 1].extract_text())
            if page_health(text) is PageHealth.TEXT:
                readable[number] = text
    except Exception as error:  # noqa: BLE001 - damaged files make pypdf raise almost anything; pdfium's reading stands
        _log.info("pypdf gave up on %s: %r", path.name, error)
    return readable


def _clean(text: str) -> str:
    return "\n".join(clean for line in text.split("\n") if (clean := clean_line(line)))
