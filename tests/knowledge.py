"""A knowledge base in a temporary folder, and small documents for it."""

import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings
from sqlalchemy import Engine, text

from rag.database import open_database, reading
from rag.embeddings.encoder import Encoder
from rag.knowledge.catalog import Catalog
from rag.knowledge.encoders import Encoders
from rag.knowledge.local import LocalIndex
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.request import CHUNK_DENSE, SearchRequest, from_settings
from rag.knowledge.search_index import Bounds
from rag.knowledge.similarities import similarities
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import PendingText, Vectors
from rag.settings import ModelSettings, Settings
from rag.types import (
    EVERYTHING,
    Document,
    LoadedDocument,
    Page,
    PageHealth,
    Passage,
    Scope,
    SearchResult,
    Section,
    Similarity,
)
from tests.fakes import FakeEmbeddings, FixedEmbeddings

SETTINGS = Settings(models=ModelSettings(default=(), catalogue=()))
REQUEST = from_settings(SETTINGS)
TOKENIZER = Tokenizer(Path(tempfile.gettempdir()) / "wenqu-tests")


def by_words(question: str, texts: Sequence[str]) -> list[Similarity]:
    """How near texts are to a question where no embedding model answers."""
    return similarities(question, texts, Encoder(FixedEmbeddings({}), "none"), TOKENIZER.words)


def search(
    knowledge: StoredKnowledgeBase,
    question: str,
    collections: Sequence[str],
    request: SearchRequest = REQUEST,
    scope: Scope = EVERYTHING,
) -> SearchResult:
    """What a question finds, by the settings' request unless another is given."""
    return knowledge.search([question], collections, request, scope)


def all_of(*collections: str) -> Bounds:
    """All that some collections have."""
    return Bounds(collections, Scope(), lambda: np.empty(0, np.int64))


def local_knowledge(
    catalog: Catalog,
    embeddings: Embeddings,
    tokenizer: Tokenizer = TOKENIZER,
    more: Mapping[str, Encoder] | None = None,
) -> StoredKnowledgeBase:
    """A knowledge base in this process's memory: `embeddings` are those of the chunks, `more` of further fields."""
    encoders = {CHUNK_DENSE: Encoder(embeddings, catalog.model_id), **(more or {})}
    index = LocalIndex(catalog.engine, tokenizer, SETTINGS.sparse_fields.chunk)
    return StoredKnowledgeBase(catalog, Encoders(catalog.engine, encoders), tokenizer, index)


@dataclass(frozen=True)
class Store:
    """What a test works with."""

    catalog: Catalog
    knowledge: StoredKnowledgeBase
    embeddings: FakeEmbeddings

    @property
    def order(self) -> ReadingOrder:
        """Where its chunks stand."""
        return ReadingOrder(self.catalog.engine)

    def put(self, collection_id: str, name: str, *texts: str, embed: bool = True) -> Document:
        """Add a document of one section a page, one chunk each."""
        loaded, sections = content(*texts)
        sha256 = hashlib.sha256("".join(texts).encode()).hexdigest()
        document = self.catalog.register(collection_id, name, sha256, len(loaded.text))
        self.knowledge.add(document.document_id, sections, loaded)
        if embed:
            self.fill()
        return self.catalog.document(document.document_id)

    def fill(self) -> None:
        """Embed all that has no vector."""
        pending = self.pending()
        vectors = Encoder(self.embeddings, "fake").passages([text.text for text in pending])
        self.knowledge.add_vectors(
            {text.text_hash: vector for text, vector in zip(pending, vectors, strict=True)}, self.catalog.model_id
        )

    def pending(self) -> tuple[PendingText, ...]:
        """The chunks that have no vector."""
        return Vectors(self.catalog.engine, self.catalog.model_id).pending(0, 10_000)

    def found(self, question: str, *collections: str) -> list[str]:
        """The texts that a search finds, best first."""
        return [hit.chunk.passage.text for hit in search(self.knowledge, question, collections).hits]


def open_store(folder: Path, *, model_id: str = "fake", tokenizer: Tokenizer = TOKENIZER) -> Store:
    """The store in a folder, as a new process opens it."""
    catalog = Catalog(open_database(f"sqlite:///{folder / 'knowledge.db'}"), model_id)
    embeddings = FakeEmbeddings()
    return Store(catalog, local_knowledge(catalog, embeddings, tokenizer), embeddings)


def vectors_of(catalog: Catalog, model_id: str) -> int:
    """How many vectors of a model are stored."""
    with reading(catalog.engine) as connection:
        count = text("SELECT count(*) FROM vectors WHERE model_id = :model_id")
        return int(connection.scalar(count, {"model_id": model_id}) or 0)


def made_older(engine: Engine, version: int, *statements: str) -> None:
    """Make a store one of an older version: the statements take away what the next has added."""
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
        connection.exec_driver_sql("UPDATE schema_versions SET version = ? WHERE name = 'knowledge'", (version,))


def content(*texts: str, heading: str = "") -> tuple[LoadedDocument, tuple[Section, ...]]:
    """A document of a page for each text, and its sections."""
    pages = tuple(
        Page(i, str(i), text, PageHealth.TEXT if text else PageHealth.EMPTY) for i, text in enumerate(texts, 1)
    )
    sections, start = [], 0
    for page in pages:
        path = (heading,) if heading else ()
        passage = Passage(page.text, start, start + len(page.text), page.number, page.number, page.label, path)
        if page.text:
            sections.append(Section(passage, (passage,)))
        start += len(page.text) + 1
    return LoadedDocument(pages), tuple(sections)
