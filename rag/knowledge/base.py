"""What a knowledge base does for those who ask it, whatever holds it."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from rag.knowledge.request import SearchRequest
from rag.types import EVERYTHING, Message, Scope, SearchResult, Section, Similarity, TermGains

# The read-only collection that everybody may search; every other is a session's own.
SHARED_COLLECTION = "shared"
# A search's note where most of what words found has no vector yet.
STILL_FILLING = Message("search.still_filling")
# And where a model gave the question no vector.
WORDS_ONLY = "search.words_only"


def collections_seen_by(session_id: str) -> tuple[str, ...]:
    """The session's own collection and the shared one, which sees itself alone."""
    return tuple(dict.fromkeys((session_id, SHARED_COLLECTION)))


class KnowledgeBase(Protocol):
    """Searches the documents of some collections."""

    def search(
        self,
        questions: Sequence[str],
        collections: Sequence[str],
        request: SearchRequest,
        scope: Scope = EVERYTHING,
    ) -> SearchResult:
        """The best matches for several phrasings of one question, each by its best score. Raises StoreError.

        A scope is applied before any limit; the statistics of words stay those of the whole collections.
        """
        ...

    def explain(self, question: str, collections: Sequence[str], chunk_ids: Sequence[int]) -> Mapping[int, TermGains]:
        """What the terms of a question add to the BM25 scores of some chunks. Raises StoreError."""
        ...

    def similarities(self, question: str, texts: Sequence[str], collections: Sequence[str]) -> Sequence[Similarity]:
        """How near each text is to a question, by meaning and by the words that they share. Raises StoreError."""
        ...

    def lacking(self, collections: Sequence[str], scope: Scope = EVERYTHING) -> int:
        """About how many passages have no vector yet. Raises StoreError."""
        ...

    def check(self, request: SearchRequest) -> None:
        """Raises ValueError for a request that this knowledge base cannot serve."""
        ...

    def sections(self, parent_ids: Sequence[int]) -> Mapping[int, Section]:
        """Parent passages with all their children, by `Chunk.parent_id`; those that are gone are left out.

        Raises StoreError.
        """
        ...
