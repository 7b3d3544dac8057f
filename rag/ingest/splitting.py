"""Documents cut as it is configured, in a worker process."""

from collections.abc import Mapping
from threading import Event
from types import MappingProxyType

from loaders.reader import ReaderLimits, split_in_worker
from loaders.wire import Lengths
from rag.settings import Settings
from rag.types import LoadedDocument, RecognisedPage, Section


def reader_limits(settings: Settings) -> ReaderLimits:
    """What reading one file may take."""
    own = settings.loaders
    return ReaderLimits(own.max_pages, own.max_chunks, own.time_limit_seconds, own.memory_limit_mb)


def split(
    loaded: LoadedDocument,
    name: str,
    settings: Settings,
    cancel: Event,
    recognised: Mapping[int, RecognisedPage] = MappingProxyType({}),
) -> tuple[LoadedDocument, tuple[Section, ...]]:
    """A document with what was recognised of its pages, by number, and its sections in order.

    Raises ReadingTimedOut, ReaderCrashed, TooManyPassages; CancelledError when cancelled.
    """
    own = settings.splitter
    lengths = Lengths(own.max_len, own.overlap, own.parent_max_len)
    return split_in_worker(loaded, name, lengths, reader_limits(settings), cancel, recognised)
