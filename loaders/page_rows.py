"""The rows of a page in the order that they are read, from a text layer and from what was recognised alike."""

from collections.abc import Sequence

from loaders.borderless_tables import with_aligned_rows
from loaders.columns import in_reading_order
from loaders.lines import TextLine, to_rows, with_notes


def page_rows(pieces: Sequence[TextLine]) -> list[TextLine]:
    """The pieces of a page as its rows: title and columns in turn, notes told apart, tables by their cells."""
    return to_rows(with_aligned_rows(with_notes(in_reading_order(pieces))))
