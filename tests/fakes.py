"""Fakes that stand in for slow or foreign parts."""

import zlib
from collections.abc import Mapping, Sequence
from threading import Lock

import numpy as np
from langchain_core.embeddings import Embeddings

from rag.errors import EmbeddingFailed


class FakeEmbeddings(Embeddings):
    """Deterministic vectors: a text's character bigrams, hashed into `dimension` places. Counts what it embeds.

    Texts that contain a word of `refused` fail, as on a server that answers with an error.
    """

    def __init__(self, dimension: int = 1024) -> None:
        self.dimension = dimension
        self.embedded: list[str] = []
        self.refused: set[str] = set()
        self._lock = Lock()

    def embed_query(self, text: str) -> list[float]:
        if any(word in text for word in self.refused):
            raise EmbeddingFailed(model="fake", detail="refused")
        vector = np.full(self.dimension, 0.01)
        for i in range(len(text) - 1):
            vector[zlib.crc32(text[i : i + 2].encode()) % self.dimension] += 1
        return [float(value) for value in vector / np.linalg.norm(vector)]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors = [self.embed_query(text) for text in texts]
        with self._lock:
            self.embedded += texts
        return vectors


class FixedEmbeddings(Embeddings):
    """Knows the vectors of some texts, and fails for any other."""

    def __init__(self, vectors: Mapping[str, Sequence[float]]) -> None:
        self.vectors = vectors

    def embed_query(self, text: str) -> list[float]:
        return list(self.vectors[text])

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]
