"""Documents cut as it is configured, in this process: nobody means harm by them."""

from loaders.sections import split_document
from rag.settings import SplitterSettings
from rag.types import LoadedDocument, Section


def sections_of(loaded: LoadedDocument, settings: SplitterSettings) -> tuple[Section, ...]:
    """A document's sections in order."""
    return split_document(loaded, settings.max_len, settings.overlap, settings.parent_max_len)
