"""The rows of vectors, by the hash of the text and the model: the same text is embedded once by each model."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, Engine, Row, Select, and_, exists, select, update
from sqlalchemy.dialects.sqlite import insert as insert_or_ignore

from rag.database import reading, transaction
from rag.errors import EmbeddingFailed
from rag.knowledge.catalog import message_to_json
from rag.knowledge.dense import Vector
from rag.knowledge.passages import index_text, to_passage
from rag.knowledge.schema import chunks, documents, vectors
from rag.types import DocumentStatus, Message

# Stored so whatever the machine's own byte order is.
_STORED = np.dtype("<f4")


@dataclass(frozen=True, slots=True)
class PendingText:
    """A chunk's text that has no vector yet."""

    chunk_id: int
    text_hash: str
    text: str


class Vectors:
    """The vectors of one model. Every method raises StoreError."""

    def __init__(self, engine: Engine, model_id: str) -> None:
        self._engine = engine
        self._model_id = model_id

    def pending(self, after: int, limit: int) -> tuple[PendingText, ...]:
        """The next chunks without a vector, in the order they were stored, from the one behind `after`."""
        query = select(chunks).where(chunks.c.chunk_id > after, ~self._has_vector()).order_by(chunks.c.chunk_id)
        with reading(self._engine) as connection:
            return tuple(
                PendingText(row.chunk_id, row.text_hash, index_text(to_passage(row)))
                for row in connection.execute(query.limit(limit))
            )

    def add(self, new: Mapping[str, Sequence[float]]) -> dict[str, dict[int, Vector]]:
        """Store vectors by text hash, brought to length 1; the chunks they are of, by collection.

        Texts whose chunks have been deleted in the meantime are left out. Raises EmbeddingFailed.
        """
        unit = {text_hash: self._unit(vector) for text_hash, vector in new.items()}
        owned: dict[str, dict[int, Vector]] = defaultdict(dict)
        owners = select(documents.c.collection_id, chunks.c.chunk_id, chunks.c.text_hash).join(documents)
        with transaction(self._engine) as connection:
            self._require_dimension(connection, unit)
            for row in connection.execute(owners.where(chunks.c.text_hash.in_(unit))):
                owned[row.collection_id][row.chunk_id] = unit[row.text_hash]
            # Compared by identity: `==` of arrays has no single answer.
            wanted = {id(vector) for found in owned.values() for vector in found.values()}
            rows = [
                {"text_hash": text_hash, "model_id": self._model_id, "vector": vector.astype(_STORED).tobytes()}
                for text_hash, vector in unit.items()
                if id(vector) in wanted
            ]
            if rows:
                connection.execute(insert_or_ignore(vectors).on_conflict_do_nothing(), rows)
        return dict(owned)

    def of_collection(self, collection_id: str) -> dict[int, Vector]:
        """The vectors of a collection, by chunk."""
        return self._select(documents.c.collection_id == collection_id)

    def of_document(self, document_id: str) -> dict[int, Vector]:
        """The vectors of a document, by chunk."""
        return self._select(documents.c.document_id == document_id)

    def finish_documents(self) -> None:
        """Bring documents to READY whose vectors are complete."""
        self._move(DocumentStatus.EMBEDDING, DocumentStatus.READY, ~self._lacking())

    def reopen_documents(self) -> None:
        """Bring documents back to EMBEDDING that lack vectors of this model."""
        self._move(DocumentStatus.READY, DocumentStatus.EMBEDDING, self._lacking())

    def report(self, message: Message | None) -> None:
        """What there is to say about the documents whose vectors are being filled in."""
        waiting = documents.c.status == DocumentStatus.EMBEDDING
        with transaction(self._engine) as connection:
            connection.execute(update(documents).where(waiting).values(message=message_to_json(message)))

    def _has_vector(self) -> ColumnElement[bool]:
        return exists().where(and_(vectors.c.text_hash == chunks.c.text_hash, vectors.c.model_id == self._model_id))

    def _lacking(self) -> ColumnElement[bool]:
        return exists().where(chunks.c.document_id == documents.c.document_id, ~self._has_vector())

    def _move(self, before: DocumentStatus, after: DocumentStatus, condition: ColumnElement[bool]) -> None:
        query = update(documents).where(documents.c.status == before, condition)
        with transaction(self._engine) as connection:
            connection.execute(query.values(status=after, message=None))

    def _select(self, condition: ColumnElement[bool]) -> dict[int, Vector]:
        query: Select[Any] = (
            select(chunks.c.chunk_id, vectors.c.vector)
            .join(documents, chunks.c.document_id == documents.c.document_id)
            .join(vectors, vectors.c.text_hash == chunks.c.text_hash)
            .where(condition, vectors.c.model_id == self._model_id)
        )
        with reading(self._engine) as connection:
            return {row.chunk_id: _to_vector(row) for row in connection.execute(query)}

    def _require_dimension(self, connection: Connection, unit: Mapping[str, Vector]) -> None:
        """Raises EmbeddingFailed for a server that has another model than before under the same name."""
        stored = connection.scalar(select(vectors.c.vector).where(vectors.c.model_id == self._model_id).limit(1))
        dimension = len(stored) // _STORED.itemsize if stored else 0
        for vector in unit.values() if dimension else ():
            if len(vector) != dimension:
                raise EmbeddingFailed(model=self._model_id, detail=f"dimension {len(vector)}, stored {dimension}")

    def _unit(self, values: Sequence[float]) -> Vector:
        vector = np.asarray(values, np.float32)
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0:
            raise EmbeddingFailed(model=self._model_id, detail="a vector that is zero or not finite")
        return vector / np.float32(length)


def _to_vector(row: Row[Any]) -> Vector:
    return np.frombuffer(row.vector, _STORED).astype(np.float32)
