"""Values that cross modules. Frozen, and without logic beyond what one value can tell of itself."""

from rag.types.citations import CheckedSentence, Support, Verification
from rag.types.documents import Document, DocumentStatus, Heading, LoadedDocument, Page, PageHealth, Passage, Section
from rag.types.message import Message
from rag.types.models import ModelState, ModelStatus, OfferedModel, Provider
from rag.types.places import Box, MarkedText, PageImage, PageView, PlacedLine
from rag.types.recognition import PageGroup, RecognisedLine, RecognisedPage, Recognition
from rag.types.search import Chunk, Evidence, Hit, RetrievalCheck, RouteTrace, Scope, SearchResult, SearchTrace, Use
from rag.types.turns import (
    Budget,
    Conversation,
    Decision,
    Rating,
    Summary,
    Timing,
    Turn,
    TurnOptions,
    TurnStatus,
    Usage,
)

__all__ = [
    "Box",
    "Budget",
    "CheckedSentence",
    "Chunk",
    "Conversation",
    "Decision",
    "Document",
    "DocumentStatus",
    "Evidence",
    "Heading",
    "Hit",
    "LoadedDocument",
    "MarkedText",
    "Message",
    "ModelState",
    "ModelStatus",
    "OfferedModel",
    "Page",
    "PageGroup",
    "PageHealth",
    "PageImage",
    "PageView",
    "Passage",
    "PlacedLine",
    "Provider",
    "Rating",
    "RecognisedLine",
    "RecognisedPage",
    "Recognition",
    "RetrievalCheck",
    "RouteTrace",
    "Scope",
    "SearchResult",
    "SearchTrace",
    "Section",
    "Summary",
    "Support",
    "Timing",
    "Turn",
    "TurnOptions",
    "TurnStatus",
    "Usage",
    "Use",
    "Verification",
]
