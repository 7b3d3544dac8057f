"""Values that cross modules. Frozen, and without logic beyond what one value can tell of itself."""

from rag.types.citations import CheckedSentence, Support, Verification
from rag.types.documents import (
    COMING,
    READABLE,
    SEARCHABLE,
    Arrival,
    Document,
    DocumentStatus,
    Heading,
    LoadedDocument,
    Page,
    PageGroup,
    PageHealth,
    Passage,
    RecognisedLine,
    RecognisedPage,
    Recognition,
    Section,
)
from rag.types.message import Message
from rag.types.models import ModelState, ModelStatus, OfferedModel, Provider
from rag.types.page_view import Box, MarkedText, PageImage, PageView, PlacedLine
from rag.types.places import Kind, Place, SectionNumber
from rag.types.search import (
    EVERYTHING,
    Candidate,
    Chunk,
    Evidence,
    Hit,
    RetrievalCheck,
    RouteTrace,
    Scope,
    SearchResult,
    SearchTrace,
    Similarity,
    TermGains,
    Use,
    only_nearest,
)
from rag.types.turns import (
    Budget,
    Conversation,
    Decision,
    Exchange,
    Rating,
    Recollection,
    Span,
    Summary,
    Timing,
    Turn,
    TurnOptions,
    TurnStatus,
    TurnTrace,
    Usage,
)
