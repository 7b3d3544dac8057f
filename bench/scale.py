"""Whole searches and the opening of a collection, at 1,000 and at 100,000 chunks, each in a process of its own."""

import statistics
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import psutil

from bench.harness import Outcome, local_knowledge, memory_mb, settings_for
from bench.large import large_documents, questions
from rag.database import open_database
from rag.embeddings.build import build_embeddings
from rag.knowledge.catalog import Catalog
from rag.knowledge.reading_order import ReadingOrder
from rag.knowledge.request import from_settings
from rag.knowledge.tokenizer import Tokenizer
from rag.knowledge.vectors import Vectors
from rag.rerank.features import FeatureReranker
from rag.rerank.sentences import SentenceCosines
from rag.retrieval import Retrieval
from rag.tokens import average_estimate

_COLLECTION = "bench"
_SIZES = {"1k": 1_000, "100k": 100_000}
_BATCH = 5_000


def measure(data: Path) -> Outcome:
    """Milliseconds of a search (median): question's vector, all routes, fusion, reranking; seconds and MB to open."""
    figures: dict[str, float] = {}
    for name, size in _SIZES.items():
        with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder, get_context("spawn").Pool(1) as first:
            first.apply(_fill, (data, Path(folder), size))
            with get_context("spawn").Pool(1) as second:
                measured = second.apply(_use, (data, Path(folder)))
        figures |= {f"{figure}_{name}{kind}": value for (figure, kind), value in measured.items()}
    return Outcome(figures)


class _Store:
    """The shipped configuration's knowledge base in a folder."""

    def __init__(self, folder: Path) -> None:
        self.settings = settings_for(folder)
        self.encoder = build_embeddings(self.settings.dense_fields.chunk, self.settings.llm)
        self.catalog = Catalog(open_database(f"sqlite:///{folder / 'bench.sqlite3'}"), self.encoder.model_id)
        self.tokenizer = Tokenizer(folder)
        self.knowledge = local_knowledge(self.catalog, self.encoder, self.tokenizer, self.settings)


def _fill(data: Path, folder: Path, size: int) -> None:
    """A collection of so many chunks. Its vectors are random: what they are does not change how long a search takes."""
    store, total = _Store(folder), 0
    for number, document in enumerate(large_documents(data, store.settings.splitter)):
        name = f"{number}.txt"
        known = store.catalog.register(_COLLECTION, name, name, len(document.loaded.text))
        store.knowledge.add(known.document_id, document.sections, document.loaded)
        total += document.chunks
        if total >= size:
            break
    random, vectors, after = np.random.default_rng(0), Vectors(store.catalog.engine, store.catalog.model_id), 0
    dimension = len(store.encoder.question(_COLLECTION))
    while pending := vectors.pending(after, _BATCH):
        made = random.standard_normal((len(pending), dimension)).astype(np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        store.knowledge.add_vectors(
            {text.text_hash: vector for text, vector in zip(pending, made, strict=True)}, store.catalog.model_id
        )
        after = pending[-1].key


def _use(data: Path, folder: Path) -> dict[tuple[str, str], float]:
    store = _Store(folder)
    import faiss  # noqa: F401  # a library's own memory is not the collection's

    asked = questions(data)
    store.encoder.question(asked[0])
    store.tokenizer.tokens(asked[0])
    before, begun = memory_mb(psutil.Process()), time.perf_counter()
    store.knowledge.search(asked[:1], [_COLLECTION], from_settings(store.settings))
    opened = {
        ("open_seconds", ""): time.perf_counter() - begun,
        ("open_mb", ""): memory_mb(psutil.Process()) - before,
    }
    retrieval = Retrieval(
        store.knowledge,
        from_settings(store.settings),
        store.settings.rerank,
        FeatureReranker(store.tokenizer.words, SentenceCosines(store.knowledge.similarities)),
        room=store.settings.multi_dialogue_rag.evidence_tokens,
        estimate=average_estimate,
        order=ReadingOrder(store.catalog.engine),
    )
    retrieval.find([asked[0]], [_COLLECTION])
    seconds, cpu = [], []
    for question in asked:
        begun, cpu_begun = time.perf_counter(), time.process_time()
        retrieval.find([question], [_COLLECTION])
        seconds.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - cpu_begun)
    return opened | {
        ("search_ms", "_p50"): 1000 * statistics.median(seconds),
        ("search_cpu_ms", "_p50"): 1000 * statistics.median(cpu),
    }
