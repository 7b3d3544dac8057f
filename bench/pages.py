"""From a citation to its place: whether the boxes of a passage cover it on its page, and how long the page takes.

What a box covers is read back from the PDF in another way than the box was made: by the exact boxes of the characters
drawn. A passage is covered when nearly all its characters lie in its boxes, and nearly all that lies there is its own.
"""

import random
import re
import tempfile
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from ctypes import byref, c_int
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any

from bench.harness import Outcome, settings_for
from bench.splitting import sections_of
from loaders.reader import read_in_worker
from loaders.viewer import Viewer
from rag.database import open_database
from rag.errors import DocumentError
from rag.files import FileStore
from rag.ingest.splitting import reader_limits
from rag.knowledge.catalog import Catalog
from rag.knowledge.contents import Contents
from rag.knowledge.passages import Passages
from rag.knowledge.texts import words_text
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.words import cut
from rag.pages import Pages
from rag.settings import Settings
from rag.types import Box, DocumentStatus, PageView, Passage

_PASSAGES = 100
_SESSION = "bench"
_COVERED = 0.95
_OWN = 0.9
_SEED = 7
_GRID = 1_000_000
_CELL = re.compile(r" \| |\n")


def measure(data: Path) -> Outcome:
    """Passages of the PDFs in `pdf/`, drawn at random, the same number from each; every page is shown for the first
    time, then again."""
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder:
        settings = settings_for(Path(folder))
        catalog = Catalog(open_database(f"sqlite:///{folder}/bench.sqlite3"), "none")
        documents = _taken_in(sorted((data / "pdf").glob("*.pdf")), catalog, settings)
        viewer = Viewer(settings.pages.time_limit_seconds, settings.pages.memory_limit_mb)
        # Each passage meets an empty cache, but the process that draws stays, as it does in the app.
        rows = [
            _row(Pages(settings, catalog, Contents(catalog.engine), viewer), *chosen) for chosen in _drawn(documents)
        ]
        viewer.close()
    covered = [row["right_page"] and row["covered"] >= _COVERED and row["own"] >= _OWN for row in rows]
    first = [row["first_ms"] for row in rows]
    return Outcome(
        {
            "passages": len(rows),
            "right_page_share": fmean(row["right_page"] for row in rows),
            "covered_share": fmean(covered),
            "first_ms_p50": median(first),
            "first_ms_p95": quantiles(first, n=20)[-1],
            # The very first page waits for the process that draws to start.
            "first_of_all_ms": first[0],
            "cached_ms_p50": median(row["cached_ms"] for row in rows),
        },
        rows,
    )


def _taken_in(paths: list[Path], catalog: Catalog, settings: Settings) -> dict[Path, tuple[str, list[Passage]]]:
    """The files that have text, stored as an ingest does, with their child passages."""
    files = FileStore(settings.store.path)
    tokenizer = Tokenizer(settings.store.path)
    passages = Passages(catalog.engine, tokenizer)
    limits, taken = reader_limits(settings), {}
    for path in paths:
        try:
            loaded = read_in_worker(path, path.name, limits)
        except DocumentError as error:
            print(f"{path.name} is left out: {error}")
            continue
        with files.copied(path) as copy:
            document_id = catalog.register(_SESSION, path.name, copy.sha256, copy.size).document_id
            files.keep(copy, document_id)
        sections = sections_of(loaded, settings.splitter)
        children = [child for section in sections for child in section.children]
        words = cut(tokenizer, [words_text(child, path.name) for child in children])
        passages.write(document_id, sections, loaded, words, (DocumentStatus.QUEUED,))
        taken[path] = document_id, children
    return taken


def _drawn(documents: dict[Path, tuple[str, list[Passage]]]) -> list[tuple[Path, str, Passage]]:
    """As many passages from each file as make up the number, in random order."""
    generator = random.Random(_SEED)
    each = -(-_PASSAGES // len(documents))
    chosen = [
        (path, document_id, passage)
        for path, (document_id, passages) in documents.items()
        for passage in generator.sample(passages, min(each, len(passages)))
    ]
    generator.shuffle(chosen)
    return chosen[:_PASSAGES]


def _row(pages: Pages, path: Path, document_id: str, passage: Passage) -> dict[str, Any]:
    """What a click on a citation of the passage brings: its chunk tells the place, as in the app."""
    span = passage.start, passage.end
    begun = time.perf_counter()
    view = _clicked(pages, document_id, passage.page, span)
    first = time.perf_counter()
    view = _clicked(pages, document_id, passage.page, span)
    cached = time.perf_counter()
    whole, once = _letters(view.text.passage), _letters("".join(dict.fromkeys(_CELL.split(view.text.passage))))
    inside = _letters_within(path, view)
    return {
        "file": path.name,
        "page": passage.page,
        "start": passage.start,
        "right_page": bool(whole) and view.text.passage in passage.text,
        # A cell that spans rows is repeated in the text of each, but drawn once.
        "covered": (once & inside).total() / max(1, once.total()),
        "own": (whole & inside).total() / max(1, inside.total()),
        "boxes": len(view.boxes),
        "first_ms": 1e3 * (first - begun),
        "cached_ms": 1e3 * (cached - first),
    }


def _clicked(pages: Pages, document_id: str, page: int, span: tuple[int, int]) -> PageView:
    """The page with the passage marked, its image on the way to the browser."""
    view = pages.view(_SESSION, document_id, page, span)
    pages.image(document_id, page)
    return view


def _letters(text: str) -> Counter[str]:
    return Counter(letter for letter in unicodedata.normalize("NFKC", text).casefold() if letter.isalnum())


def _letters_within(path: Path, view: PageView) -> Counter[str]:
    """The letters that a page draws with their centres in the view's boxes."""
    import pypdfium2

    with closing(pypdfium2.PdfDocument(path)) as pdf, closing(pdf[view.page - 1]) as page:
        return _letters("".join(character for character, x, y in _centres(page) if _within(view.boxes, x, y)))


def _centres(page: Any) -> Iterator[tuple[str, float, float]]:
    """The characters of a page and where their centres are shown, as shares of its width and height."""
    import pypdfium2.raw as pdfium

    with closing(page.get_textpage()) as text_page:
        x, y = c_int(), c_int()
        for index in range(text_page.count_chars()):
            left, bottom, right, top = text_page.get_charbox(index)
            across, up = (left + right) / 2, (bottom + top) / 2
            pdfium.FPDF_PageToDevice(page, 0, 0, _GRID, _GRID, 0, across, up, byref(x), byref(y))
            yield chr(pdfium.FPDFText_GetUnicode(text_page, index)), x.value / _GRID, y.value / _GRID


def _within(boxes: tuple[Box, ...], x: float, y: float) -> bool:
    return any(box.left <= x <= box.right and box.top <= y <= box.bottom for box in boxes)
