"""A PDF as pdfium opens it, and a single page of one. What keeps it shut is told as an error of this program."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from rag.errors import DamagedFile, PasswordNeeded, WrongPassword


@contextmanager
def opened_pdf(path: Path, name: str, password: str | None = None) -> Iterator[Any]:
    """A document for a while. Raises PasswordNeeded, WrongPassword, DamagedFile."""
    import pypdfium2
    from pypdfium2.raw import FPDF_ERR_PASSWORD

    try:
        pdf = pypdfium2.PdfDocument(path, password=password)
    except pypdfium2.PdfiumError as error:
        if error.err_code == FPDF_ERR_PASSWORD:
            raise (WrongPassword if password else PasswordNeeded)(name=name) from error
        raise DamagedFile(name=name) from error
    with closing(pdf):
        yield pdf


@contextmanager
def opened_page(path: Path, name: str, number: int, password: str | None = None) -> Iterator[Any]:
    """A page by its physical number for a while; what pdfium refuses of it meanwhile is damage as well.

    Raises PasswordNeeded, WrongPassword, DamagedFile.
    """
    from pypdfium2 import PdfiumError

    try:
        with opened_pdf(path, name, password) as pdf, closing(pdf[number - 1]) as page:
            yield page
    except (PdfiumError, IndexError, OSError) as error:
        raise DamagedFile(name=name) from error
