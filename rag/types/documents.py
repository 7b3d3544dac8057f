"""Files, their pages, what is recognised in images of these (OCR), and the passages made of them."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import accumulate

from rag.types.message import Message
from rag.types.page_view import Box, PlacedLine


class PageHealth(StrEnum):
    """What the text of a page is worth: its text layer's, or what was recognised (OCR)."""

    TEXT = "text"
    OCR = "ocr"
    EMPTY = "empty"
    GARBLED = "garbled"


# What is searched; the others have no text, or none that anybody could read.
READABLE = (PageHealth.TEXT, PageHealth.OCR)


@dataclass(frozen=True, slots=True)
class Page:
    """A page's cleaned text, its physical number (from 1) and the label printed on it.

    `lines` are those of text that was recognised; of a text layer, the file itself tells where its text stands.
    `separator` stands between it and the next page's text: no line break where a sentence runs over both.
    """

    number: int
    label: str
    text: str
    health: PageHealth
    lines: tuple[PlacedLine, ...] = ()
    separator: str = "\n"


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A piece of a line as it was recognised, and where it stands."""

    text: str
    box: Box


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """What was recognised on a page of that size in points, from top to bottom. `blank`: there was nothing to see."""

    width: float
    height: float
    lines: tuple[RecognisedLine, ...]
    blank: bool = False


class Recognition(StrEnum):
    """How far the recognition of a page without readable text is."""

    WAITING = "waiting"
    READ = "read"
    BLANK = "blank"
    NOTHING = "nothing"  # there is something on the page, but no text was found
    FAILED = "failed"
    LOCKED = "locked"  # the file's password was used to read it, and is kept nowhere
    STOPPED = "stopped"
    MISSING = "missing"  # the package that recognises text is not installed


@dataclass(frozen=True, slots=True)
class PageGroup:
    """What there is to say about a document's pages of one kind, and whether they can be searched."""

    sentence: Message
    searchable: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """An entry of a document's outline: level from 1, physical page from 1."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """What a loader makes of a file: every page, in order, and the outline where there is one."""

    pages: tuple[Page, ...]
    outline: tuple[Heading, ...] = ()

    @property
    def text(self) -> str:
        """The pages' texts with their separators: what character offsets of passages count in."""
        before_last = (page.text + page.separator for page in self.pages[:-1])
        return "".join((*before_last, *(page.text for page in self.pages[-1:])))

    @property
    def starts(self) -> tuple[int, ...]:
        """Where each page begins in the text."""
        lengths = (len(page.text + page.separator) for page in self.pages[:-1])
        return tuple(accumulate(lengths, initial=0))


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: `[start, end)` counts characters of `LoadedDocument.text`.

    `context` is what stands above it and says what it is about: the header of a table that it continues.
    """

    text: str
    start: int
    end: int
    page: int
    last_page: int
    page_label: str
    heading_path: tuple[str, ...] = ()
    context: str = ""

    @property
    def text_in_context(self) -> str:
        """The text under its context: what a reader needs to understand it."""
        return f"{self.context}\n{self.text}" if self.context else self.text


@dataclass(frozen=True, slots=True)
class Section:
    """A parent passage and the child passages that are searched for it; `chunk_ids` are theirs once they are stored."""

    parent: Passage
    children: tuple[Passage, ...]
    chunk_ids: tuple[int, ...] = ()


class DocumentStatus(StrEnum):
    """Where a document stands between upload and full search."""

    QUEUED = "queued"
    READING = "reading"
    RECOGNISING = "recognising"  # no page can be searched before text in its image has been recognised
    EMBEDDING = "embedding"  # searchable by words; vectors are being filled in
    READY = "ready"
    FAILED = "failed"


COMING = (DocumentStatus.QUEUED, DocumentStatus.READING, DocumentStatus.RECOGNISING)
SEARCHABLE = (DocumentStatus.EMBEDDING, DocumentStatus.READY)


@dataclass(frozen=True, slots=True)
class Document:
    """A file of a collection. Pages are counted by health; `embedded` counts chunks that have a vector.

    `reread_failure`: why it could not be read anew, so that what it had is searched still.
    """

    document_id: str
    collection_id: str
    name: str
    sha256: str
    size: int
    status: DocumentStatus
    message: Message | None
    pages: int
    text_pages: int
    ocr_pages: int
    empty_pages: int
    garbled_pages: int
    chunks: int
    embedded: int
    attempts: int
    created_at: datetime
    reread_failure: Message | None = None

    @property
    def searchable(self) -> bool:
        """Whether a search can find the document's passages."""
        return self.status in SEARCHABLE

    @property
    def notice(self) -> Message | None:
        """What there is to say about it."""
        if self.message is None and self.reread_failure is not None:
            return Message("document.reread_failed", {"reason": self.reread_failure})
        return self.message


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came of a file that was given: its document, and what its giver should know, such as that it was there."""

    document: Document
    notice: Message | None = None
