"""A scanned PDF through recognition, and one whose pages are text and scans in turn: which can be searched in the end.

Recall is by the text layer of pages that are drawn as images first: nobody has typed the scan.
"""

import tempfile
import time
from pathlib import Path

import pypdfium2
from pypdf import PdfReader, PdfWriter

from bench.harness import Outcome, fresh_services
from loaders import load
from rag.build import Services
from rag.types import Document, DocumentStatus

_SCAN, _TEXT = "ziben_scan_8p.pdf", "kcd_q1_2018_report.pdf"
_SESSION = "bench"
_MIXED = 4  # pages of each kind
_SCALE = 150 / 72  # what rag/ingest/ocr_filler.py has pages drawn with


def measure(data: Path) -> Outcome:
    """Pages that can be searched, pages lost, seconds a page; recall of characters on pages whose text is known."""
    folder = data / "pdf"
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as scratch, fresh_services() as (services, _):
        mixed, drawn = Path(scratch) / "mixed.pdf", Path(scratch) / "drawn.pdf"
        _mix(folder / _SCAN, folder / _TEXT, mixed)
        _draw(folder / _TEXT, drawn)
        services.ingest.start()
        scan, seconds = _read(services, folder / _SCAN)
        both, _ = _read(services, mixed)
        images, _ = _read(services, drawn)
        recall = _recall(services, images, [page.text for page in load(folder / _TEXT).pages[:_MIXED]])
    return Outcome(
        {
            "scan_pages": scan.pages,
            "scan_searchable_pages": scan.text_pages + scan.ocr_pages,
            "seconds_per_page": seconds / scan.pages,
            "mixed_pages": both.pages,
            "mixed_pages_lost": both.pages - both.text_pages - both.ocr_pages,
            "mixed_text_pages_kept": both.text_pages,
            "recall_characters": recall,
        }
    )


def _read(services: Services, path: Path) -> tuple[Document, float]:
    """The document once it is ready, or has failed, and the seconds that it took."""
    begun = time.perf_counter()
    document = services.ingest.add(_SESSION, path, path.name)
    while document.status not in (DocumentStatus.READY, DocumentStatus.FAILED):
        time.sleep(0.2)
        document = services.ingest.document(_SESSION, document.document_id)
    return document, time.perf_counter() - begun


def _mix(scan: Path, text: Path, out: Path) -> None:
    writer = PdfWriter()
    for scanned, typed in zip(PdfReader(scan).pages[:_MIXED], PdfReader(text).pages[:_MIXED], strict=True):
        writer.add_page(scanned)
        writer.add_page(typed)
    writer.write(out)


def _draw(source: Path, out: Path) -> None:
    """The first pages of a PDF as images, without their text."""
    with pypdfium2.PdfDocument(source) as pdf:
        images = [pdf[number].render(scale=_SCALE).to_pil().convert("RGB") for number in range(_MIXED)]
    images[0].save(out, save_all=True, append_images=images[1:], resolution=72 * _SCALE)


def _recall(services: Services, document: Document, texts: list[str]) -> float:
    """The share of the Chinese characters of the known texts that stand in the document, each as often as it does."""
    chunks = services.contents.chunks(_SESSION, document.document_id)
    read = list("".join(chunk.passage.text for chunk in chunks))
    wanted = [character for character in "".join(texts) if "\u4e00" <= character <= "\u9fff"]
    found = 0
    for character in wanted:
        if character in read:
            read.remove(character)
            found += 1
    return found / max(1, len(wanted))
