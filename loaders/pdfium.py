"""A PDF as pdfium opens it, and its pages with what is filled in on them.

What keeps it shut is told as an error of this program.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import pypdfium2.raw as pdfium
from pypdfium2 import PdfDocument, PdfiumError

from loaders.character_maps import with_whole_maps
from rag.errors import DamagedFile, PasswordNeeded, WrongPassword


@contextmanager
def opened_pdf(path: Path, name: str, password: str | None = None) -> Iterator[Any]:
    """A document for a while. Raises PasswordNeeded, WrongPassword, DamagedFile."""
    try:
        pdf = _unlocked(path, password)
        if _may_tell_wrongly(pdf) and (mended := _with_whole_maps(path, path.stat().st_mtime_ns)):
            # What pypdf has written of a damaged file may be none for pdfium.
            with suppress(PdfiumError):
                whole = PdfDocument(mended)
                pdf.close()
                pdf = whole
    except PdfiumError as error:
        if error.err_code == pdfium.FPDF_ERR_PASSWORD:
            raise (WrongPassword if password else PasswordNeeded)(name=name) from error
        raise DamagedFile(name=name) from error
    with closing(pdf):
        pdf.init_forms()  # draws fields that have only their value
        yield pdf


def _unlocked(path: Path, password: str | None) -> Any:
    """A document by its password as it is written, or else as it was meant. Raises PdfiumError."""
    try:
        return PdfDocument(path, password=password)
    except PdfiumError as error:
        # A copied one brings blanks; and PDF 2.0 wants one in compatible characters, which pdfium does not see to.
        meant = unicodedata.normalize("NFKC", password or "").strip()
        if error.err_code != pdfium.FPDF_ERR_PASSWORD or meant in ("", password):
            raise
        return PdfDocument(path, password=meant)


def _may_tell_wrongly(pdf: Any) -> bool:
    """Whether macOS wrote a document, by its own programs' way or for a program that prints, or WPS did."""
    try:
        return "Quartz" in pdf.get_metadata_value("Producer") or pdf.get_metadata_value("Creator").startswith("WPS")
    except UnicodeDecodeError:
        return False


# Each page that is shown opens its document.
@lru_cache(maxsize=1)
def _with_whole_maps(path: Path, _written: int) -> bytes | None:
    return with_whole_maps(path)


@contextmanager
def filled_page(pdf: Any, index: int) -> Iterator[tuple[Any, int | None]]:
    """A page of a document for a while, what is filled in on it drawn as its own text is, behind that.

    How many characters it has without; None where nothing is filled in.
    """
    with closing(pdf[index]) as page:
        if not _is_filled_in(page):
            yield page, None
            return
        with closing(page.get_textpage()) as text_page:
            own = text_page.count_chars()
        pdfium.FPDFPage_Flatten(page, pdfium.FLAT_NORMALDISPLAY)
    with closing(pdf[index]) as page:
        yield page, own


def _is_filled_in(page: Any) -> bool:
    """Whether there are fields of a form on a page, or text that was typed upon it."""
    for number in range(pdfium.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium.FPDFPage_GetAnnot(page, number)
        kind = pdfium.FPDFAnnot_GetSubtype(annotation)
        pdfium.FPDFPage_CloseAnnot(annotation)
        if kind in (pdfium.FPDF_ANNOT_WIDGET, pdfium.FPDF_ANNOT_FREETEXT):
            return True
    return False


@contextmanager
def opened_page(path: Path, name: str, number: int, password: str | None = None) -> Iterator[Any]:
    """A page by its physical number for a while; what pdfium refuses of it meanwhile is damage as well.

    Raises PasswordNeeded, WrongPassword, DamagedFile.
    """
    try:
        with opened_pdf(path, name, password) as pdf, filled_page(pdf, number - 1) as (page, _):
            yield page
    except (PdfiumError, IndexError, OSError) as error:
        raise DamagedFile(name=name) from error
