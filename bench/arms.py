"""Each system measured in a process of its own, so that neither its memory nor its time is that of another."""

import gc
import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import psutil

from bench.ablation import OURS
from bench.corpora import Corpus, Text
from bench.harness import CHANGED, ROOT, commit
from bench.ours import OurSearch
from bench.peers import PEERS, Search
from bench.ranking import metrics
from bench.vectors import KeptEmbeddings, kept_embeddings
from rag.settings import read_settings

ARMS = (*PEERS, *OURS)
Rows = list[dict[str, float]]


@dataclass(frozen=True, slots=True)
class Measured:
    """The metrics of each question, in the questions' order, and the memory that the system took for the corpus."""

    rows: Rows
    megabytes: float


def measured(arm: str, corpus: Corpus, vectors: Path) -> Measured:
    """What a system does with a corpus; the vectors of passages are kept in a folder.

    So is what a commit has measured: a measurement that was broken off goes on.
    """
    here = commit()
    kept = vectors / f"{here}-{corpus.name}-{len(corpus.questions)}-{arm}.json"
    if kept.exists():
        return Measured(**json.loads(kept.read_text(encoding="utf-8")))
    found = None
    while found is None:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            found = process.submit(_measure, arm, corpus, vectors).result()
    # With files changed since the commit nothing tells what was measured.
    if not here.endswith(CHANGED):
        kept.write_text(json.dumps(asdict(found)), encoding="utf-8")
    return found


def ask(search: Search, corpus: Corpus) -> Rows:
    """The metrics of each question, and the milliseconds that its answer took."""
    search(corpus.questions[0].text)  # what is loaded at the first question is not a question's time
    rows = []
    for question in corpus.questions:
        begun = time.perf_counter()
        ranking = search(question.text)
        milliseconds = 1000 * (time.perf_counter() - begun)
        rows.append({**metrics(ranking, question.gold), "ms": milliseconds})
    return rows


@contextmanager
def opened(arm: str, texts: Sequence[Text], embeddings: KeptEmbeddings) -> Iterator[Search]:
    """A system that has read the texts."""
    if arm in PEERS:
        yield PEERS[arm](texts, embeddings)
        return
    ours = OurSearch(texts, embeddings, OURS[arm].filing)
    try:
        yield OURS[arm].search(ours)
    finally:
        ours.close()


def _measure(arm: str, corpus: Corpus, vectors: Path) -> Measured | None:
    """In the new process; None where vectors were made in it: what that takes of memory is not the search's.

    What a system takes whatever the corpus, its code and models, is loaded before memory counts.
    """
    embeddings = kept_embeddings(read_settings(ROOT / "config.yaml"), vectors)
    with opened(arm, corpus.texts[:1], embeddings) as search:
        search(corpus.questions[0].text)
    gc.collect()
    before = _megabytes()
    with opened(arm, corpus.texts, embeddings) as search:
        if embeddings.made:
            return None
        rows = ask(search, corpus)
        gc.collect()
        return Measured(rows, _megabytes() - before)


def _megabytes() -> float:
    """Memory but for files mapped into it: of the embedder's file, each new word of a question brings a page in."""
    memory = psutil.Process().memory_info()
    return float(memory.rss - getattr(memory, "shared", 0)) / 1e6
