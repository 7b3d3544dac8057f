"""The rows of vectors, by the hash of the text and the model: the same text is embedded once by each model."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Integer,
    Table,
    and_,
    exists,
    func,
    literal_column,
    or_,
    select,
)
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from rag.database import batches, reading, rows_of, transaction
from rag.embeddings.check import STORED, Vector
from rag.errors import EmbeddingReplaced
from rag.knowledge.base import SHARED_COLLECTION
from rag.knowledge.fields import FIELDS
from rag.knowledge.request import CHUNK_DENSE
from rag.knowledge.schema import chunks, collections, documents, model_wanted, vectors

_ROWS_AT_ONCE = 4096
# The newest are those of a model in use. SQLite would take an index by model for the way into every join: it has few
# values, and all vectors of the model would be read where those of one collection are wanted.
_NEWEST_FIRST = literal_column("vectors.rowid", Integer).desc()
VectorsByKey = dict[int, Vector]


@dataclass(frozen=True, slots=True)
class PendingText:
    """A text of a field that has no vector yet, and its key there."""

    key: int
    text_hash: str
    text: str


class Vectors:
    """The vectors of one model. Every method raises StoreError."""

    def __init__(self, engine: Engine, model_id: str, own_id: str = "") -> None:
        """`own_id` is the server's own model, which collections have that chose none; without, it is this one."""
        self._engine = engine
        self._model_id = model_id
        self._wanted = model_wanted(own_id or model_id)

    def pending(self, after: int, limit: int, field: str = CHUNK_DENSE) -> tuple[PendingText, ...]:
        """The next texts of a field that lack a vector, in the order they were stored, from the one behind `after`.

        Of chunks, those whose collection is to have this model's; the shared one is to have every model's.
        """
        own = FIELDS[field]
        query = select(own.table).where(own.key > after, ~has_vector(own.table, self._model_id)).order_by(own.key)
        if field == CHUNK_DENSE:
            query = query.where(self._is_wanted())
        return tuple(
            PendingText(row._mapping[own.key], row.text_hash, own.text(row))
            for row in rows_of(self._engine, query.limit(limit))
        )

    def newest(self, field: str) -> int:
        """The key of the text of a field that was stored last; 0 where there is none."""
        with reading(self._engine) as connection:
            return connection.scalar(select(func.max(FIELDS[field].key))) or 0

    def add(self, new: Mapping[str, Vector]) -> dict[tuple[str, str], VectorsByKey]:
        """Store vectors of length 1 by text hash; whose they are, by collection and field.

        Texts that have been deleted in the meantime are left out. Raises EmbeddingReplaced.
        """
        owned: dict[tuple[str, str], VectorsByKey] = defaultdict(dict)
        wanted: set[str] = set()
        with transaction(self._engine) as connection:
            self._require_dimension(connection, new)
            for field, own in FIELDS.items():
                owners = select(documents.c.collection_id, own.key, own.table.c.text_hash).join_from(
                    own.table, documents
                )
                for collection_id, key, text_hash in connection.execute(owners.where(own.table.c.text_hash.in_(new))):
                    owned[collection_id, field][key] = new[text_hash]
                    wanted.add(text_hash)
            stored = {text_hash: new[text_hash].astype(STORED).tobytes() for text_hash in wanted}
            rows = [{"text_hash": own, "model_id": self._model_id, "vector": vector} for own, vector in stored.items()]
            if rows:
                connection.execute(sqlite_insert(vectors).on_conflict_do_nothing(), rows)
        return dict(owned)

    def of_collection(self, collection_id: str, field: str) -> Iterator[VectorsByKey]:
        """The vectors of a field in a collection, some at a time."""
        return self._select(field, documents.c.collection_id == collection_id)

    def of_document(self, document_id: str, field: str) -> Iterator[VectorsByKey]:
        """The vectors of a field of a document, some at a time."""
        return self._select(field, documents.c.document_id == document_id)

    def of_keys(self, keys: Collection[int], field: str) -> Iterator[VectorsByKey]:
        """The vectors of some keys of a field, so few that one statement takes them."""
        return self._select(field, FIELDS[field].key.in_(keys))

    def present(self, keys: Collection[int], field: str) -> set[int]:
        """Those keys of a field that are still there: of a document that is deleted, the rows may be there longer."""
        own, found = FIELDS[field], set[int]()
        query = select(own.key).join_from(own.table, documents)
        with reading(self._engine) as connection:
            for batch in batches(list(keys)):
                found.update(connection.scalars(query.where(own.key.in_(batch))))
        return found

    def _is_wanted(self) -> ColumnElement[bool]:
        """Whether a chunk is to have a vector of this model."""
        own = select(documents.c.document_id).join(collections).where(documents.c.document_id == chunks.c.document_id)
        return own.where(or_(self._wanted == self._model_id, collections.c.collection_id == SHARED_COLLECTION)).exists()

    def _select(self, field: str, condition: ColumnElement[bool]) -> Iterator[VectorsByKey]:
        own = FIELDS[field]
        query = (
            select(own.key, vectors.c.vector)
            .join_from(own.table, documents)
            .join(vectors, vectors.c.text_hash == own.table.c.text_hash)
            .where(condition, vectors.c.model_id == self._model_id)
        )
        with reading(self._engine) as connection:
            for rows in connection.execution_options(yield_per=_ROWS_AT_ONCE).execute(query).partitions():
                yield {key: np.frombuffer(stored, STORED).astype(np.float32, copy=False) for key, stored in rows}

    def _require_dimension(self, connection: Connection, new: Mapping[str, Vector]) -> None:
        """Raises EmbeddingReplaced for a server that has another model than before under the same name."""
        size = select(func.length(vectors.c.vector)).where(vectors.c.model_id == self._model_id)
        newest = connection.scalar(size.order_by(_NEWEST_FIRST).limit(1))
        if newest is None:
            return
        dimension = newest // STORED.itemsize
        for vector in new.values():
            if len(vector) != dimension:
                raise EmbeddingReplaced(model=self._model_id, dimension=len(vector), stored=dimension)


def has_vector(table: Table, model_id: ColumnElement[str] | str) -> ColumnElement[bool]:
    """Whether a row's text has a vector of a model."""
    return exists().where(and_(vectors.c.text_hash == table.c.text_hash, vectors.c.model_id == model_id))
