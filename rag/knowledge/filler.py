"""Fills in vectors in the background, while the documents are already found by their words."""

import logging
import time
from collections.abc import Sequence
from threading import Event

from rag.background import Background
from rag.errors import EmbeddingFailed, StoreError, WenquError
from rag.knowledge.catalog import Catalog
from rag.knowledge.fields import Encoder
from rag.knowledge.request import CHUNK_DENSE
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.vectors import PendingText, Vectors

# So few that a question waits for at most about a third of a second for its own vector.
_TEXTS_AT_ONCE = 4
_FETCHED_AT_ONCE = 64
# Vectors are stored at this interval: a transaction for every few texts would cost more than it saves.
_STORE_SECONDS = 1.5
_LONGEST_PAUSE_SECONDS = 60.0

_log = logging.getLogger(__name__)


class VectorFiller:
    """A thread that embeds what has no vector, chunks first. It rests while `idle` is cleared: somebody waits."""

    def __init__(self, catalog: Catalog, knowledge: StoredKnowledgeBase, idle: Event) -> None:
        self._knowledge = knowledge
        self._idle = idle
        self._vectors = {field: Vectors(catalog.engine, own.model_id) for field, own in knowledge.encoders.items()}
        self._after = dict.fromkeys(knowledge.encoders, 0)
        self._failures = 0
        self._left_over = False
        self._ready: dict[str, list[float]] = {}
        self._stored_at = 0.0
        self._background = Background("vector-filler", self._round)

    def wake(self) -> None:
        """Tell that there are chunks without vectors. The first time begins with what an earlier process left."""
        self._background.start()
        self._background.wake()

    def close(self) -> None:
        """Stop after the texts in hand, and store what there is."""
        # A server may take minutes to answer; what it was asked for is asked for again at the next start.
        self._background.close()

    def _round(self) -> None:
        try:
            self._fill_next()
        except WenquError as error:
            self._fail(error)

    def _fill_next(self) -> None:
        """Embed the next texts of the first field that lacks any; where none does, wait for more."""
        if self._after[CHUNK_DENSE] == 0:
            self._vectors[CHUNK_DENSE].reopen_documents()
        for field, vectors in self._vectors.items():
            if pending := vectors.pending(self._after[field], _FETCHED_AT_ONCE, field):
                self._fill(pending, self._knowledge.encoders[field])
                self._after[field] = pending[-1].key
                return
        if self._left_over:
            self._left_over = False
            self._after = dict.fromkeys(self._after, 0)
        else:
            self._vectors[CHUNK_DENSE].finish_documents()
            self._background.rest()

    def _fill(self, pending: Sequence[PendingText], encoder: Encoder) -> None:
        texts = list({text.text_hash: text.text for text in pending}.items())
        while texts and self._may_go_on(encoder):
            # After a failure one by one, so that a text which always fails keeps no other from its vector.
            count = 1 if self._failures else _TEXTS_AT_ONCE
            batch, texts = texts[:count], texts[count:]
            try:
                self._embed(dict(batch), encoder)
            except WenquError as error:
                self._left_over = True
                self._fail(error)
        self._store(encoder)

    def _embed(self, texts: dict[str, str], encoder: Encoder) -> None:
        try:
            vectors = encoder.embeddings.embed_documents(list(texts.values()))
            self._ready.update(zip(texts, vectors, strict=True))
        except WenquError:
            raise
        except Exception as error:
            # A model's own code may raise anything; it must not end the filling in of all other documents.
            raise EmbeddingFailed(model=encoder.model_id, detail=str(error) or type(error).__name__) from error
        if self._failures or time.monotonic() - self._stored_at > _STORE_SECONDS:
            self._store(encoder)
        if self._failures:
            self._failures = 0
            self._vectors[CHUNK_DENSE].report(None)

    def _store(self, encoder: Encoder) -> None:
        # Forgotten also where storing fails: what has no row is embedded again.
        ready, self._ready = self._ready, {}
        if ready:
            self._knowledge.add_vectors(ready, encoder.model_id)
        self._stored_at = time.monotonic()

    def _may_go_on(self, encoder: Encoder) -> bool:
        """Wait until nobody waits for an answer; whether there is to be more work at all."""
        if not self._idle.is_set():
            self._store(encoder)
        return self._background.wait_for(self._idle)

    def _fail(self, error: WenquError) -> None:
        """Say what went wrong, and pause, twice as long each time."""
        _log.warning("vectors could not be filled in: %s", error)
        try:
            self._vectors[CHUNK_DENSE].report(error.message)
        except StoreError as refused:
            _log.warning("%s", refused)
        self._failures += 1
        self._background.closed.wait(min(2.0 ** (self._failures - 1), _LONGEST_PAUSE_SECONDS))
