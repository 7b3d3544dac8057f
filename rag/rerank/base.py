"""What every reranker does, and several of them one after the other."""

import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from rag.errors import ModelError
from rag.types import Hit, Message

_log = logging.getLogger(__name__)


class Reranker(Protocol):
    """Puts a search's hits in a better order."""

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """All the hits, the likeliest answer first, each with its relevance where the reranker can tell it.

        Raises ModelError where it asks a server that does not answer.
        """
        ...


def ranked_by(
    rankers: Mapping[str, Reranker], question: str, hits: tuple[Hit, ...]
) -> tuple[tuple[Hit, ...], tuple[Message, ...]]:
    """The hits as one ranker after the other leaves them. One that fails is skipped, and the note under it made."""
    if not hits:
        return hits, ()
    notes = []
    for note, ranker in rankers.items():
        try:
            hits = ranker.rank(question, hits)
        except ModelError as error:
            _log.warning("%s: %s", note, error)
            notes.append(Message(note, {"reason": error.message}))
    return hits, tuple(notes)
