"""The routes by vector: a question's vectors, the chunks that they find in each dense field, and which these can find:
after an upload the words are there before the vectors."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from sqlalchemy import Engine

from rag.embeddings.check import Vector
from rag.embeddings.encoder import Encoder
from rag.errors import EmbeddingFailed, ModelError
from rag.knowledge.base import WORDS_ONLY
from rag.knowledge.fields import chunks_of, keys_of
from rag.knowledge.fusion import ranked
from rag.knowledge.request import CHUNK_DENSE, CHUNK_SPARSE, QUESTIONS_DENSE
from rag.knowledge.search_index import Bounds, Scores, SearchIndex, Space
from rag.types import EVERYTHING, Message

# A chunk may be found by several of its questions.
_KEYS_A_CHUNK = 4
# So many tell near enough which share of all has vectors.
_SOME = 1000
_log = logging.getLogger(__name__)
_Asked = list[Vector] | Message


@dataclass(frozen=True, slots=True, eq=False)
class DenseRoutes:
    """Searches the dense fields within bounds, by the models of one search; each makes a vector once."""

    engine: Engine
    encoders: Mapping[str, Encoder]
    index: SearchIndex
    bounds: Bounds

    def embed(self, questions: Sequence[str], fields: Collection[str]) -> dict[str, _Asked]:
        """The questions' vectors by field; a message where the field's model fails."""
        encoders = {self.encoders[field].model_id: self.encoders[field] for field in fields}
        made = {model_id: _asked(encoder, questions) for model_id, encoder in encoders.items()}
        return {field: made[self.encoders[field].model_id] for field in fields}

    def search(self, field: str, vectors: _Asked, limit: int) -> list[Scores] | Message:
        """The best `limit` chunks for each vector; a message where there is none, or those stored are of another
        dimension."""
        if isinstance(vectors, Message):
            return vectors
        most = limit * (_KEYS_A_CHUNK if field == QUESTIONS_DENSE else 1)
        try:
            found = self.index.nearest(self._space(field), vectors, most, self.bounds)
        except EmbeddingFailed as error:
            return _not_searched(error)
        allowed = None
        if field != CHUNK_DENSE and self.bounds.scope != EVERYTHING:
            allowed = set(self.bounds.chunk_ids().tolist())
        return [self._to_chunks(field, hits, limit, allowed) for hits in found]

    def judged(self, found: Mapping[str, Sequence[Scores]]) -> dict[str, set[int]]:
        """Those of all chunks found that each field can judge."""
        everything = {chunk for phrasings in found.values() for scores in phrasings for chunk in scores}
        return {
            # A field that found nothing at all judges nothing: its model may have failed.
            field: everything if field == CHUNK_SPARSE else self._covered(field, everything if any(phrasings) else ())
            for field, phrasings in found.items()
        }

    def is_filling(self, found: Mapping[str, Sequence[Scores]], judged: Mapping[str, set[int]]) -> bool:
        """Whether most of what words found has no vector yet, or most of everything where they found nothing.

        Of a question in another language no word stands in any passage.
        """
        if not {CHUNK_DENSE, CHUNK_SPARSE} <= found.keys():
            return False
        by_words = {chunk for scores in found[CHUNK_SPARSE] for chunk in scores}
        have = [chunk in judged[CHUNK_DENSE] for chunk in by_words] if by_words else self.have_vectors()
        return 2 * sum(have) < len(have)

    def have_vectors(self) -> list[bool]:
        """Which of all chunks, of many some, have a vector."""
        everything = self.bounds.chunk_ids()
        some = everything[:: len(everything) // _SOME + 1].tolist()
        known = self._covered(CHUNK_DENSE, some)
        return [chunk in known for chunk in some]

    def _covered(self, field: str, chunk_ids: Collection[int]) -> set[int]:
        """Those of some chunks that the field has a vector for."""
        keys = keys_of(self.engine, field, chunk_ids)
        wanted = {key for own in keys.values() for key in own}
        present = self.index.covered(self._space(field), self.bounds.collections, wanted)
        return {chunk for chunk, own in keys.items() if not present.isdisjoint(own)}

    def _space(self, field: str) -> Space:
        return Space(field, self.encoders[field].model_id)

    def _to_chunks(self, field: str, hits: Scores, limit: int, allowed: Collection[int] | None) -> Scores:
        """What the keys found count for: a chunk has the score of its best key."""
        if field == CHUNK_DENSE:
            return hits
        chunks = chunks_of(self.engine, field, hits)
        scores: Scores = {}
        for key, score in ranked(hits):
            for chunk in chunks.get(key, ()):
                if allowed is None or chunk in allowed:
                    scores.setdefault(chunk, score)
        return dict(islice(scores.items(), limit))


def _asked(encoder: Encoder, questions: Sequence[str]) -> _Asked:
    try:
        return [encoder.question(question) for question in questions]
    except ModelError as error:
        return _not_searched(error)


def _not_searched(error: ModelError) -> Message:
    _log.warning("not searched by vector: %s", error)
    return Message(WORDS_ONLY, {"reason": error.message})
