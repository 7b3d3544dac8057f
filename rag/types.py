"""Values that cross modules. Frozen, and without logic beyond what one value can tell of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for the reader, by its key in the locale files and the values it is filled with."""

    key: str
    values: Mapping[str, object] = field(default_factory=dict)


class PageHealth(StrEnum):
    """What the text layer of a page is worth."""

    TEXT = "text"
    EMPTY = "empty"
    GARBLED = "garbled"


@dataclass(frozen=True, slots=True)
class Page:
    """A page's cleaned text, its physical number (from 1) and the label printed on it."""

    number: int
    label: str
    text: str
    health: PageHealth


@dataclass(frozen=True, slots=True)
class Heading:
    """An entry of a document's outline: level from 1, physical page from 1."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """What a loader makes of a file: every page, in order, and the outline where there is one."""

    pages: tuple[Page, ...]
    outline: tuple[Heading, ...] = ()
    title: str = ""

    @property
    def text(self) -> str:
        """The pages' texts joined by a line break: what character offsets of passages count in."""
        return "\n".join(page.text for page in self.pages)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: `[start, end)` counts characters of `LoadedDocument.text`."""

    text: str
    start: int
    end: int
    page: int
    last_page: int
    page_label: str
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A parent passage and the child passages that are searched for it."""

    parent: Passage
    children: tuple[Passage, ...]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored child passage."""

    chunk_id: int
    document_id: str
    document_name: str
    parent_id: int
    passage: Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk found by a search: the fused score and each route's own score."""

    chunk: Chunk
    score: float
    routes: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage given to the model under the number that [n] markers cite, unique in its conversation."""

    number: int
    chunk_id: int
    document_id: str
    document_name: str
    page: int
    page_label: str
    heading_path: tuple[str, ...]
    text: str
    score: float


class DocumentStatus(StrEnum):
    """Where a document stands between upload and full search."""

    QUEUED = "queued"
    READING = "reading"
    EMBEDDING = "embedding"  # searchable by words; vectors are being filled in
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Document:
    """A file of a collection. Pages are counted by health; `embedded` counts chunks that have a vector."""

    document_id: str
    collection_id: str
    name: str
    sha256: str
    size: int
    status: DocumentStatus
    message: Message | None
    pages: int
    text_pages: int
    empty_pages: int
    garbled_pages: int
    chunks: int
    embedded: int
    attempts: int
    created_at: datetime

    @property
    def searchable(self) -> bool:
        """Whether a search can find the document's passages."""
        return self.status in (DocumentStatus.EMBEDDING, DocumentStatus.READY)


class Decision(StrEnum):
    """What a turn does about evidence before it is answered."""

    RETRIEVE = "retrieve"
    REUSE = "reuse"
    NO_RETRIEVE = "no_retrieve"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a turn's model calls; `cached` are those of the prompt that the model's prefix cache held."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds from the question: until its first answer token and until the end."""

    first_token: float | None = None
    total: float = 0.0


class TurnStatus(StrEnum):
    """How a turn ended."""

    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"


class Rating(IntEnum):
    """What the reader thinks of an answer."""

    BAD = -1
    NONE = 0
    GOOD = 1


@dataclass(frozen=True, slots=True)
class Turn:
    """A question with its answer. `sources` is all its evidence, also what earlier turns had brought in.

    `context_docs` names the documents of a turn from elsewhere, whose passages are not known.
    """

    turn_id: str
    parent_turn_id: str | None
    session_id: str
    conversation_id: str
    question: str
    generated_question: str
    decision: Decision
    answer: str
    thinking: str
    sources: tuple[Evidence, ...]
    status: TurnStatus
    message: Message | None
    model: str
    usage: Usage
    timing: Timing
    first_turn_in_prompt: str | None
    created_at: datetime
    feedback: Rating = Rating.NONE
    feedback_reason: str = ""
    context_docs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """An entry of a session's conversation list, titled by its first question."""

    conversation_id: str
    session_id: str
    title: str
    turns: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Summary:
    """What a conversation's turns up to and including `last_turn_id` came to."""

    summary_id: str
    session_id: str
    conversation_id: str
    last_turn_id: str
    text: str
    edited: bool
    created_at: datetime


class Provider(StrEnum):
    """Who answers."""

    OLLAMA = "ollama"
    OPENAI = "openai"
    EMBEDDED = "embedded"
    EXTRACTIVE = "extractive"


class ModelState(StrEnum):
    """Whether a better model than the present one is on its way."""

    READY = "ready"
    PROBING = "probing"
    DOWNLOADING = "downloading"
    LOADING = "loading"


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """Who answers now, why, and what is on its way (`done` of `total` bytes at `speed` bytes a second)."""

    provider: Provider
    model: str
    state: ModelState
    reason: Message
    done: int = 0
    total: int = 0
    speed: float = 0.0
