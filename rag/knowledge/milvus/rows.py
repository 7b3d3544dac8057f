"""What SQLite holds that Milvus has to hold too."""

from collections.abc import Mapping, Sequence

import numpy as np
from sqlalchemy import Engine, Select, select

from rag.database import batches, reading, values_of
from rag.knowledge.dense import Ids
from rag.knowledge.fields import FIELDS
from rag.knowledge.milvus.filters import COLLECTION, DOCUMENT, KEY, LAST_PAGE, PAGE, tag
from rag.knowledge.request import QUESTIONS_DENSE
from rag.knowledge.schema import begins_on, chunks, documents, stores, vectors


class StoredRows:
    """The rows that are searched. Every method raises StoreError."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def store_id(self) -> str:
        """Which store the keys are of: another one gives out the same."""
        with reading(self._engine) as connection:
            return str(connection.execute(select(stores.c.store_id)).scalar_one())

    def places(self, field: str, keys: Sequence[int]) -> dict[int, dict[str, object]]:
        """The collection, document and pages of some keys of a field; those that are gone are left out."""
        own = FIELDS[field]
        paged = chunks if field == QUESTIONS_DENSE else own.table
        query = select(own.key, documents.c.collection_id, documents.c.document_id, begins_on(paged), paged.c.last_page)
        query = query.join_from(own.table, documents, own.table.c.document_id == documents.c.document_id)
        if paged is not own.table:
            query = query.join(chunks, chunks.c.chunk_id == own.table.c.chunk_id)
        found: dict[int, dict[str, object]] = {}
        with reading(self._engine) as connection:
            for batch in batches(keys):
                rows = connection.execute(query.where(own.key.in_(batch)))
                for key, collection_id, document_id, page, last_page in rows:
                    place = {COLLECTION: tag(collection_id), DOCUMENT: tag(document_id)}
                    found[key] = {KEY: key, **place, PAGE: page, LAST_PAGE: last_page}
        return found

    def with_words(self) -> Ids:
        """The keys of all chunks, rising."""
        return self._keys(select(chunks.c.chunk_id).join(documents))

    def with_vectors(self, field: str, model_id: str) -> Ids:
        """The keys of a field that have a vector of a model, rising."""
        own = FIELDS[field]
        query = select(own.key).join_from(own.table, documents)
        query = query.join(vectors, vectors.c.text_hash == own.table.c.text_hash)
        return self._keys(query.where(vectors.c.model_id == model_id))

    def by_collection(self, field: str, keys: Ids) -> Mapping[str, set[int]]:
        """Some keys of a field by the collection that they are of."""
        own = FIELDS[field]
        query = select(documents.c.collection_id, own.key).join_from(own.table, documents)
        wanted = set(keys.tolist())
        found: dict[str, set[int]] = {}
        if not wanted:
            return found
        with reading(self._engine) as connection:
            for collection_id, key in connection.execute(query):
                if key in wanted:
                    found.setdefault(collection_id, set()).add(key)
        return found

    def _keys(self, query: Select[tuple[int]]) -> Ids:
        return np.unique(np.fromiter(values_of(self._engine, query), np.int64))
