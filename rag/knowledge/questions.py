"""The rows of questions that chunks answer, and which chunks still wait for theirs."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, insert, select, update

from rag.database import reading, transaction
from rag.knowledge.schema import chunks, questions
from rag.knowledge.texts import index_text, text_hash, to_passage


@dataclass(frozen=True, slots=True)
class Unasked:
    """A chunk that no questions have been written for, and what it says under its headings."""

    chunk_id: int
    text: str


class Questions:
    """Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def pending(self, limit: int) -> tuple[Unasked, ...]:
        """The first chunks that wait for their questions, in the order they were stored."""
        query = select(chunks).where(~chunks.c.questioned).order_by(chunks.c.chunk_id).limit(limit)
        with reading(self._engine) as connection:
            return tuple(Unasked(row.chunk_id, index_text(to_passage(row))) for row in connection.execute(query))

    def add(self, chunk_id: int, texts: Sequence[str]) -> list[int]:
        """Store what a chunk answers, perhaps nothing, under the keys returned; one that is gone by now has none."""
        own = chunks.c.chunk_id == chunk_id
        with transaction(self._engine) as connection:
            document_id = connection.scalar(select(chunks.c.document_id).where(own))
            connection.execute(update(chunks).where(own).values(questioned=True))
            rows = [
                {"document_id": document_id, "chunk_id": chunk_id, "text": text, "text_hash": text_hash(text)}
                for text in dict.fromkeys(texts)
            ]
            if not rows or document_id is None:
                return []
            return list(connection.scalars(insert(questions).returning(questions.c.question_id), rows))
