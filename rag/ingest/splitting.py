"""Documents cut as it is configured."""

from threading import Event

from loaders.reader import ReaderLimits, split_in_worker
from loaders.split_wire import Lengths
from rag.settings import Settings
from rag.types import LoadedDocument, Section


def reader_limits(settings: Settings) -> ReaderLimits:
    """What reading one file may take."""
    own = settings.loaders
    return ReaderLimits(own.max_pages, own.max_chunks, own.time_limit_seconds, own.memory_limit_mb)


def sections_of(loaded: LoadedDocument, name: str, settings: Settings, cancel: Event) -> tuple[Section, ...]:
    """A document's sections in order.

    Raises ReadingTimedOut, ReaderCrashed, TooManyPassages; CancelledError when cancelled.
    """
    own = settings.splitter
    lengths = Lengths(own.max_len, own.overlap, own.parent_max_len)
    return split_in_worker(loaded, name, lengths, reader_limits(settings), cancel)
