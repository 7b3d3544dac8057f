"""A scanned PDF through recognition, and one whose pages are text and scans in turn: which can be searched in the end.

Recall is by the text layer of pages that are drawn as images first: nobody has typed the scan. Of the folder's PDFs
the smallest with a text layer is taken and the smallest without; figures that need one that is missing are left out.
"""

import tempfile
import time
from collections import Counter
from pathlib import Path

import pypdfium2
from pypdf import PdfReader, PdfWriter

from bench.harness import Outcome, fresh_services
from bench.pdfs import read_pdfs
from loaders import load
from rag.build import Services
from rag.types import Document, DocumentStatus

_SESSION = "bench"
_MIXED = 4  # pages of each kind
_SCALE = 150 / 72  # what rag/ingest/ocr_filler.py has pages drawn with


def measure(data: Path) -> Outcome:
    """Pages that can be searched, pages lost, seconds a page; recall of characters on pages whose text is known."""
    pdfs = read_pdfs(data)
    scan = next((pdf.path for pdf in pdfs if not pdf.has_text), None)
    text = next((pdf.path for pdf in pdfs if pdf.has_text), None)
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as scratch, fresh_services() as (services, _):
        services.ingest.start()
        if scan:
            figures |= _scanned(services, scan)
        if scan and text:
            figures |= _mixed(services, _mix(scan, text, Path(scratch) / "mixed.pdf"))
        if text:
            images, _ = _read(services, _draw(text, Path(scratch) / "drawn.pdf"))
            texts = [page.text for page in load(text).pages[:_MIXED]]
            figures["recall_characters"] = _recall(services, images, texts)
    return Outcome(figures)


def _scanned(services: Services, scan: Path) -> dict[str, float]:
    document, seconds = _read(services, scan)
    return {
        "scan_pages": document.pages,
        "scan_searchable_pages": document.text_pages + document.ocr_pages,
        "seconds_per_page": seconds / max(1, document.pages),
    }


def _mixed(services: Services, mixed: Path) -> dict[str, float]:
    document, _ = _read(services, mixed)
    return {
        "mixed_pages": document.pages,
        "mixed_pages_lost": document.pages - document.text_pages - document.ocr_pages,
        "mixed_text_pages_kept": document.text_pages,
    }


def _read(services: Services, path: Path) -> tuple[Document, float]:
    """The document once it is ready, or nothing was recognised in it, which is a figure too; the seconds it took."""
    begun = time.perf_counter()
    document = services.ingest.receive(_SESSION, path, path.name).document
    while document.status not in (DocumentStatus.READY, DocumentStatus.FAILED):
        time.sleep(0.2)
        document = services.ingest.document(_SESSION, document.document_id)
    return document, time.perf_counter() - begun


def _mix(scan: Path, text: Path, out: Path) -> Path:
    """Pages of both in turn: as many of each as the shorter has, and no more than some."""
    writer = PdfWriter()
    for scanned, typed in zip(PdfReader(scan).pages[:_MIXED], PdfReader(text).pages[:_MIXED], strict=False):
        writer.add_page(scanned)
        writer.add_page(typed)
    writer.write(out)
    return out


def _draw(source: Path, out: Path) -> Path:
    """The first pages of a PDF as images, without their text."""
    with pypdfium2.PdfDocument(source) as pdf:
        pages = range(min(_MIXED, len(pdf)))
        images = [pdf[number].render(scale=_SCALE).to_pil().convert("RGB") for number in pages]
    images[0].save(out, save_all=True, append_images=images[1:], resolution=72 * _SCALE)
    return out


def _recall(services: Services, document: Document, texts: list[str]) -> float:
    """The share of the Chinese characters of the known texts that stand in the document, each as often as it does."""
    passages = [chunk.passage for chunk in services.contents.chunks(_SESSION, document.document_id)]
    # By their places: passages overlap, and what stands in two of them was read once.
    placed = {place: character for passage in passages for place, character in enumerate(passage.text, passage.start)}
    wanted = Counter(character for character in "".join(texts) if "\u4e00" <= character <= "\u9fff")
    return (wanted & Counter(placed.values())).total() / max(1, wanted.total())
