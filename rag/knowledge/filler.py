"""Fills in vectors in the background, while the documents are already found by their words."""

import logging
import time
from collections.abc import Sequence
from threading import Event, Lock, Thread

from langchain_core.embeddings import Embeddings

from rag.errors import EmbeddingFailed, StoreError, WenquError
from rag.knowledge.catalog import Catalog
from rag.knowledge.local import LocalKnowledgeBase
from rag.knowledge.vectors import PendingText, Vectors

# So few that a question waits for at most about a third of a second for its own vector.
_TEXTS_AT_ONCE = 4
_FETCHED_AT_ONCE = 64
# Vectors are stored at this interval: a transaction for every few texts would cost more than it saves.
_STORE_SECONDS = 1.5
_LONGEST_PAUSE_SECONDS = 60.0
_POLL_SECONDS = 0.2
_CLOSE_SECONDS = 5.0

_log = logging.getLogger(__name__)


class VectorFiller:
    """A thread that embeds what has no vector. It rests while `idle` is cleared: then somebody waits for an answer."""

    def __init__(self, catalog: Catalog, knowledge: LocalKnowledgeBase, embeddings: Embeddings, idle: Event) -> None:
        self._knowledge = knowledge
        self._embeddings = embeddings
        self._idle = idle
        self._model_id = catalog.model_id
        self._vectors = Vectors(catalog.engine, catalog.model_id)
        self._work = Event()
        self._closed = Event()
        self._failures = 0
        self._left_over = False
        self._ready: dict[str, list[float]] = {}
        self._stored_at = 0.0
        self._thread = Thread(target=self._run, name="vector-filler", daemon=True)
        self._starting = Lock()

    def wake(self) -> None:
        """Tell that there are chunks without vectors. The first time begins with what an earlier process left."""
        with self._starting:
            if self._thread.ident is None and not self._closed.is_set():
                self._thread.start()
        self._work.set()

    def close(self) -> None:
        """Stop after the texts in hand, and store what there is."""
        with self._starting:
            self._closed.set()
        self._work.set()
        if self._thread.is_alive():
            # A server may take minutes to answer; what it was asked for is asked for again at the next start.
            self._thread.join(_CLOSE_SECONDS)

    def _run(self) -> None:
        after = 0
        while not self._closed.is_set():
            try:
                after = self._round(after)
            except WenquError as error:
                self._fail(error)

    def _round(self, after: int) -> int:
        """Embed the next chunks behind the chunk `after`; the last one's id, or 0 to begin again from the start."""
        self._work.clear()
        if after == 0:
            self._vectors.reopen_documents()
        if pending := self._vectors.pending(after, _FETCHED_AT_ONCE):
            self._fill(pending)
            return pending[-1].chunk_id
        if self._left_over:
            self._left_over = False
            return 0
        self._work.wait()
        return after

    def _fill(self, pending: Sequence[PendingText]) -> None:
        texts = list({text.text_hash: text.text for text in pending}.items())
        while texts and self._may_go_on():
            # After a failure one by one, so that a text which always fails keeps no other from its vector.
            count = 1 if self._failures else _TEXTS_AT_ONCE
            batch, texts = texts[:count], texts[count:]
            try:
                self._embed(dict(batch))
            except WenquError as error:
                self._left_over = True
                self._fail(error)
        self._store()

    def _embed(self, texts: dict[str, str]) -> None:
        try:
            vectors = self._embeddings.embed_documents(list(texts.values()))
            self._ready.update(zip(texts, vectors, strict=True))
        except WenquError:
            raise
        except Exception as error:
            # A model's own code may raise anything; it must not end the filling in of all other documents.
            raise EmbeddingFailed(model=self._model_id, detail=str(error) or type(error).__name__) from error
        if self._failures or time.monotonic() - self._stored_at > _STORE_SECONDS:
            self._store()
        if self._failures:
            self._failures = 0
            self._vectors.report(None)

    def _store(self) -> None:
        # Forgotten also where storing fails: what has no row is embedded again.
        ready, self._ready = self._ready, {}
        if ready:
            self._knowledge.add_vectors(ready)
        self._stored_at = time.monotonic()

    def _may_go_on(self) -> bool:
        """Wait until nobody waits for an answer; whether there is to be more work at all."""
        if not self._idle.is_set():
            self._store()
        while not self._closed.is_set() and not self._idle.wait(_POLL_SECONDS):
            pass
        return not self._closed.is_set()

    def _fail(self, error: WenquError) -> None:
        """Say what went wrong, and pause, twice as long each time."""
        _log.warning("vectors could not be filled in: %s", error)
        try:
            self._vectors.report(error.message)
        except StoreError as refused:
            _log.warning("%s", refused)
        self._failures += 1
        self._closed.wait(min(2.0 ** (self._failures - 1), _LONGEST_PAUSE_SECONDS))
