"""Search hits put in a better order: what every reranker does."""

from collections.abc import Sequence
from typing import Protocol

from rag.types import Hit


class Reranker(Protocol):
    """Puts a search's hits in a better order."""

    def rank(self, question: str, hits: Sequence[Hit]) -> tuple[Hit, ...]:
        """All the hits, the likeliest answer first, each with its relevance where the reranker can tell it.

        Raises ModelError where it asks a server that does not answer.
        """
        ...
