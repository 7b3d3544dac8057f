"""The PDFs of the data folder, told apart by what they are and not by their names."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypdfium2

from bench.harness import NotMeasured, read_jsonl

# A cover often has no text; this many pages in, a text layer shows.
_LOOKED_AT = 4


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF: how many pages it has, and whether the first of them have a text layer."""

    path: Path
    pages: int
    has_text: bool


def read_pdfs(data: Path) -> list[Pdf]:
    """All of a folder that open, the smallest file first."""
    pdfs = []
    for path in sorted((data / "pdf").glob("*.pdf"), key=lambda path: (path.stat().st_size, path.name)):
        try:
            with pypdfium2.PdfDocument(path) as opened:
                texts = [_text(opened, number) for number in range(min(_LOOKED_AT, len(opened)))]
                pdfs.append(Pdf(path, len(opened), any(texts)))
        except pypdfium2.PdfiumError as error:
            print(f"{path.name} is left out: {error}")
    return pdfs


def pdfs_asked_about(data: Path) -> list[Path]:
    """The PDFs that the hand-written questions are about; without questions, all that have text."""
    questions = data / "pdf" / "qa.jsonl"
    if questions.exists():
        return [data / "pdf" / name for name in sorted({row["file"] for row in read_jsonl(questions)})]
    return [pdf.path for pdf in read_pdfs(data) if pdf.has_text]


def pdf_of(data: Path, name: str) -> Path:
    """A PDF that is asked about. Raises NotMeasured where the folder has not got it."""
    path = data / "pdf" / name
    if not path.exists():
        raise NotMeasured(f"{path} is asked about and is not there")
    return path


def gold_pages(asked: Mapping[str, Any]) -> list[int]:
    """The pages that answer a question or a turn: one or several; none where nothing does."""
    pages = asked.get("evidence_pages") or asked.get("page") or []
    return pages if isinstance(pages, list) else [pages]


def _text(opened: pypdfium2.PdfDocument, number: int) -> str:
    with closing(opened[number]) as page, closing(page.get_textpage()) as text_page:
        return str(text_page.get_text_range()).strip()
