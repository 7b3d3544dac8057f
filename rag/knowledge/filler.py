"""Fills in vectors in the background, while the documents are already found by their words."""

import logging
import time
from collections import deque
from collections.abc import Mapping, Sequence
from threading import Event

from rag.background import Background, pause
from rag.embeddings.check import unit_vector
from rag.embeddings.encoder import Encoder
from rag.errors import EmbeddingFailed, ModelError, StoreError, WenquError
from rag.knowledge.catalog import Catalog
from rag.knowledge.document_states import DocumentStates
from rag.knowledge.search_index import Space
from rag.knowledge.stored import StoredKnowledgeBase
from rag.knowledge.vectors import PendingText, Vectors

# So few that a question waits for at most about a third of a second for its own vector.
_TEXTS_AT_ONCE = 4
_FETCHED_AT_ONCE = 64
# By a model that was chosen, which may be slow: who has the server's own is not to wait long behind it.
_FETCHED_OF_CHOSEN = 8
# Vectors are stored at this interval: a transaction for every few texts would cost more than it saves.
_STORE_SECONDS = 1.5
_LONGEST_PAUSE_SECONDS = 60.0
_LONGEST_REST_SECONDS = 60 * 60.0
# What every model takes that takes anything.
_PROBE = {"": "问"}

_log = logging.getLogger(__name__)


