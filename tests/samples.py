"""Small values that many tests need."""

import uuid
from collections.abc import Iterable
from datetime import UTC, datetime

from rag.types import Chunk, Decision, Evidence, Hit, Passage, Timing, Turn, Usage


def evidence(number: int, text: str = "年假为十天。", page: int = 1) -> Evidence:
    """A passage numbered for a conversation; its chunk's id is 100 more than its number."""
    chunk, path = 100 + number, ("第一章", "休假")
    return Evidence(number, chunk, "doc", "员工手册.pdf", page, str(page), path, text, 0.9, chunk_ids=(chunk,))


def hit(
    chunk_id: int, text: str = "年假为十天。", page: int = 1, score: float = 0.9, collection_id: str = "mine"
) -> Hit:
    """A hit on a chunk of one document of a collection."""
    passage = Passage(text, 0, len(text), page, page, str(page), ("第一章", "休假"))
    return Hit(Chunk(chunk_id, "doc", collection_id, "员工手册.pdf", 1, passage), score, {"chunk_dense": score})


def ids(hits: Iterable[Hit]) -> list[int]:
    """The chunks of hits."""
    return [found.chunk.chunk_id for found in hits]


def texts(hits: Iterable[Hit]) -> list[str]:
    """What hits say."""
    return [found.chunk.passage.text for found in hits]


def turn(question: str, answer: str, sources: tuple[Evidence, ...] = (), **changes: object) -> Turn:
    """A finished turn of the session `session` and the conversation `conversation`."""
    values: dict[str, object] = {
        "turn_id": uuid.uuid4().hex,
        "parent_turn_id": None,
        "session_id": "session",
        "conversation_id": "conversation",
        "question": question,
        "generated_question": question,
        "decision": Decision.RETRIEVE,
        "answer": answer,
        "sources": sources,
        "model": "scripted",
        "usage": Usage(10, 5, 3),
        "timing": Timing(0.1, 0.5),
        "created_at": datetime.now(UTC),
    }
    return Turn(**values | changes)  # type: ignore[arg-type]
