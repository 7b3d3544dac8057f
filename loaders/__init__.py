"""Documents into text: PDF, Office, HTML and text files become a `LoadedDocument`, and that becomes sections."""

from collections.abc import Callable
from pathlib import Path

from loaders.kind import FileKind, identify
from rag.types import LoadedDocument

MAX_PAGES = 3000


def load(
    path: Path,
    *,
    name: str | None = None,
    password: str | None = None,
    max_pages: int = MAX_PAGES,
    on_progress: Callable[[int, int], None] | None = None,
) -> LoadedDocument:
    """A file's pages, read in this process. `name` is what the user calls it, in errors and for its suffix.

    Raises DocumentError. `loaders.reader.read_in_worker` does the same for files that nobody vouches for.
    """
    name = name or path.name
    match identify(path, name):
        case FileKind.PDF:
            from loaders.pdf import read_pdf

            return read_pdf(path, name, password, max_pages, on_progress)
        case FileKind.DOCX:
            from loaders.docx import read_docx

            return read_docx(path, name, max_pages)
        case FileKind.XLSX:
            from loaders.xlsx import read_xlsx

            return read_xlsx(path, name, max_pages)
        case FileKind.PPTX:
            from loaders.pptx import read_pptx

            return read_pptx(path, name, max_pages)
        case FileKind.HTML:
            from loaders.html import read_html

            return read_html(path, name)
        case FileKind.TEXT:
            from loaders.text import read_text

            return read_text(path, name, max_pages)
