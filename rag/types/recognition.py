"""What optical character recognition (OCR) makes of a page's image."""

from dataclasses import dataclass
from enum import StrEnum

from rag.types.message import Message
from rag.types.page_view import Box


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
