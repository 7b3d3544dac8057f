"""The rows of questions that chunks answer, and which chunks still wait for theirs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, insert, select, update

from rag.database import batches, rows_of, transaction
from rag.knowledge.schema import chunks, documents, questions
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
        # A document that was deleted has its chunks until they are cleared.
        query = select(chunks).join(documents).where(~chunks.c.questioned).order_by(chunks.c.chunk_id).limit(limit)
        return tuple(Unasked(row.chunk_id, index_text(to_passage(row))) for row in rows_of(self._engine, query))

    def add(self, chunk_id: int, texts: Sequence[str]) -> list[int]:
        """Store what a chunk answers, perhaps nothing, under the keys returned; one that is gone by now has none."""
        own = chunks.c.chunk_id == chunk_id
        with transaction(self._engine) as connection:
            document_id = connection.scalar(select(documents.c.document_id).join(chunks).where(own))
            connection.execute(update(chunks).where(own).values(questioned=True))
            rows = _rows(document_id, chunk_id, texts)
            if not rows or document_id is None:
                return []
            return list(connection.scalars(insert(questions).returning(questions.c.question_id), rows))


def asked_of(connection: Connection, document_id: str) -> dict[str, list[str]]:
    """What a document's chunks answer that have their questions, perhaps none, by the hashes of their texts."""
    known = select(chunks.c.text_hash, questions.c.text).outerjoin(questions, questions.c.chunk_id == chunks.c.chunk_id)
    asked: dict[str, list[str]] = defaultdict(list)
    for own_hash, text in connection.execute(known.where(chunks.c.document_id == document_id, chunks.c.questioned)):
        asked[own_hash] += [] if text is None else [text]
    return asked


def ask_again(connection: Connection, document_id: str, asked: Mapping[str, Sequence[str]]) -> None:
    """Let those chunks of a document that was stored anew answer what others of the same text did."""
    own = select(chunks.c.chunk_id, chunks.c.text_hash).where(chunks.c.document_id == document_id)
    same = {chunk_id: asked[own_hash] for chunk_id, own_hash in connection.execute(own) if own_hash in asked}
    for batch in batches(list(same)):
        connection.execute(update(chunks).where(chunks.c.chunk_id.in_(batch)).values(questioned=True))
    rows = [row for chunk_id, texts in same.items() for row in _rows(document_id, chunk_id, texts)]
    if rows:
        connection.execute(insert(questions), rows)


def _rows(document_id: str | None, chunk_id: int, texts: Sequence[str]) -> list[dict[str, object]]:
    return [
        {"document_id": document_id, "chunk_id": chunk_id, "text": text, "text_hash": text_hash(text)}
        for text in dict.fromkeys(texts)
    ]
