"""Passages as they are stored and read back, what of them is searched, and the key of their vectors."""

import hashlib
import json
from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Any

from sqlalchemy import Engine, Row

from rag.database import rows_of
from rag.knowledge.schema import CHUNKS_BY_ID
from rag.types import Chunk, Passage

_PASSAGE = ("text", "start", "end", "page", "last_page", "page_label", "context")


def to_passage(row: Row[Any]) -> Passage:
    """The passage that a row of parents or chunks holds."""
    values = row._mapping
    path = tuple(json.loads(values["heading_path"]))
    return Passage(**{name: values[name] for name in _PASSAGE}, heading_path=path)


def to_row(passage: Passage) -> dict[str, object]:
    """What a row of parents or chunks holds of a passage, the key of its vector included."""
    # `asdict` copies each value deeply: of 25,000 passages for a second.
    values = {name: getattr(passage, name) for name in _PASSAGE}
    path = json.dumps(passage.heading_path, ensure_ascii=False)
    return {**values, "heading_path": path, "text_hash": text_hash(index_text(passage))}


def to_chunk(row: Row[Any]) -> Chunk:
    """The chunk that a row of chunks beside its document's name and collection holds."""
    return Chunk(row.chunk_id, row.document_id, row.collection_id, row.name, row.parent_id, to_passage(row))


def chunks_by_id(
    engine: Engine, chunk_ids: Sequence[int], collections: Collection[str] | None = None
) -> dict[int, Chunk]:
    """Those of some chunks that are still there, and in one of some collections. Raises StoreError."""
    # SQLite asked for the collections looks through all of their documents first: 13 ms of 900, where this takes one.
    found = [to_chunk(row) for row in rows_of(engine, CHUNKS_BY_ID, {"chunk_ids": chunk_ids})]
    return {chunk.chunk_id: chunk for chunk in found if collections is None or chunk.collection_id in collections}


def index_text(passage: Passage) -> str:
    """What is embedded: a passage under its headings and in its context."""
    headings = " > ".join(passage.heading_path)
    return f"{headings}\n{passage.text_in_context}" if headings else passage.text_in_context


def words_text(passage: Passage, document_name: str) -> str:
    """What is searched for words: what is embedded, under the name of its document, which a question may call it by."""
    return f"{PurePath(document_name).stem}\n{index_text(passage)}"


def text_hash(text: str) -> str:
    """The same text has the same vector: this is its key."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
