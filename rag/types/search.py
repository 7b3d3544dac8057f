"""What a search finds, and what of it is given to a model."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from rag.types.documents import Passage
from rag.types.message import Message


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored child passage."""

    chunk_id: int
    document_id: str
    collection_id: str
    document_name: str
    parent_id: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class Use:
    """Why a passage can be used, and its sentence that says so."""

    key_passage: str
    reason: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by a search: the fused score, each route's own, and how probably it answers (None: not judged).

    One that was read where the question points to has no score: 0. `likely` is how probably it is the one that answers,
    if any hit of its search does (None: not judged).
    `joined` are the other chunks whose text its passage holds, `opening` is how its document begins. The document of
    one that is `spoken_of` is what the conversation was about before.
    """

    chunk: Chunk
    score: float
    routes: Mapping[str, float]
    relevance: float | None = None
    likely: float | None = None
    use: Use | None = None
    joined: tuple[int, ...] = ()
    opening: str = ""
    spoken_of: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """What a search may use of its collections: these documents, these physical pages, these chunks; None for all."""

    document_ids: frozenset[str] | None = None
    pages: frozenset[int] | None = None
    chunk_ids: frozenset[int] | None = None


EVERYTHING = Scope()


@dataclass(frozen=True, slots=True)
class RouteTrace:
    """One route's best hits, as chunk and score, best first, and the seconds that it took."""

    field: str
    found: tuple[tuple[int, float], ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Similarity:
    """How near a sentence is to a question: the cosine of their vectors, and the share of its words, which is ≤ 1."""

    meaning: float = 0.0
    words: float = 0.0

    @property
    def total(self) -> float:
        """Both together: a tenth of the words' share is added, or three twentieths of it are all where no vector was.

        Of 1,103 questions to six sets, each with a sentence that answers, .70 are answered by the nearest so, and .69
        with a fifth; by words alone, .03 of 146 everyday ones by the two nearest.
        """
        return self.meaning + 0.1 * self.words if self.meaning else 0.15 * self.words


@dataclass(frozen=True, slots=True)
class TermGains:
    """What the terms of a question that say something to a reader add to a chunk's score by words, and this score."""

    terms: Mapping[str, float] = field(default_factory=dict)
    total: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the best chunks of a search, and what became of it.

    Ranks count from 1: by route where one found it, `fused`, and `reranked` (None: there was no reranker).
    `passage` is the chunk whose passage holds it; None where it was left out. `terms` are those that gave most to its
    score by words, the most first, and `other_terms` what all others gave.
    """

    chunk_id: int
    document_name: str
    page: int
    page_label: str
    ranks: Mapping[str, int]
    fused: int
    reranked: int | None
    relevance: float | None
    relevant: bool
    passage: int | None
    terms: Mapping[str, float] = field(default_factory=dict)
    other_terms: float = 0.0


@dataclass(frozen=True, slots=True)
class SearchTrace:
    """How a search came to its hits: its routes, what was skipped and why, the seconds by stage, and its best."""

    routes: tuple[RouteTrace, ...] = ()
    notes: tuple[Message, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits of a search, best first, and how it came to them; where none is relevant, those that came nearest.

    `prompt` names the one that puts the question with them: another than "question" has what stands at a place read.
    `compared` are the documents of each of several names in the question, `asked` is it without these: none has two.
    """

    hits: tuple[Hit, ...]
    trace: SearchTrace = SearchTrace()
    nearest: tuple[Hit, ...] = ()
    prompt: str = "question"
    compared: tuple[frozenset[str], ...] = ()
    asked: str = ""

    def noted(self, note: Message) -> "SearchResult":
        """The same, with a note before those of its trace."""
        return replace(self, trace=replace(self.trace, notes=(note, *self.trace.notes)))


@dataclass(frozen=True, slots=True)
class RetrievalCheck:
    """How many of `questions` made of a document's own sentences found them again among the first `among` passages.

    By each route, None for one that is off, and by both together. `note` says why a route could not search.
    """

    document_id: str
    questions: int
    among: int
    dense: int | None
    sparse: int | None
    fused: int
    note: Message | None
    checked_at: datetime


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage given to the model under the number that [n] markers cite, unique in its conversation.

    One that is not `relevant` only came nearest: the reader is shown it, the model is not. `chunk_ids` are the chunks
    that it holds whole, `chunk_id` the one that it was found by. `use` is what a filter said of it for its turn,
    `found_for` the question, standing alone, whose search brought it into the conversation. `opening` is how its
    document begins.
    """

    number: int
    chunk_id: int
    document_id: str
    document_name: str
    page: int
    page_label: str
    heading_path: tuple[str, ...]
    text: str
    score: float
    relevant: bool = True
    last_page: int | None = None  # None where only its first page is sure
    chunk_ids: tuple[int, ...] = ()
    use: Use | None = None
    found_for: str = ""
    opening: str = ""

    @property
    def pages(self) -> range:
        """The pages that it stands on."""
        return range(self.page, (self.last_page or self.page) + 1)

    @property
    def chunks(self) -> frozenset[int]:
        """The chunks that it holds at least in part: of a truncated one, mostly that is the one it was found by."""
        return frozenset((self.chunk_id, *self.chunk_ids))


def only_nearest(evidence: Iterable[Evidence]) -> bool:
    """Whether there are passages, but none of them relevant."""
    relevant = {item.relevant for item in evidence}
    return relevant == {False}
