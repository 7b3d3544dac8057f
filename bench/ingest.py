"""How long a large PDF takes: until its words are searchable, and until its vectors are complete."""

import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path

from langchain_core.embeddings import Embeddings

from bench.harness import Outcome, local_knowledge, settings_for, wait_for_documents
from bench.pdfs import read_pdfs
from rag.build import SAMPLE
from rag.database import open_database
from rag.embeddings.build import build_embeddings
from rag.ingest import Ingest
from rag.ingest.intake import Intake
from rag.ingest.ocr_filler import OcrFiller
from rag.knowledge.catalog import Catalog
from rag.knowledge.filler import VectorFiller
from rag.knowledge.tokenizer import Tokenizer
from rag.metrics import Metrics

_SESSION = "bench"


class _TimedEmbeddings(Embeddings):
    """The embeddings, and the seconds spent in them."""

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings = embeddings
        self.seconds = 0.0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors, on the clock."""
        begun = time.perf_counter()
        vectors = self._embeddings.embed_documents(texts)
        self.seconds += time.perf_counter() - begun
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The vector."""
        return self._embeddings.embed_query(text)


def _take_in_guide(ingest: Ingest, catalog: Catalog) -> None:
    """As in the app: the guide comes first, and with it jieba's dictionary."""
    ingest.share(SAMPLE)
    while catalog.unfinished():
        time.sleep(0.1)


def measure(data: Path) -> Outcome:
    """Seconds for the PDF with the most pages, and the dense part as a multiple of the embedding calls in it."""
    path = max(read_pdfs(data), key=lambda pdf: pdf.pages).path
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder:
        settings = settings_for(Path(folder))
        encoder = build_embeddings(settings.dense_fields.chunk, settings.llm)
        timed = _TimedEmbeddings(encoder.embeddings)
        catalog = Catalog(open_database(f"sqlite:///{folder}/bench.sqlite3"), encoder.model_id)
        knowledge = local_knowledge(catalog, replace(encoder, embeddings=timed), Tokenizer(Path(folder)), settings)
        idle = threading.Event()
        filler = VectorFiller(catalog, knowledge, idle)
        # Images are not what is measured here.
        without_ocr = settings.model_copy(update={"ocr": settings.ocr.model_copy(update={"enabled": False})})
        ocr = OcrFiller(without_ocr, catalog, knowledge, filler, idle)
        intake = Intake(settings, catalog, knowledge, filler, ocr, Metrics(lambda: 0, catalog.count_by_status))
        ingest = Ingest(settings, catalog, knowledge, filler, ocr, intake)
        ingest.start()
        _take_in_guide(ingest, catalog)
        begun = time.perf_counter()
        document = ingest.receive(_SESSION, path, path.name).document
        for _ in ingest.follow(_SESSION, document.document_id):
            searchable = time.perf_counter() - begun
        begun = time.perf_counter()
        idle.set()
        wait_for_documents(ingest, _SESSION)
        dense = time.perf_counter() - begun
        document = ingest.document(_SESSION, document.document_id)
        ingest.close()
        filler.close()
    return Outcome(
        {
            "pages": document.pages,
            "chunks": document.chunks,
            "searchable_seconds": searchable,
            "dense_seconds": dense,
            "embedding_seconds": timed.seconds,
            "dense_ratio": dense / timed.seconds,
        }
    )
