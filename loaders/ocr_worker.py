"""The process that recognises text in images of pages: `python -m loaders.ocr_worker`, requests on standard input,
replies on standard output until the input ends.
"""

import os
from contextlib import closing
from functools import cache
from typing import Any

from loaders.ocr import OcrJob
from loaders.pdfium import opened_page
from loaders.process import limit_memory, serve
from loaders.wire import from_line, to_line
from rag.types import Box, RecognisedLine, RecognisedPage

# The recogniser makes larger images smaller itself.
_LONGEST_SIDE = 2000
_POINTS_PER_INCH = 72
# This many pixels show whether there is anything on a page, even a single short line.
_GLANCE_SIDE = 400
# Of 255; the paper of a scan is less even than that only where something is on it.
_UNIFORM = 24
# Polite enough that answers are hardly slower, but a busy machine still gets through a page.
_LOW_PRIORITY = 10


def main() -> None:
    """Recognises what it is asked to recognise, behind whatever else the machine has to do."""
    if hasattr(os, "nice"):
        os.nice(_LOW_PRIORITY)
    serve(_reply)


def _reply(line: bytes) -> bytes:
    job = from_line(OcrJob, line)
    limit_memory(job.memory_limit_mb)
    return to_line(recognise(job))


def recognise(job: OcrJob) -> RecognisedPage:
    """The lines of a page, from top to bottom. Raises PasswordNeeded, WrongPassword, DamagedFile."""
    with opened_page(job.path, job.name, job.page, job.password) as page:
        width, height = page.get_size()
        if _is_blank(page):
            return RecognisedPage(width, height, (), blank=True)
        return RecognisedPage(width, height, _lines(_drawn(page, job.dpi)))


def _is_blank(page: Any) -> bool:
    """Whether the page is of almost one shade."""
    with closing(page.render(scale=_GLANCE_SIDE / max(page.get_size()), grayscale=True)) as bitmap:
        shades = bitmap.to_numpy()
    return int(shades.max()) - int(shades.min()) <= _UNIFORM


def _drawn(page: Any, dpi: int) -> Any:
    """The page as an array of pixels, blue first, as the recogniser takes them."""
    scale = min(dpi / _POINTS_PER_INCH, _LONGEST_SIDE / max(page.get_size()))
    with closing(page.render(scale=scale)) as bitmap:
        return bitmap.to_numpy().copy()


def _lines(image: Any) -> tuple[RecognisedLine, ...]:
    found = _recogniser()(image)
    if found.boxes is None:
        return ()
    down, across = image.shape[:2]
    lines = []
    for corners, text in zip(found.boxes, found.txts, strict=True):
        xs, ys = [float(x) / across for x, _ in corners], [float(y) / down for _, y in corners]
        lines.append(RecognisedLine(text, Box(*(_share(edge) for edge in (min(xs), min(ys), max(xs), max(ys))))))
    return tuple(lines)


def _share(value: float) -> float:
    return round(min(max(value, 0.0), 1.0), 5)


@cache
def _recogniser() -> Any:
    """PP-OCR with the models of its package, loaded with the first page that is not blank."""
    from rapidocr import RapidOCR

    return RapidOCR(params={"Global.log_level": "warning"})


if __name__ == "__main__":
    main()
