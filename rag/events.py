"""What happens during a turn and during an ingest, as frozen values in the order they happen."""

from dataclasses import dataclass
from enum import StrEnum

from rag.errors import WenquError
from rag.types import Budget, Decision, Document, Evidence, Message, SearchTrace, Turn


@dataclass(frozen=True, slots=True)
class Queued:
    """The model serves others first: `position` of them. Told again every few seconds."""

    position: int


@dataclass(frozen=True, slots=True)
class Decided:
    """Whether this turn searches, reuses or needs no evidence, why, and how certain that is (0 to 1)."""

    decision: Decision
    reason: Message
    certainty: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Condensed:
    """The stand-alone question, which is searched for, and which an answer is checked by."""

    question: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """Older turns that the question comes back to, which its prompt repeats."""

    turns: tuple[Turn, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The evidence of the turn, numbered as the answer cites it, and how the search came to it."""

    evidence: tuple[Evidence, ...]
    seconds: float
    trace: SearchTrace = SearchTrace()


@dataclass(frozen=True, slots=True)
class EvidenceShortened:
    """The evidence that is left of the turn's: with all of it, the prompt was too long for the model."""

    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Budgeted:
    """What the prompt takes of the tokens there are, and the evidence that there was no room for, best first.

    The answer begins after it. If it comes again, the prompt was too long: discard the answer so far.
    """

    budget: Budget
    left_out: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The model has read `processed` of `total` tokens of the prompt."""

    processed: int
    total: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing has come for a while from the model that decides, rewrites or answers; the turn goes on."""


@dataclass(frozen=True, slots=True)
class Thinking:
    """A piece of the model's thoughts."""

    text: str


@dataclass(frozen=True, slots=True)
class ThoughtsEnded:
    """The answer's pieces so far were thoughts, which the model's own prompt had begun; the answer follows."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The turn is stored; its status tells whether the answer is whole, stopped or broken off."""

    turn: Turn


@dataclass(frozen=True, slots=True)
class Failed:
    """The turn ended in an error; `turn` is what was stored of it: None where nothing could or should be."""

    error: WenquError
    turn: Turn | None


TurnEvent = (
    Queued
    | Decided
    | Condensed
    | Recalled
    | Retrieved
    | EvidenceShortened
    | Budgeted
    | Reading
    | Waiting
    | Thinking
    | ThoughtsEnded
    | Token
    | Finished
    | Failed
)


class IngestStage(StrEnum):
    """The steps of an ingest, in order."""

    QUEUED = "queued"
    READING = "reading"
    SPLITTING = "splitting"
    STORING = "storing"
    OCR = "ocr"
    EMBEDDING = "embedding"


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """A document is in `stage`, `done` of `total` pages or chunks."""

    document_id: str
    stage: IngestStage
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Searchable:
    """The document can be found by its words; vectors follow."""

    document: Document


@dataclass(frozen=True, slots=True)
class IngestFailed:
    """The document could not be taken in; its message says why."""

    document: Document


IngestEvent = IngestProgress | Searchable | IngestFailed
