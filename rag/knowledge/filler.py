"""Fills in vectors in the background, while the documents are already found by their words."""

import logging
import time
from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from contextlib import suppress
from threading import Event

from rag.background import Background, pause
from rag.database import batches
from rag.embeddings.check import Vector
from rag.embeddings.encoder import Encoder
from rag.errors import ModelError, StoreError, WenquError
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
_LONGEST_REST_SECONDS = 60 * 60.0
_LONGEST_PAUSE_SECONDS = 60.0
# What every model takes that takes anything.
_PROBE = "问"

_log = logging.getLogger(__name__)


class ModelTroubles:
    """What one model has failed at: how long it is left alone, and which texts it does not take."""

    def __init__(self) -> None:
        # Texts that it does not take, though it takes others.
        self.refused: set[str] = set()
        # Texts after which it took nothing at all.
        self._suspects: set[frozenset[str]] = set()
        self._failures = 0
        self._paused_until = 0.0

    @property
    def left_alone(self) -> float:
        """For how many seconds it is still left alone; 0 or less where it may be asked."""
        return self._paused_until - time.monotonic()

    def suspects_again(self, texts: Collection[str]) -> bool:
        """Remember texts after which it took nothing at all. Whether the same ones were remembered before."""
        suspect = frozenset(texts)
        if suspect in self._suspects:
            return True
        self._suspects.add(suspect)
        return False

    def fail(self) -> None:
        """Leave it alone, twice as long each time."""
        self._paused_until = time.monotonic() + pause(self._failures, _LONGEST_PAUSE_SECONDS)
        self._failures += 1

    def succeed(self) -> bool:
        """It has made a vector. Whether it had failed before."""
        had_failed = self._failures > 0
        if had_failed:
            self._failures = 0
            self._suspects.clear()
        return had_failed


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
        # Set where all is to be looked through from its beginning, as at the first time.
        self._again = Event()
        self._again.set()
        self._troubles: defaultdict[str, ModelTroubles] = defaultdict(ModelTroubles)
        # In a row, each of which left texts that their models refused.
        self._passes = 0
        self._next_pass: float | None = None
        self._ready: dict[str, Vector] = {}
        self._stored_at = 0.0
        self._background = Background("vector-filler", self._round)

    def wake(self) -> None:
        """Tell that there are chunks without vectors. The first time begins with what an earlier process left."""
        self._background.start()
        self._background.wake()

    def begin_again(self, collection_id: str) -> None:
        """Tell that a collection is to have another model's vectors. Raises StoreError."""
        try:
            self._states.settle(collection_id)
        finally:
            # Where the store refuses that, too: the choice is stored, and to make it again would change nothing.
            self._again.set()
            self.wake()

    def close(self) -> None:
        """Stop after the texts in hand, and store what there is."""
        # A server may take minutes to answer; what it was asked for is asked for again at the next start.
        self._background.close()

    def _round(self) -> None:
        """Embed the next texts of the first field and model that lack any; where none does, wait for more."""
        if self._again.is_set():
            self._after.clear()
            self._states.reopen()
            # Not before: the store may have refused. Who sets it meanwhile has stored a choice; nothing is passed yet.
            self._again.clear()
        pauses = []
        for field, encoder in self._knowledge.encoders.to_fill():
            left_alone = self._troubles[encoder.model_id].left_alone
            if left_alone > 0:
                pauses.append(left_alone)
            elif self._fill_next(field, encoder):
                return
        self._states.finish()
        self._rest(min(pauses, default=None))

    def _fill_next(self, field: str, encoder: Encoder) -> bool:
        """Embed the next texts of a field by a model. Whether there were any."""
        space, is_own = Space(field, encoder.model_id), encoder in self._knowledge.encoders.configured.values()
        at_once = _FETCHED_AT_ONCE if is_own else _FETCHED_OF_CHOSEN
        vectors = Vectors(self._catalog.engine, encoder.model_id, self._catalog.model_id)
        after = self._after.get(space, 0)
        # In this order: what is stored in between is no older, and is found the next time.
        newest = vectors.newest(field)
        pending = vectors.pending(after, at_once, field)
        if not pending:
            self._after[space] = max(after, newest)
            return False
        try:
            self._fill(pending, field, encoder)
        except StoreError as error:
            self._fail(encoder, error)
            # The model is well, and its pause begins anew with each vector that it makes for nothing.
            raise
        except WenquError as error:
            self._fail(encoder, error)
        else:
            self._after[space] = pending[-1].key
        return True

    def _rest(self, soonest: float | None) -> None:
        """Wait for more; what was refused has its next turn after a pause, twice as long each time."""
        if not any(troubles.refused for troubles in self._troubles.values()):
            self._passes = 0
            self._background.rest(soonest)
            return
        if self._next_pass is None:
            self._next_pass = time.monotonic() + pause(self._passes, _LONGEST_REST_SECONDS)
            self._passes += 1
        if (left := self._next_pass - time.monotonic()) > 0:
            self._background.rest(min(left, soonest or left))
        else:
            self._next_pass = None
            for troubles in self._troubles.values():
                troubles.refused.clear()
            self._again.set()

    def _fill(self, pending: Sequence[PendingText], field: str, encoder: Encoder) -> None:
        refused = self._troubles[encoder.model_id].refused
        texts = list({text.text_hash: text.text for text in pending if text.text_hash not in refused}.items())
        left = deque(map(dict, batches(texts, _TEXTS_AT_ONCE)))
        try:
            while left and self._may_go_on(encoder):
                left.extendleft(self._try(left.popleft(), field, encoder))
        finally:
            self._store(encoder)

    def _try(self, batch: dict[str, str], field: str, encoder: Encoder) -> list[dict[str, str]]:
        """Embed texts; where the model takes them not together, one by one: those are returned. Raises ModelError."""
        try:
            self._ready.update(zip(batch, encoder.passages(list(batch.values())), strict=True))
        except ModelError as error:
            if not self._is_to_blame(batch, encoder):
                raise
            if len(batch) > 1:
                return [{text_hash: text} for text_hash, text in batch.items()]
            self._refuse(next(iter(batch)), field, encoder, error)
        else:
            self._succeed(encoder)
        return []

    def _is_to_blame(self, batch: Collection[str], encoder: Encoder) -> bool:
        """Whether it is the texts' fault that they have no vectors, not that of a model that takes nothing at all.

        If the probe fails again after the same texts, they are blamed: they may crash the server.
        """
        try:
            encoder.passages([_PROBE])
        except ModelError:
            return self._troubles[encoder.model_id].suspects_again(batch)
        self._succeed(encoder)
        return True

    def _refuse(self, text_hash: str, field: str, encoder: Encoder, error: ModelError) -> None:
        """Leave a text out until the next turn of such, and say so of the documents that have it."""
        _log.warning("a text has no vector: %s", error)
        self._states.report(encoder.model_id, error.message, (field, text_hash))
        self._troubles[encoder.model_id].refused.add(text_hash)

    def _succeed(self, encoder: Encoder) -> None:
        had_failed = self._troubles[encoder.model_id].succeed()
        if had_failed or time.monotonic() - self._stored_at > _STORE_SECONDS:
            self._store(encoder)
        if had_failed:
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
        with suppress(StoreError):  # which is in the log already
            self._states.report(encoder.model_id, error.message)
        self._troubles[encoder.model_id].fail()
