"""What a search finds, and what of it is given to a model."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag.types.documents import Passage


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
