"""How long a large PDF takes: until its words are searchable, and until its vectors are complete."""

import time
from pathlib import Path

from bench.harness import Outcome, fresh_services
from rag.build import DATABASE, Services
from rag.database import open_database
from rag.embeddings.build import build_embeddings
from rag.knowledge.vectors import Vectors
from rag.settings import Settings
from rag.types import Document, DocumentStatus

_FILE = "pumpkin_book.pdf"
_SESSION = "bench"
_BATCH = 4


def measure(data: Path) -> Outcome:
    """Seconds for pumpkin_book.pdf, and the dense part as a multiple of the bare embedding calls."""
    path = data / "pdf" / _FILE
    with fresh_services() as (services, settings):
        services.ingest.start()
        begun = time.perf_counter()
        document = services.ingest.add(_SESSION, path, path.name)
        for _ in services.ingest.follow(_SESSION, document.document_id):
            searchable = time.perf_counter() - begun
        document = _wait_until_ready(services, document.document_id)
        dense = time.perf_counter() - begun - searchable
        bare = _bare_embedding_seconds(settings)
    return Outcome(
        {
            "pages": document.pages,
            "chunks": document.chunks,
            "searchable_seconds": searchable,
            "dense_seconds": dense,
            "bare_embedding_seconds": bare,
            "dense_ratio": dense / bare,
        }
    )


def _wait_until_ready(services: Services, document_id: str) -> Document:
    while True:
        document = next(item for item in services.ingest.documents(_SESSION) if item.document_id == document_id)
        if document.status is DocumentStatus.READY:
            return document
        time.sleep(0.05)


def _bare_embedding_seconds(settings: Settings) -> float:
    """The same texts through the same embeddings, and nothing else."""
    embeddings, _ = build_embeddings(settings.dense_fields.chunk, settings.llm)
    database = open_database(f"sqlite:///{settings.store.path / DATABASE}")
    texts = [pending.text for pending in Vectors(database, "none yet").pending(0, 1_000_000)]
    embeddings.embed_query("预热")
    begun = time.perf_counter()
    for start in range(0, len(texts), _BATCH):
        embeddings.embed_documents(texts[start : start + _BATCH])
    return time.perf_counter() - begun
