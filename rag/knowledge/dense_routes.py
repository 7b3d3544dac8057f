"""The routes by vector: a question's vectors, and the chunks that they find in each dense field."""

import logging
from collections.abc import Collection, Mapping, Sequence
from itertools import islice

from sqlalchemy import Engine

from rag.embeddings.check import Vector
from rag.embeddings.encoder import Encoder
from rag.errors import EmbeddingFailed, ModelError
from rag.knowledge.base import WORDS_ONLY
from rag.knowledge.fields import chunks_of, keys_of
from rag.knowledge.fusion import ranked
from rag.knowledge.request import CHUNK_DENSE, QUESTIONS_DENSE
from rag.knowledge.search_index import Bounds, Scores, SearchIndex, Space
from rag.types import Message

# A chunk may be found by several of its questions.
_KEYS_A_CHUNK = 4
_log = logging.getLogger(__name__)


class DenseRoutes:
    """Searches the dense fields of collections. Each model makes a question's vector once."""

    def __init__(self, engine: Engine, encoders: Mapping[str, Encoder], index: SearchIndex) -> None:
        """`encoders` are the models of one search, by field."""
        self._engine = engine
        self._encoders = encoders
        self._index = index

    def embed(self, questions: Sequence[str], fields: Collection[str]) -> dict[str, list[Vector] | Message]:
        """The questions' vectors by field; a message where the field's model fails."""
        by_model: dict[str, list[Vector] | Message] = {}
        for field in fields:
            encoder = self._encoders[field]
            if encoder.model_id not in by_model:
                try:
                    by_model[encoder.model_id] = [encoder.question(question) for question in questions]
                except ModelError as error:
                    by_model[encoder.model_id] = _not_searched(error)
        return {field: by_model[self._encoders[field].model_id] for field in fields}

    def search(
        self, field: str, vectors: Sequence[Vector], collections: Sequence[str], limit: int, bounds: Bounds | None
    ) -> list[Scores] | Message:
        """The best `limit` chunks for each vector; a message where the stored vectors are not of its dimension."""
        most = limit * (_KEYS_A_CHUNK if field == QUESTIONS_DENSE else 1)
        try:
            found = self._index.nearest(self._space(field), vectors, collections, most, bounds)
        except EmbeddingFailed as error:
            return _not_searched(error)
        allowed = set(bounds.chunk_ids().tolist()) if bounds and field != CHUNK_DENSE else None
        return [self._to_chunks(field, hits, limit, allowed) for hits in found]

    def covered(self, field: str, collections: Sequence[str], chunk_ids: Collection[int]) -> set[int]:
        """Those of some chunks that the field has a vector for."""
        keys = keys_of(self._engine, field, chunk_ids)
        wanted = {key for own in keys.values() for key in own}
        present = self._index.covered(self._space(field), collections, wanted)
        return {chunk for chunk, own in keys.items() if not present.isdisjoint(own)}

    def _space(self, field: str) -> Space:
        return Space(field, self._encoders[field].model_id)

    def _to_chunks(self, field: str, hits: Scores, limit: int, allowed: Collection[int] | None) -> Scores:
        """What the keys found count for: a chunk has the score of its best key."""
        if field == CHUNK_DENSE:
            return hits
        chunks = chunks_of(self._engine, field, hits)
        scores: Scores = {}
        for key, score in ranked(hits):
            for chunk in chunks.get(key, ()):
                if allowed is None or chunk in allowed:
                    scores.setdefault(chunk, score)
        return dict(islice(scores.items(), limit))


def _not_searched(error: ModelError) -> Message:
    _log.warning("not searched by vector: %s", error)
    return Message(WORDS_ONLY, {"reason": error.message})
