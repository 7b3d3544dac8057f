"""What a file is: its name says one thing, its first bytes may say another."""

import re
import zipfile
from enum import StrEnum
from pathlib import Path, PurePath

from loaders.decoding import utf16_order
from rag.errors import DamagedFile, EmptyFile, LockedOfficeFile, MismatchedFile, NotText, UnsupportedFile


class FileKind(StrEnum):
    """The kinds of files that can be read."""

    PDF = "PDF"
    DOCX = "DOCX"
    XLSX = "XLSX"
    PPTX = "PPTX"
    HTML = "HTML"
    TEXT = "TXT"


SUFFIXES = {
    ".pdf": FileKind.PDF,
    ".docx": FileKind.DOCX,
    ".xlsx": FileKind.XLSX,
    ".pptx": FileKind.PPTX,
    ".html": FileKind.HTML,
    ".htm": FileKind.HTML,
    ".txt": FileKind.TEXT,
    ".csv": FileKind.TEXT,
    ".md": FileKind.TEXT,
    ".markdown": FileKind.TEXT,
}

_HEAD_BYTES = 4096
# The PDF reference allows junk before the header, within the first kilobyte.
_PDF_HEADER_WITHIN = 1024
_PDF_HEADER = b"%PDF-"
_ZIP_HEADERS = (b"PK\x03\x04", b"PK\x05\x06")
_OFFICE = (FileKind.DOCX, FileKind.XLSX, FileKind.PPTX)
# Of whatever a text may be, these are.
_TEXTS = (FileKind.TEXT, FileKind.HTML)
_OLE = "DOC/XLS/PPT"
# An Office file with a password is within a file of the older format, in a part of this name.
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
# Some programs number the main part: `word/document2.xml`.
_MAIN_PARTS = {
    re.compile(r"word/document[^/]*\.xml"): FileKind.DOCX,
    re.compile(r"(?:xl/)?workbook[^/]*\.xml", re.IGNORECASE): FileKind.XLSX,
    re.compile(r"ppt/presentation[^/]*\.xml"): FileKind.PPTX,
    re.compile(r"META-INF/container\.xml"): "EPUB",
    re.compile(r"OFD\.xml"): "OFD",
}
_SIGNATURES = {
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _OLE,
    b"{\\rtf": "RTF",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"\xff\xd8\xff": "JPEG",
    b"GIF8": "GIF",
    b"BM": "BMP",
    b"II*\x00": "TIFF",
    b"MM\x00*": "TIFF",
    b"\x1f\x8b": "GZIP",
    b"7z\xbc\xaf\x27\x1c": "7Z",
    b"Rar!": "RAR",
    b"\x7fELF": "ELF",
    b"MZ": "EXE",
    b"%!PS": "PostScript",
    b"ID3": "MP3",
    b"RIFF": "WEBP/WAV/AVI",
}
# HEIC, as phones write pictures, and MP4 tell their kind behind the length of what does.
_BOXED, _BOXED_KIND = b"ftyp", "HEIC/MP4"
# A few bytes tell nothing; a PDF or an Office file that ends there was cut off.
_TELLING_BYTES = 20
_UTF8_MARK = b"\xef\xbb\xbf"
_HTML_STARTS = (b"<!doctype html", b"<html")
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def identify(path: Path, name: str) -> FileKind:
    """The kind of a file.

    Raises EmptyFile, UnsupportedFile, NotText, MismatchedFile, DamagedFile or LockedOfficeFile.
    """
    head = _head(path)
    if not head.strip(b"\x00 \t\r\n\xef\xbb\xbf"):
        raise EmptyFile(name=name)
    named = _named(name)
    found = _kind_of_content(path, head, named)
    is_office = named in _OFFICE
    cut_off = found is FileKind.TEXT and len(head) < _TELLING_BYTES
    if (found is None or cut_off) and (is_office or named is FileKind.PDF):
        raise DamagedFile(name=name)
    if found is None and named in _TEXTS:
        raise NotText(name=name)
    if found == _OLE and is_office and _ENCRYPTED in path.read_bytes():
        raise LockedOfficeFile(name=name)
    if found is FileKind.TEXT and named is FileKind.HTML:  # which may begin with anything
        return FileKind.HTML
    if found is None or (named is None and (found is FileKind.TEXT or found not in set(FileKind))):
        raise UnsupportedFile(name=name)
    if named is not None and found != named:
        raise MismatchedFile(name=name, kind=found)
    return FileKind(found)


def is_pdf(path: Path, name: str) -> bool:
    """Whether a file that could be read is a PDF, by its first bytes: the rest may be made to harm who opens it."""
    return _begins_as_pdf(_head(path), _named(name))


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEAD_BYTES)


def _named(name: str) -> FileKind | None:
    return SUFFIXES.get(PurePath(name).suffix.lower())


def _begins_as_pdf(head: bytes, named: FileKind | None) -> bool:
    # A text may mention a PDF's marks.
    marked = _has_pdf_marks(head) and (named not in _TEXTS or _is_binary(head))
    return marked or head.startswith(_PDF_HEADER)


def _kind_of_content(path: Path, head: bytes, named: FileKind | None) -> str | None:
    """The content's kind, by its signature; None for bytes that are neither of a known kind nor text."""
    if _begins_as_pdf(head, named):
        return FileKind.PDF
    if head.startswith(_ZIP_HEADERS):
        return _kind_of_zip(path)
    for signature, kind in _SIGNATURES.items():
        if head.startswith(signature) and _is_binary(head):
            return kind
    if head.startswith(_BOXED, 4) and _is_binary(head):
        return _BOXED_KIND
    if head.removeprefix(_UTF8_MARK).lstrip().lower().startswith(_HTML_STARTS):
        return FileKind.HTML
    return None if _is_binary(head) else FileKind.TEXT


def _has_pdf_marks(head: bytes) -> bool:
    return _PDF_HEADER in head[:_PDF_HEADER_WITHIN] or (b" obj" in head and b"endobj" in head)


def _kind_of_zip(path: Path) -> str | None:
    """The kind of an archive; None for one whose directory cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name.replace("\\", "/") for name in archive.namelist()]  # as some exporters part them
    # Each of these is raised for some damage, OSError by older Pythons.
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return None
    return next((kind for part, kind in _MAIN_PARTS.items() if any(map(part.fullmatch, names))), "ZIP")


def _is_binary(head: bytes) -> bool:
    """Whether bytes are not text in any encoding: control characters among them, and not UTF-16."""
    if head.startswith(_WIDE_MARKS) or utf16_order(head):
        return False
    controls = sum(byte < 0x20 and byte not in b"\t\n\v\f\r\x1a\x1b" for byte in head)
    return controls > len(head) // 50
