"""A file cannot be taken in."""

from rag.errors.base import WenquError


class DocumentError(WenquError):
    """A file cannot be taken in."""


class EmptyFile(DocumentError):
    """No bytes, no pages, or only blank ones. Values: name."""


class UnsupportedFile(DocumentError):
    """Neither its name nor its content is of a known kind. Values: name."""


class NotText(DocumentError):
    """Its name says that it is a text, but its bytes are not text in any encoding. Values: name."""


class MismatchedFile(DocumentError):
    """The content is not what the name says. Values: name, kind."""


class FileTooLarge(DocumentError):
    """Values: name, size_mb, limit_mb."""


class TooManyPages(DocumentError):
    """Values: name, pages, limit."""


class TooManyPassages(DocumentError):
    """Too long a text, or in too small pieces. Values: name, chunks, limit."""


class PasswordNeeded(DocumentError):
    """Values: name."""


class WrongPassword(DocumentError):
    """Values: name."""


class LockedOfficeFile(DocumentError):
    """An Office file with a password, which is for its own program alone to open. Values: name."""


class DamagedFile(DocumentError):
    """Values: name."""


class NoTextLayer(DocumentError):
    """Images only, which are not to be recognised. Values: name, pages (their numbers as text)."""


class NoWords(DocumentError):
    """An Office file without a word, of pictures perhaps. Values: name."""


class GarbledText(DocumentError):
    """Values: name, pages (their numbers as text)."""


class OcrNeeded(DocumentError):
    """Images only, and the package that reads them is not installed.

    Values: name, pages (their numbers as text), command.
    """


class NothingRecognised(DocumentError):
    """Images only, and no text was found in them. Values: name, pages (their numbers as text)."""


class RecognitionStopped(DocumentError):
    """Images only, whose recognition was stopped before any text was found. Values: name."""


class ReadingTimedOut(DocumentError):
    """Values: name, seconds."""


class ReaderCrashed(DocumentError):
    """Values: name."""


class ReadingInterrupted(DocumentError):
    """The process was killed while it read the file, more than once. Values: name."""


class ReadingPutOff(DocumentError):
    """The program ends while somebody waits for a file. Values: name."""


class UnknownDocument(DocumentError):
    """The session has no such document. No values."""


class NoDocumentUsed(DocumentError):
    """The question may use no document, as its session has left out all. No values."""
