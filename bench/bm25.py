"""Our BM25 beside `rank_bm25`, over the same terms of 100,000 chunks: scores, milliseconds a query, a file added."""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from bench.harness import Outcome, settings_for
from bench.large import large_documents, questions
from rag.knowledge.bm25 import Corpus
from rag.knowledge.index import CollectionIndex
from rag.knowledge.postings import build
from rag.knowledge.texts import index_text
from rag.knowledge.tokenizer import Tokenizer

_CHUNKS = 100_000
_LIMIT = 50
_ADDED = 50
# A query of the library takes a fifth of a second.
_LIBRARY_QUERIES = 25
Terms = list[list[str]]


def measure(data: Path) -> Outcome:
    """The greatest difference of any chunk's score; milliseconds (median) of a query and of adding one file."""
    with tempfile.TemporaryDirectory(prefix="wenqu-bench-") as folder:
        tokenizer = Tokenizer(Path(folder))
        files = _files(data, tokenizer, Path(folder))
        asked = [tokenizer.tokens(question) for question in questions(data)]
    kept, added = files[:-_ADDED], files[-_ADDED:]
    starts = np.cumsum([0, *map(len, files)]).tolist()
    segments = [build(range(start, start + len(file)), file) for start, file in zip(starts, files, strict=False)]
    index = CollectionIndex(segments[: len(kept)])
    corpus = Corpus(index.segments)
    everything = [terms for file in kept for terms in file]
    begun = time.perf_counter()
    library = BM25Okapi(everything)
    rebuilt = time.perf_counter() - begun
    few = asked[:: max(1, len(asked) // _LIBRARY_QUERIES)]
    figures = {
        "chunks": float(len(everything)),
        "max_score_difference": max(_difference(corpus.search(q, len(everything)), library.get_scores(q)) for q in few),
        "query_ms_100k_p50": _median_ms(lambda terms: corpus.search(terms, _LIMIT), asked, time.perf_counter),
        "query_cpu_ms_100k_p50": _median_ms(lambda terms: corpus.search(terms, _LIMIT), asked, time.thread_time),
        "rank_bm25_query_ms_100k_p50": _median_ms(library.get_scores, few, time.perf_counter),
        "add_ms_100k": _add_ms(index, added, starts[len(kept)]),
        "rank_bm25_add_ms_100k": 1000 * rebuilt,
    }
    return Outcome(figures)


def _files(data: Path, tokenizer: Tokenizer, folder: Path) -> list[Terms]:
    """The terms of each chunk of each document: of 100,000 chunks, and of those that are added to them."""
    files: list[Terms] = []
    total, further = 0, 0
    for document in large_documents(data, settings_for(folder).splitter):
        children = [child for section in document.sections for child in section.children]
        files.append([[*map(sys.intern, tokenizer.tokens(index_text(child)))] for child in children])
        further += total >= _CHUNKS
        total += len(children)
        if further == _ADDED:
            break
    return files


def _difference(found: Mapping[int, float], scores: npt.NDArray[np.float64]) -> float:
    """The greatest between two scores of one chunk; what is not found has none."""
    ours = np.zeros(len(scores))
    ours[list(found)] = list(found.values())
    return float(np.abs(ours - scores).max())


def _median_ms(query: Callable[[list[str]], object], asked: Terms, clock: Callable[[], float]) -> float:
    query(asked[0])
    seconds = []
    for terms in asked:
        begun = clock()
        query(terms)
        seconds.append(clock() - begun)
    return 1000 * statistics.median(seconds)


def _add_ms(index: CollectionIndex, added: Sequence[Terms], start: int) -> float:
    """From a file's terms to a corpus that is ready for the next query."""
    seconds = []
    for file in added:
        begun = time.perf_counter()
        index.add(build(range(start, start + len(file)), file))
        Corpus(index.segments)
        seconds.append(time.perf_counter() - begun)
        start += len(file)
    return 1000 * statistics.median(seconds)
