"""A file cannot be taken in."""

from rag.errors.base import WenquError


class DocumentError(WenquError):
    """A file cannot be taken in."""


class EmptyFile(DocumentError):
    """No bytes, no pages, or only blank ones. Values: name."""

    key = "empty_file"


class UnsupportedFile(DocumentError):
    """Neither its name nor its content is of a known kind. Values: name."""

    key = "unsupported_file"


class NotText(DocumentError):
    """Its name says that it is a text, but its bytes are not text in any encoding. Values: name."""

    key = "not_text"


class MismatchedFile(DocumentError):
    """The content is not what the name says. Values: name, kind."""

    key = "mismatched_file"


class FileTooLarge(DocumentError):
    """Values: name, size_mb, limit_mb."""

    key = "file_too_large"


class TooManyPages(DocumentError):
    """Values: name, pages, limit."""

    key = "too_many_pages"


class PasswordNeeded(DocumentError):
    """Values: name."""

    key = "password_needed"


class WrongPassword(DocumentError):
    """Values: name."""

    key = "wrong_password"


class DamagedFile(DocumentError):
    """Values: name."""

    key = "damaged_file"


class NoTextLayer(DocumentError):
    """Values: name, pages (their numbers as text)."""

    key = "no_text_layer"


class NoWords(DocumentError):
    """A DOCX without a word, of pictures perhaps. Values: name."""

    key = "no_words"


class GarbledText(DocumentError):
    """Values: name, pages (their numbers as text)."""

    key = "garbled_text"


class OcrNeeded(DocumentError):
    """Values: name, pages (their numbers as text), command."""

    key = "ocr_needed"


class NothingRecognised(DocumentError):
    """Values: name, pages (their numbers as text)."""

    key = "nothing_recognised"


class RecognitionStopped(DocumentError):
    """Values: name."""

    key = "recognition_stopped"


class ReadingTimedOut(DocumentError):
    """Values: name, seconds."""

    key = "reading_timed_out"


class ReaderCrashed(DocumentError):
    """Values: name."""

    key = "reader_crashed"


class ReadingInterrupted(DocumentError):
    """Values: name."""

    key = "reading_interrupted"


class ReadingPutOff(DocumentError):
    """The program ends while somebody waits for a file. Values: name."""

    key = "reading_put_off"


class UnknownDocument(DocumentError):
    """The session has no such document. No values."""

    key = "unknown_document"


class NoDocumentUsed(DocumentError):
    """The question may use no document, as its session has left out all. No values."""

    key = "no_document_used"
