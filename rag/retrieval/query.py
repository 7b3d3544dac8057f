"""What is searched for, and where."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rag.types import EVERYTHING, Scope


@dataclass(frozen=True, slots=True)
class Query:
    """The phrasings of one question, the one that stands alone first, put to some collections within a scope.

    Of two passages alike, that of a document `spoken_of` before comes first. `alone` is how probably each chunk answers
    what was asked itself, the most probable first, where the first phrasing has another subject before it.
    """

    phrasings: Sequence[str]
    collections: Sequence[str]
    scope: Scope = EVERYTHING
    spoken_of: Collection[str] = ()
    alone: Mapping[int, float] = field(default_factory=dict)

    @property
    def question(self) -> str:
        """It as it stands alone."""
        return self.phrasings[0]

    def to_documents(self, document_ids: Collection[str]) -> "Query":
        """The same put to some documents alone."""
        return replace(self, scope=replace(self.scope, document_ids=frozenset(document_ids)))
