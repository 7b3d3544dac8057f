"""One search field, in a Milvus collection of its own, and the filter expressions for its rows.

Vectors come later than words, parents and questions are fewer or more than chunks, and each model has its dimension:
in one row of all fields, as Milvus's own hybrid search needs it, most would have to be made up. Nothing that a client
gave stands in an expression but hashes and whole numbers.
"""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from threading import RLock
from typing import Any

import numpy as np

from loaders.numerals import runs
from rag.database import batches
from rag.knowledge.milvus.connection import Connection
from rag.knowledge.postings import Ints
from rag.types import Scope

KEY = "key"
COLLECTION = "collection_tag"
DOCUMENT = "document_tag"
PAGE = "page"
LAST_PAGE = "last_page"
_TAG_LENGTH = 32
LENGTH = "length"
VECTOR = "vector"
_ROWS_AT_ONCE = 1000
_KEYS_AT_ONCE = 10_000
# The most hits that Milvus gives.
_MOST = 16_000
Row = Mapping[str, object]


class MilvusField:
    """Rows by the key that SQLite has for them. Every method raises KnowledgeUnavailable."""

    def __init__(self, connection: Connection, name: str, *, sparse: bool = False) -> None:
        self.name = name
        self._connection = connection
        self._sparse = sparse
        self._dimension = 0
        self._opening = RLock()

    def dimension(self) -> int:
        """That of the vectors, 1 of sparse ones; 0 while there is no such collection."""
        if not self._dimension:
            with self._connection.open() as client:
                if client.has_collection(self.name, timeout=self._connection.timeout):
                    # Who comes while another makes the collection would index it, too, which the server refuses.
                    with self._opening:
                        self._dimension = self._dimension or self._open(client)
        return self._dimension

    def forget(self) -> None:
        """Ask again, at the next use, whether the collection is there."""
        self._dimension = 0

    def upsert(self, rows: Sequence[Row]) -> None:
        """Write rows; those of the same keys are replaced."""
        if not rows:
            return
        self._ensure(1 if self._sparse else len(rows[0][VECTOR]))  # type: ignore[arg-type]
        with self._connection.open() as client:
            for batch in batches(rows, _ROWS_AT_ONCE):
                client.upsert(self.name, list(batch), timeout=self._connection.timeout)
            if self._sparse and self._connection.is_lite:
                # Over 1,256 chunks that Milvus Lite had not indexed yet, a search took 5 s; afterwards 0.25 s.
                client.flush(self.name, timeout=self._connection.timeout)

    def delete(self, keys: Sequence[int]) -> None:
        """Delete rows by key; those that are not there are passed over."""
        if keys and self.dimension():
            with self._connection.open() as client:
                for batch in batches(keys, _KEYS_AT_ONCE):
                    client.delete(self.name, ids=list(batch), timeout=self._connection.timeout)

    def delete_where(self, expression: str) -> None:
        """Delete the rows that an expression is true for."""
        if self.dimension():
            with self._connection.open() as client:
                client.delete(self.name, filter=expression, timeout=self._connection.timeout)

    def search(
        self, vectors: Sequence[object], limit: int, expression: str, output: Sequence[str] = ()
    ) -> list[list[Any]]:
        """For each vector the hits, best first: `hit["key"]`, `hit["distance"]`, and `hit["entity"]` with `output`."""
        with self._connection.open() as client:
            found = client.search(
                self.name,
                data=list(vectors),
                anns_field=VECTOR,
                limit=min(limit, _MOST),
                filter=expression,
                output_fields=list(output),
                timeout=self._connection.timeout,
            )
        return [list(hits) for hits in found]

    def present(self, keys: Collection[int], expression: str) -> set[int]:
        """Those of some keys that have a row for which an expression is true."""
        found = set[int]()
        if not keys or not expression or not self.dimension():
            return found
        with self._connection.open() as client:
            for batch in batches(sorted(keys), _KEYS_AT_ONCE):
                own = f"{expression} and {KEY} in {list(batch)}"
                rows = client.query(self.name, filter=own, output_fields=[KEY], timeout=self._connection.timeout)
                found.update(row[KEY] for row in rows)
        return found

    def keys(self) -> Ints:
        """The keys of all rows, rising."""
        if not self.dimension():
            return np.empty(0, np.int64)
        parts = [np.empty(0, np.int64)]
        with self._connection.open() as client:
            rows = client.query_iterator(
                self.name, batch_size=_KEYS_AT_ONCE, output_fields=[KEY], timeout=self._connection.timeout
            )
            while batch := rows.next():
                parts.append(np.fromiter((row[KEY] for row in batch), np.int64))
            rows.close()
        return np.unique(np.concatenate(parts))

    def _open(self, client: Any) -> int:
        described = client.describe_collection(self.name, timeout=self._connection.timeout)
        fields = {field["name"]: field for field in described["fields"]}
        self._load(client)
        return int(fields[VECTOR]["params"].get("dim", 1))

    def _ensure(self, dimension: int) -> None:
        with self._opening:
            if not self.dimension():
                self._create(dimension)
                self._dimension = dimension

    def _create(self, dimension: int) -> None:
        from pymilvus import DataType, MilvusClient

        schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field(KEY, DataType.INT64, is_primary=True)
        # Sessions come by the thousand: Milvus has room for that many keys, but for 1,024 or 4,096 named partitions.
        schema.add_field(COLLECTION, DataType.VARCHAR, max_length=_TAG_LENGTH, is_partition_key=True)
        schema.add_field(DOCUMENT, DataType.VARCHAR, max_length=_TAG_LENGTH)
        schema.add_field(PAGE, DataType.INT64)
        schema.add_field(LAST_PAGE, DataType.INT64)
        if self._sparse:
            schema.add_field(LENGTH, DataType.INT64)
            schema.add_field(VECTOR, DataType.SPARSE_FLOAT_VECTOR)
        else:
            schema.add_field(VECTOR, DataType.FLOAT_VECTOR, dim=dimension)
        with self._connection.open() as client:
            # A session's level: what this process wrote or deleted is seen by its next search.
            client.create_collection(
                self.name, schema=schema, consistency_level="Session", timeout=self._connection.timeout
            )
            self._load(client)

    def _load(self, client: Any) -> None:
        """Index and load the collection; nothing where that has been done, all where a process was killed before."""
        timeout = self._connection.timeout
        if VECTOR not in client.list_indexes(self.name, VECTOR, timeout=timeout):
            kind, metric = ("SPARSE_INVERTED_INDEX", "IP") if self._sparse else ("AUTOINDEX", "COSINE")
            index = client.prepare_index_params()
            index.add_index(VECTOR, index_name=VECTOR, index_type=kind, metric_type=metric)
            client.create_index(self.name, index, sync=False, timeout=timeout)
        client.load_collection(self.name, timeout=timeout)


def tag(name: str) -> str:
    """What stands for the id of a collection or document in Milvus. Sessions are secret: their ids stay here."""
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_TAG_LENGTH]


def rows_of(collections: Sequence[str], scope: Scope, keys: Ints | None = None) -> str | None:
    """The expression for the rows of some collections that a scope allows; None where there can be none.

    Where it names chunks, `keys` are those of their rows.
    """
    parts = [of_collections(collections)]
    if keys is not None:
        parts.append(f"{KEY} in {keys.tolist()}" if len(keys) else "")
    if scope.document_ids is not None:
        parts.append(_tagged(DOCUMENT, sorted(scope.document_ids)))
    if scope.pages is not None:
        overlaps = [f"({PAGE} <= {last} and {LAST_PAGE} >= {first})" for first, last in runs(map(int, scope.pages))]
        parts.append(f"({' or '.join(overlaps)})" if overlaps else "")
    return " and ".join(parts) if all(parts) else None


def of_collections(collections: Sequence[str]) -> str:
    """The expression for all rows of some collections; empty where there are none."""
    return _tagged(COLLECTION, collections)


def _tagged(field: str, names: Sequence[str]) -> str:
    return f"{field} in {json.dumps([tag(name) for name in names])}" if names else ""
