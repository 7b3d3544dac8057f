"""One embedder for every system measured, whose vectors are kept between runs."""

import hashlib
import os
import sqlite3
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from langchain_core.embeddings import Embeddings

from rag.embeddings.build import build_embeddings
from rag.embeddings.encoder import Encoder
from rag.settings import Settings

_BATCH = 64
Matrix = npt.NDArray[np.float32]


class KeptEmbeddings(Embeddings):
    """The vectors of a model, each made once: in `folder`, or in that of this run. `made` counts them."""

    def __init__(self, embeddings: Embeddings, model_id: str, folder: Path | None = None) -> None:
        self._embeddings = embeddings
        self._model_id = model_id
        self.made = 0
        folder = folder or vectors_folder()
        folder.mkdir(parents=True, exist_ok=True)
        self._database = sqlite3.connect(folder / "vectors.sqlite3", check_same_thread=False, timeout=60)
        self._database.execute("CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, vector BLOB)")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages."""
        return [[float(value) for value in vector] for vector in self.matrix(texts)]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question, which is not kept: its milliseconds are part of every search."""
        return self._embeddings.embed_query(text)

    def matrix(self, texts: Sequence[str]) -> Matrix:
        """The vectors of passages, shape (texts, dimension)."""
        keys = [
            hashlib.sha256(f"{self._model_id}\0{text}".encode("utf-8", "surrogatepass")).hexdigest() for text in texts
        ]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if self._stored(key) is None}
        todo = list(missing.items())
        for start in range(0, len(todo), _BATCH):
            batch = todo[start : start + _BATCH]
            vectors = self._embeddings.embed_documents([text for _, text in batch])
            made = zip(batch, vectors, strict=True)
            rows = [(key, np.asarray(vector, np.float32).tobytes()) for (key, _), vector in made]
            with self._database:
                self._database.executemany("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)
            self.made += len(rows)
        return np.stack([vector for key in keys if (vector := self._stored(key)) is not None])

    def _stored(self, key: str) -> npt.NDArray[np.float32] | None:
        row = self._database.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
        return None if row is None else np.frombuffer(row[0], np.float32)


def vectors_folder() -> Path:
    """Where vectors are kept: WENQU_BENCH_STORE where that is set, or else a new folder."""
    return Path(os.environ.get("WENQU_BENCH_STORE") or tempfile.mkdtemp(prefix="wenqu-bench-"))


def kept_encoder(settings: Settings) -> Encoder:
    """The configured model for the field `chunk`, with vectors that are kept."""
    encoder = build_embeddings(settings.dense_fields.chunk, settings.llm)
    return replace(encoder, embeddings=KeptEmbeddings(encoder.embeddings, encoder.model_id))


def kept_embeddings(settings: Settings, folder: Path | None = None) -> KeptEmbeddings:
    """The vectors of the configured model for the field `chunk`, each made once."""
    encoder = build_embeddings(settings.dense_fields.chunk, settings.llm)
    return KeptEmbeddings(encoder.embeddings, encoder.model_id, folder)
