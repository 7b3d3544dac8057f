"""The dense fields: which stored texts are embedded for each, and for which chunks a hit on one counts."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType
from typing import Any

import numpy as np
from sqlalchemy import Column, Engine, Row, Table, select

from rag.database import batches, reading
from rag.knowledge.postings import Ints
from rag.knowledge.request import CHUNK_DENSE, PARENT_CHUNK_DENSE, QUESTIONS_DENSE
from rag.knowledge.schema import chunks, parents, questions
from rag.knowledge.texts import index_text, to_passage


@dataclass(frozen=True, slots=True)
class DenseField:
    """A table of texts, the key of its rows, and the column by which rows and chunks belong together."""

    table: Table
    key: Column[Any]
    of_chunks: Column[Any]

    def text(self, row: Row[Any]) -> str:
        """What of a row is embedded."""
        return str(row.text) if self.table is questions else index_text(to_passage(row))


FIELDS: Mapping[str, DenseField] = MappingProxyType(
    {
        CHUNK_DENSE: DenseField(chunks, chunks.c.chunk_id, chunks.c.chunk_id),
        PARENT_CHUNK_DENSE: DenseField(parents, parents.c.parent_id, chunks.c.parent_id),
        QUESTIONS_DENSE: DenseField(questions, questions.c.question_id, questions.c.question_id),
    }
)


def chunks_of(engine: Engine, field: str, keys: Iterable[int]) -> dict[int, list[int]]:
    """The chunks that a hit on each key of a field counts for. Raises StoreError."""
    column = FIELDS[field].of_chunks
    return _pairs(engine, column, column.table.c.chunk_id, list(keys))


def keys_of(engine: Engine, field: str, chunk_ids: Iterable[int]) -> dict[int, list[int]]:
    """The keys under which chunks can be found in a field; nothing for a chunk that it has not. Raises StoreError."""
    column = FIELDS[field].of_chunks
    return _pairs(engine, column.table.c.chunk_id, column, list(chunk_ids))


def keys_within(engine: Engine, field: str, chunk_ids: Ints) -> Ints:
    """All keys of a field under which some chunks, given rising, can be found; rising. Raises StoreError."""
    if field == CHUNK_DENSE:
        return chunk_ids
    keys = keys_of(engine, field, chunk_ids.tolist())
    return np.unique(np.fromiter(chain.from_iterable(keys.values()), np.int64))


def _pairs(engine: Engine, given: Column[Any], wanted: Column[Any], values: Sequence[int]) -> dict[int, list[int]]:
    if given is wanted:
        return {value: [value] for value in values}
    found: dict[int, list[int]] = defaultdict(list)
    with reading(engine) as connection:
        for batch in batches(values):
            query = select(given, wanted).where(given.in_(batch)).order_by(wanted)
            for value, other in connection.execute(query):
                found[value].append(other)
    return dict(found)