class VectorFiller:
    """A thread that embeds what lacks a vector, chunks first. It rests while `idle` is cleared: somebody waits.

    A model that fails is left alone for a while; the others go on.
    """

    def __init__(self, catalog: Catalog, knowledge: StoredKnowledgeBase, idle: Event) -> None:
        self._catalog = catalog
        self._knowledge = knowledge
        self._idle = idle
        self._states = DocumentStates(catalog.engine, catalog.model_id)
        self._after: dict[Space, int] = {}
        self._again = Event()
        # Of each model, in a row, and until when it is left alone.
        self._failures: dict[str, int] = {}
        self._paused: dict[str, float] = {}
        # Models and texts after which they took nothing at all.
        self._suspects: set[tuple[str, frozenset[str]]] = set()
        # Models and the texts that they do not take, though they take others; the passes in a row that left any.
        self._refused: set[tuple[str, str]] = set()
        self._passes = 0
        self._next_pass: float | None = None
        self._ready: dict[str, list[float]] = {}
        self._stored_at = 0.0
        self._background = Background("vector-filler", self._round)

    def wake(self) -> None:
        """Tell that there are chunks without vectors. The first time begins with what an earlier process left."""
        self._background.start()
        self._background.wake()

    def begin_again(self, collection_id: str) -> None:
        """Tell that a collection is to have another model's vectors. Raises StoreError."""
        self._states.settle(collection_id)
        self._again.set()
        self.wake()

    def close(self) -> None:
        """Stop after the texts in hand, and store what there is."""
        # A server may take minutes to answer; what it was asked for is asked for again at the next start.
        self._background.close()

    def _round(self) -> None:
        """Embed the next texts of the first field and model that lack any; where none does, wait for more."""
        if self._again.is_set():
            self._again.clear()
            self._after.clear()
        if not self._after:
            self._states.reopen()
        pauses = []
        for field, encoder in self._knowledge.encoders.to_fill():
            left = self._paused.get(encoder.model_id, 0.0) - time.monotonic()
            if left > 0:
                pauses.append(left)
            elif self._fill_next(field, encoder):
                return
        self._states.finish()
        self._rest(min(pauses, default=None))

    def _fill_next(self, field: str, encoder: Encoder) -> bool:
        """Embed the next texts of a field by a model. Whether there were any."""
        space, is_own = Space(field, encoder.model_id), encoder in self._knowledge.encoders.configured.values()
        at_once = _FETCHED_AT_ONCE if is_own else _FETCHED_OF_CHOSEN
        pending = self._vectors(encoder).pending(self._after.get(space, 0), at_once, field)
        if not pending:
            return False
        try:
            self._fill(pending, field, encoder)
        except WenquError as error:
            self._fail(encoder, error)
        else:
            self._after[space] = pending[-1].key
        return True

    def _rest(self, soonest: float | None) -> None:
        """Wait for more; what was refused has its next turn after a pause, twice as long each time."""
        if not self._refused:
            self._passes = 0
            self._background.rest(soonest)
            return
        if self._next_pass is None:
            self._next_pass = time.monotonic() + pause(self._passes, _LONGEST_REST_SECONDS)
            self._passes += 1
        if (left := self._next_pass - time.monotonic()) > 0:
            self._background.rest(min(left, soonest or left))
        else:
            self._refused, self._next_pass = set(), None
            self._after.clear()

    def _fill(self, pending: Sequence[PendingText], field: str, encoder: Encoder) -> None:
        wanted = (text for text in pending if (encoder.model_id, text.text_hash) not in self._refused)
        texts = list({text.text_hash: text.text for text in wanted}.items())
        batches = deque(dict(texts[start : start + _TEXTS_AT_ONCE]) for start in range(0, len(texts), _TEXTS_AT_ONCE))
        try:
            while batches and self._may_go_on(encoder):
                batches.extendleft(self._try(batches.popleft(), field, encoder))
        finally:
            self._store(encoder)

    def _try(self, batch: dict[str, str], field: str, encoder: Encoder) -> list[dict[str, str]]:
        """Embed texts; where the model takes them not together, one by one: those are returned. Raises ModelError."""
        try:
            self._ready.update(_embedded(batch, encoder))
        except ModelError as error:
            self._blame(batch, encoder)
            if len(batch) > 1:
                return [{text_hash: text} for text_hash, text in batch.items()]
            self._refuse(next(iter(batch)), field, encoder, error)
        else:
            self._succeed(encoder)
        return []

    def _blame(self, batch: Mapping[str, str], encoder: Encoder) -> None:
        """Make sure that it is the texts' fault. Raises ModelError where the model takes nothing at all.

        That it does not twice, after the same texts, is their fault too: a server may need a while to get up again.
        """
        try:
            _embedded(_PROBE, encoder)
        except ModelError:
            suspect = encoder.model_id, frozenset(batch)
            if suspect not in self._suspects:
                self._suspects.add(suspect)
                raise
        else:
            self._succeed(encoder)

    def _refuse(self, text_hash: str, field: str, encoder: Encoder, error: ModelError) -> None:
        """Leave a text out until the next turn of such, and say so of the documents that have it."""
        _log.warning("a text has no vector: %s", error)
        self._states.report_text(encoder.model_id, text_hash, field, error.message)
        self._refused.add((encoder.model_id, text_hash))

    def _succeed(self, encoder: Encoder) -> None:
        has_failed = self._failures.pop(encoder.model_id, 0) > 0
        if has_failed or time.monotonic() - self._stored_at > _STORE_SECONDS:
            self._store(encoder)
        if has_failed:
            self._suspects = {suspect for suspect in self._suspects if suspect[0] != encoder.model_id}
            self._states.report(encoder.model_id, None)
            # What was refused may no longer be, and where it is, that is to be told again.
            self._passes, self._next_pass = 0, None

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

    def _fail(self, encoder: Encoder, error: WenquError) -> None:
        """Say what went wrong, and leave the model alone, twice as long each time."""
        _log.warning("vectors could not be filled in: %s", error)
        try:
            self._states.report(encoder.model_id, error.message)
        except StoreError as refused:
            _log.warning("%s", refused)
        failures = self._failures.get(encoder.model_id, 0)
        self._failures[encoder.model_id] = failures + 1
        self._paused[encoder.model_id] = time.monotonic() + pause(failures, _LONGEST_PAUSE_SECONDS)

    def _vectors(self, encoder: Encoder) -> Vectors:
        return Vectors(self._catalog.engine, encoder.model_id, self._catalog.model_id)


def _embedded(texts: Mapping[str, str], encoder: Encoder) -> dict[str, list[float]]:
    """The vectors of texts by their hashes. Raises ModelError."""
    made = encoder.passages(list(texts.values()))
    if len(made) != len(texts):
        raise EmbeddingFailed(model=encoder.model_id, detail=f"{len(made)} vectors for {len(texts)} texts")
    vectors = dict(zip(texts, made, strict=True))
    for vector in vectors.values():
        unit_vector(vector, encoder.model_id)
    return vectors
