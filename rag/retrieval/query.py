"""What is searched for, and where."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from rag.types import EVERYTHING, Scope


@dataclass(frozen=True, slots=True)
class Query:
    """The phrasings of one question, the one that stands alone first, put to some collections within a scope.

    Of two passages alike, that of a document `spoken_of` before comes first.
    """

    phrasings: Sequence[str]
    collections: Sequence[str]
    scope: Scope = EVERYTHING
    spoken_of: Collection[str] = ()

    @property
    def question(self) -> str:
        """It as it stands alone."""
        return self.phrasings[0]

    def to_documents(self, document_ids: Collection[str]) -> "Query":
        """The same put to some documents alone."""
        return replace(self, scope=replace(self.scope, document_ids=frozenset(document_ids)))
